"""What a user installs, and what its page shows."""

import contextlib
import io
import pathlib
import re
import subprocess
import sys
import zipfile

PYTHON = pathlib.Path(__file__).parents[1]


def test_the_wheel_holds_all_that_is_needed(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=PYTHON, check=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sources = {
        str(p.relative_to(PYTHON / "src")) for p in (PYTHON / "src").rglob("*") if p.suffix in (".py", ".pyi", ".typed")
    }
    assert names == sources
    assert {"privgym/py.typed", "privgym/v1/reward_pb2.py", "privgym/v1/reward_pb2.pyi"} <= names
    code = "import privgym, privgym.trl, privgym.sft; print(privgym.__file__)"
    command = [sys.executable, "-I", "-W", "error", "-c", f"import sys; sys.path.insert(0, {str(wheel)!r}); {code}"]
    assert str(wheel) in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_readme_runs():
    (snippet,) = re.findall(r"```python\n(.*?)```", (PYTHON / "README.md").read_text(), re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(snippet, "README.md", "exec"), {})
    assert out.getvalue().splitlines()[-1].split()[0] == "no_call"
