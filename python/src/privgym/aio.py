"""The client for asyncio: `privgym.aio.Client` does what `privgym.Client` does, with the same arguments."""

import asyncio
import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, TypeVar

import grpc
import grpc.aio

from . import _base, _channel, _plan, errors
from .types import Description, Episode, Group, Options, Scenario, Score, Start, Step, Trajectory, Turn

T = TypeVar("T")

__all__ = ["Client"]


class Client(_base.Base):
    """Plays and scores episodes; see privgym.Client. Connections belong to the event loop that runs.

    A process that has used it must not fork and go on with gRPC in the child, which gRPC itself does not support.
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
        super().__init__(addresses, token, tls, timeout, retries, grpc.aio)

    async def describe(self) -> Description:
        """Return what a server serves, and within which limits."""
        return await self._do(self._describe())

    async def list_scenarios(self, split: str = "", prompt: str = "") -> list[Scenario]:
        """Return the scenarios of a split in the order of their index; an empty split means all."""
        return await self._do(self._list_scenarios(split, prompt))

    async def reset(
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
        return await self._do(self._reset(start))

    async def step(self, episode: Episode, turn: Turn) -> Step:
        """Play the next turn of an episode."""
        return await self._do(self._step(episode, turn))

    async def score(self, episode: Episode, presets: Sequence[str] = ()) -> Score:
        """Score an episode as it stands, also an unfinished one. No presets: ranked."""
        return await self._do(self._score(episode, presets))

    async def reset_batch(self, starts: Iterable[Start]) -> list[Episode | errors.Error]:
        """Open many episodes in one call a server."""
        return await self._run(_plan.together(map(self._reset, starts)))

    async def step_batch(self, turns: Iterable[tuple[Episode, Turn]]) -> list[Step | errors.Error]:
        """Play the next turn of many episodes, each named once, in one call a server."""
        return await self._run(_plan.together(self._steps(turns)))

    async def score_batch(self, episodes: Iterable[Episode], presets: Sequence[str] = ()) -> list[Score | errors.Error]:
        """Score many episodes as they stand."""
        return await self._run(_plan.together(self._score(e, presets) for e in episodes))

    async def score_trajectories(
        self, trajectories: Iterable[Trajectory], presets: Sequence[str] = ()
    ) -> list[Score | errors.Error]:
        """Execute trajectories again and score them; no live episode is needed."""
        return await self._run(_plan.together(self._score_trajectory(t, presets) for t in trajectories))

    async def rank_group(self, members: Iterable[Episode | Trajectory], preset: str = "") -> Group:
        """Rank the members of one GRPO group, which share scenario, seed and options."""
        return await self._do(self._rank_group(members, preset))

    async def close_episodes(self, episodes: Iterable[Episode]) -> None:
        """Free the slots of episodes before the servers' idle time-out does. Failures are of no consequence."""
        await self._run(_plan.together(self._close(episodes)))

    async def close(self) -> None:
        """Close the connections of this process; the next call makes new ones."""
        await asyncio.gather(*(stubs.channel.close() for stubs in self._stubs.take(asyncio.get_running_loop())))

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _do(self, plan: _plan.Plan[T]) -> T:
        (result,) = await self._run(_plan.together([plan]))
        if isinstance(result, errors.Error):
            raise result
        return result

    async def _run(self, waves: _plan.Waves[T]) -> list[T | errors.Error]:
        answers: Any = None  # what a generator is sent first
        while True:
            try:
                action = waves.send(answers)
            except StopIteration as end:
                results: list[T | errors.Error] = end.value
                return results
            if isinstance(action, _plan.Pause):
                await asyncio.sleep(action.seconds)
                answers = []
            else:
                answers = await asyncio.gather(*map(self._call, action))

    async def _call(self, call: _plan.Call) -> Any:
        stubs: _base.Stubs = self._stubs.get(call.address, loop=asyncio.get_running_loop())
        try:
            answer = stubs.of(call.rpc)(call.request, timeout=self.timeout, metadata=self._metadata)
            return [item async for item in answer] if call.rpc in _base.STREAMS else await answer
        except grpc.RpcError as failure:
            return errors.of_rpc(failure, call.address)
