"""Workers that are forked run each test once, and tell what becomes of it, whatever that is."""

import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.ipc.process_start import FORKS
from tests.architecture.checkout import ROOT

pytestmark = pytest.mark.skipif(not FORKS, reason="no process is forked here")

FILES = {
    "pytest.ini": "",
    "test_a.py": "def test_passes(tmp_path):\n    assert not [*tmp_path.iterdir()]\n",
    "test_b.py": """
import pytest

@pytest.fixture(scope="module")
def kept():
    yield
    print("module ends")
    assert 0

def test_fails():
    print("said before")
    assert 1 == 2

def test_is_skipped():
    pytest.skip("not today")

def test_ends_with_its_module(kept):
    pass
""",
    "test_c.py": """
import os

def test_ends_its_process():
    os._exit(7)

def test_comes_after():
    pass
""",
    "test_d.py": "def test_passes():\n    pass\n\ndef test_passes_too():\n    pass\n",
}


def suite(folder: Path, *options: str) -> str:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return subprocess.run(
        (sys.executable, "-m", "pytest", "-p", "tests.forked_workers", *options),
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_each_outcome_is_told(tmp_path: Path) -> None:
    said = suite(tmp_path, "--forks=2", "-rA")
    assert "2 failed, 4 passed, 1 skipped, 1 error in" in said
    assert "FAILED test_c.py::test_ends_its_process" in said
    assert "ended with 7: the rest of its file was not run" in said
    assert "FAILED test_b.py::test_fails - assert 1 == 2" in said
    assert "said before" in said
    assert "ERROR test_b.py::test_ends_with_its_module" in said
    assert "module ends" in said
    assert "PASSED test_d.py::test_passes_too" in said


def test_no_worker_goes_on_after_as_many_failures_as_are_wanted(tmp_path: Path) -> None:
    said = suite(tmp_path, "--forks=1", "-x")
    assert "1 failed, 1 passed in" in said
    assert "stopping after 1 failures" in said
