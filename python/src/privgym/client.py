"""The blocking client."""

import os
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, TypeVar

import grpc

from . import _base, _channel, _plan, errors
from .types import Description, Episode, Group, Options, Scenario, Score, Start, Step, Trajectory, Turn

T = TypeVar("T")


class Client(_base.Base):
    """Plays and scores episodes on one or several servers.

    addresses: host:port of one server or of several replicas, or unix:path. An episode lives on one of them, by a hash
        of its id; when that one is gone it is rebuilt on the next, with the same bytes and the same reward.
    token: the bearer token of the servers; PRIVGYM_TOKEN in the environment where it is not given.
    tls: True for TLS with the usual authorities, the path of a PEM file of them, or a TLS. False: in the clear.
    timeout: the deadline of each call, in seconds.
    retries: how often a call that no server answered is tried again, after growing pauses; it may always be repeated.

    It may be used by several threads, pickled, and used after a fork: connections are made at the first call and belong
    to one process. Batches return an Error in the place of each item that failed; every other call raises it.
    """

    def __init__(
        self,
        addresses: str | Sequence[str],
        *,
        token: str | None = None,
        tls: bool | str | os.PathLike[str] | _channel.TLS = False,
        timeout: float = 30.0,
        retries: int = 6,
    ) -> None:
        super().__init__(addresses, token, tls, timeout, retries, grpc)

    def describe(self) -> Description:
        """Return what a server serves, and within which limits."""
        return self._do(self._describe())

    def list_scenarios(self, split: str = "", prompt: str = "") -> list[Scenario]:
        """Return the scenarios of a split in the order of their index; an empty split means all."""
        return self._do(self._list_scenarios(split, prompt))

    def reset(
        self,
        scenario_id: str = "",
        *,
        split: str = "",
        index: int = 0,
        seed: int = 0,
        options: Options | None = None,
        history: Sequence[Turn] = (),
        episode_id: str = "",
    ) -> Episode:
        """Open an episode of a scenario, given by its id or by split and index. Repeating it with an id is harmless."""
        start = Start(scenario_id, split, index, seed, options or Options(), history, episode_id)
        return self._do(self._reset(start))

    def step(self, episode: Episode, turn: Turn) -> Step:
        """Play the next turn of an episode."""
        return self._do(self._step(episode, turn))

    def score(self, episode: Episode, presets: Sequence[str] = ()) -> Score:
        """Score an episode as it stands, also an unfinished one. No presets: ranked."""
        return self._do(self._score(episode, presets))

    def reset_batch(self, starts: Iterable[Start]) -> list[Episode | errors.Error]:
        """Open many episodes in one call a server."""
        return self._run(_plan.together(map(self._reset, starts)))

    def step_batch(self, turns: Iterable[tuple[Episode, Turn]]) -> list[Step | errors.Error]:
        """Play the next turn of many episodes, each named once, in one call a server."""
        return self._run(_plan.together(self._steps(turns)))

    def score_batch(self, episodes: Iterable[Episode], presets: Sequence[str] = ()) -> list[Score | errors.Error]:
        """Score many episodes as they stand."""
        return self._run(_plan.together(self._score(e, presets) for e in episodes))

    def score_trajectories(
        self, trajectories: Iterable[Trajectory], presets: Sequence[str] = ()
    ) -> list[Score | errors.Error]:
        """Execute trajectories again and score them; no live episode is needed."""
        return self._run(_plan.together(self._score_trajectory(t, presets) for t in trajectories))

    def rank_group(self, members: Iterable[Episode | Trajectory], preset: str = "") -> Group:
        """Rank the members of one GRPO group, which share scenario, seed and options."""
        return self._do(self._rank_group(members, preset))

    def close_episodes(self, episodes: Iterable[Episode]) -> None:
        """Free the slots of episodes before the servers' idle time-out does. Failures are of no consequence."""
        self._run(_plan.together(self._close(episodes)))

    def close(self) -> None:
        """Close the connections of this process; the next call makes new ones."""
        for stubs in self._stubs.take():
            stubs.channel.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _do(self, plan: _plan.Plan[T]) -> T:
        (result,) = self._run(_plan.together([plan]))
        if isinstance(result, errors.Error):
            raise result
        return result

    def _run(self, waves: _plan.Waves[T]) -> list[T | errors.Error]:
        answers: Any = None  # what a generator is sent first
        while True:
            try:
                action = waves.send(answers)
            except StopIteration as end:
                results: list[T | errors.Error] = end.value
                return results
            if isinstance(action, _plan.Pause):
                time.sleep(action.seconds)
                answers = []
            elif len(action) == 1:
                answers = [self._call(action[0])]
            else:
                started = [self._begin(call) for call in action]
                answers = [self._end(call, future) for call, future in zip(action, started, strict=True)]

    def _call(self, call: _plan.Call) -> Any:
        try:
            stub = self._stubs.get(call.address).of(call.rpc)
            answer = stub(call.request, timeout=self.timeout, metadata=self._metadata)
            return list(answer) if call.rpc in _base.STREAMS else answer
        except grpc.RpcError as failure:
            return errors.of_rpc(failure, call.address)

    def _begin(self, call: _plan.Call) -> Any:
        stub = self._stubs.get(call.address).of(call.rpc)
        return stub.future(call.request, timeout=self.timeout, metadata=self._metadata)

    def _end(self, call: _plan.Call, future: Any) -> Any:
        try:
            return future.result()
        except grpc.RpcError as failure:
            return errors.of_rpc(failure, call.address)
