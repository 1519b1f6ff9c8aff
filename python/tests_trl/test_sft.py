"""TRL's SFTTrainer takes the dataset as it is, and learns from every think block."""

import re

import torch
from trl import SFTConfig, SFTTrainer

THINK = re.compile(r"<think>\n.*?\n</think>", re.DOTALL)


def test_one_step_with_assistant_only_loss(sft_rows, tokenizer, model, tmp_path):
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=sft_rows,
        args=SFTConfig(
            output_dir=str(tmp_path),
            assistant_only_loss=True,
            max_length=8192,
            max_steps=1,
            report_to="none",
            per_device_train_batch_size=2,
            use_cpu=True,
            save_strategy="no",
            learning_rate=1e-3,
        ),
    )
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    trainer.train()
    assert any(not torch.equal(before[n], p.detach()) for n, p in model.named_parameters()), "no parameter moved"

    rows = list(trainer.train_dataset)
    assert len(rows) == len(sft_rows)
    for original, row in zip(sft_rows, rows, strict=True):
        batch = trainer.data_collator([row])
        labels = batch["labels"][0]
        learnt = tokenizer.decode(labels[labels != -100])
        blocks = [b for m in original["messages"] if m["role"] == "assistant" for b in THINK.findall(m["content"])]
        assert len(blocks) >= 2
        for block in blocks:
            assert block in learnt
        assert "<tool_response>" not in learnt and "You carry out requests" not in learnt
