"""Connections: how a server is reached. One channel an address and process, made at the first call."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc

# Servers are reached directly, never through the proxy that a machine may have for the web. A replica that has come
# back is found within a second; one that has gone silent is noticed within half a minute, one that was never there in
# 5 s: the shortest time between attempts is also how long an attempt may take.
OPTIONS: list[tuple[str, int]] = [
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", -1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 5000),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
]


@dataclass(frozen=True)
class TLS:
    """How to trust a server and to be trusted by it: PEM files by path.

    ca: authorities to trust instead of those that gRPC brings along.
    certificate, key: what to show to a server that asks for it (mutual TLS).
    server_name: the name in the server's certificate, where it is not that of the address.
    """

    ca: str | os.PathLike[str] | None = None
    certificate: str | os.PathLike[str] | None = None
    key: str | os.PathLike[str] | None = None
    server_name: str = ""

    def credentials(self) -> grpc.ChannelCredentials:
        """Read the files and return what a channel takes."""
        if (self.certificate is None) != (self.key is None):
            raise ValueError("TLS: certificate and key go together; give both or neither")
        return grpc.ssl_channel_credentials(_read(self.ca), _read(self.key), _read(self.certificate))

    def options(self) -> list[tuple[str, Any]]:
        """Return the options of a channel with these credentials."""
        return [*OPTIONS, ("grpc.ssl_target_name_override", self.server_name)] if self.server_name else [*OPTIONS]


def _read(path: str | os.PathLike[str] | None) -> bytes | None:
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read()


def tls_of(tls: "bool | str | os.PathLike[str] | TLS") -> TLS | None:
    """Return what the argument `tls` of a client means: no TLS, the usual authorities, a file of them, or all of it."""
    if isinstance(tls, TLS):
        return tls
    if isinstance(tls, bool):
        return TLS() if tls else None
    return TLS(ca=tls)


# Channels of a parent process, which a child never closes: that could end the parent's own connections.
_INHERITED: list[Any] = []


class PerProcess:
    """Things by address that belong to one process and, where asyncio has a part in them, to one event loop.

    In another process, after a fork too, they are made anew; those of a loop that has been closed are let go.
    """

    def __init__(self, make: Callable[[str], Any]) -> None:
        self._make = make
        self._begin()

    def _begin(self) -> None:
        self._made: dict[Any, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def get(self, address: str, loop: Any = None) -> Any:
        """Return what is there for the address, made if need be."""
        self._leave_what_is_inherited()
        with self._lock:
            if loop not in self._made:
                self._made = {other: made for other, made in self._made.items() if not other.is_closed()}
                self._made[loop] = {}
            made = self._made[loop]
            if address not in made:
                made[address] = self._make(address)
            return made[address]

    def take(self, loop: Any = None) -> list[Any]:
        """Return what this process made for the loop, and forget it."""
        self._leave_what_is_inherited()
        with self._lock:
            return list(self._made.pop(loop, {}).values())

    def _leave_what_is_inherited(self) -> None:
        if self._pid != os.getpid():
            _INHERITED.append(self._made)
            self._begin()  # the lock too: a thread of the parent may hold the old one for ever
