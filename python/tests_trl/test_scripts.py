"""What the recipe's scripts do around the training, without any."""

import importlib
import json
import os
import pathlib
import subprocess
import sys

import pytest
import torch
import yaml
from conftest import make_tokenizer
from peft import LoraConfig
from safetensors.torch import load_file
from trl import SFTConfig, SFTTrainer

import privgym
from privgym.trl import TranscriptReward
from privgym.trl._transcript import LOST

RECIPES = pathlib.Path(__file__).parents[1] / "recipes"
SCENARIO = "gov-se-parcel-use/1.1"
ARGUMENTS = {"parcel": "14-207", "attribute": "use", "value": "residential"}
WRITTEN = json.dumps({"name": "correct_parcel_attribute", "arguments": ARGUMENTS})


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(RECIPES)
    return importlib.import_module


@pytest.fixture
def command_line(monkeypatch, tmp_path):
    """Calls the scripts with a configuration, a model that is not there, and an output."""
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({"measure": {"limit": 1}}), encoding="utf-8")

    def run(out):
        monkeypatch.setattr(sys, "argv", ["script.py", str(tmp_path / "config.yaml"), "no-model", str(out), "here"])

    return run


def said(content="", name="", **more):
    calls = [{"type": "function", "function": {"name": name, "arguments": ARGUMENTS}}] if name else []
    return {"role": "assistant", "content": content, **({"tool_calls": calls} if calls else {}), **more}


def tool(content="x"):
    return {"role": "tool", "name": "f", "content": content}


CALL, DONE = said(name="correct_parcel_attribute"), said("Done. Parcel 14-207 is now entered as residential.")
ROLLOUTS = [
    ([CALL, tool(), CALL, tool(), DONE], "low_clean"),
    ([CALL, tool()] * 5 + [CALL], "low_waste"),
    ([said("I could not do this.", reasoning_content="It is late.")], "no_call"),
    ([DONE], "false_claim"),
    # Calls that TRL could not carry out: it answers, or ends the rollout.
    ([said(name="no_such_tool"), tool("{'error': 'Tool no_such_tool not found.'}"), DONE], "false_claim"),
    ([said(f"<tool_call>{WRITTEN[:-1]}")], "malformed"),
    ([said(WRITTEN)], "malformed"),
    ([said(reasoning_content=f"So <tool_call>{WRITTEN}</tool_call>")], "malformed"),
]


@pytest.fixture
def recorder(script, server):
    client = privgym.Client(server.address)
    options = privgym.Options(k=5, faults="once", tool_order="name", turns="messages")
    reward = TranscriptReward(client, options, 5, "ranked", client.describe().limits)
    return script("measure").Recorder(reward, client, members=4)


def batch(completions):
    n = len(completions)
    prompt = [{"role": "user", "content": "Please."}]
    columns = {"prompts": prompt, "scenario_id": SCENARIO, "seed": 7, "completion_ids": [1]}
    return {"completions": completions} | {name: [value] * n for name, value in columns.items()}


def test_what_the_measurement_keeps_scores_as_the_trainer_scored_it(recorder, tmp_path):
    rewards = recorder(**batch([completion for completion, _ in ROLLOUTS]))
    logs, scored = tmp_path / "rollouts.jsonl", tmp_path / "scored.jsonl"
    logs.write_text("".join(json.dumps(log) + "\n" for log in recorder.logs), encoding="utf-8")
    # That the replies above are not the environment's is a finding.
    subprocess.run([os.environ["PRIVGYM_BIN"], "score", "--out", scored, logs], check=False)
    records = [json.loads(line) for line in scored.read_text(encoding="utf-8").splitlines()]
    assert [r["outcome"]["tier"] for r in records] == [tier for _, tier in ROLLOUTS]
    assert [r["rewards"][0]["value"] for r in records] == rewards
    assert [reward for group in recorder.groups for reward in group["rewards"]] == rewards
    assert any(m.get("reasoning_content") == "It is late." for log in recorder.logs for m in log["messages"])


class Oracle:
    """Stands for GRPOTrainer: plays what the oracle did under `once`, whatever it is answered."""

    made = 0
    transcripts: dict[str, list[dict]]

    def __init__(self, *, environment_factory, reward_funcs, args, **_):
        type(self).made += 1
        self.factories, (self.reward,), self.members = environment_factory, reward_funcs, args.num_generations

    def evaluate(self, rows):
        for row in rows:
            environment = self.factories[row["environment"]]()
            environment.reset(**{name: value for name, value in row.items() if name != "environment"})
            completion = list(self.play(environment, row["scenario_id"]))
            columns = {"prompts": row["prompt"], "completions": completion, "completion_ids": [], **row}
            self.reward(**{name: [value] * self.members for name, value in columns.items()})

    def play(self, environment, scenario_id):
        for message in self.transcripts[scenario_id]:
            if message["role"] != "assistant":
                continue
            calls = [
                {"name": c["function"]["name"], "arguments": json.loads(c["function"]["arguments"])}
                for c in message.get("tool_calls", ())
            ]
            yield {**message, "tool_calls": [{"type": "function", "function": call} for call in calls]}
            for call in calls:
                yield tool(getattr(environment, call["name"])(**call["arguments"]))


def test_one_trainer_plays_every_fault_plan(script, server, tokenizer, monkeypatch, tmp_path):
    play = ["play", "--policy", "oracle", "--split", "eval", "--faults", "once", "--out", tmp_path / "played.jsonl"]
    subprocess.run([os.environ["PRIVGYM_BIN"], *play], check=True)
    played = [json.loads(line) for line in (tmp_path / "played.jsonl").read_text(encoding="utf-8").splitlines()]
    monkeypatch.setattr(Oracle, "transcripts", {p["scenario_id"]: p["messages"] for p in played}, raising=False)
    monkeypatch.setattr(Oracle, "made", 0)
    measure = script("measure")
    monkeypatch.setattr(measure, "GRPOTrainer", Oracle)

    tokenizer.save_pretrained(tmp_path / "model")
    args = {"num_generations": 2, "use_cpu": True, "bf16": False}
    config = {"measure": {"limit": 3, "faults": ["once", "ruled-out"], "args": args}}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    command = ["measure.py", tmp_path / "config.yaml", tmp_path / "model", tmp_path / "out", server.address]
    monkeypatch.setattr(sys, "argv", list(map(str, command)))
    measure.main()

    assert Oracle.made == 1
    groups = [json.loads(line) for line in (tmp_path / "out" / "groups.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [g["faults"] for g in groups] == ["once"] * 3 + ["ruled-out"] * 3
    assert [g["tiers"] for g in groups[:3]] == [["low_clean"] * 2] * 3
    assert not {tier for g in groups[3:] for tier in g["tiers"]} & {"low_clean"}
    # That replies are not those of the plan would be a finding, and a failure.
    logs, scored = tmp_path / "out" / "rollouts.jsonl", tmp_path / "scored.jsonl"
    subprocess.run([os.environ["PRIVGYM_BIN"], "score", "--out", scored, logs], check=True)


def test_a_lost_rollout_ends_the_measurement_with_the_reason(recorder):
    with pytest.raises(SystemExit, match="no server could be reached"):
        recorder(**batch([[DONE], [CALL, tool(LOST)]]))


def test_the_measurement_refuses_several_processes(script, command_line, monkeypatch, tmp_path):
    command_line(tmp_path / "out")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(SystemExit, match="one process"):
        script("measure").main()


def test_an_output_that_is_there_is_refused_before_any_work(script, command_line, tmp_path, capsys):
    stages = script("stages")
    (tmp_path / "out").mkdir()
    command_line(f"{tmp_path}/out/")
    with pytest.raises(SystemExit) as refused:
        stages.arguments("measure", "servers")
    assert refused.value.code == 2 and f"{tmp_path}/out is there already" in capsys.readouterr().err


def test_outputs_side_by_side_have_their_own_checkpoints(script, command_line, tmp_path):
    stages = script("stages")
    places = []
    for out in ("slow", "fast/"):
        command_line(f"{tmp_path}/{out}")
        places.append(stages.checkpoints(stages.arguments("measure", "servers")[0].out))
    assert places == [f"{tmp_path}/checkpoints-slow", f"{tmp_path}/checkpoints-fast"]


def test_training_resumes_from_a_checkpoint_that_is_complete(script, tmp_path):
    stages = script("stages")
    assert stages.last_checkpoint(tmp_path / "none") is None
    for step in (9, 10, 11):
        (tmp_path / f"checkpoint-{step}").mkdir()
        (tmp_path / f"checkpoint-{step}" / "model.safetensors").touch()
    assert stages.last_checkpoint(tmp_path) is None
    for step in (9, 10):
        (tmp_path / f"checkpoint-{step}" / "trainer_state.json").touch()
    assert stages.last_checkpoint(tmp_path) == str(tmp_path / "checkpoint-10")


@pytest.mark.parametrize("adapter", [None, LoraConfig(r=2, task_type="CAUSAL_LM")], ids=["whole", "adapter"])
def test_training_resumed_at_its_end_makes_the_same_model(script, sft_rows, tokenizer, model, adapter, tmp_path):
    stages = script("stages")
    model.save_pretrained(tmp_path / "base")
    for out in ("trained", "again"):
        trainer = SFTTrainer(
            model=str(tmp_path / "base"),
            processing_class=tokenizer,
            train_dataset=sft_rows,
            peft_config=adapter,
            args=SFTConfig(
                output_dir=str(tmp_path / "checkpoints"),
                max_steps=1,  # in the middle of an epoch
                save_steps=1,
                logging_steps=1,
                max_length=256,
                per_device_train_batch_size=1,
                gradient_checkpointing=False,
                use_cpu=True,
                report_to="none",
            ),
        )
        stages.train(trainer, str(tmp_path / out))
        state = json.loads((tmp_path / out / "trainer_state.json").read_text(encoding="utf-8"))
        assert state["global_step"] == 1
    trained, again = (load_file(tmp_path / out / "model.safetensors") for out in ("trained", "again"))
    assert trained.keys() == again.keys()
    assert all(torch.equal(weights, again[name]) for name, weights in trained.items())


def test_a_template_that_trl_does_not_know_gives_way(script, tmp_path):
    stages = script("stages")
    tokenizer, qwen3 = make_tokenizer(["a"], 300), stages.QWEN3.read_text(encoding="utf-8")
    opens_the_block = qwen3.replace("assistant\\n' }}", "assistant\\n<think>\\n' }}")
    assert opens_the_block != qwen3
    for template in (qwen3, opens_the_block):
        tokenizer.chat_template = template
        tokenizer.save_pretrained(tmp_path)
        assert stages.tokenizer_of(tmp_path).chat_template == qwen3
    tokenizer.eos_token = "<|endoftext|>"
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="chat template"):
        stages.tokenizer_of(tmp_path)


def test_a_report_goes_by_the_fault_plan_that_was_asked_for(script, tmp_path):
    records = [{"options": {"faults": "mixed"}, "fault_plan": plan} for plan in ("once", "ruled-out")]
    (tmp_path / "measured-sft.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    (file,) = script("report").split_by_faults(tmp_path, ["sft"])["mixed"]
    assert file == tmp_path / "records" / "mixed" / "sft.jsonl"
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2
