"""Puts beside the packages in dist/ what a release has besides: SBOM, notes and checksums.

Usage: python3 packaging/release.py [--tag TAG]

Makes gossamer-VERSION.cdx.json (CycloneDX: what is installed with the wheels, with versions and
licences), RELEASE-NOTES.md (the changelog's section) and SHA256SUMS of all files. With a tag, such
as v1.2.0, the version must be that of the tag and the changelog must have its section.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import axe_core
from desktop_metadata import VERSION
from environment import base_python
from packages import DIST
from release_tools import PROGRAMS, prepared_tools, run_tool
from releases import releases
from script_arguments import ScriptParser
from shell import REPO, SetupError, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from releases import Release

NOTES: Final = "RELEASE-NOTES.md"
SUMS: Final = "SHA256SUMS"
_VALID: Final = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(error and str(error))
"""


def main(arguments: Sequence[str]) -> int:
    """Make the files; return the exit code."""
    parser = ScriptParser(__doc__)
    parser.add_argument("--tag")
    tag = parser.read(arguments).tag
    try:
        notes = notes_of(tag, releases())
        write(DIST / NOTES, f"{notes}\n")
        write_sbom(DIST / f"gossamer-{VERSION}.cdx.json")
        write(DIST / SUMS, checksums(DIST))
    except SetupError as error:
        say(str(error))
        return 1
    say(f"{NOTES}, the SBOM and {SUMS} are in {DIST}.")
    return 0


def notes_of(tag: str | None, known: Sequence[Release], version: str = VERSION) -> str:
    """What the changelog says of this version.

    Raises SetupError where `tag` is of another version, or it is not said to be released.
    """
    if tag is not None and tag != f"v{version}":
        raise SetupError(
            f"the tag is {tag} and app/gossamer/__init__.py says {version}: make them one."
        )
    found = next((each for each in known if each.version == version), None)
    if found is None or (tag is not None and not found.is_released):
        raise SetupError(f"CHANGELOG.md has no section '## [{version}] - YEAR-MONTH-DAY': add it.")
    return found.text


def write_sbom(path: Path) -> None:
    """Write what an installation of the wheels of dist/ consists of, on this system."""
    if not prepared_tools():
        raise SetupError("without its tools there is no SBOM.")
    with tempfile.TemporaryDirectory(prefix="gossamer-sbom-") as name:
        venv, made = Path(name) / "venv", Path(name) / path.name
        install = [*("-m", "pip", "--python", str(venv), "install", "--quiet", "--no-input")]
        pins = ["-c", str(REPO / "packaging" / "constraints.txt"), "--find-links", str(DIST)]
        steps = (
            [base_python(), "-m", "venv", "--without-pip", str(venv)],
            [str(PROGRAMS / "python"), *install, *pins, f"gossamer=={VERSION}"],
        )
        for step in steps:
            subprocess.run(step, check=True)
        options = ["--output-reproducible", "--spec-version", "1.6", "--output-file", str(made)]
        listed = run_tool("cyclonedx-py", "environment", *options, str(venv / "bin" / "python"))
        if listed.returncode:
            raise SetupError(f"cyclonedx-py made no SBOM:\n{listed.stdout}")
        document = json.loads(made.read_text("utf-8"))
        made.write_text(json.dumps(completed(document), indent=2) + "\n", encoding="utf-8")
        valid = run_tool("python", "-c", _VALID, made)
        if valid.returncode:
            raise SetupError(f"the SBOM is not valid:\n{valid.stdout}")
        write(path, made.read_text("utf-8"))


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """The SBOM with Gossamer as what it is about, and what our wheels contain of others."""
    components = document["components"]
    [ours] = [each for each in components if each["name"] == "gossamer"]
    components.remove(ours)
    components.append(
        {
            "bom-ref": f"axe-core=={axe_core.VERSION}",
            "type": "library",
            "name": "axe-core",
            "version": axe_core.VERSION,
            "purl": f"pkg:npm/axe-core@{axe_core.VERSION}",
            "licenses": [{"license": {"id": "MPL-2.0"}}],
            "hashes": [{"alg": "SHA-256", "content": axe_core.SHA256}],
        }
    )
    core = next(each for each in document["dependencies"] if "gossamer-core" in each["ref"])
    core["dependsOn"] = sorted([*core.get("dependsOn", ()), components[-1]["bom-ref"]])
    document["dependencies"].append({"ref": components[-1]["bom-ref"]})
    metadata = document.setdefault("metadata", {})
    metadata["component"] = {**ours, "type": "application"}
    return document


def checksums(folder: Path) -> str:
    """A line for each file in the folder, as `sha256sum --check` reads them."""
    files = sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.name != SUMS and not path.name.startswith(".")
    )
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files
    )


def write(path: Path, text: str) -> None:
    """Have the file there, complete at once."""
    aside = path.with_name(f".{path.name}.part")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
