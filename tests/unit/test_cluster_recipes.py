"""Recipes for clusters name what there is: the image, the options, files beside them."""

import re
import subprocess
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own

from gossamer import __version__
from gossamer.model.cluster_address import parse_cluster
from tests.architecture.checkout import ROOT
from tests.cases import each_case

CLUSTER: Final = ROOT / "packaging" / "cluster"
MANIFESTS: Final = sorted((CLUSTER / "kubernetes").glob("*.yaml"))


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return import_module("cluster_trial")


def images(content: object) -> list[str]:
    """The images that a file names anywhere."""
    if isinstance(content, dict):
        named = [content["image"]] if isinstance(content.get("image"), str) else []
        return named + [name for each in content.values() for name in images(each)]
    return [name for each in content for name in images(each)] if isinstance(content, list) else []


@each_case("file", [CLUSTER / "compose.yaml", *MANIFESTS], ids=lambda file: file.name)
def test_images_are_those_that_are_made_of_this_version(file: Path) -> None:
    documents = list(yaml.safe_load_all(file.read_text(encoding="utf-8")))
    for image in images(documents):
        assert f"gossamer:{__version__}-cluster" in image


@pytest.mark.parametrize(
    ("files", "scheme"),
    [(["compose.yaml"], "tcp"), (["compose.yaml", "compose.tls.yaml"], "tls")],
)
def test_workers_and_coordinator_look_for_the_scheduler_where_it_is(
    files: list[str], scheme: str, trial: ModuleType
) -> None:
    services = trial.merged(files)
    for name in ("worker", "coordinator"):
        assert f"{scheme}://scheduler:8786" in services[name]["command"]
    command = services["scheduler"]["command"]
    assert f"{scheme}://0.0.0.0" in command
    assert "8786" in command
    assert services["scheduler"]["networks"] == ["cluster"], "and none with a way out"
    assert "ports" not in services["scheduler"]


def test_a_crawl_on_kubernetes_goes_to_the_service_that_the_operator_makes() -> None:
    cluster = yaml.safe_load((CLUSTER / "kubernetes" / "cluster.yaml").read_text("utf-8"))
    crawl = list(yaml.safe_load_all((CLUSTER / "kubernetes" / "crawl.yaml").read_text("utf-8")))[-1]
    [container] = crawl["spec"]["template"]["spec"]["containers"]
    address = container["args"][container["args"].index("--cluster") + 1]
    assert parse_cluster(address)
    assert address == f"tcp://{cluster['metadata']['name']}-scheduler:8786"


def test_commands_are_placed_on_this_machine(trial: ModuleType) -> None:
    places = {"scheduler:8786": "127.0.0.1:9", "/data": "there"}
    services = trial.merged(["compose.yaml"])
    words, _ = trial.as_process(services["coordinator"], {"ROOT": "r", "WORKERS": "5"}, places, "9")
    assert Path(words[0]).name == "gossamer"
    assert words[1:3] == ["crawl", "r"]
    assert "tcp://127.0.0.1:9" in words
    assert "there/crawl.gossamer" in words
    words, _ = trial.as_process(services["scheduler"], {}, places, "9")
    assert [Path(words[0]).name, words[1]] == ["dask", "scheduler"]
    assert "tcp://127.0.0.1" in words
    assert "9" in words


def test_certificates_are_of_one_authority_and_are_not_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    make = ["sh", str(CLUSTER / "certificates.sh"), str(folder), "scheduler", "10.0.0.5"]
    subprocess.run(make, check=True, capture_output=True)
    for role in ("scheduler", "worker", "coordinator"):
        path = folder / f"{role}.pem"
        verify = ["openssl", "verify", "-CAfile", str(folder / "ca.pem"), str(path)]
        subprocess.run(verify, check=True, capture_output=True)
        assert (folder / f"{role}.key").stat().st_mode & 0o077 == 0
        shown = subprocess.run(
            ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
        assert re.search(r"DNS:scheduler, IP Address:10\.0\.0\.5", shown.stdout)
    again = subprocess.run(make, check=False, capture_output=True, text=True)
    assert again.returncode == 1
    assert "remove it to make new ones" in again.stderr
