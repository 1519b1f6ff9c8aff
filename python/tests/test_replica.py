"""A server is killed in the middle of a group, and the group ends on another one: same bytes, same rewards."""

import grpc
import pytest
from conftest import start_server
from test_wire import FAULTS, GROUP, SCENARIO, rollouts


def reset(stubs, env, i, history=()):
    request = stubs.env.ResetRequest(
        episode_id=f"member-{i}",
        scenario_id=SCENARIO,
        seed=3,
        options=stubs.episode.EpisodeOptions(faults=FAULTS),
        history=history,
    )
    return env.Reset(request, timeout=10)


def step(stubs, env, i, turn, content):
    return env.Step(stubs.env.StepRequest(episode_id=f"member-{i}", turn=turn, content=content), timeout=10)


def answers(stubs, env, plan, first=1):
    """Plays every member from the turn `first` on; returns its serialized answers."""
    return [
        [step(stubs, env, i, n, t).SerializeToString(deterministic=True) for n, t in enumerate(turns, 1) if n >= first]
        for i, turns in enumerate(plan)
    ]


def test_group_survives_a_killed_server(stubs, tmp_path):
    plan = [turns for turns, _, _ in rollouts(stubs)]
    first, first_address = start_server(tmp_path)
    (tmp_path / "second").mkdir()
    second, second_address = start_server(tmp_path / "second")
    with grpc.insecure_channel(first_address) as one, grpc.insecure_channel(second_address) as two:
        alive, spare = stubs.env_grpc.EnvironmentServiceStub(one), stubs.env_grpc.EnvironmentServiceStub(two)
        for i in range(GROUP):
            reset(stubs, alive, i)
        before = [
            step(stubs, alive, i, 1, turns[0]).SerializeToString(deterministic=True) for i, turns in enumerate(plan)
        ]
        first.kill()
        first.wait(timeout=30)
        with pytest.raises(grpc.RpcError) as lost:
            step(stubs, alive, 0, 2, plan[0][1])
        assert lost.value.code() == grpc.StatusCode.UNAVAILABLE

        rebuilt = [reset(stubs, spare, i, turns[:1]) for i, turns in enumerate(plan)]
        assert [r.history[0].SerializeToString(deterministic=True) for r in rebuilt] == before
        moved = answers(stubs, spare, plan, first=2)
        ids = [f"member-{i}" for i in range(GROUP)]
        scores = spare.Score(stubs.env.ScoreRequest(episode_ids=ids), timeout=10)
        spare.Close(stubs.env.CloseRequest(episode_ids=ids), timeout=10)

        for i in range(GROUP):
            reset(stubs, spare, i)
        undisturbed = answers(stubs, spare, plan)
        assert undisturbed == [[b, *rest] for b, rest in zip(before, moved, strict=True)]
        again = spare.Score(stubs.env.ScoreRequest(episode_ids=ids), timeout=10)
        assert scores.SerializeToString(deterministic=True) == again.SerializeToString(deterministic=True)
    second.terminate()
    assert second.wait(timeout=30) == 0
