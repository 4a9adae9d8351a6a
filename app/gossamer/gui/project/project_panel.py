"""Base class of all panels that show rows of the project file."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from gossamer.gui.project.reader_thread import ProjectReader


class ProjectPanel(QWidget):
    """A view of the open project. Ids in its signals and methods are URL ids.

    Panels only read through `reader`, which must have the project open before `set_project`. A
    panel that is not visible reads nothing; it catches up when it is shown.
    """

    url_selected = Signal(int)
    url_activated = Signal(int)
    """Double click or Enter."""
    tree_wanted = Signal(int)
    """Show this URL in the Discovery tree."""
    table_wanted = Signal(int)
    """Show this URL in the table."""
    inlinks_wanted = Signal(int)
    """Show the links to this URL in the details."""
    rendering_wanted = Signal(int)
    """Render this URL now, and show it in the details."""
    bulk_action_wanted = Signal(object, object)
    """An Action and a Selection: what the crawl should do with some of its URLs."""

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._project: Path | None = None
        self._outdated = False
        self._refresh = reader.throttle.add(self._read)
        self.destroyed.connect(self._refresh.reset)

    def set_project(self, path: Path | None) -> None:
        """Show the project that the reader has just opened, or nothing."""
        self._project = path
        self._outdated = False
        self._refresh.reset()
        self._start()

    def refresh(self) -> None:
        """The project file has changed: read again, now or as soon as is reasonable."""
        if self._project is None:
            return
        if self.isVisible():
            self._refresh.request()
        else:
            self._outdated = True

    def follow(self, url_id: int) -> None:
        """A URL was selected elsewhere: mark it here, without changing what is visible."""

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show that these URLs are being fetched now."""
        raise NotImplementedError

    def select_url(self, url_id: int) -> None:
        """Show and select a URL; no signal is emitted for it."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the panel was hidden."""
        super().showEvent(event)
        if self._outdated:
            self._outdated = False
            self.refresh()

    def _start(self) -> None:
        """Forget the old project and begin with the new one, if there is one."""
        raise NotImplementedError

    def _read(self) -> None:
        """Read again; ends in `self._refresh.finished()`."""
        raise NotImplementedError
