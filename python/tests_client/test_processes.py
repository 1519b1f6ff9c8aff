"""A client may be pickled, used by threads and used after a fork."""

import concurrent.futures
import multiprocessing
import os
import pickle
import signal

from conftest import DONE, ONCE, SCENARIO, call

import privgym


def in_child(work):
    """Runs work in a fork of this process; returns whether it came to its end."""
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def in_fresh_process(work, *args):
    """Runs work in a new process: gRPC knows no fork after its servers or asyncio, which other tests use."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *args).result(timeout=60)


def fork_often(address):
    client = privgym.Client(address)
    before = in_child(lambda: bool(client.describe().version))
    episode = client.reset(SCENARIO, seed=7, options=ONCE)
    client.step(episode, call())
    forks = [in_child(lambda: client.step(episode, call()).tool_messages[0].status == "ok") for _ in range(3)]
    # The parent repeats what the children did, and gets the same bytes.
    return before, forks, client.step(episode, call()).tool_messages[0].status, client.step(episode, DONE).outcome.tier


def test_fork(server):
    assert in_fresh_process(fork_often, server.address) == (True, [True] * 3, "ok", "low_clean")


def fork_while_another_thread_connects(address):
    client = privgym.Client(address)
    before = bool(client.describe().version)

    def child():
        signal.alarm(20)  # ends a child that waits for ever
        client.close()
        return client.describe().version

    with client._stubs._lock:
        return before, in_child(child)


def test_a_fork_in_the_middle_of_a_connect(server):
    assert in_fresh_process(fork_while_another_thread_connects, server.address) == (True, True)


def close_in_child():
    with privgym.serve() as server:
        return in_child(lambda: server.close() is None), bool(privgym.Client(server.address).describe().version)


def test_a_fork_leaves_the_server_to_its_parent():
    assert in_fresh_process(close_in_child) == (True, True)


def test_pickle(client):
    episode = client.reset(SCENARIO, seed=7, options=ONCE)
    client.step(episode, call())
    other, moved = pickle.loads(pickle.dumps((client, episode)))
    assert moved == episode and other.addresses == client.addresses
    assert other.step(moved, call()).tool_messages[0].status == "ok"
    assert len(pickle.dumps(other)) < 1000
    again = pickle.loads(
        pickle.dumps(privgym.Client("a:1", tls=privgym.TLS(ca="ca.pem"), token="t", timeout=3, retries=1))
    )
    assert again.__getstate__() == {
        "addresses": ("a:1",),
        "token": "t",
        "tls": privgym.TLS(ca="ca.pem"),
        "timeout": 3,
        "retries": 1,
    }


def tier(client, episode):
    client.step(episode, call())
    return client.step(episode, DONE).outcome.tier


def test_spawned_process(client):
    episode = client.reset(SCENARIO, seed=7, options=ONCE, history=[call()])
    assert in_fresh_process(tier, client, episode) == "low_clean"


def test_threads(client):
    def one(i):
        return tier(client, client.reset(SCENARIO, seed=7, options=ONCE, history=[call()]))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(64))) == ["low_clean"] * 64


def test_errors_travel():
    error = pickle.loads(pickle.dumps(privgym.Unavailable("gone", "UNAVAILABLE", "a:1")))
    assert isinstance(error, privgym.Unavailable) and str(error) == "UNAVAILABLE (a:1): gone"
