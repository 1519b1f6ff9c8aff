"""The scripts of docs/trl.md run as they stand, but for the address and the size."""

import os
import pathlib
import re
import subprocess
import sys

from overfitted import long_tokenizer, overfitted, twenty_rows  # noqa: F401
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig, SFTTrainer

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "trl.md"


def test_the_scripts_of_the_page(server, overfitted, long_tokenizer, tmp_path):  # noqa: F811
    scripts = dict(re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    assert list(scripts) == ["sft.py", "grpo.py"]
    assert "127.0.0.1:50551" in scripts["grpo.py"]
    overfitted.save_pretrained(tmp_path / "model")
    long_tokenizer.save_pretrained(tmp_path / "model")
    subprocess.run([os.environ["PRIVGYM_BIN"], "sft", "--out", tmp_path / "sft-data", "--rows", "4"], check=True)
    for name, model in (("sft.py", "model"), ("grpo.py", "sft-model")):
        small = scripts[name].replace("**spec.grpo_kwargs()", "**spec.grpo_kwargs(max_completion_length=300)")
        (tmp_path / name).write_text(small.replace("127.0.0.1:50551", server.address), encoding="utf-8")
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
        subprocess.run([sys.executable, name, model, "1"], cwd=tmp_path, env=environment, check=True, timeout=600)
    assert list((tmp_path / "grpo-model").glob("*.safetensors"))


def test_an_adapter_written_as_the_page_says_is_a_whole_model(sft_rows, tokenizer, model, monkeypatch, tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    (lines,) = re.findall(r"write that one instead:\n\n```python\n(.*?)```", page, re.DOTALL)
    layers = {name.rpartition(".")[0] for name, _ in model.named_parameters()}
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=sft_rows,
        peft_config=LoraConfig(r=16, lora_alpha=32),
        args=SFTConfig(output_dir=str(tmp_path), report_to="none", use_cpu=True),
    )
    monkeypatch.chdir(tmp_path)
    exec(lines, {"trainer": trainer})
    whole = AutoModelForCausalLM.from_pretrained("sft-model")
    assert {name.rpartition(".")[0] for name, _ in whole.named_parameters()} == layers
    assert AutoTokenizer.from_pretrained("sft-model").chat_template == tokenizer.chat_template
