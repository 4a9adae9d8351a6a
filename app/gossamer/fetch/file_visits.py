"""Reads the links of files: sitemaps, style sheets, and what headers name."""

from msgspec.structs import replace

from gossamer.fetch.body_extraction import BodyExtractor
from gossamer.fetch.body_readers import FileLinks, HeaderLinks, ReadSitemap, ReadStyleSheet
from gossamer.fetch.http_response import HttpResponse, ReadAs
from gossamer.fetch.response_head import BodyHandling, ResponseHead, is_style_sheet
from gossamer.fetch.visit_from_response import visit_of
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.visit import Visit


def with_style_sheets(read_as: ReadAs) -> ReadAs:
    """As `read_as`, but the bodies of style sheets are read, too."""

    def handling(head: ResponseHead) -> BodyHandling:
        return BodyHandling.STYLE_SHEET if is_style_sheet(head) else read_as(head)

    return handling


async def sitemap_visit(response: HttpResponse, bodies: BodyExtractor, read: ReadSitemap) -> Visit:
    """The visit of an expected sitemap; as a page, if it is one instead."""
    if not response.is_whole:
        return visit_of(response)
    listing = await bodies.read(response, lambda body: read(body, response.url))
    if listing is None:
        return visit_of(response, await bodies.extracted_instead(response))
    if not listing.damage and not listing.targets:
        response.notes = (ResponseWarning.SITEMAP_EMPTY,)
    return _leading_on(response, listing, ResponseWarning.SITEMAP_INCOMPLETE)


async def file_visit(
    bodies: BodyExtractor,
    read: ReadStyleSheet | None,
    read_headers: HeaderLinks | None,
    response: HttpResponse,
) -> Visit:
    """The visit, with the links of a style sheet if it is one, and with the canonical of a file."""
    visit = await _style_sheet_visit(bodies, read, response)
    canonical = with_header_links(visit, response.url, read_headers).canonical_header
    return visit if canonical is None else replace(visit, canonical_header=canonical)


async def _style_sheet_visit(
    bodies: BodyExtractor, read: ReadStyleSheet | None, response: HttpResponse
) -> Visit:
    head = response.head
    if response.reading is not BodyHandling.STYLE_SHEET or head is None or read is None:
        return visit_of(response)
    contents = await bodies.read(
        response, lambda body: read(body, response.url, head.charset, head.headers)
    )
    if contents is None:
        return visit_of(response)
    return _leading_on(response, contents, ResponseWarning.LINK_LIMIT)


def with_header_links(visit: Visit, url: str, read: HeaderLinks | None) -> Visit:
    """The visit, with the links and the canonical of its headers if it is one of a file."""
    if visit.outcome is not Outcome.FILE or read is None:
        return visit
    targets, links = read(visit.headers, url)
    if not links:
        return visit
    # If two differ, one of another URL counts, as with pages.
    named = [targets[link.target] for link in links if link.kind is LinkKind.CANONICAL]
    canonical = next((target for target in named if target != url), url if named else None)
    return replace(visit, targets=targets, links=links, canonical_header=canonical)


def _leading_on(response: HttpResponse, contents: FileLinks, incomplete: ResponseWarning) -> Visit:
    if contents.damage:
        response.limit(contents.damage, (incomplete,))
    return replace(visit_of(response), targets=contents.targets, links=contents.links)
