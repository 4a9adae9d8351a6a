"""Extracts what style sheets load: images, fonts and other style sheets."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gossamer.extract.charset_detection import UTF_8, decoded, encoding_for, sniff
from gossamer.extract.css_and_srcset_urls import css_urls
from gossamer.extract.links import MAX_LINKS, Links
from gossamer.extract.relevant_headers import judged_headers
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.outcome_details import Detail, DetailCode
from gossamer.model.visit import PageLinks
from gossamer.urls.url_joining import Base

_CHARSET: Final = lazy_pattern(rb'@charset "([^"]{1,100})";')


class StyleSheetLinks(Struct, frozen=True):
    """Targets and links as in `Extract`; `damage` says why they are incomplete."""

    targets: list[str]
    links: PageLinks
    damage: Detail | None = None


def style_sheet_links(
    body: bytes,
    url: str,
    charset_header: str | None,
    headers: Sequence[tuple[str, str]] = (),
    max_links: int = MAX_LINKS,
) -> StyleSheetLinks:
    """The links of the style sheet `body` at `url`, of which the first `max_links` are kept.

    `charset_header` is the charset of its Content-Type header. Those of the Link headers among
    `headers` come first. Embedded `data:` content is not a link.
    """
    links = Links(Base(url), max_links)
    links.add_headers(judged_headers(headers), url)
    links.add_style_sheet(css_urls(_text(body, charset_header)))
    damage = DetailCode.FIRST_LINKS(number=max_links) if links.are_cut else None
    return StyleSheetLinks(links.targets, links.as_page_links(), damage)


def _text(body: bytes, charset_header: str | None) -> str:
    """The style sheet as text (CSS Syntax Level 3, §3.2), without knowing the page's encoding."""
    declared = encoding_for(charset_header) if charset_header else None
    if declared is None and (named := _CHARSET.match(body)):
        declared = encoding_for(named[1].decode("latin-1"))
    encoding, mark_bytes = sniff(body, (declared or UTF_8).name)
    return decoded(body[mark_bytes:], encoding)
