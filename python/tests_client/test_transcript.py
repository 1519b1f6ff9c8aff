"""What a trainer hands over becomes the turns that the server scores. Needs no trainer."""

import dataclasses
import json

import pytest
from conftest import DONE, ONCE, SCENARIO, call

import privgym
from privgym.trl import TranscriptReward
from privgym.trl._environment import Environment
from privgym.trl._transcript import LOST, OVER, lengths, turns_of


@pytest.fixture
def limits(client):
    return client.describe().limits


def assistant(content="", *calls, **more):
    made = [{"type": "function", "function": {"name": n, "arguments": a}} for n, a in calls]
    return {"role": "assistant", "content": content, **({"tool_calls": made} if made else {}), **more}


def tool(content, name="f"):
    return {"role": "tool", "name": name, "content": content}


def test_turns(limits):
    completion = [
        assistant("", ("f", {"a": 1}), ("g", {}), reasoning_content="so"),
        tool("x"),
        tool("y", "g"),
        assistant("Done."),
    ]
    assert turns_of(completion, 5, limits, [11, 3], cut=True) == [
        privgym.Turn("", "so", (privgym.ToolCall("f", '{"a": 1}'), privgym.ToolCall("g", "{}")), 11, "tool_calls"),
        privgym.Turn("Done.", tokens=3, finish_reason="length"),
    ]


def test_a_call_that_the_trainer_could_not_read_is_malformed(limits):
    def calls(text, **more):
        (turn,) = turns_of([assistant(text, **more)], 5, limits)
        return [(c.name, c.arguments) for c in turn.calls]

    assert calls('<think>\nx\n</think>\n\n<tool_call>\n{"name": "f"') == [("", '<tool_call>\n{"name": "f"')]
    assert calls("never closed <think> <tool_call>{}") == [("", "<tool_call>{}")]
    assert calls("<think>maybe <tool_call>{}</tool_call></think> No.") == []
    assert calls("I called no tool.") == []
    # Without the tags of its template, as other models write a call.
    bare = '{"name": "f", "arguments": {"a": 1}}'
    assert calls(f"Now:\n{bare}") == calls(bare) == [("", bare)]
    assert calls('Found:\n{"name": "Osei", "room": "12B"}') == []
    assert calls(f"Write {bare} to call it.") == []
    # TRL takes a think block that is never closed for reasoning, with all that stands in it.
    assert calls("", reasoning_content=f"So <tool_call>{bare}") == [("", f"<tool_call>{bare}")]
    assert calls("I did.", reasoning_content=f"So <tool_call>{bare}") == []


def test_what_a_model_can_write_is_sent_within_the_limits(limits, client):
    long = "ß" * limits.text_bytes
    completion = [
        assistant(long, *[("f", {"a": "x" * limits.argument_bytes})] * (limits.calls_per_turn + 9)),
        *[tool("y")] * 41,
        assistant(
            "", ("\ud800" * 300, {"\udfff": "\ud800"}), ("g", [1]), ("h", "text"), ("i", None), ("j", float("nan"))
        ),
        assistant([{"type": "text", "text": "in parts"}]),
    ]
    turns = turns_of(completion, 5, limits)
    assert len(turns[0].calls) == limits.calls_per_turn
    assert turns[2].text == "in parts"
    (score,) = client.score_trajectories([privgym.Trajectory(SCENARIO, turns)])
    assert score.outcome.tier == "malformed"


def test_turns_beyond_k_are_cut(limits, client):
    turns = turns_of([assistant("", ("f", {})), tool("y")] * 9, 3, limits)
    assert len(turns) == 4
    (score,) = client.score_trajectories([privgym.Trajectory(SCENARIO, turns, options=privgym.Options(k=3))])
    assert score.outcome.truncated


def test_a_lost_environment_leaves_no_turns(limits):
    assert turns_of([assistant("", ("f", {})), tool(LOST), assistant("Done.")], 5, limits) is None


class Letters:
    """A tokenizer of single letters, with a template."""

    eos_token_id = ord("$")

    def apply_chat_template(self, messages, tokenize, return_dict, add_generation_prompt=False):
        text = "".join(f"<{m['role'][0]}>{m['content']}" + ("$\n" if m["role"] != "tool" else "") for m in messages)
        return [ord(c) for c in text + ("<a>" if add_generation_prompt else "")]


def test_lengths_of_messages():
    completion = [assistant(), tool("x"), tool("y"), assistant(), tool("z"), assistant()]

    def count(text):
        return lengths(Letters(), completion, [ord(c) for c in text])

    assert count("first$\n<t>x<t>y<a>second$\n<t>z<a>third") == [6, 7, 5]
    assert count("first$\n<t>x<t>other<a>second$\n<t>z<a>third") is None
    assert lengths(Letters(), completion[:1], [1, 2, 3]) == [3]
    assert lengths(Letters(), [], []) == []


def reward_of(client, limits, **more):
    return TranscriptReward(client, ONCE, 5, "ranked", limits, **more)


def test_rewards_of_a_batch(client, limits):
    arguments = json.loads(call().calls[0].arguments)
    low = assistant("", (call().calls[0].name, arguments))
    completions = [
        [low, tool("failed"), low, tool("done"), assistant(DONE.text)],
        [low, tool(LOST), assistant("Done.")],
        [assistant("I could not do this.")],
        [assistant("I could not do this.")],
    ]
    told, extra = {}, {}
    rewards = reward_of(client, limits)(
        completions=completions,
        scenario_id=[SCENARIO] * 3 + ["no-such-scenario/1.1"],
        seed=[7] * 4,
        log_metric=told.__setitem__,
        log_extra=extra.__setitem__,
        prompts=[None] * 4,
        environments=[None] * 4,
    )
    expected = client.score_trajectories(
        [privgym.Trajectory(SCENARIO, [call(), call(), DONE], 7, ONCE), privgym.Trajectory(SCENARIO, [DONE], 7, ONCE)]
    )
    assert rewards[0] == pytest.approx(expected[0].reward, abs=1e-9)
    assert rewards[1] is None and rewards[3] is None
    assert rewards[2] == -0.12
    assert extra["tier"] == ["low_clean", "unscorable", "no_call", "unscorable"]
    assert told == {
        "privgym/unscorable": 0.5,
        "privgym/opur": 0.0,
        "privgym/success": 0.5,
        "privgym/low_success": 0.5,
        "privgym/truncated": 0.0,
    }


def test_no_server_no_reward(limits):
    gone = privgym.Client("127.0.0.1:1", retries=0)
    batch = {"completions": [[assistant("x")]] * 3, "scenario_id": [SCENARIO] * 3, "seed": [1, 2, 3]}
    assert reward_of(gone, limits)(**batch) == [None] * 3


def environment_of(client, limits, **options):
    return Environment(client, dataclasses.replace(ONCE, turns="calls", **options), "ranked", limits)


def played(environment, n):
    turn = call().calls[0]
    return [environment._call(turn.name, json.loads(turn.arguments)) for _ in range(n)]


def test_an_environment(client, limits):
    environment = environment_of(client, limits, k=2)
    environment.reset(scenario_id=SCENARIO, seed=7, prompt="ignored")
    assert environment._reward() == -0.12, "nothing called"
    first, second, third, fourth = played(environment, 4)
    assert "residential" in second and first != second
    assert "turn limit" in third
    assert fourth == OVER
    assert environment._reward() == 0.98
    environment.reset(scenario_id=SCENARIO, seed=7)
    assert played(environment, 2) == [first, second], "the same row, the same failures"
    assert environment._reward() == 0.98
    assert environment._call("no_such_tool", {}).startswith("The turn limit")


def test_an_environment_without_a_server(client, limits, caplog):
    environment = environment_of(privgym.Client("127.0.0.1:1", retries=0), limits)
    environment.reset(scenario_id=SCENARIO, seed=7)
    assert played(environment, 2) == [LOST, LOST]
    assert environment._reward() is None
    assert "is lost" in caplog.text
    environment = environment_of(client, limits)
    environment.reset(scenario_id="no-such-scenario/1.1", seed=7)
    assert played(environment, 1) == [LOST]
    environment.reset(seed="not a number")
    assert played(environment, 1) == [LOST]
    environment.reset(scenario_id=SCENARIO, seed=7)
    assert played(environment, 1) != [LOST], "a row of its own is not lost with the one before"
