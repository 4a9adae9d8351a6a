"""Some builds of PySide6 lose a reference to None on each call that returns nothing.

On Python before 3.12 the interpreter aborts after some thousand such calls. The pinned build
must not be one of them.
"""

import sys

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
