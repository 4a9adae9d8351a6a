"""Handles drops on the window: projects, web archives, addresses, lists of URLs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from PySide6.QtCore import QEvent, QMimeData, QObject, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from gossamer.model.archive_source import is_archive_name

_SUFFIX: Final = ".gossamer"
_LISTS: Final = frozenset({".txt", ".csv", ".tsv"})
_MAX_CHARS: Final = 64 * 1024 * 1024
_LOOKED_AT: Final = 100_000
"""Characters of a text that are checked for a list: some 5 ms."""
_SCHEMES: Final = ("http://", "https://")
_Wanted: TypeAlias = Path | tuple[Path, ...] | str
"""A project or a list of URLs, the parts of a web archive, or addresses as text."""


class UrlListPort(Protocol):
    """Shows a list of addresses."""

    def take(self, text: str) -> None:
        """Take the list as text."""

    def open(self, path: Path) -> None:
        """Take the list from a file."""


class DropHandler(QObject):
    """Accepts drops on `window`.

    `open_` receives a project, `crawl` one URL, `url_lists` several, and `import_` web archives;
    `refuse` why several projects are not opened.
    """

    def __init__(
        self,
        window: QWidget,
        open_: Callable[[Path], None],
        crawl: Callable[[str], None],
        url_lists: UrlListPort,
        import_: Callable[[Sequence[Path]], None],
        refuse: Callable[[str], None],
    ) -> None:
        super().__init__(window)
        self._refuse = refuse
        self._import = import_
        self._open = open_
        self._crawl = crawl
        self._url_lists = url_lists
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept what can be used, and show that with the pointer."""
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
        if len([file for file in _files(data) if file.suffix.lower() == _SUFFIX]) > 1:
            self._refuse(
                self.tr(
                    "Drop one project at a time. To compare two, choose Compare… in the menu File."
                )
            )
        elif isinstance(wanted, tuple):
            self._import(wanted)
        elif isinstance(wanted, Path):
            (self._open if wanted.suffix.lower() == _SUFFIX else self._url_lists.open)(wanted)
        elif len(wanted.split(maxsplit=1)) == 1:
            self._crawl(wanted.strip())
        else:
            self._url_lists.take(wanted[:_MAX_CHARS])
        return True


def _wanted(data: QMimeData) -> _Wanted | None:
    """The first file that can be used, or addresses as text; None if there is neither.

    Web archives that are dropped together are parts of one.

    A long text counts as a list by its beginning: it is read in full piece by piece.
    """
    urls, files = data.urls(), _files(data)
    archives = tuple(file for file in files if is_archive_name(file.name))
    for suffixes in ({_SUFFIX}, _LISTS):
        for file in files:
            if file.suffix.lower() in suffixes:
                return file
        if archives:
            return archives
    # As it was written: a decoded space would make two words of it.
    encoded = QUrl.ComponentFormattingOption.FullyEncoded
    addresses = [url.toString(encoded) for url in urls if url.scheme() in {"http", "https"}]
    if addresses:
        return "\n".join(addresses)
    if not data.hasText():
        return None
    text = data.text()
    words = text[:_LOOKED_AT].split()
    if len(text) > _LOOKED_AT:
        words = words[:-1]  # cut
    return text if words and all(w.lower().startswith(_SCHEMES) for w in words) else None


def _files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
