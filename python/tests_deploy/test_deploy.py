"""deploy/ as far as it can be tried without a cluster: schemas, linters, and the commands in it, really run."""

import filecmp
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import kubernetes_validate
import promql_parser
import pytest
import yaml

ROOT = pathlib.Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PRIVGYM = os.environ["PRIVGYM_BIN"]
TOOLS = pathlib.Path(sys.executable).parent
KUBERNETES = "1.37"


def documents(*files):
    return [document for file in files for document in yaml.safe_load_all(file.read_text())]


SERVER = documents(*sorted(f for f in (DEPLOY / "kubernetes/server").glob("*.yaml") if f.name != "kustomization.yaml"))
OTHERS = documents(*sorted((DEPLOY / "kubernetes").glob("*.yaml")))


def of_kind(kind, among=SERVER):
    (found,) = (d for d in among if d["kind"] == kind)
    return found


def pods(among):
    return [d["spec"]["template"] for d in among if "template" in d.get("spec", {})]


def container(pod):
    (only,) = pod["spec"]["containers"]
    return only


@pytest.fixture(scope="module")
def overlay():
    """The server with TLS, as kubectl puts it together."""
    if not shutil.which("kubectl"):
        pytest.skip("no kubectl, which puts the overlay together")
    command = ["kubectl", "kustomize", DEPLOY / "kubernetes/tls"]
    return list(yaml.safe_load_all(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


@pytest.mark.parametrize("document", SERVER + OTHERS, ids=lambda d: f"{d['kind']}-{d['metadata']['name']}")
def test_schema(document):
    kubernetes_validate.validate(document, KUBERNETES, strict=True)


def test_schema_of_the_overlay(overlay):
    for document in overlay:
        kubernetes_validate.validate(document, KUBERNETES, strict=True)
    args = container(of_kind("StatefulSet", overlay)["spec"]["template"])["args"]
    assert args[: len(SERVE)] == SERVE, "the overlay only adds flags"


def test_the_kustomization_names_every_manifest():
    kustomization = yaml.safe_load((DEPLOY / "kubernetes/server/kustomization.yaml").read_text())
    files = {f.name for f in (DEPLOY / "kubernetes/server").glob("*.yaml")} - {"kustomization.yaml"}
    assert set(kustomization["resources"]) == files


def test_selectors_meet_the_pods():
    labels = of_kind("StatefulSet")["spec"]["template"]["metadata"]["labels"]
    for selector in (
        of_kind("StatefulSet")["spec"]["selector"]["matchLabels"],
        of_kind("Service")["spec"]["selector"],
        of_kind("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
        of_kind("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector == labels
    assert (
        of_kind("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]["name"]
        == of_kind("StatefulSet")["metadata"]["name"]
    )
    for pod in pods(OTHERS):
        assert pod["metadata"]["labels"] != labels, "jobs are not behind the service"


def test_pods_have_no_privilege_to_spare():
    for pod in pods(SERVER + OTHERS):
        spec, only = pod["spec"], container(pod)
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["runAsUser"] == 65532
        assert only["securityContext"]["readOnlyRootFilesystem"] is True
        assert only["securityContext"]["allowPrivilegeEscalation"] is False
        assert only["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert "memory" in only["resources"]["limits"]
    assert of_kind("NetworkPolicy")["spec"]["egress"] == []


def test_no_secret_stands_in_the_tree():
    assert set(of_kind("Secret", OTHERS)["stringData"].values()) == {""}


SERVE = container(of_kind("StatefulSet")["spec"]["template"])["args"]


def test_the_server_starts_as_its_pod_does(tmp_path):
    """With the flags of the manifest; only addresses and paths are those of this machine."""
    (tmp_path / "token").mkdir()
    args = [
        a.replace("/etc/privgym", str(tmp_path)).replace("0.0.0.0:50551", "127.0.0.1:0").replace("0.0.0.0:9464", "0")
        for a in SERVE
    ]
    token, ready = tmp_path / "token/token", tmp_path / "ready"
    token.write_text(of_kind("Secret", OTHERS)["stringData"]["token"])
    command = [PRIVGYM, *args, f"--ready-file={ready}"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "is empty" in refused.stderr
    token.write_text("not-empty\n")
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not ready.exists() and server.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    server.send_signal(signal.SIGTERM)
    _, stderr = server.communicate(timeout=30)
    assert (server.returncode, "serves on" in stderr) == (0, True), stderr


def test_the_job_writes_what_one_run_does(tmp_path):
    """Every index of the job, one after the other, for fewer rows."""
    job = of_kind("Job", OTHERS)["spec"]
    only = container(job["template"])
    for index in range(job["completions"]):
        args = [
            a.replace("$(JOB_COMPLETION_INDEX)", str(index)).replace("/data/", f"{tmp_path}/") for a in only["args"]
        ]
        args = [f"--rows={2 * job['completions']}" if a.startswith("--rows=") else a for a in args]
        subprocess.run([PRIVGYM, *args, "--rows-per-file=2"], check=True, capture_output=True, timeout=60)
    whole = ["sft", f"--out={tmp_path}/whole", f"--rows={2 * job['completions']}", "--rows-per-file=2"]
    subprocess.run([PRIVGYM, *whole], check=True, capture_output=True, timeout=60)
    names = sorted(f.name for f in (tmp_path / "whole/data").iterdir())
    same, *other = filecmp.cmpfiles(tmp_path / "sft/data", tmp_path / "whole/data", names, shallow=False)
    assert (same, other) == (names, [[], []])
    assert len(names) == job["completions"]


class Sorry(http.server.BaseHTTPRequestHandler):
    """An endpoint whose model never calls a tool."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": "I cannot do this."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = json.dumps({"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sorry) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def test_the_array_plays_the_whole_run(tmp_path, endpoint):
    """Every task of the array, with a srun that runs its arguments here."""
    script = DEPLOY / "slurm/eval.sbatch"
    (tasks,) = (line.split("=0-")[1] for line in script.read_text().splitlines() if line.startswith("#SBATCH --array="))
    count = int(tasks) + 1
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/srun").write_text('#!/bin/sh\nexec "$@"\n')
    (tmp_path / "bin/srun").chmod(0o755)
    (tmp_path / "bin/privgym").symlink_to(os.path.abspath(PRIVGYM))
    env = os.environ | {
        "PATH": f"{tmp_path}/bin:{os.environ['PATH']}",
        "BASE_URL": endpoint,
        "MODEL": "sorry",
        "OUT": str(tmp_path / "run"),
        "SLURM_ARRAY_TASK_COUNT": str(count),
        "NO_PROXY": "127.0.0.1",
    }
    for task in range(count):
        command = ["bash", script, "--limit", str(2 * count)]
        done = subprocess.run(
            command, env=env | {"SLURM_ARRAY_TASK_ID": str(task)}, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["scored"] == 2 * count
    missing = subprocess.run(["bash", script], env=env | {"BASE_URL": ""}, capture_output=True, text=True)
    assert missing.returncode != 0
    assert "the address of the endpoint" in missing.stderr


def test_linters():
    subprocess.run([TOOLS / "hadolint", DEPLOY / "Dockerfile"], check=True)
    toolchain = re.search(r"(?m)^toolchain go(\S+)$", (ROOT / "go.mod").read_text())[1]
    assert f" golang:{toolchain}-" in (DEPLOY / "Dockerfile").read_text(), "the image is built with the Go of go.mod"
    subprocess.run([TOOLS / "shellcheck", "--severity=style", DEPLOY / "slurm/eval.sbatch"], check=True)


def test_the_image_holds_the_licences_and_runs_without_root():
    final = (DEPLOY / "Dockerfile").read_text().rsplit("\nFROM ", 1)[1]
    assert final.startswith("gcr.io/distroless/static")
    assert "USER 65532:65532" in final
    assert "THIRD_PARTY_LICENSES /licenses/" in final


def expressions():
    dashboard = json.loads((DEPLOY / "grafana/privgym.json").read_text())
    return [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]


def test_the_dashboard_asks_in_promql():
    assert len(expressions()) > 10
    for expression in expressions():
        promql_parser.parse(expression.replace("$__rate_interval", "5m"))


def test_the_autoscaler_asks_for_the_metric_of_the_adapter():
    (rule,) = yaml.safe_load((DEPLOY / "prometheus/adapter.yaml").read_text())["rules"]["custom"]
    (metric,) = of_kind("HorizontalPodAutoscaler")["spec"]["metrics"]
    assert metric["pods"]["metric"]["name"] == rule["name"]["matches"]
    promql_parser.parse(rule["seriesQuery"])
