"""What the blocking and the asyncio client have in common: everything but how a call is made."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

from . import _channel, _plan, _wire, errors, types
from .v1 import environment_pb2, environment_pb2_grpc, reward_pb2, reward_pb2_grpc

STREAMS = ("ListScenarios",)
_REWARDS = ("ScoreTrajectories", "RankGroup")


class Stubs:
    """A channel and the stubs on it."""

    def __init__(self, channel: Any) -> None:
        self.channel = channel
        self._environment = environment_pb2_grpc.EnvironmentServiceStub(channel)  # type: ignore[no-untyped-call]
        self._reward = reward_pb2_grpc.RewardServiceStub(channel)  # type: ignore[no-untyped-call]

    def of(self, rpc: str) -> Any:
        """Return what makes a call of the name."""
        return getattr(self._reward if rpc in _REWARDS else self._environment, rpc)


class Base:
    """The settings of a client, and the plans of its calls."""

    def __init__(
        self,
        addresses: str | Sequence[str],
        token: str | None,
        tls: bool | str | os.PathLike[str] | _channel.TLS,
        timeout: float,
        retries: int,
        transport: Any,
    ) -> None:
        if timeout <= 0 or retries < 0:
            raise ValueError(f"timeout is {timeout}, retries {retries}; give seconds above 0 and no negative number")
        self.timeout = timeout
        self._replicas = _plan.Replicas(addresses, retries)
        self._tls = _channel.tls_of(tls)
        self._token = os.environ.get("PRIVGYM_TOKEN", "") if token is None else token
        self._metadata = (("authorization", f"Bearer {self._token}"),) if self._token else ()
        self._transport = transport  # grpc or grpc.aio
        self._stubs = _channel.PerProcess(self._connect)

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of the servers."""
        return self._replicas.addresses

    def __getstate__(self) -> dict[str, Any]:
        return {
            "addresses": self.addresses,
            "token": self._token,
            "tls": self._tls or False,
            "timeout": self.timeout,
            "retries": self._replicas.retries,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc] # the constructor of the client, whose arguments these are

    def _connect(self, address: str) -> Stubs:
        if self._tls is None:
            return Stubs(self._transport.insecure_channel(address, _channel.OPTIONS))
        return Stubs(self._transport.secure_channel(address, self._tls.credentials(), self._tls.options()))

    def _describe(self) -> _plan.Plan[types.Description]:
        answer = yield from _plan.call_any(self._replicas, "Describe", environment_pb2.DescribeRequest())
        return _wire.to_description(answer)

    def _list_scenarios(self, split: str, prompt: str) -> _plan.Plan[list[types.Scenario]]:
        request = environment_pb2.ListScenariosRequest(split=split, prompt=prompt)
        answers = yield from _plan.call_any(self._replicas, "ListScenarios", request)
        toolsets: dict[str, tuple[types.Tool, ...]] = {}
        return [_wire.to_scenario(answer, toolsets) for answer in answers]

    def _reset(self, start: types.Start) -> _plan.Plan[types.Episode]:
        return _plan.reset(self._replicas, start)

    def _step(self, episode: types.Episode, turn: types.Turn) -> _plan.Plan[types.Step]:
        return _plan.step(self._replicas, episode, turn)

    def _steps(self, turns: Iterable[tuple[types.Episode, types.Turn]]) -> list[_plan.Plan[types.Step]]:
        turns = list(turns)
        if len({id(episode) for episode, _ in turns}) < len(turns):
            raise ValueError("step_batch: an episode is named twice; its turns follow each other, so send them apart")
        return [self._step(episode, turn) for episode, turn in turns]

    def _score(self, episode: types.Episode, presets: Sequence[str]) -> _plan.Plan[types.Score]:
        return _plan.score(self._replicas, episode, presets)

    def _score_trajectory(self, t: types.Trajectory, presets: Sequence[str]) -> _plan.Plan[types.Score]:
        return _plan.score_trajectory(self._replicas, t, presets)

    def _rank_group(self, members: Iterable[types.Episode | types.Trajectory], preset: str) -> _plan.Plan[types.Group]:
        # Members live on different replicas; as trajectories any one of them can rank them.
        ours = (m.trajectory() if isinstance(m, types.Episode) else m for m in members)
        request = reward_pb2.RankGroupRequest(
            members=[reward_pb2.GroupMember(trajectory=_wire.from_trajectory(t)) for t in ours], preset=preset
        )
        return _wire.to_group((yield from _plan.call_any(self._replicas, "RankGroup", request)))

    def _close(self, episodes: Iterable[types.Episode]) -> list[_plan.Plan[None]]:
        by_address: dict[str, list[str]] = {}
        for episode in episodes:
            by_address.setdefault(episode.address, []).append(episode.id)
        return [_close_at(address, ids) for address, ids in by_address.items()]


def _close_at(address: str, ids: list[str]) -> _plan.Plan[None]:
    try:
        yield _plan.Call(address, "Close", environment_pb2.CloseRequest(episode_ids=ids))
    except errors.Error:
        return  # the idle time-out does it
