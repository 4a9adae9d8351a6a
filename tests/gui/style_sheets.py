"""Windows are built first and get their style sheet as a whole, in the program as in its tests."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication


@contextmanager
def without_style_sheet() -> Iterator[None]:
    """Inside, widgets are built without the style sheet; what was built then puts it on at once.

    A third of the time: each layout that a styled widget enters styles all below it again.
    """
    app = _application()
    sheet = app.styleSheet()
    if sheet:
        app.setStyleSheet("")
    yield
    if sheet and not app.styleSheet():  # a main window puts on its own
        app.setStyleSheet(sheet)


def has_style_sheet() -> bool:
    """Whether widgets have the style sheet."""
    return bool(_application().styleSheet())


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
