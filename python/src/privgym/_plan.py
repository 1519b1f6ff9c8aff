"""What a client does, without doing it: plans that say which calls to make and learn how they ended.

The blocking and the asyncio client carry out the same plans, so that retries, the way to another replica and the
rebuilding of episodes are written once. A plan is a generator. One for a single item yields a Call or a Pause and is
sent the response, or has the error thrown into it; `together` makes one plan of many, which yields all calls that can
be made at once, those to one server merged into batches.
"""

import hashlib
import random
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from . import _batch, _wire, errors, types
from .v1 import environment_pb2, reward_pb2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make: the rpc by name, at an address."""

    address: str
    rpc: str
    request: Any


@dataclass(frozen=True, slots=True)
class Pause:
    """A time to wait, in seconds."""

    seconds: float


Plan = Generator[Call | Pause, Any, T]
Waves = Generator[list[Call] | Pause, list[Any], list[T | errors.Error]]

# Pauses between rounds of attempts: about 0.1, 0.2, 0.4, … s, at most 2 s.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0
# Not the random numbers of the program, which may be seeded: a call that is tried again must not change what follows.
_JITTER = random.Random()
# For so long after a failure an address is asked last, and after all attempts failed each call makes one round only:
# the episodes of a batch then do not wait one after the other for a server that is gone.
_SHUN = 5.0


class Replicas:
    """The addresses of servers that all answer alike."""

    def __init__(self, addresses: str | Sequence[str], retries: int) -> None:
        self.addresses = (addresses,) if isinstance(addresses, str) else tuple(dict.fromkeys(addresses))
        if not self.addresses:
            raise ValueError("addresses is empty; give host:port of at least one server")
        for address in self.addresses:
            if not address or address.startswith(("http://", "https://")):
                raise ValueError(f"address {address!r} is not of the form host:port")
        self.retries = retries
        self._shunned: dict[str, float] = {}
        self._hopeless = 0.0

    def order(self, key: str, preferred: str = "") -> list[str]:
        """Return all addresses in the order in which to try them for a key.

        First the preferred one, then by a hash of key and address, so that keys spread evenly and a replica that goes
        moves its own keys only; but those that have just failed come last.
        """
        now = time.monotonic()

        def rank(address: str) -> tuple[bool, bool, bytes]:
            weight = hashlib.sha256(f"{key}\n{address}".encode()).digest()
            return self._shunned.get(address, 0.0) > now, address != preferred, weight

        return sorted(self.addresses, key=rank) if len(self.addresses) > 1 else list(self.addresses)

    def rounds(self) -> int:
        """Return how often each address is to be tried."""
        return 1 if time.monotonic() < self._hopeless else self.retries + 1

    def worked(self, address: str) -> None:
        """Trust an address again, if it was shunned."""
        if self._shunned:
            self._shunned.pop(address, None)
            self._hopeless = 0.0

    def failed(self, address: str) -> None:
        """Shun an address for a while."""
        self._shunned[address] = time.monotonic() + _SHUN

    def gave_up(self) -> None:
        """Do not try hard for a while."""
        self._hopeless = time.monotonic() + _SHUN


def attempt(replicas: Replicas, key: str, at: Callable[[str], Plan[T]], preferred: str = "") -> Plan[T]:
    """Carry out `at(address)` on the replicas of a key until one answers."""
    rounds = replicas.rounds()
    n = 0
    while True:
        for address in replicas.order(key, preferred):
            try:
                answer = yield from at(address)
            except errors.Unavailable as failure:
                replicas.failed(address)
                last = failure
            else:
                replicas.worked(address)
                return answer
        n += 1
        if n == rounds or isinstance(last, errors.DeadlineExceeded):
            replicas.gave_up()
            raise last
        yield Pause(_JITTER.uniform(0.75, 1.0) * min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (n - 1)))


def call_any(replicas: Replicas, rpc: str, request: Any, key: str = "") -> Plan[Any]:
    """Make one call that any replica can answer."""
    return attempt(replicas, key, lambda address: _one(Call(address, rpc, request)))


def _one(call: Call) -> Plan[Any]:
    return (yield call)


def reset(replicas: Replicas, start: types.Start) -> Plan[types.Episode]:
    """Open an episode."""
    request = _wire.from_start(start)
    # An id of our own makes the request one that can be repeated, and says where the episode lives.
    request.episode_id = request.episode_id or uuid.uuid4().hex

    def at(address: str) -> Plan[types.Episode]:
        return _wire.to_episode((yield Call(address, "Reset", request)), address, start.history)

    return attempt(replicas, request.episode_id, at)


def step(replicas: Replicas, episode: types.Episode, turn: types.Turn) -> Plan[types.Step]:
    """Play a turn, and add it to the episode."""
    request = environment_pb2.StepRequest(
        episode_id=episode.id, turn=len(episode.turns) + 1, content=_wire.from_turn(turn)
    )
    played = _wire.to_step((yield from _on(replicas, episode, "Step", request)))
    episode.turns.append(turn)
    episode.steps.append(played)
    return played


def score(replicas: Replicas, episode: types.Episode, presets: Sequence[str]) -> Plan[types.Score]:
    """Score an episode as it stands."""
    request = environment_pb2.ScoreRequest(episode_ids=[episode.id], presets=presets)
    return _wire.to_score((yield from _on(replicas, episode, "Score", request)))


def score_trajectory(replicas: Replicas, t: types.Trajectory, presets: Sequence[str]) -> Plan[types.Score]:
    """Execute a trajectory again and score it."""
    request = reward_pb2.ScoreTrajectoriesRequest(trajectories=[_wire.from_trajectory(t)], presets=presets)
    key = f"{t.scenario_id} {t.seed}"  # spreads a batch over the replicas
    return _wire.to_score((yield from call_any(replicas, "ScoreTrajectories", request, key)))


def _on(replicas: Replicas, episode: types.Episode, rpc: str, request: Any) -> Plan[Any]:
    """Make a call about an episode where it lives, or on another replica after rebuilding it there."""

    def at(address: str) -> Plan[Any]:
        if address == episode.address:
            try:
                return (yield Call(address, rpc, request))
            except errors.NotFound:
                pass  # the server was started anew, or the episode was idle for too long
        again = types.Start(
            episode.scenario_id,
            seed=episode.seed,
            options=episode.options,
            history=episode.turns,
            episode_id=episode.id,
        )
        yield Call(address, "Reset", _wire.from_start(again))
        episode.address = address
        return (yield Call(address, rpc, request))

    return attempt(replicas, episode.id, at, episode.address)


def together(plans: Iterable[Plan[T]]) -> Waves[T]:
    """Carry out plans side by side. What each returns, or the error it ends with, comes back in order."""
    running = list(plans)
    results: list[Any] = [None] * len(running)
    todo: dict[int, Call | Pause] = {}

    def go_on(i: int, answer: Any) -> None:
        todo.pop(i, None)
        try:
            todo[i] = running[i].throw(answer) if isinstance(answer, errors.Error) else running[i].send(answer)
        except StopIteration as end:
            results[i] = end.value
        except errors.Error as failure:
            results[i] = failure

    for i in range(len(running)):
        go_on(i, None)
    while todo:
        calls = {i: action for i, action in todo.items() if isinstance(action, Call)}
        if calls:
            merged = _batch.merge(calls)
            answers = yield [Call(m.address, m.rpc, m.request) for m in merged]
            for m, answer in zip(merged, answers, strict=True):
                for i, part in zip(m.items, m.split(answer), strict=True):
                    go_on(i, part)
        else:  # those that wait do so together, once nothing else is left to do
            yield Pause(max(action.seconds for action in todo.values() if isinstance(action, Pause)))
            for i in list(todo):
                go_on(i, None)
    return results
