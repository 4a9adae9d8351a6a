"""What is dragged onto the window: a project file is opened, an address is crawled."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

_SUFFIX: Final = ".gossamer"
_MAX_CHARS: Final = 8192
_SCHEMES: Final = ("http://", "https://")


class Drops(QObject):
    """Lets `window` be dropped upon: `open_` gets a project, `crawl` addresses as typed."""

    def __init__(
        self, window: QWidget, open_: Callable[[Path], None], crawl: Callable[[str], None]
    ) -> None:
        super().__init__(window)
        self._open = open_
        self._crawl = crawl
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what can be used, and let the pointer show it."""
        del watched
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            return self._take(event.mimeData(), event)
        if isinstance(event, QDragEnterEvent) and _wanted(event.mimeData()) is not None:
            event.acceptProposedAction()
            return True
        return False

    def _take(self, data: QMimeData, event: QDropEvent) -> bool:
        wanted = _wanted(data)
        if wanted is None:
            return False
        event.acceptProposedAction()
        if isinstance(wanted, Path):
            self._open(wanted)
        else:
            self._crawl(wanted)
        return True


def _wanted(data: QMimeData) -> Path | str | None:
    """The first project file, or all addresses; None where there is neither."""
    urls = data.urls()
    for url in urls:
        path = Path(url.toLocalFile())
        if url.isLocalFile() and path.suffix.lower() == _SUFFIX:
            return path
    addresses = [url.toString() for url in urls if url.scheme() in {"http", "https"}]
    if not addresses and data.hasText():
        words = data.text()[:_MAX_CHARS].split()
        if words and all(word.lower().startswith(_SCHEMES) for word in words):
            addresses = words
    return " ".join(addresses) or None
