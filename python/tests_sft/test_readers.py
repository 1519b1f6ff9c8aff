"""What is written comes back equal with the readers that trainers use: pyarrow, DuckDB and Hugging Face datasets."""

import hashlib
import importlib.util
import json
import pathlib

import datasets
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import ROWS

JSON_COLUMNS = ("messages", "tools")


def texts(files, column):
    """The JSON texts as they stand in the files, by a reader that knows no extension types."""
    sql = f"select {column} from read_parquet({[str(f) for f in files]})"
    return [[str(v) for v in row[0]] for row in duckdb.sql(sql).fetchall()]


@pytest.fixture(scope="session")
def written(files):
    return {c: [[json.loads(v) for v in row] for row in texts(files, c)] for c in JSON_COLUMNS}


def load(where, cache, **kwargs):
    return datasets.load_dataset(**where, split="train", cache_dir=str(cache), **kwargs)


def has_null(value):
    if isinstance(value, dict):
        return any(v is None or has_null(v) for v in value.values())
    return isinstance(value, list) and any(has_null(v) for v in value)


@pytest.mark.parametrize("way", ["files", "folder"])
def test_datasets_give_back_what_was_written(way, dataset, files, written, tmp_path):
    where = {"path": "parquet", "data_files": [str(f) for f in files]} if way == "files" else {"path": str(dataset)}
    loaded = load(where, tmp_path)
    assert len(loaded) == ROWS
    for column in JSON_COLUMNS:
        assert isinstance(loaded.features[column], datasets.List)
        assert type(loaded.features[column].feature).__name__ == "Json"
        for got, want in zip(loaded[column], written[column], strict=True):
            assert json.dumps(got) == json.dumps(want), "equal, key by key, in the same order"
            assert not has_null(got)


def test_form_of_the_messages(written):
    for messages, tools in zip(written["messages"], written["tools"], strict=True):
        names = [t["function"]["name"] for t in tools]
        assert names == sorted(names)
        assert [m["role"] for m in messages[:2]] == ["system", "user"]
        assert messages[-1]["role"] == "assistant" and "tool_calls" not in messages[-1]
        for message in messages:
            assert isinstance(message["content"], str)
            if message["role"] != "assistant":
                continue
            assert message["content"].startswith("<think>\n")
            assert message["content"].count("<think>") == message["content"].count("</think>\n\n") == 1
            for call in message.get("tool_calls", []):
                assert isinstance(call["function"]["arguments"], dict)
                assert call["function"]["name"] in names


def test_duckdb_and_pyarrow_read_every_file(files):
    rows = 0
    for file in files:
        table = pq.read_table(file)
        rows += table.num_rows
        assert pa.types.is_list(table.schema.field("messages").type)
        ideal = "tier in ('low_clean', 'escalation_necessary')"
        ((count,),) = duckdb.sql(f"select count(*) from '{file}' where {ideal}").fetchall()
        assert count == table.num_rows
        steps = table.select(
            ["step_tool", "step_access", "step_lower_available", "step_loss_weight", "calls"]
        ).to_pylist()
        for row in steps:
            assert len({len(row[c]) for c in row if c.startswith("step_")}) == 1
            assert sum(bool(t) for t in row["step_tool"]) == row["calls"]
            assert set(row["step_loss_weight"]) == {1.0}
    assert rows == ROWS


def test_manifest_names_every_file(dataset, files):
    manifest = json.loads((dataset / "manifest.json").read_text())
    assert [f["name"] for f in manifest["files"]] == [str(f.relative_to(dataset)) for f in files]
    for entry in manifest["files"]:
        content = (dataset / entry["name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        assert len(content) == entry["bytes"]
        assert pq.ParquetFile(dataset / entry["name"]).metadata.num_rows == entry["rows"]


def test_prompts(prompts, tmp_path):
    loaded = load({"path": "parquet", "data_files": str(prompts)}, tmp_path)
    assert set(loaded.column_names) == {"prompt", "environment", "scenario_id", "seed", "tools"}
    seeds = {}
    for row in loaded:
        assert [m["role"] for m in row["prompt"]] == ["system", "user"]
        assert len(row["tools"]) == 6 and len(row["environment"]) == 64
        seeds.setdefault(row["scenario_id"], []).append(row["seed"])
    assert set(map(tuple, seeds.values())) == {(0, 1)}


def test_arrow_schemas_are_those_of_the_files(files, prompts):
    """The schemas in the footers are what python/tools/arrow_schema.py says, field by field."""
    path = pathlib.Path(__file__).parents[1] / "tools" / "arrow_schema.py"
    spec = importlib.util.spec_from_file_location("arrow_schema", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert pq.read_schema(files[0]).remove_metadata().equals(module.TRAJECTORIES)
    assert pq.read_schema(prompts).remove_metadata().equals(module.PROMPTS)
