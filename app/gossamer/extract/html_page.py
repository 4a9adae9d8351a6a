"""Extracts facts and links from the bytes of an HTML page."""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from msgspec.structs import replace

from gossamer.extract.charset_detection import UTF_8, Encoding, decoded, sniff
from gossamer.extract.content_text import CONTENT_EXCLUDE
from gossamer.extract.facts.facts_reader import PageOrigin, read_facts
from gossamer.extract.facts.link_facts import EVERYWHERE, CrawledSite
from gossamer.extract.facts.robots_and_refreshes import first_refresh
from gossamer.extract.facts.topic_facts import PageContent
from gossamer.extract.lexbor_backend import find as find_with_lexbor
from gossamer.extract.links import MAX_LINKS, Links
from gossamer.extract.markup_shape import markup_shape
from gossamer.extract.native_dom_walk import NATIVE_WALK, NativeWalk
from gossamer.extract.parsed_elements import MAX_ELEMENTS, Element, ParsedElements
from gossamer.extract.parser_limits import (
    MAX_TAGS,
    Markup,
    cut_to_size,
    flattened,
    without_repetition,
)
from gossamer.extract.relevant_headers import judged_headers
from gossamer.extract.risky_link_attributes import RiskWords, RiskyTargets, risky_targets
from gossamer.extract.soft_errors import outcome_of
from gossamer.extract.xhtml_syntax import html_syntax, is_xhtml
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome_details import MAX_CHARACTERS, DetailCode, DetailedError, joined
from gossamer.model.page_prose import NOT_PROOFREAD, PageProse, Proofread, ProseRun
from gossamer.model.response_warnings import ResponseWarning, in_order
from gossamer.model.settings.request_settings import Parser
from gossamer.model.text_cleaning import one_line
from gossamer.model.visit import Extract, PageLinks
from gossamer.urls.query_encoding import QueryEncoding
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import join

HASH_BYTES = 16
MAX_MARKUP_BYTES = 8 * 1024 * 1024
"""The part of a longer page that is parsed: a parser's result takes up to ten times as much."""
_MANY_NULS = 1000
"""With this many it is not text, and each would cost three bytes."""


class _Cut(NamedTuple):
    warning: ResponseWarning
    detail: DetailCode


_BYTES_READ = _Cut(ResponseWarning.SIZE_LIMIT, DetailCode.FIRST_BYTES)
_TAGS_READ = _Cut(ResponseWarning.ELEMENT_LIMIT, DetailCode.FIRST_TAGS)
_ELEMENTS_READ = _Cut(ResponseWarning.ELEMENT_LIMIT, DetailCode.FIRST_ELEMENTS)
_LINKS_KEPT = _Cut(ResponseWarning.LINK_LIMIT, DetailCode.FIRST_LINKS)


class ExtractError(DetailedError):
    """A parser failed on a page. The cause is chained."""


def extract(  # noqa: PLR0913 - what came, and how it is to be read
    body: bytes,
    url: str,
    charset_header: str | None,
    parser: Parser,
    headers: Sequence[tuple[str, str]] = (),
    max_links: int = MAX_LINKS,
    *,
    robot: str = "",
    content_exclude: tuple[str, ...] = CONTENT_EXCLUDE,
    site: CrawledSite = EVERYWHERE,
    proofread: Proofread | None = None,
    text_bytes: int = 0,
    acts: RiskWords | None = None,
    hash_routes: bool = False,
    native: NativeWalk | None = NATIVE_WALK,
) -> Extract:
    """Facts and links of the HTML page `body` at the serialised URL `url`.

    `charset_header` is the charset of its Content-Type header. The links of the Link headers among
    `headers`, names and values, come before those of the page; of all of them, the first
    `max_links` are kept. `robot` is the crawler's name in meta elements, in lower case. The text of
    what `content_exclude` names does not count as content; `site` decides which links are internal.
    `proofread` receives the text of the page without `NOT_PROOFREAD`. `text_bytes` of its content
    are kept. `acts` decides which links sign out or delete. With `hash_routes`, links of the page's
    origin lead to them. `native` does in C what it can; without
    it Python does all. Any bytes will do: even the worst page has a result. Raises ExtractError if
    the parser fails nevertheless.
    """
    encoding, mark_bytes = sniff(body, charset_header)
    whole = body[mark_bytes:] if mark_bytes else body
    readable = _readable(whole, encoding)
    markup = cut_to_size(readable)
    address = unquote_to_bytes(url)
    judged = judged_headers(headers)
    try:
        # Bytes that are UTF-8 are parsed as they are; wrong ones turn into U+FFFD when read.
        utf_8 = markup if encoding is UTF_8 else decoded(markup, encoding).encode()
        html = html_syntax(utf_8) if is_xhtml(judged) else utf_8
        source = Markup(html, native)
        harmless = without_repetition(flattened(source))
        prose_exclude = None if proofread is None else (*content_exclude, *NOT_PROOFREAD)
        # The processor's caches still have the markup, which parsing evicts.
        shape = native.markup_shape(html, source.counts) if native else markup_shape(html)
        content_hash = sha256(body).digest()[:HASH_BYTES]
        read = _reader(parser, native)
        parsed = read(harmless, address, content_exclude, prose_exclude, text_bytes)
        parsed.shape = shape
    except Exception as e:
        message = one_line(str(e), MAX_CHARACTERS)
        failed = DetailCode.PARSER_FAILED(parser=str(parser), message=message)
        raise ExtractError(failed) from e
    base = page_base(parsed, url, encoding)
    links = Links(base, max_links, hash_routes=hash_routes, document_url=url)
    links.add_headers(judged, url)
    links.add_elements(parsed.elements, parsed.anchors, parsed.paths)
    found = links.as_page_links()
    limits = [
        (len(whole) > MAX_MARKUP_BYTES, _BYTES_READ, MAX_MARKUP_BYTES),
        (len(markup) < len(readable), _TAGS_READ, MAX_TAGS),
        (parsed.is_full, _ELEMENTS_READ, MAX_ELEMENTS),
        (links.are_cut, _LINKS_KEPT, max_links),
    ]
    reached = [(cut, number) for is_cut, cut, number in limits if is_cut]
    page = PageContent(utf_8, parsed, found, links.targets, links.unclear)
    origin = PageOrigin(url, base, judged, robot, address, site)
    facts = read_facts(page, origin, content_hash)
    if proofread is not None:
        facts = replace(facts, **proofread(_prose(facts, parsed.prose))._asdict())
    acting = risky_targets(harmless, base, acts) if acts else RiskyTargets({}, {})
    return Extract(
        facts=facts,
        charset=encoding.name,
        targets=page.targets,
        links=found,
        refresh=first_refresh(parsed.by_tag.get("meta", ()), base, url),
        cut=joined(*[cut.detail(number=number) for cut, number in reached]) if reached else None,
        limits=in_order(cut.warning for cut, _ in reached) if reached else (),
        outcome=outcome_of(utf_8, facts, found),
        text=parsed.text if text_bytes else None,
        acts=acting.by_get,
        acts_by_method=acting.by_method,
    )


def page_base(parsed: ParsedElements, url: str, encoding: Encoding) -> Base:
    """The URL that the links of the page `url` are relative to."""
    queries = QueryEncoding(encoding.name, encoding.codec) if encoding.is_for_queries else None
    return Base(_base_url(parsed.by_tag.get("base", ()), url, queries), queries)


_NO_BASES = ("data:", "javascript:")


def _base_url(bases: Sequence[Element], url: str, encoding: QueryEncoding | None) -> str:
    """The base of relative links on the page at `url`, which has these `<base>`.

    The href of the first that has one decides, unless it is no URL or has a scheme that nothing is
    relative to (HTML Standard §4.2.3, "set the frozen base URL").
    """
    for _, attributes, *_ in bases:
        if "href" in attributes:
            href = attributes["href"] or ""
            base = join(url, encoding(href) if encoding else href)
            return url if base is None or base.startswith(_NO_BASES) else base
    return url


def utf_8_markup(body: bytes, charset_header: str | None) -> bytes:
    """The markup of a page as `extract` parses it, in UTF-8."""
    encoding, mark_bytes = sniff(body, charset_header)
    markup = cut_to_size(_readable(body[mark_bytes:], encoding))
    return without_repetition(flattened(Markup(decoded(markup, encoding).encode(), NATIVE_WALK)))


def header_links(
    headers: Sequence[tuple[str, str]], url: str, max_links: int = MAX_LINKS
) -> tuple[list[str], PageLinks]:
    """Targets and links in Link headers of a response that is no page, as in `Extract`.

    At most `max_links` of them.
    """
    links = Links(Base(url), max_links)
    links.add_headers(judged_headers(headers), url)
    return links.targets, links.as_page_links()


def _readable(markup: bytes, encoding: Encoding) -> bytes:
    """The part of `markup` to parse, before its tags are counted."""
    if len(markup) > MAX_MARKUP_BYTES:
        markup = markup[:MAX_MARKUP_BYTES]
    # Nearly all have none, which takes a tenth of the time of counting.
    if 0 not in markup or encoding.name.startswith("utf-16") or markup.count(0) <= _MANY_NULS:
        return markup
    return markup.replace(b"\0", b"")  # as the standard does it in text


def _prose(facts: PageFacts, body: list[ProseRun]) -> PageProse:
    head = [ProseRun("", text) for text in (facts.title, facts.description) if text]
    return PageProse(facts.language or "", [*head, *body])


def _reader(parser: Parser, native: NativeWalk | None) -> "_Read":
    if parser is Parser.SELECTOLAX:
        return partial(_read_with_lexbor, native)
    from gossamer.extract.soup_backend import find as find_with_soup  # noqa: PLC0415 - lxml, when asked for

    return find_with_soup


def _read_with_lexbor(
    native: NativeWalk | None,
    markup: bytes,
    address: bytes,
    content_exclude: tuple[str, ...],
    prose_exclude: tuple[str, ...] | None,
    text_bytes: int,
) -> ParsedElements:
    return find_with_lexbor(markup, address, native, content_exclude, prose_exclude, text_bytes)


_Read: TypeAlias = Callable[
    [bytes, bytes, tuple[str, ...], tuple[str, ...] | None, int], ParsedElements
]
"""Parses markup; see `gossamer.extract.lexbor_backend.find` for the others."""
