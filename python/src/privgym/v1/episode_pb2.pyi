from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Message(_message.Message):
    __slots__ = ("role", "content")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    role: str
    content: str
    def __init__(self, role: _Optional[str] = ..., content: _Optional[str] = ...) -> None: ...

class Tool(_message.Message):
    __slots__ = ("name", "json")
    NAME_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    json: str
    def __init__(self, name: _Optional[str] = ..., json: _Optional[str] = ...) -> None: ...

class EpisodeOptions(_message.Message):
    __slots__ = ("k", "prompt", "faults", "high_faults", "tool_order", "turns")
    K_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    HIGH_FAULTS_FIELD_NUMBER: _ClassVar[int]
    TOOL_ORDER_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    k: int
    prompt: str
    faults: str
    high_faults: str
    tool_order: str
    turns: str
    def __init__(self, k: _Optional[int] = ..., prompt: _Optional[str] = ..., faults: _Optional[str] = ..., high_faults: _Optional[str] = ..., tool_order: _Optional[str] = ..., turns: _Optional[str] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("text", "reasoning", "calls", "tokens", "finish_reason")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    FINISH_REASON_FIELD_NUMBER: _ClassVar[int]
    text: str
    reasoning: str
    calls: _containers.RepeatedCompositeFieldContainer[ToolCall]
    tokens: int
    finish_reason: str
    def __init__(self, text: _Optional[str] = ..., reasoning: _Optional[str] = ..., calls: _Optional[_Iterable[_Union[ToolCall, _Mapping]]] = ..., tokens: _Optional[int] = ..., finish_reason: _Optional[str] = ...) -> None: ...

class ToolCall(_message.Message):
    __slots__ = ("id", "name", "arguments")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    arguments: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., arguments: _Optional[str] = ...) -> None: ...

class ToolMessage(_message.Message):
    __slots__ = ("call_id", "name", "content", "status")
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    call_id: str
    name: str
    content: str
    status: str
    def __init__(self, call_id: _Optional[str] = ..., name: _Optional[str] = ..., content: _Optional[str] = ..., status: _Optional[str] = ...) -> None: ...

class Trajectory(_message.Message):
    __slots__ = ("scenario_id", "seed", "options", "turns")
    SCENARIO_ID_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    scenario_id: str
    seed: int
    options: EpisodeOptions
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    def __init__(self, scenario_id: _Optional[str] = ..., seed: _Optional[int] = ..., options: _Optional[_Union[EpisodeOptions, _Mapping]] = ..., turns: _Optional[_Iterable[_Union[Turn, _Mapping]]] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("code", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...
