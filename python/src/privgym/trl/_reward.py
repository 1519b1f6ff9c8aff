"""The reward of whole transcripts."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..client import Client
from ..errors import Error
from ..types import Limits, Options, Score, Trajectory
from . import _transcript

logger = logging.getLogger("privgym")


@dataclass(frozen=True)
class TranscriptReward:
    """A reward function of TRL: executes what the model wrote again on the server, and scores it. One call a batch.

    A transcript whose environment was lost, or that no server can score, gets None: TRL leaves it out of its group.
    """

    client: Client
    options: Options
    k: int
    preset: str
    limits: Limits
    tokenizer: Any = None

    __name__ = "privgym"  # of the column in TRL's logs

    def __call__(
        self,
        *,
        completions: Sequence[Sequence[dict[str, Any]]],
        scenario_id: Sequence[str],
        seed: Sequence[int],
        completion_ids: Sequence[Sequence[int]] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **_: Any,
    ) -> list[float | None]:
        """Return a reward for each completion."""
        ids: Sequence[Sequence[int] | None] = completion_ids or [None] * len(completions)
        trajectories = [self.trajectory(*one) for one in zip(completions, scenario_id, seed, ids, strict=True)]
        scores = self._scores(trajectories)
        scored = [s for s in scores if s is not None]
        if log_metric is not None:
            for name, value in _summary(scored, len(scores)).items():
                log_metric(name, value)
        if log_extra is not None:
            log_extra("tier", ["unscorable" if s is None else s.outcome.tier for s in scores])
        return [None if s is None else s.reward for s in scores]

    def trajectory(
        self, completion: Sequence[dict[str, Any]], scenario_id: str, seed: int, ids: Sequence[int] | None = None
    ) -> Trajectory | None:
        """Return what a transcript says was played, or None where its environment was lost."""
        tokens, cut = None, False
        if self.tokenizer is not None and ids:
            tokens = _transcript.lengths(self.tokenizer, completion, ids)
            cut = ids[-1] not in (self.tokenizer.eos_token_id, self.tokenizer.pad_token_id)
        turns = _transcript.turns_of(completion, self.k, self.limits, tokens, cut)
        return None if turns is None else Trajectory(scenario_id, tuple(turns), seed, self.options)

    def _scores(self, trajectories: Sequence[Trajectory | None]) -> list[Score | None]:
        answers = iter(self.client.score_trajectories((t for t in trajectories if t is not None), [self.preset]))
        scores: list[Score | None] = []
        for trajectory in trajectories:
            answer = None if trajectory is None else next(answers)
            if isinstance(answer, Error):
                logger.warning("a rollout of %s is unscorable: %s", trajectory and trajectory.scenario_id, answer)
            scores.append(None if isinstance(answer, Error) else answer)
        return scores


def _summary(scored: list[Score], members: int) -> dict[str, float]:
    """Return the shares that a training run is watched by; docs/reward.md defines them."""
    shares = {"privgym/unscorable": 1 - len(scored) / members}
    for flag in ("opur", "success", "low_success", "truncated"):
        if scored:
            shares[f"privgym/{flag}"] = sum(getattr(s.outcome, flag) for s in scored) / len(scored)
    return shares
