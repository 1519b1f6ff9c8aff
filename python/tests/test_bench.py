"""`privgym bench` measures batches from a Python client where it is given an interpreter with grpcio."""

import json
import os
import subprocess
import sys

BENCH = [os.environ.get("PRIVGYM_BIN", "privgym"), "bench", "--quick", "--rounds", "1", "--only", "batch", "--json"]


def test_batches_from_python():
    done = subprocess.run([*BENCH, "--python", sys.executable], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["results"]
    assert row["ours"]["median"] > 0 and row["beside"]["median"] > 0
    assert "note" not in row


def test_an_interpreter_that_cannot():
    done = subprocess.run([*BENCH, "--python", "/bin/false"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "batch.py" in done.stderr
