"""Servers go, and episodes go on: same bytes, same rewards."""

import time

import pytest
from conftest import DONE, GROUP, ONCE, SCENARIO, TIERS, call

import privgym

MEMBERS = [turns for turns, _ in GROUP] * 3


def play(client, halfway=lambda: None):
    """Plays the members turn by turn in batches, as a trainer does; returns all steps and all rewards."""
    starts = [privgym.Start(SCENARIO, seed=7, options=ONCE, episode_id=f"member-{i}") for i in range(len(MEMBERS))]
    episodes = client.reset_batch(starts)
    for n in range(max(map(len, MEMBERS))):
        if n == 1:
            halfway()
        client.step_batch((e, turns[n]) for e, turns in zip(episodes, MEMBERS, strict=True) if n < len(turns))
    scores = client.score_batch(episodes)
    return [e.steps for e in episodes], [s.reward for s in scores], [s.outcome.tier for s in scores]


@pytest.fixture(scope="module")
def undisturbed(server):
    with privgym.Client(server.address) as client:
        return play(client)


def test_one_of_three_replicas_is_killed(undisturbed):
    with privgym.serve() as one, privgym.serve() as two, privgym.serve() as three:
        client = privgym.Client([one.address, two.address, three.address])
        homes = {client.reset(SCENARIO, episode_id=f"home-{i}").address for i in range(64)}
        assert homes == set(client.addresses), "episodes spread over all replicas"
        disturbed = play(client, halfway=two.kill)
        assert disturbed == undisturbed
        assert disturbed[2] == TIERS * 3


def test_single_calls_move_and_stay(undisturbed):
    with privgym.serve() as one, privgym.serve() as two:
        client = privgym.Client([one.address, two.address])
        episodes = [client.reset(SCENARIO, seed=7, options=ONCE, episode_id=f"single-{i}") for i in range(8)]
        first = [client.step(e, call()) for e in episodes]
        two.kill()
        second = [client.step(e, call()) for e in episodes]
        assert {e.address for e in episodes} == {one.address}
        assert [client.step(e, DONE).outcome.tier for e in episodes] == ["low_clean"] * 8
        assert [[a, b] for a, b in zip(first, second, strict=True)] == [undisturbed[0][0][:2]] * 8


def test_a_server_that_was_started_anew_gets_its_episodes_back(undisturbed):
    server = privgym.serve()
    client = privgym.Client(server.address)
    address = server.address

    def restart():
        nonlocal server
        server.kill()
        server = privgym.serve(listen=address)

    try:
        assert play(client, halfway=restart) == undisturbed
    finally:
        server.close()


def test_an_idle_episode_is_rebuilt():
    with privgym.serve("--idle-timeout", "100ms") as server, privgym.Client(server.address) as client:
        episode = client.reset(SCENARIO, seed=7, options=ONCE)
        client.step(episode, call())
        time.sleep(1.5)
        assert client.step(episode, call()).tool_messages[0].status == "ok"
        time.sleep(1.5)
        assert client.score(episode).outcome.tier == "low_clean"


def test_a_moved_episode_finds_its_way_back():
    with privgym.serve() as one, privgym.serve() as two:
        client = privgym.Client([one.address, two.address])
        episode = client.reset(SCENARIO, seed=7, options=ONCE)
        home = episode.address
        client.step(episode, call())
        (episode.address,) = set(client.addresses) - {home}  # the other holds nothing of it yet
        client.step(episode, call())
        episode.address = home  # which holds an older state
        with pytest.raises(privgym.FailedPrecondition):
            client.step(episode, DONE)
        episode.address = "gone"
        assert client.step(episode, DONE).outcome.tier == "low_clean"
        assert episode.address == home
