"""The routes with NeMo Gym's own simple agent and its own HTTP client, over real sockets."""

import asyncio
import atexit
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import conftest
import pytest

pytest.importorskip("nemo_gym", reason="nemo-gym is not installed; it needs Python 3.12")

import uvicorn
from nemo_gym import server_utils
from nemo_gym.config_types import BaseServerConfig
from omegaconf import OmegaConf
from responses_api_agents.simple_agent.app import SimpleAgent, SimpleAgentConfig

# It would close the client in another loop than the one that the client is of.
atexit.unregister(server_utils.global_aiohttp_client_exit)


class Agent:
    """SimpleAgent between a model and a resources server."""

    def __init__(self):
        self.servers = OmegaConf.create(
            {
                "agent": {"responses_api_agents": {"simple_agent": {"host": "127.0.0.1", "port": free_port()}}},
                "model": {"responses_api_models": {"model": {"host": "127.0.0.1", "port": 0}}},
                "privgym": {"resources_servers": {"privgym": {"host": "127.0.0.1", "port": 0}}},
            }
        )
        self.port = self.servers.agent.responses_api_agents.simple_agent.port
        agent = SimpleAgent(
            config=SimpleAgentConfig(
                host="127.0.0.1",
                port=self.port,
                name="agent",
                entrypoint="app.py",
                max_steps=8,
                resources_server={"type": "resources_servers", "name": "privgym"},
                model_server={"type": "responses_api_models", "name": "model"},
            ),
            server_client=server_utils.ServerClient(
                head_server_config=BaseServerConfig(host="127.0.0.1", port=1), global_config_dict=self.servers
            ),
        )
        app = agent.setup_webserver()
        agent.setup_exception_middleware(app)

        @app.middleware("http")
        async def client_of_this_loop(request, call_next):
            if not server_utils.is_global_aiohttp_client_setup():
                self.loop = asyncio.get_running_loop()
                server_utils.set_global_aiohttp_client(server_utils.GlobalAIOHTTPAsyncClientConfig())
            return await call_next(request)

        server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=self.port, log_level="warning"))
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.02)

    def close(self):
        client = server_utils.get_global_aiohttp_client()
        asyncio.run_coroutine_threadsafe(client.close(), self.loop).result(timeout=10)

    def run(self, row, turn, resources):
        """Plays a row with the model that says turn(request, n); returns the status and the result."""
        model = conftest.Model(turn)
        # The client asks for /v1/responses itself.
        self.servers.model.responses_api_models.model.port = model.server_port
        self.servers.privgym.resources_servers.privgym.port = int(resources.rsplit(":", 1)[1])
        try:
            return post(f"http://127.0.0.1:{self.port}/run", row)
        finally:
            model.shutdown()


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="module")
def agent():
    agent = Agent()
    yield agent
    agent.close()


@pytest.mark.parametrize("policy", ["oracle", "careful", "premature-1", "aggressive"])
def test_rewards(policy, play, gym, agent):
    played = play(policy, 6)
    for row in played.rows:
        status, result = agent.run(row, played.turn, gym.url)
        assert status == 200, result
        assert result["reward"] == played.rewards[row["scenario_id"]]
        assert result["response"]["usage"]["output_tokens"] == result["tokens"]


def call(name, arguments):
    function = {"name": name, "arguments": arguments}
    return {"content": "", "tool_calls": [{"id": f"{name}-{arguments}", "type": "function", "function": function}]}


def test_hostile_model(play, gym, agent):
    """Nothing that a model writes ends the rollout or loses the session, and what was no call takes no turn."""
    played = play("oracle")
    (row, *_) = played.rows
    tool = row["responses_create_params"]["tools"][0]["name"]
    bad = [call(tool, "{bad"), call(tool, ""), call("verify", '{"x": 1}'), call("no/such?tool#", "{}")]

    def turn(request, n):
        return bad[n] if n < len(bad) else played.turn(request, n - len(bad))

    status, result = agent.run(row, turn, gym.url)
    assert status == 200, result
    assert (result["success"], result["invalid"], result["truncated"]) == (True, len(bad), False)


class Lossy(ThreadingHTTPServer):
    """Hands requests on to a server, and breaks the connection instead of handing the answer back.

    So it does for the first seed_session and the first verify, and for the tool calls with the numbers given.
    """

    daemon_threads = True

    def __init__(self, behind, loses):
        super().__init__(("127.0.0.1", 0), LossyHandler)
        self.behind, self.loses, self.calls, self.brackets = behind, loses, 0, []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def lose(self, path):
        if path in ("/seed_session", "/verify"):
            self.brackets.append(path)
            return self.brackets.count(path) == 1
        self.calls += 1
        return self.calls in self.loses


class LossyHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {k: v for k, v in self.headers.items() if k in ("Content-Type", "Cookie")}
        request = urllib.request.Request(self.server.behind + self.path, body, headers)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read()
        if self.server.lose(self.path):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer.status)
        for name in ("Content-Type", "Set-Cookie"):
            if answer.headers[name]:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def test_lost_answers(play, gym, agent):
    """The client sends again what had no answer. For seed, verify and calls after the first: the same reward."""
    played = play("careful", 6)
    repeats = 0
    for row in played.rows:
        lossy = Lossy(gym.url, loses=(2, 4))  # the answers to the second call and to the third, which is sent fourth
        status, result = agent.run(row, played.turn, lossy.url)
        lossy.shutdown()
        assert status == 200, result
        assert result["reward"] == played.rewards[row["scenario_id"]]
        assert lossy.brackets == ["/seed_session"] * 2 + ["/verify"] * 2
        repeats += lossy.calls - result["calls"]
    assert repeats > 6


def test_lost_first_answer(play, gym, agent):
    """The one repeat that cannot be told: it may be played twice, and then the rollout has no reward."""
    played = play("careful", 6)
    for row in played.rows:
        lossy = Lossy(gym.url, loses=(1,))
        status, result = agent.run(row, played.turn, lossy.url)
        lossy.shutdown()
        if status == 200:
            assert result["reward"] == played.rewards[row["scenario_id"]]
        else:
            assert status == 500
            assert "unscorable" in json.dumps(result)


def test_aggregate(play, gym, agent):
    """The agent passes the verdicts on when a collection ends."""
    agent.servers.privgym.resources_servers.privgym.port = int(gym.url.rsplit(":", 1)[1])
    verdicts = {"verify_responses": [{"reward": 1}, {"reward": 0.5}]}
    status, means = post(f"http://127.0.0.1:{agent.port}/aggregate_metrics", verdicts)
    assert (status, means["agent_metrics"]["mean/reward"]) == (200, 0.75)


def test_versions():
    """The page says which version it was tried with."""
    from importlib.metadata import version

    assert re.search(rf"nemo-gym {re.escape(version('nemo-gym'))}\b", conftest.PAGE.read_text(encoding="utf-8"))
