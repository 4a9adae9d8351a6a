"""What a wheel of a fresh checkout holds, and that the program runs from it alone."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.store.reading.reader import Reader
from tests.architecture.checkout import ROOT, committed_files
from tests.patience import PATIENCE_S


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a wheel, built from what git holds and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    for path in committed_files():
        copy = folder / "checkout" / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=folder / "checkout", check=True, timeout=PATIENCE_S)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def test_a_wheel_contains_every_file_that_the_program_reads(installed: Path) -> None:
    resources = ROOT / "resources"
    wanted = {
        path.relative_to(resources) for path in committed_files() if resources in path.parents
    }
    wanted |= {path.with_suffix(".qm") for path in wanted if path.suffix == ".ts"}
    taken_from_npm = (resources / "axe").glob("*")
    wanted |= {path.relative_to(resources) for path in taken_from_npm}
    inside = installed / "gossamer" / "resources"
    assert {path.relative_to(inside) for path in inside.rglob("*") if path.is_file()} == wanted
    shared = next(installed.glob("*.data")) / "data" / "share"
    assert sorted(path.name for path in shared.rglob("*") if path.is_file()) == [
        "org.gossamer.Gossamer.desktop",
        "org.gossamer.Gossamer.metainfo.xml",
        "org.gossamer.Gossamer.project.svg",
        "org.gossamer.Gossamer.svg",
        "org.gossamer.Gossamer.xml",
    ]
    licences = next(installed.glob("*.dist-info")) / "licenses"
    assert [path.name for path in licences.iterdir()] == ["LICENSE"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_wheel_contains_the_compiled_c_library(installed: Path) -> None:
    assert (installed / "gossamer" / "extract" / "native" / "libnativewalk.so").is_file()
    [about] = installed.glob("*.dist-info/WHEEL")
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert f"Tag: py3-none-{system}\n" in about.read_text()


def test_the_program_runs_from_a_wheel(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gossamer", "demo"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed), "XDG_DATA_HOME": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    [project] = (tmp_path / "gossamer" / "projects").iterdir()
    with Reader(project) as reader:
        assert reader.summary().state is CrawlState.FINISHED
