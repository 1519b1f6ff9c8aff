"""Datasets written by the binary of this tree."""

import os
import pathlib
import subprocess

import pytest

ROWS = 240


def privgym(*args):
    subprocess.run([os.environ["PRIVGYM_BIN"], *map(str, args)], check=True)


@pytest.fixture(scope="session")
def dataset(tmp_path_factory) -> pathlib.Path:
    """A folder as `privgym sft` leaves it, in three files."""
    folder = tmp_path_factory.mktemp("sft")
    privgym("sft", "--out", folder, "--rows", ROWS, "--rows-per-file", 100)
    return folder


@pytest.fixture(scope="session")
def files(dataset):
    return sorted((dataset / "data").glob("*.parquet"))


@pytest.fixture(scope="session")
def prompts(tmp_path_factory) -> pathlib.Path:
    file = tmp_path_factory.mktemp("prompts") / "prompts.parquet"
    privgym("prompts", "--out", file, "--seeds", 2)
    return file
