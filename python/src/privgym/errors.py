"""What can go wrong, by gRPC status. What a simulated tool does wrong is a tool message, never an error."""

import grpc


class Error(Exception):
    """A call failed. code is the name of the gRPC status, address the server that gave it."""

    def __init__(self, message: str, code: str = "UNKNOWN", address: str = "") -> None:
        super().__init__(message, code, address)
        self.message, self.code, self.address = message, code, address

    def __str__(self) -> str:
        where = f" ({self.address})" if self.address else ""
        return f"{self.code}{where}: {self.message}"


class InvalidArgument(Error):
    """A field of the request is wrong, or over a limit of the server."""


class NotFound(Error):
    """The server does not hold the episode; a client rebuilds it by itself."""


class AlreadyExists(Error):
    """The episode id is live for another scenario, seed, options or history."""


class FailedPrecondition(Error):
    """The turn is out of order, comes after the end, or differs from what was played."""


class Unauthenticated(Error):
    """The token is missing or wrong."""


class Unavailable(Error):
    """No server answered: an infrastructure failure. What depends on it is unscorable."""


class ResourceExhausted(Unavailable):
    """The server has no room at present."""


class DeadlineExceeded(Unavailable):
    """The server did not answer in time."""


_BY_CODE: dict[str, type[Error]] = {
    "INVALID_ARGUMENT": InvalidArgument,
    "NOT_FOUND": NotFound,
    "ALREADY_EXISTS": AlreadyExists,
    "FAILED_PRECONDITION": FailedPrecondition,
    "UNAUTHENTICATED": Unauthenticated,
    "UNAVAILABLE": Unavailable,
    "RESOURCE_EXHAUSTED": ResourceExhausted,
    "DEADLINE_EXCEEDED": DeadlineExceeded,
}
_NAMES: dict[int, str] = {code.value[0]: code.name for code in grpc.StatusCode}


def of_status(code: int, message: str, address: str) -> Error:
    """Return the error of a status that stands in a message, as those of batches do."""
    name = _NAMES.get(code, "UNKNOWN")
    return _BY_CODE.get(name, Error)(message, name, address)


def of_rpc(failure: grpc.RpcError, address: str) -> Error:
    """Return the error of a call that failed as a whole."""
    code, details = failure.code(), failure.details()
    return of_status(code.value[0], details or "no details", address)
