"""A tiny model with a Qwen3 chat template, made here: no weights, no network."""

import os
import pathlib
import subprocess

import datasets
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import chat_template_utils

import privgym
import privgym.sft

TEMPLATES = pathlib.Path(chat_template_utils.__file__).parent / "chat_templates"
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]

torch.set_num_threads(1)  # the models are too small for more


def make_tokenizer(texts, vocabulary, *split):
    """A byte-level tokenizer with the template; split is what to part texts by instead of words."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [*split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not split)]
    )
    raw.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    raw.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=vocabulary, special_tokens=SPECIAL, initial_alphabet=alphabet)
    )
    made = PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token="<|im_end|>", pad_token="<|endoftext|>", additional_special_tokens=SPECIAL
    )
    made.chat_template = (TEMPLATES / "qwen3.jinja").read_text(encoding="utf-8")
    return made


def make_model(tokenizer, hidden):
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=2 * hidden,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=hidden // 4,
            max_position_embeddings=8192,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
        )
    )


@pytest.fixture(scope="session")
def sft_rows(tmp_path_factory) -> datasets.Dataset:
    """Rows of `privgym sft`, loaded as a user would."""
    folder = tmp_path_factory.mktemp("sft")
    subprocess.run([os.environ["PRIVGYM_BIN"], "sft", "--out", folder, "--rows", "40"], check=True)
    return privgym.sft.load(folder)


@pytest.fixture(scope="session")
def tokenizer(sft_rows):
    return make_tokenizer((str(row["messages"]) + str(row["tools"]) for row in sft_rows), 2048)


@pytest.fixture
def model(tokenizer):
    return make_model(tokenizer, 32)


@pytest.fixture(scope="session")
def server():
    with privgym.serve() as server:
        yield server
