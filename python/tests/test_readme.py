"""The Python of README.md runs as it stands, but for the address."""

import contextlib
import io
import pathlib
import re

README = pathlib.Path(__file__).parents[2] / "README.md"


def test_snippet_runs(stubs, address):
    (snippet,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert "127.0.0.1:50551" in snippet
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(snippet.replace("127.0.0.1:50551", address), "README.md", "exec"), {})
    assert out.getvalue().splitlines()[-1].split()[0] == "low_clean"
