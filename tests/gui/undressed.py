"""Windows are built first and dressed as a whole, in the program as in its tests."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication


@contextmanager
def undressed() -> Iterator[None]:
    """Inside, widgets are built without the style sheet; what was built then puts it on at once.

    A third of the time: each layout that a dressed widget enters dresses all below it again.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    sheet = app.styleSheet()
    app.setStyleSheet("")
    yield
    if not app.styleSheet():  # a main window puts on its own
        app.setStyleSheet(sheet)
