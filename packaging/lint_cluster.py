"""Checks the recipes of packaging/cluster, and the Dockerfile of the image that they use.

Usage: python3 packaging/lint_cluster.py

Compose files by their schema, Kubernetes by its own and by those of the operator of
dask-kubernetes, shell scripts by shellcheck, the Dockerfile by hadolint. Exit code 1 if something
is wrong.
"""

from __future__ import annotations

import re
import sys
import zipfile
from typing import TYPE_CHECKING, Final

from release_tools import FOLDER, PINS, PROGRAMS, prepared_tools, run_tool
from script_arguments import script_arguments
from shell import REPO, run_quietly, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CLUSTER: Final = REPO / "packaging" / "cluster"
DOCKERFILE: Final = REPO / "packaging" / "image" / "Dockerfile"
OPERATOR: Final = "dask-kubernetes"
_CRDS: Final = "dask_kubernetes/operator/deployment/helm/dask-kubernetes-operator/crds"
_KUBERNETES: Final = "1.33"
_SCRIPT: Final = """
import json, sys, zipfile
import jsonschema, kubernetes_validate, yaml
wheel, version, crds, *files = sys.argv[1:]
schemas = {}
for name in ("daskcluster", "daskautoscaler"):
    crd = yaml.safe_load(zipfile.ZipFile(wheel).read(f"{crds}/{name}.yaml"))
    schemas[crd["spec"]["names"]["kind"]] = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
failed = False
for file in files:
    for document in yaml.safe_load_all(open(file, encoding="utf-8")):
        pods = []
        try:
            if document["kind"] in schemas:
                jsonschema.validate(document, schemas[document["kind"]])
                parts = document["spec"]
                pods = [parts[part]["spec"] for part in ("worker", "scheduler") if part in parts]
            else:
                kubernetes_validate.validate(document, version, strict=True)
            for spec in pods:  # what the operator makes of them
                pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": spec}
                kubernetes_validate.validate(pod, version, strict=True)
        except Exception as e:
            failed = True
            print(f"{file}, {document['kind']}: {str(e)[:2000]}")
sys.exit(failed)
"""


def main() -> int:
    """Check them; return the exit code."""
    if not prepared_tools() or (wheel := operator_wheel()) is None:
        return 1
    failed = 0
    for name, command in checks(wheel):
        done = run_tool(*command)
        print(f"{name}: {'FAILED' if done.returncode else 'passed'}")
        if done.returncode:
            print(done.stdout, end="")
            failed += 1
    return min(failed, 1)


def checks(wheel: Path) -> Iterator[tuple[str, list[str]]]:
    """What is checked, and by which command of the tools."""
    compose = map(str, sorted(CLUSTER.glob("compose*.yaml")))
    yield "compose", ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", *compose]
    manifests = map(str, sorted((CLUSTER / "kubernetes").glob("*.yaml")))
    script = ["python", "-c", _SCRIPT, str(wheel), _KUBERNETES, _CRDS]
    yield f"Kubernetes {_KUBERNETES}", [*script, *manifests]
    yield "shell", ["shellcheck", *map(str, sorted(CLUSTER.glob("*.sh")))]
    yield "Dockerfile", ["hadolint", str(DOCKERFILE)]


def operator_wheel() -> Path | None:
    """The wheel with the schemas of the operator; None, after a sentence, if it cannot be had.

    It is read and not installed: it would bring the operator itself.
    """
    pinned = re.search(rf"^{OPERATOR}==\S+$", PINS.read_text(encoding="utf-8"), re.MULTILINE)
    if pinned is None:
        say(f"{PINS.name} does not say which {OPERATOR}.")
        return None
    folder = FOLDER / "wheels"
    command = [str(PROGRAMS / "python"), "-m", "pip", "--disable-pip-version-check", "download"]
    command += ["--quiet", "--no-deps", "--dest", str(folder), pinned[0]]
    if not run_quietly(command, f"{OPERATOR} could not be had"):
        return None
    wheel = next(folder.glob("dask_kubernetes-*.whl"))
    return wheel if zipfile.is_zipfile(wheel) else None


if __name__ == "__main__":
    script_arguments(__doc__)
    sys.exit(main())
