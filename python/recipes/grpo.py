"""Second stage: GRPO against a privgym server, with the ranked reward.

grpo.py CONFIG MODEL OUT SERVERS      SERVERS: addresses with commas between them, or `here` to start one
"""

import stages
from trl import GRPOConfig, GRPOTrainer

from privgym.trl import Spec


def main() -> None:
    """Train on the rl split."""
    given, config = stages.arguments("grpo", "servers")
    tokenizer = stages.tokenizer_of(given.model)
    with stages.servers(given.servers) as servers:
        spec = Spec(servers, split="rl", seeds=config["seeds"], tokenizer=tokenizer)
        trainer = GRPOTrainer(
            model=given.model,
            processing_class=tokenizer,
            train_dataset=spec.train_dataset,
            environment_factory=spec.environment_factory,
            reward_funcs=spec.reward_funcs,
            peft_config=stages.lora(config),
            args=GRPOConfig(
                output_dir=stages.checkpoints(given.out),
                logging_steps=1,
                save_total_limit=1,
                report_to="none",
                **spec.grpo_kwargs(**config["args"]),
            ),
        )
        stages.train(trainer, given.out)


if __name__ == "__main__":
    main()
