"""Starts `privgym serve` for tests and notebooks."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import weakref
from types import TracebackType

_MISSING = (
    "the privgym program was not found; install it with\n"
    "  go install github.com/privgym/privgym/cmd/privgym@latest\n"
    "and see that its folder, usually ~/go/bin, is on the PATH, or name the file in PRIVGYM_BIN"
)


def serve(*arguments: str, listen: str = "127.0.0.1:0", patience: float = 30.0) -> "Server":
    """Start `privgym serve` and return once it answers.

    The program is that of PRIVGYM_BIN, or else the first on the PATH. Arguments are those of the command, such as
    "--scenarios", "my-families/". The server ends with the block of a `with`, by close(), or with this process, however
    that ends: a SIGKILL and the restart of a notebook's kernel too. It is this process's alone: a fork may call it, but
    neither ends it nor keeps it.
    """
    return Server(_program(), arguments, listen, patience)


def _program() -> str:
    if named := os.environ.get("PRIVGYM_BIN"):
        if not pathlib.Path(named).is_file():
            raise FileNotFoundError(f"PRIVGYM_BIN names {named}, which is no file; {_MISSING}")
        return named
    if found := shutil.which("privgym"):
        return found
    raise FileNotFoundError(_MISSING)


class Server:
    """A running server; address is where it listens."""

    def __init__(self, program: str, arguments: tuple[str, ...], listen: str, patience: float) -> None:
        self._folder = tempfile.mkdtemp(prefix="privgym-")
        log = pathlib.Path(self._folder, "log")
        ours = ["--listen", listen, "--ready-file", f"{self._folder}/ready", "--until-stdin-ends"]
        command = [program, "serve", *ours, *arguments]
        with log.open("wb") as stderr:
            # Nothing is ever written: the pipe tells the server of the end of this process.
            self._process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=stderr, stderr=stderr)
        _HELD.add(self._process)
        self._end = weakref.finalize(self, _end, self._process, self._folder, os.getpid())
        try:
            self.address = self._wait(time.monotonic() + patience)
        except TimeoutError:
            said = log.read_text(errors="replace")[-2000:]
            self._end()
            raise RuntimeError(f"`{' '.join(command)}` did not come up; it said:\n{said}") from None
        except BaseException:  # Ctrl-C
            self._end()
            raise

    def _wait(self, deadline: float) -> str:
        ready = pathlib.Path(self._folder, "ready")
        while not ready.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(0.01)
        return ready.read_text().splitlines()[0]  # with --http its address is the second line

    def close(self) -> None:
        """Let calls in flight end, then end the server. Closing it twice is harmless."""
        self._end()

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        self._process.kill()
        self._end()

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Servers of this process that may be running. Programs that it starts do not inherit their pipes; forks do.
_HELD: weakref.WeakSet[subprocess.Popen[bytes]] = weakref.WeakSet()


def _let_go() -> None:
    for process in _HELD:
        _close_pipe(process)


def _close_pipe(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_let_go)


def _end(process: subprocess.Popen[bytes], folder: str, owner: int) -> None:
    if os.getpid() != owner:
        return  # a fork: the server is its parent's
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _close_pipe(process)
    shutil.rmtree(folder, ignore_errors=True)
