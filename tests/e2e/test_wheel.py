"""What the wheels of a fresh checkout hold, and that the program runs from them alone."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from gossamer.model.crawl_state import CrawlState
from gossamer.store.reading.reader import Reader
from tests.architecture.checkout import ROOT, committed_files
from tests.patience import PATIENCE_S

CORE, WINDOW = "gossamer_core", "gossamer"
QT = ("PySide6", "shiboken6", "qasync")
# Python imports a module of this name when it starts: here, in each process of the program.
NOT_INSTALLED = f"""
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {QT}:
            raise ModuleNotFoundError(f"{{name}} is not installed", name=name)

sys.meta_path.insert(0, NotInstalled())
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each distribution, with the files of its wheel.

    Each is built from a source distribution of what git holds, and nothing else.
    """
    folder = tmp_path_factory.mktemp("wheel")
    checkout = folder / "checkout"
    for path in committed_files():
        copy = checkout / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    for project in (checkout, checkout / "packaging" / "window"):
        build("sdist", project, folder)
    for source in folder.glob("*.tar.gz"):
        with tarfile.open(source) as archive:
            # Not as an argument: Debian 12's Python 3.11.2 has none.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(folder / "sources")  # noqa: S202 - made by us a moment ago
    for tree in (folder / "sources").iterdir():
        build("wheel", tree, folder)
    for wheel in folder.glob("*.whl"):
        shutil.unpack_archive(wheel, folder / "unpacked" / wheel.name.partition("-")[0], "zip")
    return folder / "unpacked"


def build(target: str, project: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    # GCC optimizes for longer than all else takes.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1767323045", "CFLAGS": "-O0"}
    subprocess.run(command, cwd=project, env=environment, check=True, timeout=PATIENCE_S)


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def test_wheels_contain_every_file_that_the_program_reads(unpacked: Path) -> None:
    resources = ROOT / "resources"
    sources_of_help = resources / "help"  # of which pages are made
    wanted = {
        path.relative_to(resources)
        for path in committed_files()
        if resources in path.parents and sources_of_help not in path.parents
    }
    wanted |= {path.with_suffix(".qm") for path in wanted if path.suffix == ".ts"}
    made = [*(resources / "axe").glob("*"), *(resources / "help" / "pages").rglob("*.*")]
    wanted |= {path.relative_to(resources) for path in made}
    for_developers = {Path("README.md"), Path("translations", "glossary.md")}
    wanted -= for_developers | {path for path in wanted if path.suffix == ".ts"}
    inside = [unpacked / name / "gossamer" / "resources" for name in (CORE, WINDOW)]
    assert files(inside[0]) | files(inside[1]) == wanted
    shared = next(unpacked.glob("*/*.data")) / "data" / "share"
    assert sorted(path.name for path in files(shared)) == [
        "org.gossamer.Gossamer.desktop",
        "org.gossamer.Gossamer.metainfo.xml",
        "org.gossamer.Gossamer.project.svg",
        "org.gossamer.Gossamer.svg",
        "org.gossamer.Gossamer.xml",
    ]
    licences = [path.name for path in unpacked.glob("*/*.dist-info/licenses/*")]
    assert licences == ["LICENSE", "LICENSE"]


def test_wheels_hold_each_module_once_and_the_window_in_its_own(unpacked: Path) -> None:
    core, window = (files(unpacked / name / "gossamer") for name in (CORE, WINDOW))
    assert core & window == set()
    source = ROOT / "app" / "gossamer"
    modules = {path.relative_to(source) for path in committed_files() if source in path.parents}
    modules = {path for path in modules if path.suffix == ".py"}
    assert {path for path in core | window if path.suffix == ".py"} == modules
    assert {path for path in window if path.suffix == ".py"} == {
        path for path in modules if path.parts[0] == "gui"
    }


def test_the_window_requires_the_core_of_its_version_and_only_it_requires_qt(
    unpacked: Path,
) -> None:
    core, window = (
        next((unpacked / name).glob("*.dist-info/METADATA")).read_text("utf-8")
        for name in (CORE, WINDOW)
    )
    version = next(line for line in core.splitlines() if line.startswith("Version: "))
    assert version in window.splitlines()
    assert f"Requires-Dist: gossamer-core=={version.partition(' ')[2]}\n" in window
    assert "pyside6" in window.lower()
    assert "pyside6" not in core.lower()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_wheel_contains_the_compiled_c_library(unpacked: Path) -> None:
    native = unpacked / CORE / "gossamer" / "extract" / "native"
    assert [path.name for path in native.iterdir()] == ["libnativewalk.so"]
    [about] = (unpacked / CORE).glob("*.dist-info/WHEEL")
    system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert f"Tag: py3-none-{system}\n" in about.read_text()


def python(home: Path, *arguments: str, installed: Path) -> "subprocess.CompletedProcess[str]":
    """Run Python with the core alone, as on a server where Qt was never installed."""
    (home / "sitecustomize.py").write_text(NOT_INSTALLED)
    found = f"{home}{os.pathsep}{installed}"
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=home,
        env={**os.environ, "PYTHONPATH": found, "XDG_DATA_HOME": str(home)},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def test_the_demo_site_is_crawled_without_the_window_and_its_packages(
    unpacked: Path, tmp_path: Path
) -> None:
    done = python(tmp_path, "-m", "gossamer", "demo", installed=unpacked / CORE)
    assert done.returncode == 0, done.stderr
    [project] = (tmp_path / "gossamer" / "projects").iterdir()
    with Reader(project) as reader:
        assert reader.summary().state is CrawlState.FINISHED


@pytest.mark.parametrize("library", QT)
def test_these_packages_cannot_be_imported_then(
    unpacked: Path, tmp_path: Path, library: str
) -> None:
    done = python(tmp_path, "-c", f"import {library}", installed=unpacked / CORE)
    assert f"{library} is not installed" in done.stderr


def test_without_the_window_it_is_said_how_to_install_it(unpacked: Path, tmp_path: Path) -> None:
    done = python(tmp_path, "-m", "gossamer", installed=unpacked / CORE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "gossamer: the window is not installed; install it with 'pip install gossamer' or"
        " 'apt install gossamer', or crawl in the terminal with 'gossamer crawl URL'.\n"
    )
