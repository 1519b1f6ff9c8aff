"""First stage: fine-tunes a model on trajectories of `privgym sft`.

sft.py CONFIG MODEL OUT DATA      DATA is the folder that `privgym sft --out` wrote
"""

import stages
from trl import SFTConfig, SFTTrainer

import privgym.sft


def main() -> None:
    """Train on the rows that are short enough, and say how many are."""
    given, config = stages.arguments("sft", "data")
    tokenizer = stages.tokenizer_of(given.model)
    rows = privgym.sft.load(given.data)

    def fits(row):
        ids = tokenizer.apply_chat_template(row["messages"], tools=row["tools"], tokenize=True, return_dict=False)
        return len(ids) <= config["longest"]

    fitting = rows.filter(fits)
    print(f"{len(fitting)} of {len(rows)} rows have at most {config['longest']} tokens")
    trainer = SFTTrainer(
        model=given.model,
        processing_class=tokenizer,
        train_dataset=fitting,
        peft_config=stages.lora(config),
        args=SFTConfig(
            output_dir=stages.checkpoints(given.out),
            assistant_only_loss=True,
            logging_steps=1,
            save_total_limit=1,
            report_to="none",
            **config["args"],
        ),
    )
    stages.train(trainer, given.out)


if __name__ == "__main__":
    main()
