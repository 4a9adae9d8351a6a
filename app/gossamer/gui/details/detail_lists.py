"""Declares the lists of the details panel: inlinks, outlinks, redirect chain, headers, cookies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gossamer.gui.look.outcome_style import NO_STATUS, label, redirect_label
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.tables.row_kind import LINKS, RowKind, UrlOutcome
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import ReadRecords
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.project_queries import ChainHop, LinkEnd
from gossamer.model.response_cookies import SetCookie, cookies_in
from gossamer.urls.url_folders import display_url

_tr = translator("DetailList")

T = TypeVar("T")
NumberedHop = tuple[int, ChainHop]
Header = tuple[str, str]

_OF_A_LINK = (
    *("anchor", "alt_text", "kind", "action", "rel", "place", "link_origin", "path_type"),
    *("window", "path", "element", "fragment"),
)
"""The columns of the link itself, seen from either end."""
_ADDRESS_WIDTH = 32
"""Narrower than in the table, because the details have less room; the address is stretched."""


@dataclass(frozen=True, kw_only=True)
class DetailList(Generic[T]):
    """A list about one URL: its rows and their reading. `end` is set for links."""

    kind: RowKind[T]
    read: ReadRecords[T]
    end: LinkEnd | None = None
    """The end of the links that the list is about."""


def inlinks() -> DetailList[LinkRecord]:
    """Links to the URL. A row leads to the page with the link."""
    return DetailList(
        kind=LINKS.only(
            "source",
            *_OF_A_LINK,
            "source_title",
            width=_ADDRESS_WIDTH,
            url_id=lambda link: link.source_id,
        ),
        read=_read_inlinks,
        end=LinkEnd.INLINKS,
    )


def outlinks() -> DetailList[LinkRecord]:
    """Links on the URL, in document order. A row leads to the target."""
    return DetailList(
        kind=LINKS.only(
            "target",
            "status",
            *_OF_A_LINK,
            "outcome",
            width=_ADDRESS_WIDTH,
            url_id=lambda link: link.target_id,
        ),
        read=_read_outlinks,
        end=LinkEnd.OUTLINKS,
    )


def chain() -> DetailList[NumberedHop]:
    """The redirect chain through the URL, hop by hop."""
    return DetailList(
        kind=RowKind(
            columns=(
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Hop"),
                    6,
                    lambda hop: formatting.number(hop[0]),
                    numeric=True,
                ),
                ColumnSpec("status", QT_TRANSLATE_NOOP("Column", "Status code"), 12, _status),
                ColumnSpec(
                    "address",
                    QT_TRANSLATE_NOOP("Column", "Address"),
                    40,
                    lambda hop: formatting.clean(display_url(hop[1].url)),
                    address=True,
                    accessible=_accessible_step,
                ),
                ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Type"), 14, _redirect_kind),
                ColumnSpec(
                    "outcome",
                    QT_TRANSLATE_NOOP("Column", "Outcome"),
                    18,
                    lambda hop: label(hop[1].outcome),
                ),
                ColumnSpec(
                    "time", QT_TRANSLATE_NOOP("Column", "Response time"), 14, _time, numeric=True
                ),
            ),
            url_id=lambda hop: hop[1].id,
            outcome=lambda hop: UrlOutcome(hop[1].id, hop[1].outcome, hop[1].status),
            filling=2,
        ),
        read=_read_chain,
    )


def headers() -> DetailList[Header]:
    """The response headers, as received."""
    return DetailList(
        kind=RowKind(
            columns=(
                _text_column(QT_TRANSLATE_NOOP("Column", "Header"), 28, lambda header: header[0]),
                _text_column(QT_TRANSLATE_NOOP("Column", "Value"), 60, lambda header: header[1]),
            ),
            filling=1,
        ),
        read=lambda rows, url_id, last, _: [] if last else rows.headers(url_id),
    )


def cookies() -> DetailList[SetCookie]:
    """The cookies that the response sets, without their values, which are secrets."""
    return DetailList(
        kind=RowKind(
            columns=(
                _text_column(QT_TRANSLATE_NOOP("Column", "Cookie"), 24, lambda each: each.name),
                _text_column(
                    QT_TRANSLATE_NOOP("Column", "Domain"),
                    22,
                    lambda each: each.domain or _tr("this host only"),
                ),
                _text_column(QT_TRANSLATE_NOOP("Column", "Path"), 14, lambda each: each.path),
                _text_column(
                    QT_TRANSLATE_NOOP("Column", "Expires"),
                    26,
                    lambda each: each.expires or _tr("end of session"),
                ),
                _text_column(
                    QT_TRANSLATE_NOOP("Column", "Secure"), 9, lambda each: _yes_no(yes=each.secure)
                ),
                _text_column("HttpOnly", 10, lambda each: _yes_no(yes=each.http_only)),
                _text_column("SameSite", 10, lambda each: each.same_site),
            )
        ),
        read=lambda rows, url_id, last, _: [] if last else cookies_in(rows.headers(url_id)),
    )


def step_words(hop: NumberedHop) -> tuple[str, str]:
    """The response of a URL of a chain, and how many other URLs redirect to it; "" for none."""
    number, step = hop
    kind = _redirect_kind(hop) or label(step.outcome)
    response = f"{step.status} · {kind}" if step.status else kind
    if step.repeats:
        words = _tr("back to hop {n}: redirect loop")
        return response, words.format(n=formatting.number(step.repeats))
    others = step.sources - (number > 1)
    if others <= 0:
        return response, ""
    return response, _tr("%Ln other URL(s) redirect here", others)


def _text_column(title: str, width: int, text: Callable[[Any], str]) -> ColumnSpec:
    """A column of text from the web."""
    return ColumnSpec(None, title, width, lambda record: formatting.clean(text(record)))


def _accessible_step(hop: NumberedHop) -> str:
    address = formatting.clean(display_url(hop[1].url))
    return listed([f"{hop[0]}. {address}", *step_words(hop), _time(hop)])


def _read_inlinks(
    rows: ProjectRows, url_id: int, last: LinkRecord | None, limit: int
) -> list[LinkRecord]:
    after = (last.source_id, last.position) if last else (0, -1)
    return rows.inlinks(url_id, after, limit)


def _read_outlinks(
    rows: ProjectRows, url_id: int, last: LinkRecord | None, limit: int
) -> list[LinkRecord]:
    return rows.outlinks(url_id, last.position if last else -1, limit)


def _read_chain(
    rows: ProjectRows, url_id: int, last: NumberedHop | None, limit: int
) -> list[NumberedHop]:
    """Read the whole chain at once: the store bounds its length."""
    start = last[0] if last else 0
    hops = list(enumerate(rows.chain(url_id), 1))
    # A URL without a redirect before or after it is not a chain.
    return hops[start : start + limit] if len(hops) > 1 else []


def _yes_no(*, yes: bool) -> str:
    return _tr("yes") if yes else _tr("no")


def _status(hop: NumberedHop) -> str:
    status = hop[1].status
    return NO_STATUS if status is None else str(status)


def _redirect_kind(hop: NumberedHop) -> str:
    kind = hop[1].redirect_kind
    return "" if kind is None else redirect_label(kind, hop[1].status)


def _time(hop: NumberedHop) -> str:
    elapsed_ms = hop[1].elapsed_ms
    return "" if elapsed_ms is None else formatting.duration(elapsed_ms)
