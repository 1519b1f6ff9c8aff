"""Writes docs/dependencies.md and THIRD_PARTY_LICENSES from what the build takes in. Run from the root of the tree.

A licence that is none of those below stops it: somebody has to read that one first.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

SYSTEMS = ("darwin", "linux", "windows")
LICENCE_FILES = re.compile(r"(?i)^(licen[cs]e|copying)([.-].*)?$")
NOTICE_FILES = re.compile(r"(?i)^notice([.-].*)?$")

# Licences by what only they say, and what they do not.
LICENCES = (
    ("Apache-2.0", "Apache License Version 2.0, January 2004", None),
    ("BSD-3-Clause", "Redistribution and use in source and binary forms", None),
    ("BSD-2-Clause", "Redistribution and use in source and binary forms", "Neither the name"),
    ("MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy", None),
    ("MPL-2.0", "Mozilla Public License Version 2.0", None),
)

PAGE = """# Dependencies

Written by `make generate`; `make test` fails where it is stale. `make vulncheck` holds the modules and the Go version
of this build against the Go vulnerability database.

## In the program

{program}

Their licence texts and notices stand in [THIRD_PARTY_LICENSES](../THIRD_PARTY_LICENSES), which has to go along with
every copy of the program; the image of `deploy/Dockerfile` holds it. The licence of the Go standard library, which is
linked in too, is BSD-3-Clause.

## In tests only

{tests}

## Not part of a build

The tools that the Makefile runs by `go run NAME@VERSION` leave nothing in the program. The Python package depends on
{python}; what its tests and recipes need is in `python/requirements-*.txt`.
"""


def modules(*packages, test=False):
    """Return path -> (version, folder) of the modules that packages take in, over all systems."""
    found = {}
    for system in SYSTEMS:
        command = ["go", "list", "-deps", *(["-test"] if test else []), "-json=Module", *packages]
        out = subprocess.run(
            command,
            env={**os.environ, "GOOS": system, "CGO_ENABLED": "0"},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
        decoder, text, at = json.JSONDecoder(), out.stdout, 0
        while at < len(text.rstrip()):
            package, at = decoder.raw_decode(text, at)
            at += len(text[at:]) - len(text[at:].lstrip())
            module = package.get("Module")
            if module and not module.get("Main"):
                found[module["Path"]] = (module["Version"], pathlib.Path(module["Dir"]))
    return dict(sorted(found.items()))


def texts(folder, pattern):
    """Return the contents of the files at the top of a module whose name matches."""
    files = sorted(f for f in folder.iterdir() if pattern.match(f.name) and f.is_file())
    return [f.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n") for f in files]


def licence(path, folder):
    """Return the names of the licences of a module."""
    content = " ".join(" ".join(texts(folder, LICENCE_FILES)).split())
    names = {name for name, says, not_says in LICENCES if says in content and not (not_says and not_says in content)}
    if "BSD-2-Clause" in names:
        names.discard("BSD-3-Clause")
    if not names:
        sys.exit(f"{path}: no licence that is known here; read the files in {folder} and add it to {__file__}")
    return ", ".join(sorted(names))


def table(found):
    rows = [f"| {path} | {version} | {licence(path, folder)} |" for path, (version, folder) in found.items()]
    return "\n".join(["| module | version | licence |", "| --- | --- | --- |", *rows])


def main():
    program = modules("./cmd/privgym")
    tests = {path: m for path, m in modules("./...", test=True).items() if path not in program}
    project = pathlib.Path("python/pyproject.toml").read_text(encoding="utf-8")
    python = " and ".join(
        f"`{d}`" for d in re.findall(r'"([^"]+)"', re.search(r"(?ms)^dependencies = \[(.*?)\]$", project)[1])
    )
    page = PAGE.format(program=table(program), tests=table(tests), python=python)
    pathlib.Path("docs/dependencies.md").write_text(page, encoding="utf-8")
    rule = "=" * 80
    parts = [
        f"{rule}\n{path} {version}\n{rule}\n\n"
        + "\n\n".join(texts(folder, LICENCE_FILES) + texts(folder, NOTICE_FILES))
        for path, (version, folder) in program.items()
    ]
    go = pathlib.Path(
        subprocess.run(["go", "env", "GOROOT"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    )
    parts.append(f"{rule}\nThe Go standard library\n{rule}\n\n" + "\n\n".join(texts(go, LICENCE_FILES)))
    pathlib.Path("THIRD_PARTY_LICENSES").write_text("\n\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
