"""The images of a page: the list with their sizes, and the selected image."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.fetch_bar import FetchBar, reason_unread
from gossamer.gui.details.file_lists import (
    LinkedFile,
    ReadSizes,
    displayed_size,
    images,
    written_size,
)
from gossamer.gui.details.image_pane import ImagePane
from gossamer.gui.details.thumbnails import Thumbnail
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.page_image_messages import ImageFile, PageImage, PageImages
from gossamer.urls.url_folders import display_url

_KEPT: Final = 50
"""The number of pictures that are kept."""
_WIDTHS: Final = (2_000, 1_000)
"""The widths of list and pane, which the splitter uses as shares."""


class ImagesView(QWidget):
    """A list of images with the selected one beside it.

    `wanted` asks for the page, and whether to request it again; `file_wanted` for an image file.
    After the first request of the user, each image is fetched when it is selected, until
    another page is shown.
    """

    wanted = Signal(str, bool)
    file_wanted = Signal(str)
    stopped = Signal()

    def __init__(self, reader: ProjectReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        self._page: PageImages | None = None
        self._is_fetching = False
        """Whether selected images are fetched."""
        self._error = ""
        self._sizes = ReadSizes()
        self._files: dict[str, tuple[ImageFile, Thumbnail]] = {}
        self.bar = FetchBar(self.tr("Fetch"), self.tr("Fetch again"))
        self.bar.button.setToolTip(
            self.tr("Fetch the page and the selected image, as the crawl does")
        )
        self.table = DetailTable(images(self._sizes), reader)
        self.pane = ImagePane()
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setObjectName("image-details")
        parts.setChildrenCollapsible(False)
        parts.addWidget(self.table)
        parts.addWidget(self.pane)
        parts.setStretchFactor(0, 2)
        parts.setStretchFactor(1, 1)
        parts.setSizes(list(_WIDTHS))
        column_of(self.bar, parts, filling=parts, inside=self)
        self.setFocusProxy(self.table)
        self.bar.wanted.connect(self.fetch)
        self.bar.stopped.connect(self._stop)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._turn_to_selected())
        self.table.rows.rowsInserted.connect(self._match)
        self.table.rows.modelReset.connect(self._match)
        self._show()

    def minimumSizeHint(self) -> QSize:
        """The minimum height of all tabs."""
        return QSize(0, 0)

    def show_record(self, record: UrlRecord | None) -> None:
        """Show a URL; the source of its page is fetched on request only."""
        url = "" if record is None else record.url
        if url == self._url:
            return
        if self.bar.is_waiting:
            self.stopped.emit()
        self._url, self._page, self._is_fetching = url, None, False
        self._files.clear()
        self._sizes.clear()
        self.stop_waiting()

    def fetch(self) -> None:
        """Ask for the page and then for the selected image, even if both are there."""
        is_again = self._page is not None
        self._is_fetching = self.bar.is_waiting = True
        self._files.clear()
        self._show()
        self.wanted.emit(self._url, is_again)

    def show_images(self, page: PageImages) -> None:
        """Show what the page source states, if it is still wanted, and fetch the image."""
        if page.url != self._url:
            return
        self._page = page
        self.bar.is_waiting = False
        self._match()
        self._turn_to_selected()

    def show_file(self, file: ImageFile, shown: Thumbnail) -> None:
        """Show an image, and fetch another one if the selection has changed."""
        self.bar.is_waiting = False
        while len(self._files) >= _KEPT:
            del self._files[next(iter(self._files))]
        self._files[file.url] = (file, shown)
        if shown.width:
            self._sizes.files[file.url] = (shown.width, shown.height)
        self._repaint()
        self._turn_to_selected()

    def show_error(self, text: str) -> None:
        """Show why the request failed."""
        self._is_fetching = False
        self._error = text
        self.stop_waiting()
        self._error = ""

    def stop_waiting(self) -> None:
        """Stop waiting for a result."""
        self.bar.is_waiting = False
        self._show()

    def _stop(self) -> None:
        self._is_fetching = False
        self.stopped.emit()
        self.stop_waiting()

    def _selected(self) -> LinkedFile | None:
        """The image in the current row, or the first one."""
        return self.table.rows.record(max(self.table.currentIndex().row(), 0))

    def _turn_to_selected(self) -> None:
        chosen = self._selected()
        url = "" if chosen is None else chosen.link.target_url
        if url and self._is_fetching and url not in self._files and not self.bar.is_waiting:
            self.bar.is_waiting = True
            self._show()
            self.file_wanted.emit(url)
        else:
            self._show()

    def _match(self) -> None:
        """Match the images in the source with the rows, in document order."""
        found: defaultdict[tuple[str, str], list[PageImage]] = defaultdict(list)
        for image in () if self._page is None else self._page.images:
            for file in image.files:
                found[file].append(image)
        turns = {file: iter(each) for file, each in found.items()}
        self._sizes.written = {}
        for row in self._rows():
            its_turn = turns.get((row.link.element, row.link.target_url), iter(()))
            if (written := next(its_turn, None)) is not None:
                self._sizes.written[row.link.position] = written
        self._repaint()
        self._show()

    def _rows(self) -> Iterator[LinkedFile]:
        rows = self.table.rows
        return filter(None, map(rows.record, range(rows.rowCount())))

    def _repaint(self) -> None:
        rows = self.table.rows
        if rows.rowCount():
            last = rows.index(rows.rowCount() - 1, rows.columnCount(QModelIndex()) - 1)
            rows.dataChanged.emit(rows.index(0, 0), last)

    def _show(self) -> None:
        chosen = self._selected()
        self.bar.show_state(
            self._summary(),
            can_fetch=bool(self._url) and (chosen is not None or self.bar.is_waiting),
            is_waiting=self.bar.is_waiting,
            is_again=self._page is not None,
        )
        known = None if chosen is None else self._files.get(chosen.link.target_url)
        if self._error:
            self.pane.show_note(self._error)
        elif chosen is None:
            self.pane.show_note("")
        elif known is not None:
            address = formatting.clean(display_url(chosen.link.target_url))
            self.pane.show_image(chosen.link.text or address, *known, self._facts(chosen))
        elif self.bar.is_waiting:
            self.pane.show_note(self.tr("Fetching the image…"))
        else:
            self.pane.show_note(self.tr("The selected image is shown here once it is fetched."))

    def _summary(self) -> str:
        page = self._page
        if page is None:
            return ""
        if not page.fetched.is_read:
            return reason_unread(page.fetched).replace("\n", " ")
        words = self.tr("%Ln image(s) in the source of the page", "", len(page.images))
        is_cut = page.is_cut or page.fetched.truncated
        return f"{words} · {self.tr('only the first part was read')}" if is_cut else words

    def _facts(self, chosen: LinkedFile) -> Iterator[str]:
        """What the page states about an image."""
        if written := written_size(chosen, self._sizes):
            yield labelled(self.tr("Width and height"), written)
        image = self._sizes.written.get(chosen.link.position)
        if image is not None and image.loading:
            yield labelled("loading", formatting.clean(image.loading))
        if displayed := displayed_size(chosen):
            yield labelled(self.tr("Displayed"), displayed)
