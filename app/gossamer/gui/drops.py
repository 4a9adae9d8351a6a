"""What is dragged onto the window: a project is opened, an address is crawled, a list shown."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QMimeData, QObject
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

_SUFFIX: Final = ".gossamer"
_LISTS: Final = frozenset({".txt", ".csv", ".tsv"})
_MAX_CHARS: Final = 64 * 1024 * 1024
_SCHEMES: Final = ("http://", "https://")


class Lists(Protocol):
    """Shows a list of addresses."""

    def take(self, text: str) -> None:
        """Take the list as text."""

    def open(self, path: Path) -> None:
        """Take the list from a file."""


class Drops(QObject):
    """Lets `window` be dropped upon: `open_` gets a project, `crawl` an address, `lists` more."""

    def __init__(
        self,
        window: QWidget,
        open_: Callable[[Path], None],
        crawl: Callable[[str], None],
        lists: Lists,
    ) -> None:
        super().__init__(window)
        self._open = open_
        self._crawl = crawl
        self._lists = lists
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
            (self._open if wanted.suffix.lower() == _SUFFIX else self._lists.open)(wanted)
        elif len(wanted) == 1:
            self._crawl(wanted[0])
        else:
            self._lists.take("\n".join(wanted))
        return True


def _wanted(data: QMimeData) -> Path | list[str] | None:
    """The first file that can be used, or all addresses; None where there is neither."""
    urls = data.urls()
    files = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    for suffixes in ({_SUFFIX}, _LISTS):
        for file in files:
            if file.suffix.lower() in suffixes:
                return file
    addresses = [url.toString() for url in urls if url.scheme() in {"http", "https"}]
    if not addresses and data.hasText():
        words = data.text()[:_MAX_CHARS].split()
        if words and all(word.lower().startswith(_SCHEMES) for word in words):
            addresses = words
    return addresses or None
