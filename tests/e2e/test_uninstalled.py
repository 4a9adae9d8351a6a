"""A whole crawl on a machine where Qt was never installed, such as a server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

# Python imports a module of this name when it starts: here, in each process of the program.
NOT_INSTALLED = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "qasync"}:
            raise ModuleNotFoundError(f"{name} is not installed", name=name)

sys.meta_path.insert(0, NotInstalled())
"""


@pytest.fixture
def without_qt(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which no Python process finds Qt."""
    (tmp_path / "sitecustomize.py").write_text(NOT_INSTALLED)
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def python(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


def test_the_demo_site_is_crawled_without_the_window_packages(without_qt: dict[str, str]) -> None:
    done = python(without_qt, "-m", "gossamer", "demo")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("library", ["PySide6", "shiboken6", "qasync"])
def test_blocked_packages_cannot_be_imported(without_qt: dict[str, str], library: str) -> None:
    done = python(without_qt, "-c", f"import {library}")
    assert f"{library} is not installed" in done.stderr
