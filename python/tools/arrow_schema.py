"""Writes the Arrow schemas that the Parquet files of `privgym sft` and `privgym prompts` carry in their footers.

Run it with pyarrow 25 or newer after a column was added: python python/tools/arrow_schema.py sft
"""

import pathlib
import sys

import pyarrow as pa

JSON_LIST = pa.list_(pa.field("element", pa.json_(pa.string()), nullable=False))


def list_of(kind):
    return pa.list_(pa.field("element", kind, nullable=False))


def schema(columns, optional=()):
    """Fields in the order of the file, which is that of their names."""
    return pa.schema([pa.field(name, kind, nullable=name in optional) for name, kind in sorted(columns.items())])


TRAJECTORIES = schema(
    {
        "id": pa.string(),
        "messages": JSON_LIST,
        "tools": JSON_LIST,
        "scenario_id": pa.string(),
        "family": pa.string(),
        "split": pa.string(),
        "domain": pa.string(),
        "risk": pa.string(),
        "seed": pa.int64(),
        "fault_plan": pa.string(),
        "teacher": pa.string(),
        "model": pa.string(),
        "prompt_hash": pa.string(),
        "corpus_digest": pa.string(),
        "version": pa.string(),
        "tier": pa.string(),
        "reward": pa.float64(),
        "ped": pa.int32(),
        "calls": pa.int32(),
        "tokens": pa.int32(),
        "step_tool": list_of(pa.string()),
        "step_access": list_of(pa.string()),
        "step_lower_available": list_of(pa.int32()),
        "step_loss_weight": list_of(pa.float64()),
    },
    optional=("ped", "tokens"),
)

PROMPTS = schema(
    {
        "prompt": JSON_LIST,
        "environment": pa.string(),
        "scenario_id": pa.string(),
        "seed": pa.int64(),
        "tools": JSON_LIST,
    }
)

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    (folder / "trajectories.arrowschema").write_bytes(TRAJECTORIES.serialize().to_pybytes())
    (folder / "prompts.arrowschema").write_bytes(PROMPTS.serialize().to_pybytes())
