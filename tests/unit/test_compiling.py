"""What is in C is compiled anew when it is old, and done without where there is no compiler."""

import os
import shutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.checkout import ROOT

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture
def packaging(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that compiles."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    monkeypatch.delenv("CC", raising=False)
    return import_module("native_library")


@pytest.fixture
def folder(packaging: ModuleType, tmp_path: Path) -> Path:
    """Little that is in C: what Gossamer has takes seconds, and set-up compiles that."""
    (tmp_path / "tree.h").write_text("int answer(void);\n")
    source = '#include "tree.h"\nint answer(void) { return 42; }\n'
    (tmp_path / packaging.SOURCE_NAME).write_text(source)
    return tmp_path


def test_the_library_is_compiled_again_only_after_a_change(
    packaging: ModuleType, folder: Path
) -> None:
    assert packaging.build_native_library(folder)
    first = (folder / packaging.LIBRARY_NAME).stat()
    assert packaging.build_native_library(folder)
    assert (folder / packaging.LIBRARY_NAME).stat().st_ino == first.st_ino
    later = first.st_mtime_ns + 1_000_000_000
    os.utime(folder / "tree.h", ns=(later, later))
    assert packaging.build_native_library(folder)
    assert (folder / packaging.LIBRARY_NAME).stat().st_ino != first.st_ino


def test_without_a_compiler_an_outdated_library_is_removed(
    packaging: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / packaging.LIBRARY_NAME).touch()
    os.utime((folder / packaging.LIBRARY_NAME), (0, 0))
    monkeypatch.setenv("CC", "no-such-compiler")
    assert not packaging.build_native_library(folder)
    assert not (folder / packaging.LIBRARY_NAME).exists()


def test_compile_errors_are_shown_and_do_not_stop_the_setup(
    packaging: ModuleType, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / packaging.LIBRARY_NAME).touch()
    os.utime((folder / packaging.LIBRARY_NAME), (0, 0))
    (folder / packaging.SOURCE_NAME).write_text("int main(void) { return missing; }")
    assert not packaging.build_native_library(folder)
    assert "missing" in capfd.readouterr().err
    assert not (folder / packaging.LIBRARY_NAME).exists()
    assert {path.suffix for path in folder.iterdir()} == {".c", ".h"}
