"""What the lists of the details show: inlinks, outlinks, redirect chain, headers."""

from PySide6.QtCore import QCoreApplication

from gossamer.gui.details.cookie_rows import Setting, cookies_in
from gossamer.gui.details.detail_list_model import DetailColumn, DetailListSpec
from gossamer.gui.look.outcome_style import (
    NO_STATUS,
    action_label,
    kind_label,
    label,
    redirect_label,
)
from gossamer.gui.project.reader_port import ProjectRows
from gossamer.gui.tables.url_columns import column_name
from gossamer.gui.text import formatting
from gossamer.gui.text.sentences import listed
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import ChainHop, Column, LinkEnd, LinkRecord
from gossamer.urls.tree import display_url

NumberedHop = tuple[int, ChainHop]
Header = tuple[str, str]


def inlinks() -> DetailListSpec[LinkRecord]:
    """Links to the URL. A row leads to the page that the link is on."""
    return DetailListSpec(
        (
            DetailColumn(
                _tr("Source"),
                34,
                lambda link: display_url(link.source_url),
                address=True,
                filling=True,
            ),
            *_link_fields(),
            DetailColumn(_tr("Source title"), 32, lambda link: link.source_title or ""),
        ),
        _read_inlinks,
        target=lambda link: link.source_id,
        link=_ends,
        end=LinkEnd.INLINKS,
    )


def outlinks() -> DetailListSpec[LinkRecord]:
    """Links on the URL, in document order. A row leads to the target."""
    return DetailListSpec(
        (
            DetailColumn(
                _tr("Destination"),
                34,
                lambda link: display_url(link.target_url),
                address=True,
                filling=True,
            ),
            DetailColumn(
                _tr("Status code"),
                12,
                lambda link: _status(link.target_status),
                signed=True,
            ),
            *_link_fields(),
            DetailColumn(_tr("Outcome"), 20, lambda link: label(link.target_outcome)),
        ),
        _read_outlinks,
        target=lambda link: link.target_id,
        link=_ends,
        end=LinkEnd.OUTLINKS,
        fate=lambda link: (link.target_outcome, link.target_status),
    )


def chain() -> DetailListSpec[NumberedHop]:
    """The redirect chain through the URL, hop by hop."""
    return DetailListSpec(
        (
            DetailColumn(_tr("Hop"), 6, lambda hop: formatting.number(hop[0]), numeric=True),
            DetailColumn(
                _tr("Status code"),
                12,
                lambda hop: _status(hop[1].status),
                signed=True,
            ),
            DetailColumn(
                _tr("Address"),
                40,
                lambda hop: display_url(hop[1].url),
                address=True,
                filling=True,
                spoken=_spoken_hop,
            ),
            DetailColumn(_tr("Type"), 14, _hop_kind),
            DetailColumn(_tr("Outcome"), 18, lambda hop: label(hop[1].outcome)),
            DetailColumn(column_name(Column.TIME), 14, _hop_time, numeric=True),
        ),
        _read_chain,
        target=lambda hop: hop[1].id,
        fate=_hop_fate,
    )


def step_words(hop: NumberedHop) -> tuple[str, str]:
    """How a URL of a chain answered, and how many others redirect to it, "" for none."""
    number, step = hop
    kind = _hop_kind(hop) or label(step.outcome)
    answer = f"{step.status} · {kind}" if step.status else kind
    if step.repeats:
        words = _tr("back at step {n}: the redirects go round in a loop")
        return answer, words.format(n=formatting.number(step.repeats))
    others = step.sources - (number > 1)
    if others <= 0:
        return answer, ""
    return answer, _tr("%Ln other address(es) lead here", others)


def _spoken_hop(hop: NumberedHop) -> str:
    parts = [f"{hop[0]}. {display_url(hop[1].url)}", *step_words(hop), _hop_time(hop)]
    return listed(parts)


def cookies() -> DetailListSpec[Setting]:
    """The cookies that the answer sets. Their values are secrets, and are not kept."""
    return DetailListSpec(
        (
            DetailColumn(_tr("Cookie"), 24, lambda cookie: cookie.name, filling=True),
            DetailColumn(_tr("Domain"), 22, lambda cookie: cookie.domain or _tr("this host alone")),
            DetailColumn(_tr("Path"), 14, lambda cookie: cookie.path),
            DetailColumn(
                _tr("Expires"), 26, lambda cookie: cookie.expires or _tr("with the session")
            ),
            DetailColumn(_tr("Secure"), 9, lambda cookie: _yes(holds=cookie.secure)),
            DetailColumn("HttpOnly", 10, lambda cookie: _yes(holds=cookie.http_only)),
            DetailColumn("SameSite", 10, lambda cookie: cookie.same_site),
        ),
        lambda rows, url_id, last, _: [] if last else cookies_in(rows.headers(url_id)),
    )


def headers() -> DetailListSpec[Header]:
    """The headers of the answer, as received."""
    return DetailListSpec(
        (
            DetailColumn(_tr("Header"), 28, lambda header: header[0]),
            DetailColumn(_tr("Value"), 60, lambda header: header[1], filling=True),
        ),
        _read_headers,
    )


def _link_fields() -> tuple[DetailColumn[LinkRecord], ...]:
    """What there is to say of a link itself, whichever end one looks from."""
    return (
        DetailColumn(_tr("Anchor"), 26, lambda link: link.text),
        DetailColumn(_tr("Type"), 12, lambda link: kind_label(link.kind)),
        DetailColumn(_tr("Action"), 11, lambda link: action_label(link.action)),
        DetailColumn(_tr("Rel"), 14, lambda link: link.rel),
        DetailColumn(_tr("Element"), 14, lambda link: link.element),
        DetailColumn(_tr("Fragment"), 16, lambda link: link.fragment),
    )


def _ends(link: LinkRecord) -> tuple[str, str]:
    return link.source_url, link.target_url


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
    """The store bounds chains, so one reading has it all."""
    start = last[0] if last else 0
    hops = list(enumerate(rows.chain(url_id), 1))
    # A URL without a redirect before or behind it is no chain.
    return hops[start : start + limit] if len(hops) > 1 else []


def _read_headers(rows: ProjectRows, url_id: int, last: Header | None, limit: int) -> list[Header]:
    """An answer's headers are few: the page worker bounds them."""
    del limit
    return [] if last else rows.headers(url_id)


def _yes(*, holds: bool) -> str:
    return _tr("yes") if holds else _tr("no")


def _status(status: int | None) -> str:
    return NO_STATUS if status is None else str(status)


def _hop_kind(hop: NumberedHop) -> str:
    kind = hop[1].redirect_kind
    return "" if kind is None else redirect_label(kind, hop[1].status)


def _hop_time(hop: NumberedHop) -> str:
    elapsed_ms = hop[1].elapsed_ms
    return "" if elapsed_ms is None else formatting.duration(elapsed_ms)


def _hop_fate(hop: NumberedHop) -> tuple[Outcome, int | None]:
    return hop[1].outcome, hop[1].status


def _tr(text: str, count: int = -1) -> str:
    return QCoreApplication.translate("Listing", text, "", count)
