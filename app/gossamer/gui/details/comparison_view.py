"""The pages that are like the selected one, and the text of one of them beside its own."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QStackedWidget, QTextBrowser, QWidget

from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.details.fetch_bar import FetchBar, reason_unread
from gossamer.gui.details.page_lists import Duplicate
from gossamer.gui.look import theme
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.messages.page_contents_messages import ComparedRow, PageComparison, TextPart
from gossamer.urls.url_folders import display_url

_MAX_SHOWN: Final = 300
"""Rows that are laid out: more take longer than a window may stand still."""
_MAX_CHARACTERS: Final = 60_000
_AROUND: Final = 1
"""Equal paragraphs that are shown beside those that differ."""
_TINT: Final = 0.22


class TextBrowserWithoutLoading(QTextBrowser):
    """Shows HTML of our own making. Loads nothing: no text from the web may cause a request."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing."""
        del kind, name
        return None


class ComparisonView(QWidget):
    """Two texts side by side, what differs marked. `left` says that the list is wanted again."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: PageComparison | None = None
        self.bar = FetchBar(self.tr("Back to the list"), self.tr("Back to the list"))
        self.only_differences = QCheckBox(self.tr("Only differences"))
        self.only_differences.setChecked(True)
        self.bar.row.addWidget(self.only_differences)
        self.text = TextBrowserWithoutLoading()
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.setAccessibleName(self.tr("Differences of the texts"))
        self.text.document().setDocumentMargin(theme.SPACE_S)
        self.note = EmptyStateText(self.text)
        column_of(self.bar, self.text, filling=self.text, inside=self)
        self.bar.wanted.connect(self.left)
        self.bar.stopped.connect(self.left)
        self.only_differences.toggled.connect(self._show)

    def wait(self) -> None:
        """The texts are being fetched."""
        self._comparison = None
        self.bar.show_state(can_fetch=True, is_waiting=True)
        self._show_note(self.tr("Fetching both pages…"))

    def show_comparison(self, comparison: PageComparison) -> None:
        """Show what came."""
        self._comparison = comparison
        words = self.tr("{percent} of their phrases are the same").format(
            percent=formatting.share(comparison.percent, 100)
        )
        if comparison.is_cut:
            words = f"{words} · {self.tr('the texts go on')}"
        self.bar.show_state(words, can_fetch=True)
        self._show()

    def show_error(self, text: str) -> None:
        """Show why nothing came."""
        self.bar.show_state(can_fetch=True)
        self._show_note(text)

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show()

    def _show(self) -> None:
        shown = self._comparison
        if shown is None:
            return
        for answer, url in ((shown.answer, shown.url), (shown.other_answer, shown.other)):
            if not answer.is_read:
                address = formatting.clean(display_url(url))
                self._show_note(f"{address}\n{reason_unread(answer)}")
                return
        only = self.only_differences.isChecked()
        if only and not any(row.differs for row in shown.rows):
            self._show_note(self.tr("The texts are the same."))
            return
        self.note.hide()
        self.text.setHtml(self._html(shown, only=only))

    def _show_note(self, text: str) -> None:
        self.text.clear()
        self.note.setText(text)
        self.note.show()

    def _html(self, shown: PageComparison, *, only: bool) -> str:
        border = theme.colour("border").name()
        muted = theme.colour("muted").name()
        heads = "".join(
            f'<td width="50%"><b>{escape(formatting.clean(display_url(url)))}</b></td>'
            for url in (shown.url, shown.other)
        )
        lines = [f"<tr>{heads}</tr>"]
        left, characters = _MAX_SHOWN, _MAX_CHARACTERS
        for row, skipped in _shown_rows(shown.rows, only=only):
            left -= 1
            characters -= sum(len(part.text) for part in (*row.left, *row.right))
            if left < 0 or characters < 0:
                words = escape(self.tr("More paragraphs are not shown."))
                lines.append(f'<tr><td colspan="2" style="color:{muted}">{words}</td></tr>')
                break
            if skipped:
                words = escape(self.tr("%Ln equal paragraph(s)", "", skipped))
                lines.append(f'<tr><td colspan="2" style="color:{muted}">… {words} …</td></tr>')
            cells = (_cell(row.left, "error"), _cell(row.right, "ok"))
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        return (
            f'<table width="100%" cellspacing="0" cellpadding="4" border="1" '
            f'style="border-collapse:collapse;border-color:{border}">{"".join(lines)}</table>'
        )


def _cell(parts: Sequence[TextPart], role: theme.Role) -> str:
    tint = theme.mixed(role, _TINT).name()
    return " ".join(
        f'<span style="background-color:{tint}">{escape(formatting.clean(part.text))}</span>'
        if part.differs
        else escape(formatting.clean(part.text))
        for part in parts
    )


def _shown_rows(rows: Sequence[ComparedRow], *, only: bool) -> Iterable[tuple[ComparedRow, int]]:
    """The rows to show, each with how many equal ones are left out before it."""
    last = -1
    for place, row in enumerate(rows):
        near = rows[max(place - _AROUND, 0) : place + _AROUND + 1]
        if not only or any(each.differs for each in near):
            yield row, place - last - 1
            last = place


class DuplicatesTab(QStackedWidget):
    """The list of duplicates, or the texts of two pages. `wanted` has the addresses of both."""

    wanted = Signal(str, str)
    stopped = Signal()

    def __init__(self, table: DetailTable[Duplicate], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self._url = ""
        self.comparison = ComparisonView()
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
        """Turn to the duplicates of another URL."""
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
        """Show what came, if it is still wanted."""
        if comparison.url == self._url:
            self.comparison.show_comparison(comparison)

    def show_error(self, text: str) -> None:
        """Show why nothing came."""
        self.comparison.show_error(text)

    def stop_waiting(self) -> None:
        """Nothing is to come: show the list again."""
        self.setCurrentIndex(0)

    def _chosen(self) -> Duplicate | None:
        """The duplicate of the current row, or the first one."""
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
