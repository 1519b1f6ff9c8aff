"""Reads what run.sh made: prints the table of before, after SFT and after GRPO, and draws the curves.

report.py OUT      writes OUT/report.md, OUT/curves.png, and OUT/records, each stage under each fault plan
"""

import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt

STAGES = {"base": "before", "sft": "after SFT", "grpo": "after GRPO"}
# Of `privgym eval table`, and what they are called here.
RATES = {
    "OPUR": "OPUR@5",
    "success": "success",
    "success by a low tool": "low-tool success",
    "necessary-escalation recall": "necessary-escalation recall",
    "false claim": "false claim of success",
    "no call": "no call",
}
# Of the trainers' logs: what each panel shows.
PANELS = {
    "SFT": {"loss": "loss", "mean_token_accuracy": "token accuracy"},
    "GRPO: reward": {"reward": "mean", "reward_std": "standard deviation within a group"},
    "GRPO: shares of rollouts": {
        "privgym/opur": "OPUR",
        "privgym/success": "success",
        "privgym/low_success": "low-tool success",
        "privgym/truncated": "truncated",
    },
    "GRPO: groups and calls": {
        "frac_reward_zero_std": "groups of equal reward",
        "tools/failure_frequency": "calls that TRL could not carry out",
    },
    "GRPO: tokens of a rollout": {"completions/mean_length": "mean, with the tools' replies"},
    "GRPO: size of a step": {"grad_norm": "norm of the gradient", "entropy": "entropy"},
}
UNREADABLE = {"malformed"}
NO_CALL_OF_A_TOOL = UNREADABLE | {"unknown_tool", "invalid_arguments"}

Rows = list[dict[str, Any]]


def read(path: pathlib.Path) -> Rows:
    """Return the rows of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def split_by_faults(out: pathlib.Path, present: list[str]) -> dict[str, list[pathlib.Path]]:
    """Write the records of each stage apart by fault plan; return the files by plan."""
    files: dict[str, list[pathlib.Path]] = {}
    for stage in present:
        by_plan = collections.defaultdict(list)
        for record in read(out / f"measured-{stage}.jsonl"):
            by_plan[record["options"]["faults"]].append(record)
        for plan, records in by_plan.items():
            file = out / "records" / plan / f"{stage}.jsonl"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
            files.setdefault(plan, []).append(file)
    return files


def rates(files: list[pathlib.Path]) -> dict[tuple[str, str], str]:
    """Return, by row and stage, the shares that privgym computes, with their 95% intervals."""
    privgym = os.environ.get("PRIVGYM_BIN", "privgym")
    command = [privgym, "eval", "table", "--format", "json", *map(str, files)]
    tables = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["tables"]
    (table,) = (t for t in tables if t["name"] == "rates")
    return {(cell["row"], cell["run"]): share(cell) for cell in table["cells"] if cell["row"] in RATES}


def share(cell: dict[str, Any]) -> str:
    """Return a share as text; of few episodes the counts alone."""
    if not cell["n"]:
        return "-"
    if cell["value"] is None:
        return f"{cell['hits']} of {cell['n']}"
    interval = f" [{100 * cell['low']:.0f}, {100 * cell['high']:.0f}]" if "low" in cell else ""
    return f"{100 * cell['value']:.1f}%{interval}"


def percent(hits: int, n: int) -> str:
    """Return a share of calls, with how many there are."""
    return f"{100 * hits / n:.1f}% of {n}" if n else "-"


def figures(records: Rows, groups: Rows) -> dict[str, str]:
    """Return what privgym's tables do not hold."""
    calls = [call for record in records for call in record["trace"]["calls"] or ()]
    said = [m for record in records for m in record["messages"] if m["role"] == "assistant"]
    tokens = [sum(m.get("tokens", 0) for m in r["messages"]) for r in records]
    spread = [statistics.stdev(g["rewards"]) for g in groups]
    causes = collections.Counter(g["reason"] for g in groups if g["degenerate"])
    tiers = collections.Counter(r["outcome"]["tier"] for r in records)
    told = "".join(f", {cause}: {n}" for cause, n in causes.most_common())
    return {
        "reward, mean": f"{statistics.mean(r['rewards'][0]['value'] for r in records):+.3f}",
        "messages with a call": percent(sum("tool_calls" in m for m in said), len(said)),
        "parsable, of calls": percent(sum(c["status"] not in UNREADABLE for c in calls), len(calls)),
        "schema-valid, of calls": percent(sum(c["status"] not in NO_CALL_OF_A_TOOL for c in calls), len(calls)),
        "useful, of calls": percent(sum(c.get("useful", False) for c in calls), len(calls)),
        "truncated, of episodes": percent(sum(not r["terminated"] for r in records), len(records)),
        "tokens an episode": f"{statistics.mean(tokens):.0f}",
        "reward, mean standard deviation within a group": f"{statistics.mean(spread):.3f}",
        "degenerate groups": f"{sum(causes.values())} of {len(groups)}{told}",
        "tiers": ", ".join(f"{tier} {n}" for tier, n in tiers.most_common()),
    }


def table(out: pathlib.Path, plan: str, files: list[pathlib.Path]) -> str:
    """Return the table of a fault plan in Markdown."""
    shares = rates(files)
    columns: dict[str, dict[str, str]] = {}
    for file in files:
        groups = [g for g in read(out / f"measured-{file.stem}" / "groups.jsonl") if g["faults"] == plan]
        column = {name: shares[row, file.stem] for row, name in RATES.items()}
        columns[file.stem] = column | figures(read(file), groups)
    lines = [f"Fault plan `{plan}`:", ""]
    lines.append("| | " + " | ".join(STAGES[stage] for stage in columns) + " |")
    lines.append("| --- " * (len(columns) + 1) + "|")
    for row in next(iter(columns.values())):
        lines.append(f"| {row} | " + " | ".join(column[row] for column in columns.values()) + " |")
    return "\n".join(lines) + "\n"


def history(out: pathlib.Path, stage: str) -> Rows:
    """Return what a trainer logged at each step."""
    file = out / stage / "trainer_state.json"
    return json.loads(file.read_text(encoding="utf-8"))["log_history"] if file.exists() else []


def curves(out: pathlib.Path) -> None:
    """Draw what the trainers logged."""
    sft = [row for row in history(out, "sft") if "loss" in row]
    grpo = [row for row in history(out, "grpo") if "reward" in row]
    figure, axes = plt.subplots(2, 3, figsize=(15, 7.5), constrained_layout=True)
    for axis, (title, series) in zip(axes.flat, PANELS.items(), strict=True):
        for key, label in series.items():
            points = [(row["step"], row[key]) for row in (sft if title == "SFT" else grpo) if key in row]
            if points:
                axis.plot(*zip(*points, strict=True), marker=".", linewidth=1, label=label)
        axis.set_title(title)
        axis.set_xlabel("step")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small")
    figure.savefig(out / "curves.png", dpi=110)


def main(out: pathlib.Path) -> None:
    """Write the report of the stages that there are."""
    present = [stage for stage in STAGES if (out / f"measured-{stage}.jsonl").exists()]
    report = "\n".join(table(out, plan, files) for plan, files in sorted(split_by_faults(out, present).items()))
    (out / "report.md").write_text(report, encoding="utf-8")
    print(report)
    curves(out)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
