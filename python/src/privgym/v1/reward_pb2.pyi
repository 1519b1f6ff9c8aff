from privgym.v1 import episode_pb2 as _episode_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScoreTrajectoriesRequest(_message.Message):
    __slots__ = ("trajectories", "presets")
    TRAJECTORIES_FIELD_NUMBER: _ClassVar[int]
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    trajectories: _containers.RepeatedCompositeFieldContainer[_episode_pb2.Trajectory]
    presets: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, trajectories: _Optional[_Iterable[_Union[_episode_pb2.Trajectory, _Mapping]]] = ..., presets: _Optional[_Iterable[str]] = ...) -> None: ...

class ScoreTrajectoriesResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ScoreResult]
    def __init__(self, results: _Optional[_Iterable[_Union[ScoreResult, _Mapping]]] = ...) -> None: ...

class ScoreResult(_message.Message):
    __slots__ = ("status", "outcome", "rewards")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    REWARDS_FIELD_NUMBER: _ClassVar[int]
    status: _episode_pb2.Status
    outcome: Outcome
    rewards: _containers.RepeatedCompositeFieldContainer[Reward]
    def __init__(self, status: _Optional[_Union[_episode_pb2.Status, _Mapping]] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ..., rewards: _Optional[_Iterable[_Union[Reward, _Mapping]]] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("success", "low_success", "opur", "opur_called", "opur_needless", "opur_strict", "any_high", "ped", "ped_called", "tier", "claim", "terminated", "truncated", "turns", "calls", "high_calls", "waste", "tokens", "answered", "blast")
    SUCCESS_FIELD_NUMBER: _ClassVar[int]
    LOW_SUCCESS_FIELD_NUMBER: _ClassVar[int]
    OPUR_FIELD_NUMBER: _ClassVar[int]
    OPUR_CALLED_FIELD_NUMBER: _ClassVar[int]
    OPUR_NEEDLESS_FIELD_NUMBER: _ClassVar[int]
    OPUR_STRICT_FIELD_NUMBER: _ClassVar[int]
    ANY_HIGH_FIELD_NUMBER: _ClassVar[int]
    PED_FIELD_NUMBER: _ClassVar[int]
    PED_CALLED_FIELD_NUMBER: _ClassVar[int]
    CLASS_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    TERMINATED_FIELD_NUMBER: _ClassVar[int]
    TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    HIGH_CALLS_FIELD_NUMBER: _ClassVar[int]
    WASTE_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    BLAST_FIELD_NUMBER: _ClassVar[int]
    success: bool
    low_success: bool
    opur: bool
    opur_called: bool
    opur_needless: bool
    opur_strict: bool
    any_high: bool
    ped: int
    ped_called: int
    tier: str
    claim: str
    terminated: bool
    truncated: bool
    turns: int
    calls: int
    high_calls: int
    waste: int
    tokens: int
    answered: bool
    blast: Blast
    def __init__(self, success: bool = ..., low_success: bool = ..., opur: bool = ..., opur_called: bool = ..., opur_needless: bool = ..., opur_strict: bool = ..., any_high: bool = ..., ped: _Optional[int] = ..., ped_called: _Optional[int] = ..., tier: _Optional[str] = ..., claim: _Optional[str] = ..., terminated: bool = ..., truncated: bool = ..., turns: _Optional[int] = ..., calls: _Optional[int] = ..., high_calls: _Optional[int] = ..., waste: _Optional[int] = ..., tokens: _Optional[int] = ..., answered: bool = ..., blast: _Optional[_Union[Blast, _Mapping]] = ..., **kwargs) -> None: ...

class Blast(_message.Message):
    __slots__ = ("rows", "cells", "standing", "skipped", "authority", "lasting")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    CELLS_FIELD_NUMBER: _ClassVar[int]
    STANDING_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    AUTHORITY_FIELD_NUMBER: _ClassVar[int]
    LASTING_FIELD_NUMBER: _ClassVar[int]
    rows: int
    cells: int
    standing: int
    skipped: int
    authority: str
    lasting: int
    def __init__(self, rows: _Optional[int] = ..., cells: _Optional[int] = ..., standing: _Optional[int] = ..., skipped: _Optional[int] = ..., authority: _Optional[str] = ..., lasting: _Optional[int] = ...) -> None: ...

class Reward(_message.Message):
    __slots__ = ("preset", "value", "band_low", "band_high", "terms")
    PRESET_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    BAND_LOW_FIELD_NUMBER: _ClassVar[int]
    BAND_HIGH_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    preset: str
    value: float
    band_low: float
    band_high: float
    terms: _containers.RepeatedCompositeFieldContainer[Term]
    def __init__(self, preset: _Optional[str] = ..., value: _Optional[float] = ..., band_low: _Optional[float] = ..., band_high: _Optional[float] = ..., terms: _Optional[_Iterable[_Union[Term, _Mapping]]] = ...) -> None: ...

class Term(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...

class RankGroupRequest(_message.Message):
    __slots__ = ("members", "preset")
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[GroupMember]
    preset: str
    def __init__(self, members: _Optional[_Iterable[_Union[GroupMember, _Mapping]]] = ..., preset: _Optional[str] = ...) -> None: ...

class GroupMember(_message.Message):
    __slots__ = ("episode_id", "trajectory")
    EPISODE_ID_FIELD_NUMBER: _ClassVar[int]
    TRAJECTORY_FIELD_NUMBER: _ClassVar[int]
    episode_id: str
    trajectory: _episode_pb2.Trajectory
    def __init__(self, episode_id: _Optional[str] = ..., trajectory: _Optional[_Union[_episode_pb2.Trajectory, _Mapping]] = ...) -> None: ...

class RankGroupResponse(_message.Message):
    __slots__ = ("members", "degenerate", "reason", "mean")
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    DEGENERATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    members: _containers.RepeatedCompositeFieldContainer[RankedMember]
    degenerate: bool
    reason: str
    mean: float
    def __init__(self, members: _Optional[_Iterable[_Union[RankedMember, _Mapping]]] = ..., degenerate: bool = ..., reason: _Optional[str] = ..., mean: _Optional[float] = ...) -> None: ...

class RankedMember(_message.Message):
    __slots__ = ("status", "scorable", "reward", "rank", "tier", "advantage", "outcome")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SCORABLE_FIELD_NUMBER: _ClassVar[int]
    REWARD_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    ADVANTAGE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    status: _episode_pb2.Status
    scorable: bool
    reward: Reward
    rank: int
    tier: str
    advantage: float
    outcome: Outcome
    def __init__(self, status: _Optional[_Union[_episode_pb2.Status, _Mapping]] = ..., scorable: bool = ..., reward: _Optional[_Union[Reward, _Mapping]] = ..., rank: _Optional[int] = ..., tier: _Optional[str] = ..., advantage: _Optional[float] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ...) -> None: ...
