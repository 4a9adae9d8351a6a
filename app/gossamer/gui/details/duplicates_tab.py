"""The duplicates of the selected page, and its text beside that of one of them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget

from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.fetch_bar import FetchBar, reason_unread
from gossamer.gui.details.page_lists import Duplicate
from gossamer.gui.details.side_by_side_view import SideBySideText
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.page_contents_messages import PageComparison
from gossamer.urls.url_folders import display_url


class DuplicateTextsView(QWidget):
    """The texts of two pages side by side. `left` asks to return to the list."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: PageComparison | None = None
        self.bar = FetchBar(self.tr("Back to the list"), self.tr("Back to the list"))
        self.only_differences = QCheckBox(self.tr("Only differences"))
        self.only_differences.setChecked(True)
        self.bar.row.addWidget(self.only_differences)
        self.text = SideBySideText(
            self.tr("Differences of the texts"), self.tr("The texts are the same.")
        )
        column_of(self.bar, self.text, filling=self.text, inside=self)
        self.bar.wanted.connect(self.left)
        self.bar.stopped.connect(self.left)
        self.only_differences.toggled.connect(self._show)

    def wait(self) -> None:
        """Show that the texts are being fetched."""
        self._comparison = None
        self.bar.show_state(can_fetch=True, is_waiting=True)
        self.text.show_note(self.tr("Fetching both pages…"))

    def show_comparison(self, comparison: PageComparison) -> None:
        """Show the texts."""
        self._comparison = comparison
        words = self.tr("{percent} of their phrases are the same").format(
            percent=formatting.share(comparison.percent, 100)
        )
        if comparison.texts.is_cut:
            words = f"{words} · {self.tr('the texts go on')}"
        self.bar.show_state(words, can_fetch=True)
        self._show()

    def show_error(self, text: str) -> None:
        """Show why the request failed."""
        self.bar.show_state(can_fetch=True)
        self.text.show_note(text)

    def _show(self) -> None:
        shown = self._comparison
        if shown is None:
            return
        for fetched, url in ((shown.fetched, shown.url), (shown.other_fetched, shown.other)):
            if not fetched.is_read:
                address = formatting.clean(display_url(url))
                self.text.show_note(f"{address}\n{reason_unread(fetched)}")
                return
        heads = (display_url(shown.url), display_url(shown.other))
        only = self.only_differences.isChecked()
        self.text.show_texts(heads, shown.texts, only_differences=only)


class DuplicatesTab(QStackedWidget):
    """The list of duplicates, or the texts of two pages, whose addresses `wanted` carries."""

    wanted = Signal(str, str)
    stopped = Signal()

    def __init__(self, table: DetailTable[Duplicate], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self._url = ""
        self.comparison = DuplicateTextsView()
        self.bar = FetchBar(self.tr("Compare texts"), self.tr("Compare texts"))
        self.bar.button.setToolTip(
            self.tr("Fetch both pages again, as the crawl does, and show how their texts differ")
        )
        self.addWidget(column_of(self.bar, table, filling=table))
        self.addWidget(self.comparison)
        self.bar.wanted.connect(self.compare)
        self.comparison.left.connect(self._show_list)
        table.selectionModel().currentRowChanged.connect(lambda *_: self._offer())
        table.rows.rowsInserted.connect(self._offer)
        table.rows.modelReset.connect(self._offer)
        self.setFocusProxy(table)
        self._offer()

    def show_record(self, record: UrlRecord | None) -> None:
        """Show the duplicates of another URL."""
        url = "" if record is None else record.url
        if url != self._url:
            self._url = url
            self._show_list()

    def compare(self) -> None:
        """Compare the page with the chosen one."""
        chosen = self._chosen()
        if chosen is not None and self._url:
            self.setCurrentWidget(self.comparison)
            self.comparison.wait()
            self.wanted.emit(self._url, chosen.record.url)

    def show_comparison(self, comparison: PageComparison) -> None:
        """Show the texts, if they are still wanted."""
        if comparison.url == self._url:
            self.comparison.show_comparison(comparison)

    def show_error(self, text: str) -> None:
        """Show why the request failed."""
        self.comparison.show_error(text)

    def stop_waiting(self) -> None:
        """Show the list again when the request was cancelled."""
        self.setCurrentIndex(0)

    def _chosen(self) -> Duplicate | None:
        """The duplicate in the current row, or the first one."""
        return self.table.rows.record(max(self.table.currentIndex().row(), 0))

    def _offer(self) -> None:
        chosen = self._chosen()
        address = "" if chosen is None else formatting.clean(display_url(chosen.record.url))
        self.bar.show_state(address, can_fetch=chosen is not None)

    def _show_list(self) -> None:
        if self.comparison.bar.is_waiting:
            self.stopped.emit()
        self.stop_waiting()
        self._offer()
