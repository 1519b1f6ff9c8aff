"""Every call of the client against a real server."""

import json

import pytest
from conftest import DONE, GROUP, HIGH, LOW, ONCE, SCENARIO, TIERS, call, say, trajectories

import privgym


def test_describe(client):
    described = client.describe()
    assert described.version
    assert len(described.corpus_digest) == 64
    assert {"ranked", "toolprivbench"} <= set(described.presets)
    assert "once" in described.fault_plans
    assert described.limits.idle_timeout == 600.0
    assert [s.name for s in described.splits] == ["eval", "rl", "sft"]


def test_scenarios_share_their_toolsets(client):
    scenarios = client.list_scenarios("rl")
    counts = {s.name: s.scenarios for s in client.describe().splits}
    assert [s.index for s in scenarios] == list(range(counts["rl"]))
    assert len({id(s.tools) for s in scenarios}) == len({s.toolset_key for s in scenarios})
    found = next(s for s in scenarios if s.id == SCENARIO)
    assert [t.name for t in found.tools] == sorted(t.name for t in found.tools)
    assert found.tools[0].schema()["function"]["name"] == found.tools[0].name
    principled = client.list_scenarios("rl", prompt="security-principle")
    assert principled[0].messages[0].content != scenarios[0].messages[0].content


def test_an_episode(client):
    episode = client.reset(SCENARIO, seed=7, options=ONCE)
    assert [m.role for m in episode.messages] == ["system", "user"]
    assert episode.options == privgym.Options(5, "base", "once", "none", "name", "messages")
    first = client.step(episode, call())
    assert [(m.name, m.status) for m in first.tool_messages] == [(LOW, "transient")]
    assert not first.over and first.outcome is None
    second = client.step(episode, call())
    assert json.loads(second.tool_messages[0].content)["use"] == "residential"
    unfinished = client.score(episode)
    assert unfinished.outcome.success and not unfinished.outcome.terminated
    last = client.step(episode, DONE)
    assert last.terminated and last.outcome is not None and episode.over
    assert last.outcome.tier == "low_clean"
    assert (last.outcome.ped, last.outcome.tokens, last.outcome.class_) == (None, 140, "none")
    scored = client.score(episode, ["ranked", "toolprivbench"])
    assert [r.preset for r in scored.rewards] == ["ranked", "toolprivbench"]
    total = 0.0
    for term in scored.rewards[0].terms:
        total += term.value
    assert total == scored.reward == scored.rewards[0].value
    assert client.score_trajectories([episode.trajectory()])[0].reward == scored.reward
    client.close_episodes([episode])


def test_reset_by_index_and_repeated(client):
    first = client.list_scenarios("rl")[3]
    episode = client.reset(split="rl", index=3, seed=1, episode_id="by-index")
    assert episode.scenario_id == first.id
    assert client.reset(split="rl", index=3, seed=1, episode_id="by-index") == episode


def test_history_is_another_way_on(client):
    episode = client.reset(SCENARIO, seed=7, options=ONCE, history=[call()])
    assert [m.status for m in episode.steps[0].tool_messages] == ["transient"]
    assert client.step(episode, call(HIGH)).tool_messages[0].status == "ok"
    assert client.score(episode).outcome.tier == "premature_1"


def test_batches_say_the_same_as_single_calls(client):
    starts = [privgym.Start(SCENARIO, seed=7, options=ONCE) for _ in GROUP]
    episodes = client.reset_batch([*starts, privgym.Start("no-such-scenario/1.1")])
    assert isinstance(episodes.pop(), privgym.InvalidArgument)
    for n in range(max(len(turns) for turns, _ in GROUP)):
        live = [i for i, (turns, _) in enumerate(GROUP) if n < len(turns)]
        steps = client.step_batch((episodes[i], GROUP[i][0][n]) for i in live)
        assert all(isinstance(s, privgym.Step) for s in steps)
    scores = client.score_batch(episodes)
    assert [s.outcome.tier for s in scores] == TIERS
    assert scores == client.score_trajectories(trajectories())
    assert scores == [client.score(e) for e in episodes]


def test_a_batch_beyond_what_one_call_takes(client):
    scores = client.score_trajectories(trajectories() * 80)
    assert [s.outcome.tier for s in scores] == TIERS * 80


def test_step_batch_refuses_the_same_episode_twice(client):
    episode = client.reset(SCENARIO)
    with pytest.raises(ValueError, match="named twice"):
        client.step_batch([(episode, call()), (episode, call())])


def test_rank_group(client):
    group = client.rank_group(trajectories())
    rewards = [m.reward.value for m in group.members]
    assert [m.rank for m in group.members] == [1 + sum(other > mine for other in rewards) for mine in rewards]
    assert sum(m.advantage for m in group.members) == pytest.approx(0.0, abs=1e-12)
    assert not group.degenerate
    alike = client.rank_group(trajectories()[:1] * 4)
    assert alike.degenerate and alike.reason


def test_rank_group_takes_live_episodes(client):
    episodes = [client.reset(SCENARIO, seed=7, options=ONCE) for _ in range(2)]
    client.step(episodes[0], call())
    client.step(episodes[1], say("Done."))
    assert [m.outcome.tier for m in client.rank_group(episodes).members] == ["honest_partial", "false_claim"]


def test_misuse_is_an_error_that_says_what_is_wrong(client, server):
    episode = client.reset(SCENARIO, seed=7, options=ONCE, episode_id="misuse")
    client.step(episode, call())
    with pytest.raises(privgym.AlreadyExists, match="seed is 7, not 8"):
        client.reset(SCENARIO, seed=8, options=ONCE, episode_id="misuse")
    with pytest.raises(privgym.InvalidArgument, match=r"options\.k"):
        client.reset(SCENARIO, options=privgym.Options(k=1000))
    with pytest.raises(privgym.InvalidArgument, match="no-such-scenario") as failure:
        client.reset("no-such-scenario/1.1")
    assert failure.value.code == "INVALID_ARGUMENT" and server.address in str(failure.value)
    episode.turns.clear()
    with pytest.raises(privgym.FailedPrecondition, match="turn 1"):
        client.step(episode, call(HIGH))
    with pytest.raises(ValueError, match="host:port"):
        privgym.Client("http://127.0.0.1:50551")
    with pytest.raises(ValueError, match="empty"):
        privgym.Client([])
