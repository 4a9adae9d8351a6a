"""Sets the HTML of a page beside its DOM, and a stored DOM beside the present one."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.extract.dom_outline import dom_lines
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.page_contents import paragraphs
from gossamer.extract.rendered_differences import MarkupBeforeAndAfter
from gossamer.extract.text_comparison import lines_side_by_side, side_by_side
from gossamer.fetch.stored_response_head import stored_head
from gossamer.inspector.stored_sources import dom_or_reason, read_or_reason
from gossamer.ipc.child_loop import ending_within
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.messages.inspection_messages import SOURCE_BYTES
from gossamer.model.messages.page_contents_messages import SideBySide
from gossamer.model.messages.page_rendering_messages import CompareStoredDom, StoredDomComparison
from gossamer.model.translatable import Translatable

_UTF_8: Final = "utf-8"
_LOOK_S: Final = 20.0


def compared_markup(
    page: MarkupBeforeAndAfter, exclude: tuple[str, ...]
) -> tuple[SideBySide, SideBySide]:
    """Text and DOM of a page before and after rendering."""
    with ending_within(_LOOK_S):
        html, is_html_cut = paragraphs(page.html, page.charset, exclude)
        rendered, is_cut = paragraphs(page.rendered, _UTF_8, exclude)
        texts = side_by_side(html, rendered)
        texts = replace(texts, is_cut=texts.is_cut or is_html_cut or is_cut)
        markup = (utf_8_markup(page.html, page.charset), utf_8_markup(page.rendered, _UTF_8))
        return texts, lines_side_by_side(*map(dom_lines, markup))


def compared_stored_dom(request: CompareStoredDom, exclude: tuple[str, ...]) -> StoredDomComparison:
    """What the archive has of a page before and after rendering, or why it has nothing."""
    folder = Path(request.folder)
    dom = dom_or_reason(folder, request.dom, request.url)
    response = read_or_reason(folder, request.html, request.url)
    if isinstance(dom, Translatable):
        return StoredDomComparison(request.number, request.url, reason=dom)
    if isinstance(response, Translatable):
        return StoredDomComparison(request.number, request.url, reason=response)
    head = stored_head(response.version, response.status, response.reason, response.headers)
    html, is_whole = response.decoded(SOURCE_BYTES)
    is_cut = dom.is_cut or not is_whole
    both = MarkupBeforeAndAfter(html, head.charset or None, dom.markup)
    texts, lines = (
        replace(each, is_cut=each.is_cut or is_cut) for each in compared_markup(both, exclude)
    )
    return StoredDomComparison(request.number, request.url, texts, lines, dom.date)


def dom_changes(
    folder: Path, record: ArchiveRecord, url: str, rendered: bytes
) -> SideBySide | Translatable:
    """The lines of the stored DOM of a page beside those of the present one, or why not."""
    stored = dom_or_reason(folder, record, url)
    if isinstance(stored, Translatable):
        return stored
    with ending_within(_LOOK_S):
        lines = lines_side_by_side(*map(dom_lines, (stored.markup, rendered)))
    return replace(lines, is_cut=lines.is_cut or stored.is_cut)
