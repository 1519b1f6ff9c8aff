"""A tiny model with a Qwen3 chat template, made here: no weights, no network."""

import os
import pathlib
import subprocess

import datasets
import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import chat_template_utils

TEMPLATE = pathlib.Path(chat_template_utils.__file__).parent / "chat_templates" / "qwen3.jinja"
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


@pytest.fixture(scope="session")
def sft_rows(tmp_path_factory):
    """Rows of `privgym sft`, loaded as a user would."""
    folder = tmp_path_factory.mktemp("sft")
    subprocess.run([os.environ["PRIVGYM_BIN"], "sft", "--out", folder, "--rows", "40"], check=True)
    return datasets.load_dataset(str(folder), split="train")


@pytest.fixture(scope="session")
def tokenizer(sft_rows):
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    texts = (str(row["messages"]) + str(row["tools"]) for row in sft_rows)
    raw.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=2048, special_tokens=SPECIAL, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
        ),
    )
    made = PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token="<|im_end|>", pad_token="<|endoftext|>", additional_special_tokens=SPECIAL
    )
    made.chat_template = TEMPLATE.read_text(encoding="utf-8")
    return made


@pytest.fixture
def model(tokenizer):
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=8,
            max_position_embeddings=8192,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
        )
    )
