from google.protobuf import duration_pb2 as _duration_pb2
from privgym.v1 import episode_pb2 as _episode_pb2
from privgym.v1 import reward_pb2 as _reward_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DescribeRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DescribeResponse(_message.Message):
    __slots__ = ("version", "corpus_digest", "splits", "presets", "prompts", "fault_plans", "limits")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CORPUS_DIGEST_FIELD_NUMBER: _ClassVar[int]
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    PROMPTS_FIELD_NUMBER: _ClassVar[int]
    FAULT_PLANS_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    version: str
    corpus_digest: str
    splits: _containers.RepeatedCompositeFieldContainer[Split]
    presets: _containers.RepeatedScalarFieldContainer[str]
    prompts: _containers.RepeatedScalarFieldContainer[str]
    fault_plans: _containers.RepeatedScalarFieldContainer[str]
    limits: Limits
    def __init__(self, version: _Optional[str] = ..., corpus_digest: _Optional[str] = ..., splits: _Optional[_Iterable[_Union[Split, _Mapping]]] = ..., presets: _Optional[_Iterable[str]] = ..., prompts: _Optional[_Iterable[str]] = ..., fault_plans: _Optional[_Iterable[str]] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ...) -> None: ...

class Split(_message.Message):
    __slots__ = ("name", "families", "scenarios")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FAMILIES_FIELD_NUMBER: _ClassVar[int]
    SCENARIOS_FIELD_NUMBER: _ClassVar[int]
    name: str
    families: int
    scenarios: int
    def __init__(self, name: _Optional[str] = ..., families: _Optional[int] = ..., scenarios: _Optional[int] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("episodes", "idle_timeout", "message_bytes", "concurrent_calls", "turns", "calls_per_turn", "argument_bytes", "text_bytes", "batch", "episode_id_bytes", "retained_bytes")
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    IDLE_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    CONCURRENT_CALLS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    CALLS_PER_TURN_FIELD_NUMBER: _ClassVar[int]
    ARGUMENT_BYTES_FIELD_NUMBER: _ClassVar[int]
    TEXT_BYTES_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    EPISODE_ID_BYTES_FIELD_NUMBER: _ClassVar[int]
    RETAINED_BYTES_FIELD_NUMBER: _ClassVar[int]
    episodes: int
    idle_timeout: _duration_pb2.Duration
    message_bytes: int
    concurrent_calls: int
    turns: int
    calls_per_turn: int
    argument_bytes: int
    text_bytes: int
    batch: int
    episode_id_bytes: int
    retained_bytes: int
    def __init__(self, episodes: _Optional[int] = ..., idle_timeout: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., message_bytes: _Optional[int] = ..., concurrent_calls: _Optional[int] = ..., turns: _Optional[int] = ..., calls_per_turn: _Optional[int] = ..., argument_bytes: _Optional[int] = ..., text_bytes: _Optional[int] = ..., batch: _Optional[int] = ..., episode_id_bytes: _Optional[int] = ..., retained_bytes: _Optional[int] = ...) -> None: ...

class ListScenariosRequest(_message.Message):
    __slots__ = ("split", "prompt")
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    split: str
    prompt: str
    def __init__(self, split: _Optional[str] = ..., prompt: _Optional[str] = ...) -> None: ...

class ListScenariosResponse(_message.Message):
    __slots__ = ("scenario", "index")
    SCENARIO_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    scenario: Scenario
    index: int
    def __init__(self, scenario: _Optional[_Union[Scenario, _Mapping]] = ..., index: _Optional[int] = ...) -> None: ...

class Scenario(_message.Message):
    __slots__ = ("id", "family", "split", "domain", "risk", "messages", "tools", "toolset_key", "turn_limit")
    ID_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    RISK_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    TOOLSET_KEY_FIELD_NUMBER: _ClassVar[int]
    TURN_LIMIT_FIELD_NUMBER: _ClassVar[int]
    id: str
    family: str
    split: str
    domain: str
    risk: str
    messages: _containers.RepeatedCompositeFieldContainer[_episode_pb2.Message]
    tools: _containers.RepeatedCompositeFieldContainer[_episode_pb2.Tool]
    toolset_key: str
    turn_limit: int
    def __init__(self, id: _Optional[str] = ..., family: _Optional[str] = ..., split: _Optional[str] = ..., domain: _Optional[str] = ..., risk: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[_episode_pb2.Message, _Mapping]]] = ..., tools: _Optional[_Iterable[_Union[_episode_pb2.Tool, _Mapping]]] = ..., toolset_key: _Optional[str] = ..., turn_limit: _Optional[int] = ...) -> None: ...

class ResetRequest(_message.Message):
    __slots__ = ("episode_id", "scenario_id", "by_index", "seed", "options", "history")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    SCENARIO_ID_FIELD_NUMBER: _ClassVar[int]
    BY_INDEX_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    scenario_id: str
    by_index: ScenarioIndex
    seed: int
    options: _episode_pb2.EpisodeOptions
    history: _containers.RepeatedCompositeFieldContainer[_episode_pb2.Turn]
    def __init__(self, episode_id: _Optional[str] = ..., scenario_id: _Optional[str] = ..., by_index: _Optional[_Union[ScenarioIndex, _Mapping]] = ..., seed: _Optional[int] = ..., options: _Optional[_Union[_episode_pb2.EpisodeOptions, _Mapping]] = ..., history: _Optional[_Iterable[_Union[_episode_pb2.Turn, _Mapping]]] = ...) -> None: ...

class ScenarioIndex(_message.Message):
    __slots__ = ("split", "index")
    SPLIT_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    split: str
    index: int
    def __init__(self, split: _Optional[str] = ..., index: _Optional[int] = ...) -> None: ...

class ResetResponse(_message.Message):
    __slots__ = ("episode_id", "scenario_id", "messages", "tools", "toolset_key", "options", "seed", "history")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    SCENARIO_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    TOOLSET_KEY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    scenario_id: str
    messages: _containers.RepeatedCompositeFieldContainer[_episode_pb2.Message]
    tools: _containers.RepeatedCompositeFieldContainer[_episode_pb2.Tool]
    toolset_key: str
    options: _episode_pb2.EpisodeOptions
    seed: int
    history: _containers.RepeatedCompositeFieldContainer[StepResponse]
    def __init__(self, episode_id: _Optional[str] = ..., scenario_id: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[_episode_pb2.Message, _Mapping]]] = ..., tools: _Optional[_Iterable[_Union[_episode_pb2.Tool, _Mapping]]] = ..., toolset_key: _Optional[str] = ..., options: _Optional[_Union[_episode_pb2.EpisodeOptions, _Mapping]] = ..., seed: _Optional[int] = ..., history: _Optional[_Iterable[_Union[StepResponse, _Mapping]]] = ...) -> None: ...

class StepRequest(_message.Message):
    __slots__ = ("episode_id", "turn", "content")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    turn: int
    content: _episode_pb2.Turn
    def __init__(self, episode_id: _Optional[str] = ..., turn: _Optional[int] = ..., content: _Optional[_Union[_episode_pb2.Turn, _Mapping]] = ...) -> None: ...

class StepResponse(_message.Message):
    __slots__ = ("tool_messages", "terminated", "truncated", "outcome")
    TOOL_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TERMINATED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    tool_messages: _containers.RepeatedCompositeFieldContainer[_episode_pb2.ToolMessage]
    terminated: bool
    truncated: bool
    outcome: _reward_pb2.Outcome
    def __init__(self, tool_messages: _Optional[_Iterable[_Union[_episode_pb2.ToolMessage, _Mapping]]] = ..., terminated: bool = ..., truncated: bool = ..., outcome: _Optional[_Union[_reward_pb2.Outcome, _Mapping]] = ...) -> None: ...

class ResetBatchRequest(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[ResetRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[ResetRequest, _Mapping]]] = ...) -> None: ...

class ResetBatchResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ResetResult]
    def __init__(self, results: _Optional[_Iterable[_Union[ResetResult, _Mapping]]] = ...) -> None: ...

class ResetResult(_message.Message):
    __slots__ = ("status", "response")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    status: _episode_pb2.Status
    response: ResetResponse
    def __init__(self, status: _Optional[_Union[_episode_pb2.Status, _Mapping]] = ..., response: _Optional[_Union[ResetResponse, _Mapping]] = ...) -> None: ...

class StepBatchRequest(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[StepRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[StepRequest, _Mapping]]] = ...) -> None: ...

class StepBatchResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[StepResult]
    def __init__(self, results: _Optional[_Iterable[_Union[StepResult, _Mapping]]] = ...) -> None: ...

class StepResult(_message.Message):
    __slots__ = ("status", "response")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    status: _episode_pb2.Status
    response: StepResponse
    def __init__(self, status: _Optional[_Union[_episode_pb2.Status, _Mapping]] = ..., response: _Optional[_Union[StepResponse, _Mapping]] = ...) -> None: ...

class ScoreRequest(_message.Message):
    __slots__ = ("episode_ids", "presets")
    EPISODE_IDS_FIELD_NUMBER: _ClassVar[int]
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    episode_ids: _containers.RepeatedScalarFieldContainer[str]
    presets: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, episode_ids: _Optional[_Iterable[str]] = ..., presets: _Optional[_Iterable[str]] = ...) -> None: ...

class ScoreResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[_reward_pb2.ScoreResult]
    def __init__(self, results: _Optional[_Iterable[_Union[_reward_pb2.ScoreResult, _Mapping]]] = ...) -> None: ...

class CloseRequest(_message.Message):
    __slots__ = ("episode_ids",)
    EPISODE_IDS_FIELD_NUMBER: _ClassVar[int]
    episode_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, episode_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CloseResponse(_message.Message):
    __slots__ = ("closed",)
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    closed: int
    def __init__(self, closed: _Optional[int] = ...) -> None: ...
