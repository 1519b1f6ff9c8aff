"""Adds up the JUnit files of a folder: `N passed, N failed, N skipped`; exit code 1 where none passed or any failed."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

passed = failed = skipped = 0
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
    for case in ElementTree.parse(file).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed += 1
        elif "skipped" in kinds:
            skipped += 1
        else:
            passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
