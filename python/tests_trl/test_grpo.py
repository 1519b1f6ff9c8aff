"""TRL's GRPOTrainer, as it is, against `privgym serve`."""

import copy
import json
import re
import threading
import time

import pytest
import torch
from overfitted import long_tokenizer, overfitted, twenty_rows  # noqa: F401
from transformers import TrainerCallback
from trl import GRPOConfig, GRPOTrainer

import privgym
from privgym.trl import Spec

GROUP, PROMPTS = 4, 2
ANNOUNCED = re.compile(r"""<tool_call>|^\{[\s\S]*?"(?:arguments|parameters)":""", re.MULTILINE)


class Recorder:
    """Stands before a reward function and keeps what it is asked and what it answers."""

    __name__ = "privgym"

    def __init__(self, reward):
        self.reward, self.batches = reward, []

    def __call__(self, **batch):
        answer = self.reward(**batch)
        self.batches.append((batch, answer))
        return answer

    def transcripts(self):
        for batch, answer in self.batches:
            columns = (batch[name] for name in ("completions", "scenario_id", "seed"))
            yield from zip(*columns, answer, strict=True)

    def rewards(self):
        return [reward for *_, reward in self.transcripts()]


@pytest.fixture
def train(overfitted, long_tokenizer, twenty_rows, tmp_path):  # noqa: F811
    """Trains a copy of the overfitted model for two steps; returns the trainer and the recorder, if any."""

    def run(spec, *callbacks):
        wanted = set(twenty_rows["scenario_id"])
        recorder = Recorder(spec.reward_funcs[0]) if spec.reward_funcs else None
        torch.manual_seed(3)
        trainer = GRPOTrainer(
            model=copy.deepcopy(overfitted),
            processing_class=long_tokenizer,
            train_dataset=spec.train_dataset.filter(wanted.__contains__, input_columns="scenario_id"),
            environment_factory=spec.environment_factory,
            reward_funcs=[recorder] if recorder else None,
            callbacks=list(callbacks),
            args=GRPOConfig(
                output_dir=str(tmp_path),
                **spec.grpo_kwargs(
                    num_generations=GROUP,
                    max_completion_length=600,
                    mask_truncated_completions=False,
                    learning_rate=1e-3,
                    temperature=1.0,
                    max_steps=2,
                    per_device_train_batch_size=GROUP * PROMPTS,
                    logging_steps=1,
                    use_cpu=True,
                    save_strategy="no",
                    report_to="none",
                    seed=3,
                ),
            ),
        )
        trainer.train()
        assert trainer.state.global_step == 2
        assert all(torch.isfinite(p).all() for p in trainer.model.parameters())
        return trainer, recorder

    return run


def offline(client, spec, transcripts):
    """Scores transcripts as a reader of docs/protocol.md would, without the adapter."""
    trajectories = []
    for completion, scenario, seed, _ in transcripts:
        turns = []
        for message in completion:
            if message["role"] != "assistant":
                continue
            calls = [
                privgym.ToolCall(c["function"]["name"], json.dumps(c["function"]["arguments"]))
                for c in message.get("tool_calls") or []
            ]
            written = message["content"] if message["content"].strip() else message.get("reasoning_content", "")
            if not calls and ANNOUNCED.search(written.rpartition("</think>")[2]):
                calls = [privgym.ToolCall("", "unreadable")]
            turns.append(privgym.Turn(text=message["content"], calls=calls))
        trajectories.append(privgym.Trajectory(scenario, turns[: spec.k + 1], seed, privgym.Options(tool_order="name")))
    return client.score_trajectories(trajectories)


def test_two_steps(server, train, long_tokenizer):  # noqa: F811
    client = privgym.Client(server.address)
    spec = Spec(client, split="sft")
    trainer, recorder = train(spec)
    transcripts = list(recorder.transcripts())
    assert len(transcripts) == 2 * GROUP * PROMPTS
    scores = offline(client, spec, transcripts)
    assert [s.reward for s in scores] == recorder.rewards()
    assert len({s.outcome.tier for s in scores}) >= 2
    assert any(m["role"] == "tool" for completion, *_ in transcripts for m in completion)
    for step, (_, rewards) in zip(trainer.state.log_history, recorder.batches, strict=False):
        assert step["rewards/privgym/mean"] == pytest.approx(sum(rewards) / len(rewards), rel=1e-5)
        assert step["privgym/unscorable"] == 0.0
    for batch, _ in recorder.batches:
        for i in range(0, GROUP * PROMPTS, GROUP):
            assert len(set(batch["seed"][i : i + GROUP])) == len(set(batch["scenario_id"][i : i + GROUP])) == 1


def test_the_prompt_shows_the_tools_of_the_scenario(server, train, long_tokenizer):  # noqa: F811
    spec = Spec(server.address, split="sft", tokenizer=long_tokenizer)
    trainer, recorder = train(spec)
    for scenario in {s.toolset_key: s for s in spec.scenarios}.values():
        shown = long_tokenizer.apply_chat_template(
            [{"role": "user", "content": "-"}], tools=trainer._env_tools[scenario.toolset_key], tokenize=False
        )
        ours = long_tokenizer.apply_chat_template(
            [{"role": "user", "content": "-"}], tools=[t.schema() for t in scenario.tools], tokenize=False
        )
        assert shown == ours
    reward = spec.reward_funcs[0]
    for batch, _ in recorder.batches:
        columns = (batch[name] for name in ("completions", "scenario_id", "seed", "completion_ids"))
        for completion, scenario, seed, ids in zip(*columns, strict=True):
            turns = reward.trajectory(completion, scenario, seed, ids).turns
            tools = sum(len(long_tokenizer(m["content"])["input_ids"]) for m in completion if m["role"] == "tool")
            assert all(turn.tokens > 0 for turn in turns)
            assert sum(turn.tokens for turn in turns) <= len(ids) - tools


class Breaking(privgym.Client):
    """A client whose server is killed at its n-th step."""

    def __init__(self, server, nth, after, **settings):
        super().__init__(server.address, **settings)
        self.server, self.steps, self.nth, self.after = server, 0, nth, after

    def step(self, episode, turn):
        self.steps += 1
        if self.steps == self.nth:
            self.server.kill()
            self.after(self)
        return super().step(episode, turn)

    def restart(self):
        self.server = privgym.serve(listen=self.server.address)


def test_a_server_that_comes_back_within_the_step(train):
    def soon(client):
        threading.Timer(0.5, client.restart).start()

    client = Breaking(privgym.serve(), nth=3, after=soon)
    try:
        spec = Spec(client, split="sft")
        _, recorder = train(spec)
        assert client.steps > 3, "the server was not killed"
        assert None not in recorder.rewards()
        scores = offline(client, spec, recorder.transcripts())
        assert [s.reward for s in scores] == recorder.rewards()
    finally:
        client.server.close()


class RestartAfterTheStep(TrainerCallback):
    def __init__(self, client):
        self.client = client

    def on_step_end(self, args, state, control, **_):
        if state.global_step == 1:
            self.client.restart()
            time.sleep(6)  # until the client trusts it again


def test_a_server_that_stays_away_for_a_step(train):
    client = Breaking(privgym.serve(), nth=2, after=lambda _: None, retries=1)
    try:
        spec = Spec(client, split="sft")
        trainer, recorder = train(spec, RestartAfterTheStep(client))
        rewards = recorder.rewards()
        half = len(rewards) // 2
        assert rewards[:half] == [None] * half
        assert None not in rewards[half:]
        assert 0.0 not in rewards
        assert [step["privgym/unscorable"] for step in trainer.state.log_history[:2]] == [1.0, 0.0]
    finally:
        client.server.close()


def test_environments_that_own_the_reward(server, train):
    spec = Spec(server.address, split="sft", get_reward=True)
    trainer, recorder = train(spec)
    assert recorder is None
    assert set(trainer.reward_func_names) == {s.family for s in spec.scenarios}
    assert all(-1 <= step["reward"] <= 1 for step in trainer.state.log_history if "reward" in step)
