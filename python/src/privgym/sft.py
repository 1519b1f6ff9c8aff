"""Reads the dataset that `privgym sft` wrote."""

import os
from typing import Any


def load(path: str | os.PathLike[str]) -> Any:
    """Return the trajectories in a folder that `privgym sft --out` wrote, as a datasets.Dataset.

    Its columns messages and tools are what TRL's SFTTrainer takes; the others tell where each row comes from.
    """
    try:
        import datasets
    except ImportError as missing:
        raise ImportError("privgym.sft.load needs the package datasets: pip install 'privgym[trl]'") from missing
    if not os.path.isdir(os.path.join(path, "data")):
        raise FileNotFoundError(f"{os.fspath(path)} holds no data/: give the folder that `privgym sft --out` wrote")
    return datasets.load_dataset(os.fspath(path), split="train")
