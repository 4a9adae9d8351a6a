"""Some builds of PySide6 lose a reference to None on each call that returns nothing.

On Python before 3.12 the interpreter aborts after some thousand such calls. The pinned build
must not be one of them.
"""

import linecache
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

CALLS = 1_000
IS_COUNTED = sys.version_info < (3, 12)
"""Later, None is immortal, and its count says nothing."""
OTHER_CODE = 100
"""References to None that unrelated code may take or give back meanwhile."""


@pytest.mark.usefixtures("qapp")
def test_calls_into_qt_keep_the_references_to_none() -> None:
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        QApplication.processEvents()
    assert not IS_COUNTED or abs(sys.getrefcount(None) - before) < OTHER_CODE


def test_no_source_is_read_at_its_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "imported_beside_qt.py"
    path.write_text("import PySide6\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    exec("import imported_beside_qt")  # noqa: S102 - PySide sees imports by statement
    assert "imported_beside_qt" in sys.modules
    assert str(path) not in linecache.cache
