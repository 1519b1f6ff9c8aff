"""From plain values to messages of the wire and back: the only place that knows both."""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from . import types
from .v1 import environment_pb2, episode_pb2, reward_pb2

T = TypeVar("T")


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def _plain(kind: type[T], message: Any, **given: Any) -> T:
    """Make a value of the fields that it and the message have in common; those given are not read."""
    return kind(**{name: given[name] if name in given else getattr(message, name) for name in _names(kind)})  # type: ignore[arg-type]


def _optional(message: Any, name: str) -> int | None:
    return getattr(message, name) if message.HasField(name) else None


def from_options(o: types.Options) -> episode_pb2.EpisodeOptions:
    """Return the options as a message."""
    return episode_pb2.EpisodeOptions(
        k=o.k, prompt=o.prompt, faults=o.faults, high_faults=o.high_faults, tool_order=o.tool_order, turns=o.turns
    )


def from_turn(t: types.Turn) -> episode_pb2.Turn:
    """Return the turn as a message."""
    calls = [episode_pb2.ToolCall(id=c.id, name=c.name, arguments=c.arguments) for c in t.calls]
    return episode_pb2.Turn(
        text=t.text, reasoning=t.reasoning, calls=calls, tokens=t.tokens, finish_reason=t.finish_reason
    )


def from_start(s: types.Start) -> environment_pb2.ResetRequest:
    """Return the request that opens an episode, or finds it open."""
    request = environment_pb2.ResetRequest(
        episode_id=s.episode_id, seed=s.seed, options=from_options(s.options), history=map(from_turn, s.history)
    )
    if s.split:
        request.by_index.split, request.by_index.index = s.split, s.index
    else:
        request.scenario_id = s.scenario_id
    return request


def from_trajectory(t: types.Trajectory) -> episode_pb2.Trajectory:
    """Return the trajectory as a message."""
    return episode_pb2.Trajectory(
        scenario_id=t.scenario_id, seed=t.seed, options=from_options(t.options), turns=map(from_turn, t.turns)
    )


def to_messages(messages: Iterable[episode_pb2.Message]) -> tuple[types.Message, ...]:
    """Return the messages that an episode starts with."""
    return tuple(types.Message(m.role, m.content) for m in messages)


def to_tools(tools: Iterable[episode_pb2.Tool]) -> tuple[types.Tool, ...]:
    """Return tools in their order."""
    return tuple(types.Tool(t.name, t.json) for t in tools)


def to_outcome(m: reward_pb2.Outcome) -> types.Outcome:
    """Return an outcome; what is absent in it is None."""
    return _plain(
        types.Outcome,
        m,
        ped=_optional(m, "ped"),
        ped_called=_optional(m, "ped_called"),
        tokens=_optional(m, "tokens"),
        class_=getattr(m, "class"),
        blast=_plain(types.Blast, m.blast),
    )


def to_step(m: environment_pb2.StepResponse) -> types.Step:
    """Return what a turn led to."""
    return types.Step(
        tuple(types.ToolMessage(t.call_id, t.name, t.content, t.status) for t in m.tool_messages),
        m.terminated,
        m.truncated,
        to_outcome(m.outcome) if m.HasField("outcome") else None,
    )


def to_episode(m: environment_pb2.ResetResponse, address: str, history: Iterable[types.Turn]) -> types.Episode:
    """Return the episode that was opened at an address, with the history that was played again."""
    return types.Episode(
        id=m.episode_id,
        scenario_id=m.scenario_id,
        seed=m.seed,
        options=_plain(types.Options, m.options),
        messages=to_messages(m.messages),
        tools=to_tools(m.tools),
        toolset_key=m.toolset_key,
        address=address,
        turns=list(history),
        steps=[to_step(s) for s in m.history],
    )


def to_reward(m: reward_pb2.Reward) -> types.Reward:
    """Return a reward with its terms."""
    return _plain(types.Reward, m, terms=tuple(types.Term(t.name, t.value) for t in m.terms))


def to_score(m: reward_pb2.ScoreResult) -> types.Score:
    """Return a score; its status must be OK."""
    return types.Score(to_outcome(m.outcome), tuple(map(to_reward, m.rewards)))


def to_group(m: reward_pb2.RankGroupResponse) -> types.Group:
    """Return a ranked group."""
    members = (
        types.RankedMember(
            scorable=r.scorable,
            outcome=to_outcome(r.outcome) if r.scorable else None,
            reward=to_reward(r.reward) if r.scorable else None,
            rank=r.rank,
            advantage=r.advantage,
            problem=r.status.message,
        )
        for r in m.members
    )
    return types.Group(tuple(members), m.degenerate, m.reason, m.mean)


def to_scenario(m: environment_pb2.ListScenariosResponse, tools: dict[str, tuple[types.Tool, ...]]) -> types.Scenario:
    """Return a scenario. Tools holds those of toolsets seen before, so that scenarios share them."""
    s = m.scenario
    if s.toolset_key not in tools:
        tools[s.toolset_key] = to_tools(s.tools)
    return _plain(types.Scenario, s, messages=to_messages(s.messages), tools=tools[s.toolset_key], index=m.index)


def to_description(m: environment_pb2.DescribeResponse) -> types.Description:
    """Return what a server says of itself."""
    return _plain(
        types.Description,
        m,
        splits=tuple(_plain(types.Split, s) for s in m.splits),
        presets=tuple(m.presets),
        prompts=tuple(m.prompts),
        fault_plans=tuple(m.fault_plans),
        limits=_plain(types.Limits, m.limits, idle_timeout=m.limits.idle_timeout.ToTimedelta().total_seconds()),
    )
