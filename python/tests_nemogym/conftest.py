"""A server with the HTTP routes, rows for it, and a scripted model that plays what a policy of ours played."""

import json
import os
import pathlib
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "nemo-gym.md"


def block(language, holds):
    """The code block of docs/nemo-gym.md in that language that holds a text."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (found,) = [b for b in blocks if holds in b]
    return found


class Gym:
    """`privgym serve --http`, which can be restarted at its address."""

    def __init__(self, folder, *flags, **environment):
        self.ready, self.flags, self.environment = folder / "ready", flags, {**os.environ, **environment}
        self.address = "127.0.0.1:0"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [
                os.environ["PRIVGYM_BIN"],
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--http",
                self.address,
                "--ready-file",
                self.ready,
                *self.flags,
            ],
            env=self.environment,
        )
        deadline = time.monotonic() + 30
        while not self.ready.exists():
            assert self.process.poll() is None, "privgym serve ended before it was ready"
            assert time.monotonic() < deadline, "privgym serve was not ready in 30 s"
            time.sleep(0.02)
        self.address = self.ready.read_text().splitlines()[1]
        self.url = f"http://{self.address}"

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=30) == 0, "privgym serve did not drain"


@pytest.fixture
def gym(tmp_path):
    gym = Gym(tmp_path)
    yield gym
    gym.stop()


class Played:
    """What a policy played in process: the records, and the rows of the same episodes."""

    def __init__(self, folder, policy, limit):
        records, rows = folder / f"{policy}.jsonl", folder / "rows.jsonl"
        privgym("play", "--policy", policy, "--split", "rl", "--limit", str(limit), "--out", records)
        privgym("prompts", "--format", "nemo-gym", "--seeds", "1", "--out", rows)
        self.records = [json.loads(line) for line in records.open(encoding="utf-8")]
        self.rows = [json.loads(line) for line in rows.open(encoding="utf-8")][:limit]
        self.rewards = {r["scenario_id"]: r["rewards"][0]["value"] for r in self.records}

    def turn(self, request, n):
        """The n-th assistant message of the episode with that request."""
        (record,) = [r for r in self.records if r["messages"][1]["content"] == request]
        return [m for m in record["messages"] if m["role"] == "assistant"][n]


def privgym(*args):
    subprocess.run([os.environ["PRIVGYM_BIN"], *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def play(tmp_path_factory):
    return lambda policy, limit=3: Played(tmp_path_factory.mktemp("played"), policy, limit)


class Model(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint, chat completions and responses, that says what `turn(request, n)` gives."""

    daemon_threads = True

    def __init__(self, turn):
        super().__init__(("127.0.0.1", 0), Handler)
        self.turn = turn
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/responses"):
            n = sum(item.get("type") == "function_call" for item in body["input"])
            message = self.server.turn(body["input"][1]["content"], n)
            self.answer("application/json", json.dumps(response(n, body, message)))
            return
        n = sum(m["role"] == "assistant" for m in body["messages"])
        (request,) = [m["content"] for m in body["messages"] if m["role"] == "user"]
        chunks = chat(self.server.turn(request, n))
        self.answer("text/event-stream", "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n")

    def answer(self, kind, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def chat(message):
    """A message as the chunks of a streamed chat completion."""
    calls = message.get("tool_calls", [])
    delta = {"role": "assistant", "content": message["content"] or None}
    if calls:
        delta["tool_calls"] = [{**call, "index": i} for i, call in enumerate(calls)]
    choices = (
        [{"index": 0, "delta": delta, "finish_reason": None}],
        [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}],
        [],
    )
    return [{"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": c} for c in choices]


def response(n, body, message):
    """A message as a Responses object."""
    output = [
        {"type": "function_call", "id": f"fc_{n}", "status": "completed", "call_id": call["id"], **call["function"]}
        for call in message.get("tool_calls", [])
    ] or [
        {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": message["content"], "annotations": []}],
        }
    ]
    usage = {
        "input_tokens": 1,
        "output_tokens": 9,
        "total_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": f"resp_{n}",
        "object": "response",
        "created_at": 0,
        "model": "m",
        "output": output,
        "usage": usage,
        "tools": body.get("tools", []),
        "tool_choice": "auto",
        "parallel_tool_calls": False,
    }
