"""The recipe as a user runs it, at the smallest size: every stage, what they leave, and going on from there."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
import yaml
from overfitted import long_tokenizer, overfitted, twenty_rows  # noqa: F401

RECIPES = pathlib.Path(__file__).parents[1] / "recipes"
CPU = {"use_cpu": True, "gradient_checkpointing": False}
ROLLOUTS = {"num_generations": 2, "max_completion_length": 300, "temperature": 1.0, **CPU}
CONFIG = {
    "sft": {"rows": 4, "longest": 4096, "args": {"max_steps": 1, "max_length": 4096, "save_steps": 1, **CPU}},
    "grpo": {
        "seeds": 1,
        "lora": {"r": 4, "lora_alpha": 8},
        "args": {"max_steps": 1, "per_device_train_batch_size": 2, "save_steps": 1, **ROLLOUTS},
    },
    "measure": {"limit": 2, "faults": ["once", "ruled-out"], "args": {"per_device_eval_batch_size": 4, **ROLLOUTS}},
}


def rows(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def recipe(overfitted, long_tokenizer, tmp_path_factory):  # noqa: F811
    """Runs the recipe with a configuration; returns its output and the folder."""
    folder = tmp_path_factory.mktemp("recipe")
    overfitted.save_pretrained(folder / "model")
    long_tokenizer.save_pretrained(folder / "model")

    def run(config):
        (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
        command = [RECIPES / "run.sh", folder / "config.yaml", folder / "model", folder / "out"]
        done = subprocess.run(command, env=environment, check=True, timeout=900, stdout=subprocess.PIPE, text=True)
        return done.stdout, folder / "out"

    return run


def test_every_stage_and_then_two_steps_more(recipe):
    said, out = recipe(CONFIG)
    for stage in ("sft", "grpo"):
        assert (out / stage / "model.safetensors").exists(), f"no model after {stage}"
    for stage in ("base", "sft", "grpo"):
        groups = rows(out / f"measured-{stage}" / "groups.jsonl")
        records = rows(out / f"measured-{stage}.jsonl")
        assert [r for g in groups for r in g["rewards"]] == [r["rewards"][0]["value"] for r in records]
        scored = {(r["scenario_id"], r["fault_plan"]) for r in records}
        assert scored == {(g["scenario_id"], g["faults"]) for g in groups}
        assert len(groups) == 4
    report = (out / "report.md").read_text(encoding="utf-8")
    assert report in said
    assert report.count("| before | after SFT | after GRPO |") == 2
    assert (out / "curves.png").stat().st_size > 10_000

    # Goes on from its checkpoint when more is asked for, and leaves alone what is there.
    kept = (out / "sft" / "model.safetensors").stat().st_mtime_ns
    for name in ("grpo", "measured-grpo"):
        os.rename(out / name, out / f"{name}-before")
    os.remove(out / "measured-grpo.jsonl")
    CONFIG["grpo"]["args"]["max_steps"] = 3
    recipe(CONFIG)
    history = json.loads((out / "grpo" / "trainer_state.json").read_text(encoding="utf-8"))["log_history"]
    assert [row["step"] for row in history if "reward" in row] == [1, 2, 3]
    assert (out / "sft" / "model.safetensors").stat().st_mtime_ns == kept
