"""What a Spec gives to a trainer, before any training."""

import concurrent.futures
import inspect
import json
import multiprocessing
import os
import subprocess

import datasets
import pytest
from transformers.utils import get_json_schema

import privgym
import privgym.sft
from privgym.trl import SchemaError, Spec, _tools


@pytest.fixture(scope="module")
def spec(server):
    return Spec(server.address, seeds=2, seed=5)


@pytest.mark.parametrize("split", ["eval", "sft"])
def test_every_tool_of_every_split_is_shown_as_the_server_has_it(server, split):
    assert len(Spec(server.address, split=split).environment_factory) > 1


def test_dataset(spec):
    rows, scenarios = spec.train_dataset, privgym.Client(spec.client.addresses).list_scenarios("rl")
    assert rows.column_names == ["prompt", "environment", "scenario_id", "seed"]
    assert len(rows) == 2 * len(scenarios)
    assert [rows[i]["seed"] for i in range(4)] == [5, 6, 5, 6]
    assert rows[0]["prompt"] == [{"role": m.role, "content": m.content} for m in scenarios[0].messages]
    assert set(rows["environment"]) == set(spec.environment_factory)


def test_prompts_of_the_program_fit_the_environments(spec, tmp_path):
    file = tmp_path / "prompts.parquet"
    subprocess.run([os.environ["PRIVGYM_BIN"], "prompts", "--out", file, "--seeds", "1"], check=True)
    rows = datasets.load_dataset("parquet", data_files=str(file), split="train")
    assert set(rows["environment"]) <= set(spec.environment_factory)
    ours = {row["scenario_id"]: row["prompt"] for row in spec.train_dataset}
    assert all(ours[row["scenario_id"]] == row["prompt"] for row in rows)


def test_an_environment_has_the_tools_of_its_scenarios_alone(spec):
    for scenario in spec.scenarios[::25]:
        environment = spec.environment_factory[scenario.toolset_key]()
        public = [n for n, _ in inspect.getmembers(environment, callable) if not n.startswith("_")]
        assert sorted([*(t.name for t in scenario.tools), "reset"]) == public


def use(factory, tool, arguments):
    environment = factory()
    environment.reset(scenario_id="gov-se-parcel-use/1.1", seed=1)
    return getattr(environment, tool)(**arguments)


def test_factories_and_rewards_cross_to_another_process(server):
    spec = Spec(server.address, options=privgym.Options(faults="none"))
    key = next(s.toolset_key for s in spec.scenarios if s.id == "gov-se-parcel-use/1.1")
    arguments = {"parcel": "14-207", "attribute": "use", "value": "residential"}
    factory = spec.environment_factory[key]
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        answer = pool.submit(use, factory, "correct_parcel_attribute", arguments).result(timeout=120)
        assert json.loads(answer)["use"] == "residential"
        batch = {
            "completions": [[{"role": "assistant", "content": "Done."}]],
            "scenario_id": ["gov-se-parcel-use/1.1"],
            "seed": [1],
        }
        assert pool.submit(call, spec.reward_funcs[0], batch).result(timeout=120) == [-0.4]


def call(reward, batch):
    return reward(**batch)


def tool(name="edit_row", description="Edit a row.", required=("row",), **properties):
    function = {
        "name": name,
        "description": description,
        "parameters": {"type": "object", "properties": properties, "required": list(required)},
    }
    schema = {"type": "function", "function": function}
    return privgym.Tool(name, json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


def environment_of(*tools):
    class Probe:
        def reset(self, **row):
            return None

        def _call(self, name, arguments):
            return f"{name} {arguments}"

    for t in tools:
        setattr(Probe, t.name, _tools.method(t))
    return Probe()


ROW = {"type": "string", "description": "Which row: its “key”."}


def test_every_kind_of_parameter_survives():
    full = tool(
        limit={"type": "integer", "description": "At most so many (choices are free)."},
        row=ROW,
        mode={"type": "string", "enum": ["a", "b"], "description": "How; see Args below"},
        factor={"type": "number", "description": "1: as it is"},
        force={"type": "boolean", "description": "Whether"},
        names={"type": "array", "items": {"type": "string"}, "description": "All of them"},
    )
    probe = environment_of(full)
    _tools.check(probe, [full])
    assert next(iter(get_json_schema(probe.edit_row)["function"]["parameters"]["properties"])) == "limit"
    assert probe.edit_row(row="r", unknown=1) == "edit_row {'row': 'r', 'unknown': 1}"
    assert probe.edit_row(self=1) == "edit_row {'self': 1}"


@pytest.mark.parametrize(
    "bad",
    [
        tool(row=ROW, filter={"type": "object", "properties": {}, "description": "Nested"}),
        tool(row=ROW, **{"from": {"type": "string", "description": "A word of Python"}}),
        tool(row=ROW, self={"type": "string", "description": "The receiver"}),
    ],
    ids=["nested", "keyword", "self"],
)
def test_what_has_no_signature_is_refused(bad):
    with pytest.raises(SchemaError, match="edit_row"):
        _tools.method(bad)


@pytest.mark.parametrize("name", ["reset", "get_reward", "_call"])
def test_a_name_that_trl_would_hide_is_refused(name):
    with pytest.raises(SchemaError, match=f"tool {name} has a name"):
        _tools.method(tool(name, row=ROW))


@pytest.mark.parametrize(
    "bad",
    [
        tool(description="Edit. Args: none", row=ROW),
        tool(row={"type": "string", "description": 'One of two (choices: ["a", "b"])'}),
        tool(row={"type": "string", "description": "Two\nlines"}),
        tool(row={"description": "Keys in another order", "type": "string"}),
        tool(row={"type": "string", "minLength": 3, "description": "Bounded"}),
    ],
    ids=["sections", "choices", "lines", "order", "bounds"],
)
def test_what_would_reach_the_model_otherwise_is_refused_with_the_difference(bad):
    with pytest.raises(SchemaError, match="the server has"):
        _tools.check(environment_of(bad), [bad])


def test_a_tool_too_many_is_refused():
    one, two = tool(row=ROW), tool("wipe_row", row=ROW)
    with pytest.raises(SchemaError, match="wipe_row"):
        _tools.check(environment_of(one, two), [one])


def test_settings(server, spec):
    assert spec.grpo_kwargs(num_generations=4)["num_generations"] == 4
    assert spec.grpo_kwargs()["max_tool_calling_iterations"] == 5
    assert Spec(server.address, options=privgym.Options(k=7)).grpo_kwargs()["max_tool_calling_iterations"] == 7
    principled = Spec(server.address, options=privgym.Options(prompt="security-principle"))
    assert "SECURITY PRINCIPLE" in principled.train_dataset[0]["prompt"][0]["content"]
    with pytest.raises(ValueError, match="tool_order"):
        Spec(server.address, options=privgym.Options(tool_order="seeded"))
    with pytest.raises(ValueError, match="seeds"):
        Spec(server.address, seeds=0)


def test_sft_load_names_what_it_misses(tmp_path):
    with pytest.raises(FileNotFoundError, match="privgym sft --out"):
        privgym.sft.load(tmp_path)
