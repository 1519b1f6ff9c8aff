"""A model that has learnt twenty of our rows by heart, so that some of what it samples is a call that can be read."""

import pytest
import torch
from conftest import TEMPLATES, make_model, make_tokenizer
from tokenizers import pre_tokenizers
from transformers import TrainerCallback
from trl import SFTConfig, SFTTrainer
from trl.chat_template_utils import add_response_schema, parse_response

# Of the messages sampled at temperature 1, the share that must hold a call.
ENOUGH = 0.25


@pytest.fixture(scope="session")
def twenty_rows(sft_rows):
    return sft_rows.select(range(20))


@pytest.fixture(scope="session")
def long_tokenizer(twenty_rows, tokenizer):
    """One whose tokens are whole phrases of these rows: dialogues of a few hundred tokens instead of thousands."""
    template = (TEMPLATES / "qwen3_training.jinja").read_text(encoding="utf-8")
    texts = (
        tokenizer.apply_chat_template(row["messages"], tools=row["tools"], tokenize=False, chat_template=template)
        for row in twenty_rows
    )
    plain = (text.replace("<|im_start|>", "").replace("<|im_end|>", "") for text in texts)
    return add_response_schema(make_tokenizer(plain, 4096, pre_tokenizers.Split("\n", "isolated")))


def share_of_calls(model, tokenizer, rows):
    """Samples a first message for each row, at temperature 1; returns the share of those with a call."""
    prompts = [
        tokenizer.apply_chat_template(
            row["messages"][:2], tools=row["tools"], tokenize=True, return_dict=False, add_generation_prompt=True
        )
        for row in rows
    ]
    batch = tokenizer.pad({"input_ids": prompts}, padding_side="left", return_tensors="pt")
    training = model.training
    model.eval()
    with torch.no_grad():
        sampled = model.generate(**batch, do_sample=True, temperature=1.0, top_k=0, max_new_tokens=120)
    model.train(training)
    calls = 0
    for prompt, row, ids in zip(prompts, rows, sampled[:, batch["input_ids"].shape[1] :].tolist(), strict=True):
        ids = ids[: ids.index(tokenizer.eos_token_id) + 1] if tokenizer.eos_token_id in ids else ids
        calls += bool(parse_response(tokenizer, ids, prefix=prompt, tools=row["tools"]).get("tool_calls"))
    return calls / len(prompts)


class UntilItCalls(TrainerCallback):
    def __init__(self, tokenizer, rows):
        self.tokenizer, self.rows, self.share = tokenizer, rows, 0.0

    def on_step_end(self, args, state, control, model, **_):
        if state.global_step % 25 == 0:
            self.share = share_of_calls(model, self.tokenizer, self.rows)
            control.should_training_stop = self.share >= ENOUGH


@pytest.fixture(scope="session")
def overfitted(twenty_rows, long_tokenizer, tmp_path_factory):
    torch.manual_seed(1)
    model = make_model(long_tokenizer, 64)
    rows = [*twenty_rows, *twenty_rows]
    until = UntilItCalls(long_tokenizer, rows)
    SFTTrainer(
        model=model,
        processing_class=long_tokenizer,
        train_dataset=twenty_rows,
        callbacks=[until],
        args=SFTConfig(
            output_dir=str(tmp_path_factory.mktemp("overfitted")),
            assistant_only_loss=True,
            max_length=4096,
            max_steps=400,
            per_device_train_batch_size=4,
            learning_rate=5e-3,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=10,
            use_cpu=True,
            save_strategy="no",
            report_to="none",
        ),
    ).train()
    assert until.share >= ENOUGH, f"only {until.share:.0%} of the messages hold a call"
    return model
