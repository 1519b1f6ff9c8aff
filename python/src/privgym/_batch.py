"""Merges calls of the same kind to the same server into one, and takes the answer apart again."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import errors
from .v1 import environment_pb2, reward_pb2

if TYPE_CHECKING:
    from ._plan import Call

# What one merged call holds at most; servers take 1,024 items and 16 MiB.
_ITEMS, _BYTES = 256, 4 << 20


def _requests(kind: type[Any]) -> Callable[[list[Any]], Any]:
    return lambda requests: kind(requests=requests)


def _joined(kind: type[Any], name: str) -> Callable[[list[Any]], Any]:
    """Join the lists of requests that otherwise agree."""

    def join(requests: list[Any]) -> Any:
        joined = kind()
        joined.CopyFrom(requests[0])
        for request in requests[1:]:
            getattr(joined, name).extend(getattr(request, name))
        return joined

    return join


# By rpc: the call that takes many of its requests, how to make its request, and whether one request alone is sent as it
# is. Each answer holds `results` with a status of their own.
_MANY: dict[str, tuple[str, Callable[[list[Any]], Any], bool]] = {
    "Reset": ("ResetBatch", _requests(environment_pb2.ResetBatchRequest), True),
    "Step": ("StepBatch", _requests(environment_pb2.StepBatchRequest), True),
    "Score": ("Score", _joined(environment_pb2.ScoreRequest, "episode_ids"), False),
    "ScoreTrajectories": ("ScoreTrajectories", _joined(reward_pb2.ScoreTrajectoriesRequest, "trajectories"), False),
}


@dataclass(slots=True)
class Merged:
    """One call for several items, given by their numbers."""

    address: str
    rpc: str
    request: Any
    items: list[int]
    batch: bool

    def split(self, answer: Any) -> list[Any]:
        """Return for each item its response or its error."""
        if isinstance(answer, errors.Error) or not self.batch:
            return [answer] * len(self.items)
        if len(answer.results) != len(self.items):
            text = f"{self.rpc} of {len(self.items)} items was answered with {len(answer.results)}"
            return [errors.Error(text, address=self.address)] * len(self.items)
        return [self._part(result) for result in answer.results]

    def _part(self, result: Any) -> Any:
        if result.status.code:
            return errors.of_status(result.status.code, result.status.message, self.address)
        return result.response if self.rpc in ("ResetBatch", "StepBatch") else result


@dataclass(slots=True)
class _Group:
    items: list[int] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)
    bytes: int = 0


def merge(calls: "dict[int, Call]") -> list[Merged]:
    """Return the calls to make for those of the items."""
    merged: list[Merged] = []
    open_groups: dict[tuple[str, str], _Group] = {}
    for i, call in calls.items():
        if call.rpc not in _MANY:
            merged.append(Merged(call.address, call.rpc, call.request, [i], batch=False))
            continue
        key, size = (call.address, call.rpc), call.request.ByteSize()
        group = open_groups.setdefault(key, _Group())
        if len(group.items) == _ITEMS or (group.items and group.bytes + size > _BYTES):
            merged.append(_sent(key, group))
            group = open_groups[key] = _Group()
        group.items.append(i)
        group.requests.append(call.request)
        group.bytes += size
    return merged + [_sent(key, group) for key, group in open_groups.items()]


def _sent(key: tuple[str, str], group: _Group) -> Merged:
    address, rpc = key
    many, make, alone = _MANY[rpc]
    if alone and len(group.items) == 1:
        return Merged(address, rpc, group.requests[0], group.items, batch=False)
    return Merged(address, many, make(group.requests), group.items, batch=True)
