"""The summary of one URL: names and values, to read and to copy from."""

from dataclasses import replace
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget

from gossamer.gui.details.url_summary import UrlSummary, lines
from gossamer.gui.look.outcome_style import role
from gossamer.gui.look.theme import SPACE_S, colour
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.text import formatting

_SCHEME: Final = "url"


class SummaryView(QTextBrowser):
    """Lines about a URL. Foreign text is escaped, and nothing is ever loaded."""

    url_wanted = Signal(int)
    """The person followed a link to another URL of the project."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._summary: UrlSummary | None = None
        self._in_flight: frozenset[int] = frozenset()
        self._html = ""
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        # Addresses have no spaces to break at.
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(SPACE_S)
        self.setAccessibleName(self.tr("Summary"))
        self._note = EmptyStateText(self)
        self._note.setText(self.tr("Select an address to see what is known about it."))
        self.anchorClicked.connect(self._follow)

    def show_summary(self, summary: UrlSummary | None) -> None:
        """Show a URL, or nothing. A selection stays if nothing changed."""
        if summary is not None:
            summary = replace(summary, is_in_flight=summary.record.id in self._in_flight)
        self._summary = summary
        self._note.setVisible(summary is None)
        html = "" if summary is None else _html(summary)
        if html != self._html:
            place = self.verticalScrollBar().value()
            self._html = html
            self.setHtml(html)
            self.verticalScrollBar().setValue(place)

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """These are being fetched now: say so if the URL shown is one of them."""
        self._in_flight = url_ids
        shown = self._summary
        if shown is not None and (shown.record.id in url_ids) != shown.is_in_flight:
            self.show_summary(shown)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: no text from the web may cause a request."""
        del kind, name
        return None

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.show_summary(self._summary)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == _SCHEME and url.path().isdecimal():
            self.url_wanted.emit(int(url.path()))


def _html(summary: UrlSummary) -> str:
    muted = colour("muted").name()
    accent = colour("accent").name()
    fate = colour(role(summary.record.outcome, summary.record.status)).name()
    rows = []
    for i, line in enumerate(lines(summary)):
        value = escape(formatting.clean(line.value))
        if line.url_id is not None:
            value = f'<a href="{_SCHEME}:{line.url_id}" style="color:{accent}">{value}</a>'
        elif i == 0:
            value = f"<b>{value}</b>"
        elif i == 1:
            value = f'<span style="color:{fate}">{value}</span>'
        rows.append(
            f'<tr><td style="color:{muted};white-space:nowrap;padding-right:16px">'
            f"{escape(line.name)}</td><td>{value}</td></tr>"
        )
    return f'<table cellspacing="0" cellpadding="2">{"".join(rows)}</table>'
