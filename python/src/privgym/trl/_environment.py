"""Environments as TRL takes them: one object a rollout, whose public methods are the model's tools."""

import logging
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..client import Client
from ..errors import Error
from ..types import Episode, Limits, Options, Tool, Trajectory, Turn
from . import _tools, _transcript

logger = logging.getLogger("privgym")


@dataclass(frozen=True)
class Toolset:
    """The tools that a family of scenarios shares."""

    key: str
    family: str
    tools: tuple[Tool, ...]


class Environment:
    """A rollout's episode. Nothing of it but reset is public, since TRL makes a tool of whatever is.

    The episode is opened at the first call of a tool, under an id of its own, and rebuilt if a server goes. Where no
    server can be reached the rollout is lost: every tool says so, nothing raises, and the reward is None.
    """

    def __init__(self, client: Client, options: Options, preset: str, limits: Limits) -> None:
        self._client, self._options, self._preset, self._limits = client, options, preset, limits
        self.reset()

    def reset(self, scenario_id: str = "", seed: int = 0, **row: Any) -> None:
        """Take the next row of the dataset. TRL calls it; it asks no server and never raises."""
        self._scenario_id, self._seed = scenario_id, seed
        self._episode: Episode | None = None
        self._problem: Exception | None = None

    def _call(self, name: str, arguments: dict[str, Any]) -> str:
        if self._problem is not None:
            return _transcript.LOST
        try:
            if self._episode is None:
                self._episode = self._client.reset(self._scenario_id, seed=self._seed, options=self._options)
            if self._episode.over:
                return _transcript.OVER
            call = _transcript.call_of(name, arguments, self._limits)
            return self._client.step(self._episode, Turn(calls=[call])).tool_messages[0].content
        except Exception as problem:
            logger.warning("rollout of %s is lost: %s", self._scenario_id, problem)
            self._problem = problem
            return _transcript.LOST

    def _reward(self) -> float | None:
        """Score the calls alone; None where that cannot be done."""
        if self._problem is not None:
            return None
        turns = () if self._episode is None else tuple(self._episode.turns)
        played = Trajectory(self._scenario_id, turns, self._seed, self._options)
        (score,) = self._client.score_trajectories([played], [self._preset])
        if isinstance(score, Error):
            logger.warning("rollout of %s is unscorable: %s", self._scenario_id, score)
            return None
        return score.reward


@dataclass(frozen=True)
class Factory:
    """Makes environments of a toolset. It holds no connection and asks no server, and may be pickled."""

    toolset: Toolset
    client: Client
    options: Options
    preset: str
    limits: Limits
    get_reward: bool

    def __call__(self) -> Environment:
        """Return a new environment."""
        kind = _kind(self.toolset, self.get_reward)
        return kind(self.client, self.options, self.preset, self.limits)


@cache
def _kind(toolset: Toolset, get_reward: bool) -> type[Environment]:
    """Return the class of a toolset. TRL lists the tools on the class, so each toolset has one of its own."""
    members: dict[str, Any] = {tool.name: _tools.method(tool) for tool in toolset.tools}
    if get_reward:
        members["get_reward"] = Environment._reward
    return type(toolset.family, (Environment,), members)
