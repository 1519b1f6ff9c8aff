"""What the stages of the recipe share: a configuration, and model folders that are complete or absent."""

import argparse
import contextlib
import os
import pathlib
import shutil
from collections.abc import Iterator
from typing import Any

import yaml
from peft import LoraConfig
from transformers import AutoTokenizer, TrainerCallback
from transformers.trainer import TRAINER_STATE_NAME
from trl import chat_template_utils

import privgym

QWEN3 = pathlib.Path(chat_template_utils.__file__).parent / "chat_templates" / "qwen3.jinja"


def arguments(stage: str, *more: str) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Read the command line CONFIG MODEL OUT, and what the configuration says of the stage."""
    parser = argparse.ArgumentParser()
    for name in ("config", "model", "out", *more):
        parser.add_argument(name)
    given = parser.parse_args()
    given.out = os.path.normpath(given.out)
    if os.path.exists(given.out):
        parser.error(f"{given.out} is there already; move it away, or name another folder")
    whole = yaml.safe_load(pathlib.Path(given.config).read_text(encoding="utf-8"))
    return given, whole[stage]


def tokenizer_of(model: str) -> Any:
    """Return the tokenizer of a model folder, or of a model of the hub, with a chat template that TRL can train on.

    TRL knows templates by their text, and not that of Qwen3-Thinking-2507, which opens the think block for the model.
    That of Qwen3 does for all models whose messages end with <|im_end|>.
    """
    tokenizer = AutoTokenizer.from_pretrained(model)
    try:
        chat_template_utils.get_training_chat_template(tokenizer)
    except ValueError:
        if tokenizer.eos_token != "<|im_end|>":
            raise
        print(f"{model}: TRL does not know its chat template; that of Qwen3 takes its place")
        tokenizer.chat_template = QWEN3.read_text(encoding="utf-8")
    return tokenizer


def lora(config: dict[str, Any]) -> LoraConfig | None:
    """Return the adapter that a stage trains, or None where it trains the whole model."""
    return LoraConfig(**config["lora"], task_type="CAUSAL_LM") if "lora" in config else None


def checkpoints(out: str) -> str:
    """Return where a stage keeps its checkpoints: beside what it makes, and under its name."""
    folder, name = os.path.split(out)
    return os.path.join(folder, f"checkpoints-{name}")


def last_checkpoint(folder: str) -> str | None:
    """Return the last checkpoint that is complete: its state is written last, and training without one begins anew."""
    complete = [state.parent for state in pathlib.Path(folder).glob(f"checkpoint-*/{TRAINER_STATE_NAME}")]
    return str(max(complete, key=lambda path: int(path.name.rpartition("-")[2]))) if complete else None


class NoStepsLeft(Exception):
    """The checkpoint that training resumed from is its end."""


class EndAtTheEnd(TrainerCallback):
    """Ends a training that has no steps left: Trainer asks whether to stop after a step, and never before the first."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Look, once model and state are those of the checkpoint."""
        if state.global_step >= state.max_steps:
            raise NoStepsLeft


def train(trainer: Any, out: str) -> None:
    """Train from the last checkpoint on, if there is one, and write the model, with any adapter merged into it."""
    trainer.add_callback(EndAtTheEnd)
    with contextlib.suppress(NoStepsLeft):
        trainer.train(resume_from_checkpoint=last_checkpoint(trainer.args.output_dir))
    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "merge_and_unload"):
        model = model.merge_and_unload()
    if trainer.is_world_process_zero():
        with complete(pathlib.Path(out)) as unfinished:
            model.save_pretrained(unfinished)
            trainer.processing_class.save_pretrained(unfinished)
            trainer.state.save_to_json(str(unfinished / "trainer_state.json"))


@contextlib.contextmanager
def complete(out: pathlib.Path) -> Iterator[pathlib.Path]:
    """Give a folder to fill, which becomes out when all is written."""
    unfinished = out.with_name(out.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    yield unfinished
    os.replace(unfinished, out)


@contextlib.contextmanager
def servers(addresses: str) -> Iterator[privgym.Client]:
    """Give a client of these servers, or of one that is started for it."""
    if addresses == "here":
        with privgym.serve() as server:
            yield privgym.Client(server.address)
    else:
        yield privgym.Client(addresses.split(","))
