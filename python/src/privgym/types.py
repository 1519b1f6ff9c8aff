"""What the services take and give, as plain values: frozen, comparable, picklable."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the conversation that an episode starts with; role is system or user."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the model sees it; json is the whole entry, compact, in canonical key order."""

    name: str
    json: str

    def schema(self) -> dict[str, Any]:
        """Return the entry {"type": "function", "function": {…}}, as chat templates take it."""
        schema: dict[str, Any] = json.loads(self.json)
        return schema


@dataclass(frozen=True, slots=True)
class Options:
    """What decides, with scenario and seed, all that happens in an episode. Zero and empty are the server's default."""

    k: int = 0
    prompt: str = ""
    faults: str = ""
    high_faults: str = ""
    tool_order: str = ""
    turns: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call; arguments is the JSON text as the model wrote it."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One assistant message. Tokens is None where unknown; finish_reason "length" marks a message that was cut."""

    text: str = ""
    reasoning: str = ""
    calls: Sequence[ToolCall] = ()
    tokens: int | None = None
    finish_reason: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """What to open an episode of: a scenario by id, or by split and index. History is played before Reset returns."""

    scenario_id: str = ""
    split: str = ""
    index: int = 0
    seed: int = 0
    options: Options = field(default_factory=Options)
    history: Sequence[Turn] = ()
    episode_id: str = ""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """All that is needed to execute an episode again."""

    scenario_id: str
    turns: Sequence[Turn]
    seed: int = 0
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The answer to one call: content is what the model reads, status is for the trainer alone."""

    call_id: str
    name: str
    content: str
    status: str


@dataclass(frozen=True, slots=True)
class Blast:
    """What the executed calls reached beyond the goal."""

    rows: int
    cells: int
    standing: int
    skipped: int
    authority: str
    lasting: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an episode as it stands; docs/reward.md defines every field. class_ is `class` there."""

    success: bool
    low_success: bool
    opur: bool
    opur_called: bool
    opur_needless: bool
    opur_strict: bool
    any_high: bool
    ped: int | None
    ped_called: int | None
    class_: str
    tier: str
    claim: str
    terminated: bool
    truncated: bool
    turns: int
    calls: int
    high_calls: int
    waste: int
    tokens: int | None
    answered: bool
    blast: Blast


@dataclass(frozen=True, slots=True)
class Step:
    """What a turn led to. Outcome is given when the episode is over."""

    tool_messages: tuple[ToolMessage, ...]
    terminated: bool
    truncated: bool
    outcome: Outcome | None

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.terminated or self.truncated


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a reward."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Reward:
    """A reward under one preset; the terms sum to the value exactly, added in order."""

    preset: str
    value: float
    band_low: float
    band_high: float
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Outcome and rewards, one for each preset asked for."""

    outcome: Outcome
    rewards: tuple[Reward, ...]

    @property
    def reward(self) -> float:
        """The value under the first preset."""
        return self.rewards[0].value


@dataclass(frozen=True, slots=True)
class RankedMember:
    """A member of a group. One that is not scorable has neither outcome nor reward: mask it."""

    scorable: bool
    outcome: Outcome | None
    reward: Reward | None
    rank: int
    advantage: float
    problem: str


@dataclass(frozen=True, slots=True)
class Group:
    """The members of one GRPO group against each other. Mean is over the scorable ones."""

    members: tuple[RankedMember, ...]
    degenerate: bool
    reason: str
    mean: float


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario; index is its position in the split."""

    id: str
    family: str
    split: str
    domain: str
    risk: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    toolset_key: str
    turn_limit: int
    index: int


@dataclass(frozen=True, slots=True)
class Split:
    """What a split holds."""

    name: str
    families: int
    scenarios: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server enforces; idle_timeout is in seconds."""

    episodes: int
    idle_timeout: float
    message_bytes: int
    concurrent_calls: int
    turns: int
    calls_per_turn: int
    argument_bytes: int
    text_bytes: int
    batch: int
    episode_id_bytes: int
    retained_bytes: int


@dataclass(frozen=True, slots=True)
class Description:
    """What a server serves, and within which limits."""

    version: str
    corpus_digest: str
    splits: tuple[Split, ...]
    presets: tuple[str, ...]
    prompts: tuple[str, ...]
    fault_plans: tuple[str, ...]
    limits: Limits


@dataclass(slots=True)
class Episode:
    """An open episode: all that it takes to go on with it on any replica. It holds no connection.

    A client adds to turns and steps as they are played. One episode is for one caller at a time.
    """

    id: str
    scenario_id: str
    seed: int
    options: Options
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    toolset_key: str
    address: str
    turns: list[Turn] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.steps) and self.steps[-1].over

    def trajectory(self) -> Trajectory:
        """Return what has been played so far."""
        return Trajectory(self.scenario_id, tuple(self.turns), self.seed, self.options)
