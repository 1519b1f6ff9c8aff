"""Fits TRL's trainers, unpatched; docs/trl.md tells how.

from trl import GRPOConfig, GRPOTrainer
from privgym.trl import Spec

spec = Spec("127.0.0.1:50551", split="rl")
trainer = GRPOTrainer(
    model="Qwen/Qwen3-4B",
    args=GRPOConfig(**spec.grpo_kwargs()),
    train_dataset=spec.train_dataset,
    environment_factory=spec.environment_factory,
    reward_funcs=spec.reward_funcs,
)
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..client import Client
from ..types import Options, Scenario
from . import _tools
from ._environment import Environment, Factory, Toolset
from ._reward import TranscriptReward
from ._tools import SchemaError

__all__ = ["Environment", "SchemaError", "Spec", "TranscriptReward"]

# Calls come one by one, and nobody says which belong to one message; so turns are not counted while a rollout is
# played. Its transcript, which knows them, is scored with the k that was asked for.
_MOST_CALLS = 64


class Spec:
    """All that a GRPOTrainer needs to train on a split, each part under the name of the argument that takes it.

    servers: a Client, or the addresses of servers as Client takes them.
    split: rl, or another one to take scenarios from.
    seeds, seed: how many rows each scenario gets, with the seeds seed, seed + 1, … The generations of one row form a
        group and share its seed, and so the failures that they meet.
    options: k, prompt and faults of the episodes. Tools stand in the order of their names, as TRL lists them.
    preset: the reward to train on.
    tokenizer: that of the model, to count the tokens of each message; without it no reward depends on length.
    get_reward: give environments a get_reward and no reward_funcs, for a trainer that hands out no transcripts. It sees
        the calls alone: no final text, so no claim, and each call counts as a turn.

    Making one asks the server for the scenarios and compares each tool as TRL will show it with the server's, byte for
    byte; a difference is a SchemaError.
    """

    def __init__(
        self,
        servers: Client | str | Sequence[str],
        *,
        split: str = "rl",
        seeds: int = 1,
        seed: int = 0,
        options: Options | None = None,
        preset: str = "ranked",
        tokenizer: Any = None,
        get_reward: bool = False,
    ) -> None:
        options = options or Options()
        if options.tool_order not in ("", "name") or options.turns:
            raise ValueError("options: tool_order and turns are given by how TRL works; leave them out")
        if seeds < 1:
            raise ValueError(f"seeds is {seeds}; give 1 or more")
        self.client = servers if isinstance(servers, Client) else Client(servers)
        self.scenarios: list[Scenario] = self.client.list_scenarios(split, options.prompt)
        if not self.scenarios:
            raise ValueError(f"split {split!r} has no scenarios")
        self.k = options.k or self.scenarios[0].turn_limit
        self._options = replace(options, k=self.k, tool_order="name", turns="messages")
        self._seeds = range(seed, seed + seeds)
        self._preset, self._tokenizer, self._get_reward = preset, tokenizer, get_reward
        self._limits = self.client.describe().limits
        for factory in self.environment_factory.values():
            _tools.check(factory(), factory.toolset.tools)

    @cached_property
    def train_dataset(self) -> Any:
        """A datasets.Dataset with a row for each scenario and seed.

        Columns: prompt, the system and the user message; environment, the key of the tools; scenario_id and seed.
        """
        from datasets import Dataset

        rows = [(s, seed) for s in self.scenarios for seed in self._seeds]
        return Dataset.from_dict(
            {
                "prompt": [[{"role": m.role, "content": m.content} for m in s.messages] for s, _ in rows],
                "environment": [s.toolset_key for s, _ in rows],
                "scenario_id": [s.id for s, _ in rows],
                "seed": [seed for _, seed in rows],
            }
        )

    @cached_property
    def environment_factory(self) -> dict[str, Factory]:
        """For each toolset, by its key, what makes an environment with these tools and no others."""
        k = min(self.k if self._get_reward else _MOST_CALLS, self._limits.turns)
        options = replace(self._options, k=k, turns="calls")
        toolsets = {s.toolset_key: Toolset(s.toolset_key, s.family, s.tools) for s in reversed(self.scenarios)}
        return {
            key: Factory(toolset, self.client, options, self._preset, self._limits, self._get_reward)
            for key, toolset in toolsets.items()
        }

    @cached_property
    def reward_funcs(self) -> list[TranscriptReward]:
        """What scores transcripts; nothing where the environments own the reward."""
        if self._get_reward:
            return []
        return [TranscriptReward(self.client, self._options, self.k, self._preset, self._limits, self._tokenizer)]

    def grpo_kwargs(self, **others: Any) -> dict[str, Any]:
        """Return arguments of GRPOConfig: what the environment needs, and what is recommended; others win.

        The k-th turn is executed and one more message may follow. The completion is the whole dialogue. Advantages are
        not divided by the standard deviation of their group: that would turn trifles among equals into large steps.
        """
        return {
            "max_tool_calling_iterations": self.k,
            "max_completion_length": 4096,
            "num_generations": 8,
            "learning_rate": 1e-6,
            "loss_type": "dapo",
            "scale_rewards": "none",
            "mask_truncated_completions": True,
            **others,
        }
