"""What is in C is compiled anew when it is old, and done without where there is no compiler."""

import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.checkout import ROOT

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture
def packaging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that compiles, at work on copies of what is in C."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    monkeypatch.delenv("CC", raising=False)
    import speedups  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - found only now

    for path in (ROOT / "app" / "gossamer" / "extract" / "native").glob("*.[ch]"):
        shutil.copy(path, tmp_path)
    monkeypatch.setattr(speedups, "FOLDER", tmp_path)
    monkeypatch.setattr(speedups, "SOURCE", tmp_path / "speedups.c")
    monkeypatch.setattr(speedups, "LIBRARY", tmp_path / "libspeedups.so")
    return speedups


def test_it_is_compiled_once_and_again_when_something_changed(packaging: ModuleType) -> None:
    assert packaging.build_speedups()
    first = packaging.LIBRARY.stat()
    assert packaging.build_speedups()
    assert packaging.LIBRARY.stat().st_ino == first.st_ino
    later = first.st_mtime_ns + 1_000_000_000
    os.utime(packaging.FOLDER / "tree.h", ns=(later, later))
    assert packaging.build_speedups()
    assert packaging.LIBRARY.stat().st_ino != first.st_ino


def test_without_a_compiler_there_is_none_rather_than_an_old_one(
    packaging: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaging.LIBRARY.touch()
    os.utime(packaging.LIBRARY, (0, 0))
    monkeypatch.setenv("CC", "no-such-compiler")
    assert not packaging.build_speedups()
    assert not packaging.LIBRARY.exists()


def test_what_does_not_compile_is_shown_and_done_without(
    packaging: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    packaging.LIBRARY.touch()
    os.utime(packaging.LIBRARY, (0, 0))
    packaging.SOURCE.write_text("int main(void) { return missing; }")
    assert not packaging.build_speedups()
    assert "missing" in capfd.readouterr().err
    assert not packaging.LIBRARY.exists()
    assert {path.suffix for path in packaging.FOLDER.iterdir()} == {".c", ".h"}
