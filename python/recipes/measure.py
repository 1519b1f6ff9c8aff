"""Measures a model on the eval split: plays groups of episodes as GRPO would, and learns nothing from them.

measure.py CONFIG MODEL OUT SERVERS      OUT gets rollouts.jsonl, for `privgym score`, and groups.jsonl
"""

import json
import os
import pathlib
import sys
import tempfile
from collections import Counter
from typing import Any

import stages
from transformers import set_seed
from trl import GRPOConfig, GRPOTrainer

import privgym
from privgym.trl import Spec, TranscriptReward


class Recorder:
    """Stands before the reward function, and keeps what was played as chat logs and as groups."""

    __name__ = "privgym"

    def __init__(self, reward: TranscriptReward, client: privgym.Client, members: int) -> None:
        self.reward, self.client, self.members = reward, client, members
        self.logs: list[dict[str, Any]] = []
        self.groups: list[dict[str, Any]] = []

    def __call__(self, **batch: Any) -> list[float | None]:
        """Score a batch."""
        names = ("prompts", "completions", "scenario_id", "seed", "completion_ids")
        rollouts = list(zip(*(batch[name] for name in names), strict=True))
        played = [self.reward.trajectory(*rollout[1:]) for rollout in rollouts]
        if None in played:
            sys.exit("no server could be reached in some rollouts, so nothing is measured; start again")
        for (prompt, completion, *_), trajectory in zip(rollouts, played, strict=True):
            self.logs.append(chat_log(prompt, completion, trajectory))
        for start in range(0, len(played), self.members):
            self.groups.append(group(self.client, played[start : start + self.members]))
        return self.reward(**batch)


def chat_log(prompt: list[dict], completion: list[dict], trajectory: privgym.Trajectory) -> dict[str, Any]:
    """Return a rollout as `privgym score` reads it."""
    turns = iter(trajectory.turns)
    messages = list(prompt)
    for message in completion:
        if message["role"] == "tool":
            messages.append({"role": "tool", "content": message["content"]})
            continue
        turn = next(turns, None)
        if turn is None:  # what a model wrote after the turn that ended its episode
            break
        calls = [{"type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in turn.calls]
        said = {"role": "assistant", "content": turn.text, "tokens": turn.tokens, "finish_reason": turn.finish_reason}
        more = {"reasoning_content": turn.reasoning, "tool_calls": calls}
        messages.append(said | {key: value for key, value in more.items() if value})
    options = trajectory.options
    return {
        "scenario_id": trajectory.scenario_id,
        "seed": trajectory.seed,
        "options": {"k": options.k, "faults": options.faults, "tool_order": options.tool_order},
        "messages": messages,
    }


def group(client: privgym.Client, members: list[privgym.Trajectory]) -> dict[str, Any]:
    """Return the rewards of a group, and why it teaches nothing if it does not."""
    ranked = client.rank_group(members)
    return {
        "scenario_id": members[0].scenario_id,
        "faults": members[0].options.faults,
        "rewards": [m.reward.value for m in ranked.members],
        "tiers": [m.outcome.tier for m in ranked.members],
        "degenerate": ranked.degenerate,
        "reason": ranked.reason,
    }


def first_of_each_family(spec: Spec, limit: int) -> set[str]:
    """Return the ids of as many scenarios, spread over the families."""
    seen: Counter[str] = Counter()
    order = []
    for scenario in spec.scenarios:
        order.append((seen[scenario.family], scenario.index, scenario.id))
        seen[scenario.family] += 1
    return {name for _, _, name in sorted(order)[: limit or None]}


def main() -> None:
    """Play the eval split under each fault plan of the configuration."""
    given, config = stages.arguments("measure", "servers")
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        sys.exit("the measurement runs in one process: each of several would play a part, and some rows twice")
    tokenizer = stages.tokenizer_of(given.model)
    with stages.servers(given.servers) as servers, tempfile.TemporaryDirectory() as scratch:
        plans = {
            faults: Spec(servers, split="eval", options=privgym.Options(faults=faults), tokenizer=tokenizer)
            for faults in config["faults"]
        }
        # One trainer for all: with vLLM on the same GPU there is no room for a second one. The plans have the same rows
        # and tools; their environments differ, and so have names of their own.
        spec, *_ = plans.values()
        wanted = first_of_each_family(spec, config["limit"])
        rows = spec.train_dataset.filter(wanted.__contains__, input_columns="scenario_id")
        args = GRPOConfig(output_dir=scratch, report_to="none", **spec.grpo_kwargs(**config["args"]))
        recorder = Recorder(spec.reward_funcs[0], spec.client, args.num_generations)
        trainer = GRPOTrainer(
            model=given.model,
            processing_class=tokenizer,
            train_dataset=rows,
            environment_factory={
                f"{faults} {key}": factory
                for faults, spec in plans.items()
                for key, factory in spec.environment_factory.items()
            },
            reward_funcs=[recorder],
            args=args,
        )
        for faults, spec in plans.items():
            recorder.reward = spec.reward_funcs[0]
            names = [f"{faults} {key}" for key in rows["environment"]]
            set_seed(args.seed)  # what differs between plans is not chance
            print(trainer.evaluate(rows.remove_columns("environment").add_column("environment", names)))
    with stages.complete(pathlib.Path(given.out)) as unfinished:
        for name, rows in (("rollouts", recorder.logs), ("groups", recorder.groups)):
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (unfinished / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
