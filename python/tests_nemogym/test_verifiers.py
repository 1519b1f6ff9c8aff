"""The routes with verifiers' own client: its command with the null harness, and its task and session by themselves."""

import asyncio
import json
import pathlib
import re
import subprocess
import sys
import types

import conftest
import pytest

vf = pytest.importorskip("verifiers.v1.tasksets.nemo_gym", reason="verifiers is not installed")


@pytest.mark.parametrize("policy", ["careful", "premature-1"])
def test_eval(policy, play, gym, tmp_path):
    """`vf-eval` with the page's configuration gives the rewards of the same episodes played in process."""
    played = play(policy)
    (tmp_path / "rl.jsonl").write_text("".join(json.dumps(row) + "\n" for row in played.rows), encoding="utf-8")
    model = conftest.Model(played.turn)
    config = conftest.block("toml", "nemo_gym").replace("http://127.0.0.1:8000/v1", model.url)
    config = config.replace("http://127.0.0.1:8765", gym.url)
    (tmp_path / "eval.toml").write_text(config, encoding="utf-8")
    binaries = pathlib.Path(sys.executable).parent
    environment = {**gym.environment, "OPENAI_API_KEY": "none", "PATH": f"{binaries}:{gym.environment['PATH']}"}
    command = [binaries / "vf-eval", "@", "eval.toml"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    model.shutdown()
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = tmp_path.glob("outputs/*/traces.jsonl")
    rewards = {}
    for line in file.open(encoding="utf-8"):
        episode = json.loads(line)
        assert not episode["errors"], episode["errors"]
        (trace,) = episode["traces"]
        rewards[episode["task"]["data"]["row"]["scenario_id"]] = trace["rewards"]["nemo_gym"]["score"]
        assert trace["info"]["nemo_gym"]["tier"]
    assert rewards == played.rewards


def seeded(gym, row, **config):
    """The session of a task, set up by the taskset's own code."""
    task = vf.NeMoGymTask(
        vf.NeMoGymData(idx=0, name="row", prompt="", row=row), vf.NeMoGymTaskConfig(resources_url=gym.url, **config)
    )
    state = vf.taskset.NeMoGymState()
    asyncio.run(task.setup(types.SimpleNamespace(state=state), None))
    return state


def post(state, path, body):
    return asyncio.run(state.post(path, body))


def rollout(state, played, row):
    """Plays a row's record through the session; returns the output items of its Responses object."""
    output, n = [], 0
    while calls := (message := played.turn(row["responses_create_params"]["input"][1]["content"], n)).get("tool_calls"):
        function = calls[0]["function"]
        said = post(state, function["name"], json.loads(function["arguments"]))
        output += [
            {"type": "function_call", "call_id": f"c{n}", **function},
            {"type": "function_call_output", "call_id": f"c{n}", "output": said.text},
        ]
        n += 1
    final = [{"type": "output_text", "text": message["content"]}]
    return [*output, {"type": "message", "role": "assistant", "content": final}]


def test_session(play, gym):
    """The session keeps its first cookie, and calls that a model repeats after a failure are played."""
    played = play("careful", 6)
    for row in played.rows:
        state = seeded(gym, row)
        cookies = dict(state.cookies)
        verdict = post(state, "verify", row | {"response": {"output": rollout(state, played, row)}})
        assert verdict.status_code == 200 and state.cookies == cookies
        assert verdict.json()["reward"] == played.rewards[row["scenario_id"]]
        assert verdict.json() == verdict.json() | row


def test_malformed(play, gym):
    (row, *_) = play("careful").rows
    state = seeded(gym, row)
    tool = row["responses_create_params"]["tools"][0]["name"]
    for name, body, says in [
        ("no_such_tool", {}, "There is no tool named"),
        (tool, {"x": 1}, "Invalid arguments"),
        (tool, [1], "Malformed arguments"),
    ]:
        answer = post(state, name, body)
        assert answer.status_code == 200 and answer.text.startswith(says), answer.text


def test_restart(play, gym):
    """A server that restarts in the middle loses the session: the call is a 404, the rollout unscorable, never 0."""
    played = play("careful")
    (row, *_) = played.rows
    state = seeded(gym, row)
    whole = rollout(state, played, row)
    state = seeded(gym, row)
    gym.stop()
    gym.start()
    broken = rollout(state, played, row)
    assert "unscorable" in broken[1]["output"]
    verdict = post(state, "verify", row | {"response": {"output": broken}})
    assert verdict.status_code == 500 and verdict.json()["error"] == "unscorable" and "reward" not in verdict.json()
    again = post(state, "verify", row | {"response": {"output": whole}})
    assert again.json()["reward"] == played.rewards[row["scenario_id"]]


def test_token(play, tmp_path):
    gym = conftest.Gym(tmp_path, PRIVGYM_TOKEN="s3cret")
    (row, *_) = play("careful").rows
    with pytest.raises(Exception, match="401"):
        seeded(gym, row)
    state = seeded(gym, row, headers={"Authorization": "Bearer s3cret"})
    assert post(state, "no_such_tool", {}).status_code == 200
    gym.stop()


def test_versions():
    """The page says which version it was tried with."""
    from importlib.metadata import version

    assert re.search(rf"verifiers {re.escape(version('verifiers'))}\b", conftest.PAGE.read_text(encoding="utf-8"))
