"""A server of this tree, and stubs generated from proto/: nothing of the project's own client is used here."""

import os
import pathlib
import subprocess
import sys
import time

import grpc
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def stubs(tmp_path_factory):
    """Modules of the wire contract, generated for this run."""
    out = tmp_path_factory.mktemp("stubs")
    files = [str(p.relative_to(ROOT / "proto")) for p in sorted((ROOT / "proto").glob("privgym/v1/*.proto"))]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            f"-I{ROOT / 'proto'}",
            f"--python_out={out}",
            f"--grpc_python_out={out}",
            *files,
        ],
        check=True,
    )
    sys.path.insert(0, str(out))
    from privgym.v1 import environment_pb2, environment_pb2_grpc, episode_pb2, reward_pb2, reward_pb2_grpc

    class Stubs:
        env, episode, reward = environment_pb2, episode_pb2, reward_pb2
        env_grpc, reward_grpc = environment_pb2_grpc, reward_pb2_grpc

    yield Stubs
    sys.path.remove(str(out))


def start_server(folder):
    """Starts `privgym serve` on a free port; returns the process and its address."""
    ready = folder / "ready"
    process = subprocess.Popen([os.environ["PRIVGYM_BIN"], "serve", "--listen", "127.0.0.1:0", "--ready-file", ready])
    deadline = time.monotonic() + 30
    while not ready.exists():
        assert process.poll() is None, "privgym serve ended before it was ready"
        assert time.monotonic() < deadline, "privgym serve was not ready in 30 s"
        time.sleep(0.02)
    return process, ready.read_text().strip()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The address of a running `privgym serve`."""
    process, address = start_server(tmp_path_factory.mktemp("server"))
    yield address
    process.terminate()
    assert process.wait(timeout=30) == 0, "privgym serve did not drain"


@pytest.fixture(scope="session")
def channel(address):
    with grpc.insecure_channel(address) as channel:
        yield channel
