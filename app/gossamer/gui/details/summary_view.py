"""Lists every known field of a URL as names and values to copy."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final
from unicodedata import bidirectional

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget

from gossamer.gui.look.outcome_style import (
    in_flight_sentence,
    redirect_label,
    role,
    sentence,
    verdict_words,
    warning_labels,
)
from gossamer.gui.look.theme import SPACE_S, colour
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.tables.table_columns import column_name, field_label, field_text
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import detail_words, listed
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.fields.field_declaration import DeclaredField, FieldKind
from gossamer.model.fields.url_record import URL_DETAILS, UrlRecord
from gossamer.model.outcome import UrlState, is_error
from gossamer.model.project_queries import LinkCounts
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.server_certificate import ServerCertificate
from gossamer.urls.url_folders import display_url

_tr = translator("UrlSummary")
_MOST_NAMES: Final = 10
"""The most names of a certificate that are shown: some have hundreds."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A name and a value, both plain text; `url_id` if the value is a URL to show.

    `note` is our comment on a value that is text of the page.
    """

    name: str
    value: str
    url_id: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class UrlSummary:
    """A record, its link counts, the page where it was found, and the id of its redirect target.

    `is_in_flight` is true while it is being fetched, even if an earlier result is known.
    `certificate` is that of its server, if it was seen, and `archived` the archive record of its
    response, if there is one.
    """

    record: UrlRecord
    links: LinkCounts
    found_on: str | None = None
    redirect_id: int | None = None
    is_in_flight: bool = False
    certificate: ServerCertificate | None = None
    archived: ArchiveRecord | None = None

    @property
    def link_lengths(self) -> tuple[tuple[int, int], ...]:
        """The rows of the lists of links: those that table columns count, and others."""
        links = self.links
        return (
            (links.inlinks, links.other_inlinks),
            (links.outlinks, links.other_outlinks),
        )


def lines(summary: UrlSummary) -> list[SummaryLine]:
    """The lines of the summary, the most important first; unknown values are left out."""
    record = summary.record
    found = [
        SummaryLine(column_name("address"), display_url(record.url)),
        SummaryLine(_tr("Now"), in_flight_sentence() if summary.is_in_flight else ""),
        SummaryLine(_tr("Result"), _known_result(summary)),
        SummaryLine(_tr("Verdict"), _verdict(record)),
        SummaryLine(_detail_name(record), detail_words(record.detail)),
        SummaryLine(column_name("warnings"), warning_labels(record.warnings)),
        *(_line(each, summary) for group in URL_DETAILS.values() for each in group),
        *_certificate_lines(summary.certificate),
    ]
    return [line for line in found if line.value]


def _known_result(summary: UrlSummary) -> str:
    """The result; "" for a URL that is being fetched and has no result yet."""
    record = summary.record
    return "" if summary.is_in_flight and record.state is UrlState.QUEUED else _result(record)


def _result(record: UrlRecord) -> str:
    """Status and meaning, without the server's reason phrase if it repeats the meaning."""
    status = f"{record.status} {record.reason or ''}".strip() if record.status else ""
    meaning = sentence(record.outcome, record.status)
    if record.reason and meaning.casefold().rstrip(".") == record.reason.casefold():
        return status
    return " · ".join(part for part in (status, meaning) if part)


def _verdict(record: UrlRecord) -> str:
    """The verdict, or "" if the result implies it."""
    return verdict_words(record.outcome, record.status) if is_error(record.outcome) else ""


def _detail_name(record: UrlRecord) -> str:
    """The name of the detail: why nothing was requested, or what exactly failed."""
    if record.state is UrlState.SKIPPED:
        return _tr("Reason")
    return _tr("Technical detail") if is_error(record.outcome) else _tr("Detail")


def _line(each: DeclaredField, summary: UrlSummary) -> SummaryLine:
    special = _SPECIAL.get(each.name)
    text = _text(each, summary.record) if special is None else special(summary)
    url_ids = {"redirect": summary.redirect_id, "parent": summary.record.parent}
    note = _length(each.of(summary.record)) if each.kind is FieldKind.SNIPPET else ""
    return SummaryLine(field_label(each), text, url_ids.get(each.name), note)


def _text(each: DeclaredField, record: UrlRecord) -> str:
    """The text of the cell of a table, without truncation."""
    value = each.of(record)
    if value is None:
        return ""
    whole = _WHOLE.get(each.kind)
    return field_text(each)(record) if whole is None else whole(value)


def _found_on(summary: UrlSummary) -> str:
    return display_url(summary.found_on or "")


def _redirect_kind(summary: UrlSummary) -> str:
    record = summary.record
    kind = record.redirect_kind
    if kind is None:
        return ""
    words = redirect_label(kind, record.status)
    return f"{words} ({record.status})" if kind is RedirectKind.HTTP else words


def _inlinks(summary: UrlSummary) -> str:
    """The inlinks that the table column counts, and other references."""
    links = summary.links
    said = formatting.number(links.inlinks)
    if links.unique_inlinks != links.inlinks:
        said = f"{said} {_tr('from %Ln page(s)', links.unique_inlinks)}"
    return said + _others(links.other_inlinks)


def _outlinks(summary: UrlSummary) -> str:
    """The outlinks likewise; "" if there are neither."""
    links = summary.links
    if not links.outlinks and not links.other_outlinks:
        return ""
    return formatting.number(links.outlinks) + _others(links.other_outlinks)


def _certificate_lines(certificate: ServerCertificate | None) -> list[SummaryLine]:
    """Expiry, issuer and hosts of a certificate, and why it is invalid, if it is."""
    if certificate is None:
        return []
    until = formatting.moment(certificate.not_after)
    if certificate.not_after < certificate.seen_at:
        until = _tr("{moment} (it had ended)").format(moment=until)
    names = listed(certificate.host_names[:_MOST_NAMES])
    if (more := len(certificate.host_names) - _MOST_NAMES) > 0:
        names = _tr("{names} and %Ln more", more).format(names=names)
    return [
        SummaryLine(_tr("Certificate valid until"), until),
        SummaryLine(_tr("Certificate issued by"), certificate.issuer),
        SummaryLine(_tr("Certificate for"), names),
        SummaryLine(_tr("Certificate not valid"), detail_words(certificate.detail)),
    ]


def _others(count: int) -> str:
    return f" ({_tr('and %Ln other reference(s)', count)})" if count else ""


def _content_type(summary: UrlSummary) -> str:
    record = summary.record
    return "; ".join(part for part in (record.content_type, record.charset) if part)


def _tries(summary: UrlSummary) -> str:
    tries = summary.record.tries or 0
    return formatting.number(tries) if tries > 1 else ""


def _length(text: str | None) -> str:
    """A text with its length, which decides whether search engines show all of it."""
    return f"({_tr('%Ln character(s)', len(text))})" if text else ""


def _size(summary: UrlSummary) -> str:
    record = summary.record
    if record.size_bytes is None:
        return ""
    parts = [formatting.size(record.size_bytes)]
    if record.raw_bytes is not None and record.raw_bytes != record.size_bytes:
        parts.append(_tr("{size} transferred").format(size=formatting.size(record.raw_bytes)))
    if record.truncated:
        parts.append(_tr("cut off"))
    return listed(parts)


def _time(summary: UrlSummary) -> str:
    record = summary.record
    if record.elapsed_ms is None:
        return ""
    parts = [formatting.duration(record.elapsed_ms)]
    if record.ttfb_ms is not None:
        first = _tr("{time} to the first byte")
        parts.append(first.format(time=formatting.duration(record.ttfb_ms)))
    return listed(parts)


_WHOLE: Final[dict[FieldKind, Callable[[Any], str]]] = {
    FieldKind.TEXT: str,
    FieldKind.ADDRESS: display_url,
    FieldKind.SNIPPET: lambda text: text or _tr("(empty)"),
}
_SPECIAL: Final[dict[str, Callable[[UrlSummary], str]]] = {
    "parent": _found_on,
    "redirect_kind": _redirect_kind,
    "inlinks": _inlinks,
    "outlinks": _outlinks,
    "content_type": _content_type,
    "size_bytes": _size,
    "elapsed_ms": _time,
    "tries": _tries,
}
"""The fields that the summary shows in more detail than a table."""


_SCHEME: Final = "url"
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_LEFT_TO_RIGHT, _ISOLATE, _END_OF_ISOLATE = "\u200e", "\u2068", "\u2069"


class SummaryView(QTextBrowser):
    """Shows summary lines of a URL. Escapes text from the web and never loads anything."""

    url_wanted = Signal(int)
    """Emitted when the user follows a link to another URL of the project."""

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
        self._note.setText(self.tr("Select a URL to see its details."))
        self.anchorClicked.connect(self._follow)

    def show_summary(self, summary: UrlSummary | None) -> None:
        """Show a URL or none. Selected text stays selected if nothing has changed."""
        if summary is not None:
            summary = replace(summary, is_in_flight=summary.record.id in self._in_flight)
        self._summary = summary
        self._note.setVisible(summary is None)
        html = "" if summary is None else _html(summary)
        if html != self._html:
            position = self.verticalScrollBar().value()
            self._html = html
            self.setHtml(html)
            self.verticalScrollBar().setValue(position)

    def show_in_flight(self, url_ids: frozenset[int]) -> None:
        """Show whether the URL is among these, which are being fetched."""
        self._in_flight = url_ids
        shown = self._summary
        if shown is not None and (shown.record.id in url_ids) != shown.is_in_flight:
            self.show_summary(shown)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: no text from the web may cause a request."""
        del kind, name
        return None

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.show_summary(self._summary)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == _SCHEME and url.path().isdecimal():
            self.url_wanted.emit(int(url.path()))


def _noted(line: SummaryLine) -> str:
    """A value with its note, which stays behind the value even for right-to-left text."""
    value = formatting.clean(line.value)
    if not line.note:
        return value
    if any(bidirectional(letter) in _RIGHT_TO_LEFT for letter in value):
        value = f"{_LEFT_TO_RIGHT}{_ISOLATE}{value}{_END_OF_ISOLATE}"
    return f"{value} {line.note}"


def _html(summary: UrlSummary) -> str:
    muted = colour("muted").name()
    accent = colour("accent").name()
    outcome_colour = colour(role(summary.record.outcome, summary.record.status)).name()
    rows = []
    for i, line in enumerate(lines(summary)):
        value = escape(_noted(line))
        if line.url_id is not None:
            value = f'<a href="{_SCHEME}:{line.url_id}" style="color:{accent}">{value}</a>'
        elif i == 0:
            value = f"<b>{value}</b>"
        elif i == 1:
            value = f'<span style="color:{outcome_colour}">{value}</span>'
        rows.append(
            f'<tr><td style="color:{muted};white-space:nowrap;padding-right:16px">'
            f"{escape(line.name)}</td><td>{value}</td></tr>"
        )
    return f'<table cellspacing="0" cellpadding="2">{"".join(rows)}</table>'
