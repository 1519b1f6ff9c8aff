"""What the client does when a server does not do its part."""

import random
import socket
import time

import pytest
from grpc import StatusCode
from scripted import scripted

import privgym


@pytest.fixture
def nobody():
    """An address that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{s.getsockname()[1]}"


def test_unavailable_is_tried_again():
    with scripted(StatusCode.UNAVAILABLE, StatusCode.RESOURCE_EXHAUSTED) as (server, address):
        assert privgym.Client(address).describe().version == "scripted"
        assert server.asked == 3


def test_retries_are_bounded():
    with scripted(*[StatusCode.UNAVAILABLE] * 9) as (server, address):
        client = privgym.Client(address, retries=2)
        with pytest.raises(privgym.Unavailable, match="as told"):
            client.describe()
        assert server.asked == 3
        with pytest.raises(privgym.Unavailable):
            client.describe()
        assert server.asked == 4, "right after all attempts failed, one is enough"


def test_a_retry_leaves_the_random_numbers_of_the_program_alone():
    random.seed(1)
    with scripted(StatusCode.UNAVAILABLE) as (_, address):
        privgym.Client(address).describe()
    after = random.random()
    random.seed(1)
    assert random.random() == after


@pytest.mark.parametrize("code", [StatusCode.INVALID_ARGUMENT, StatusCode.FAILED_PRECONDITION, StatusCode.INTERNAL])
def test_nothing_else_is_tried_again(code):
    with scripted(code) as (server, address):
        with pytest.raises(privgym.Error, match="as told") as failure:
            privgym.Client(address).describe()
        assert failure.value.code == code.name and not isinstance(failure.value, privgym.Unavailable)
        assert server.asked == 1


def test_deadline():
    with scripted(delay=2.0) as (server, address):
        began = time.monotonic()
        with pytest.raises(privgym.DeadlineExceeded):
            privgym.Client(address, timeout=0.2).describe()
        assert time.monotonic() - began < 1.5
        assert server.asked == 1


def test_a_silent_replica_gives_way_to_another():
    with scripted(delay=2.0) as (_, silent), scripted() as (_, address):
        for _ in range(2):
            assert privgym.Client([silent, address], timeout=0.3).describe().version == "scripted"


def test_nobody_there(nobody):
    client = privgym.Client(nobody, retries=1)
    with pytest.raises(privgym.Unavailable) as failure:
        client.describe()
    assert nobody in str(failure.value)
    assert isinstance(client.reset_batch([privgym.Start("a/1.1")])[0], privgym.Unavailable)
    assert isinstance(client.score_trajectories([privgym.Trajectory("a/1.1", [])])[0], privgym.Unavailable)


def test_the_token_goes_with_each_call(monkeypatch):
    with scripted() as (server, address):
        privgym.Client(address, token="secret").describe()
        assert server.metadata["authorization"] == "Bearer secret"
        monkeypatch.setenv("PRIVGYM_TOKEN", "other")
        privgym.Client(address).describe()
        assert server.metadata["authorization"] == "Bearer other"
        privgym.Client(address, token="").describe()
        assert "authorization" not in server.metadata
