"""Builds the demo site as a mapping from paths to responses; reads only its text files.

"The Gossamer Museum" is made up, and so is everything that is wrong with its web site: chains,
loops and dead ends are there to be found. The same texts always give the same bytes.
"""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import format_datetime
from html import escape
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from gossamer.demo.demo_images import floor_plan, orb_web
from gossamer.demo.html_builder import MUSEUM, Document, DocumentRenderer, paragraph
from gossamer.demo.journal_pages import (
    NOT_FOUND,
    content_type_of,
    feed,
    journal_documents,
    shop_documents,
    written_documents,
)
from gossamer.demo.museum_pages import exhibit_documents
from gossamer.demo.page_texts import DemoContent, ErrorResponse, load_content, slug_of
from gossamer.demo.workshop.access_examples import ACCESS_PAGES, PHONE_PAGE
from gossamer.demo.workshop.example_page import ExamplePage, rendered_examples, workshop_index
from gossamer.demo.workshop.markup_examples import MARKUP_PAGES
from gossamer.demo.workshop.relation_examples import RELATED_PAGES
from gossamer.demo.workshop.script_examples import SCRIPT_PAGES, THUMBNAIL_PATH, thumbnail
from gossamer.demo.workshop.text_examples import TEXT_PAGES
from gossamer.demo.workshop.version_examples import VERSION_PAGES
from gossamer.model.program_resources import resource_path

_RENOVATED = dt.date(2026, 7, 1)
_OLD_CATALOGUE = 12
_ROBOTS = (
    "User-agent: *\nDisallow: /staff/\n\nSitemap: {origin}/sitemap.xml\n"
    "Sitemap: {origin}/workshop/sitemap.xml\n"
)
EXAMPLES: Final[tuple[ExamplePage, ...]] = (
    *TEXT_PAGES,
    *RELATED_PAGES,
    *VERSION_PAGES,
    *MARKUP_PAGES,
    *SCRIPT_PAGES,
    *ACCESS_PAGES,
    PHONE_PAGE,
)
"""The pages of the workshop."""
_IN_TWO_SITEMAPS: Final = "/workshop/lists/twice.html"
_IN_NO_SITEMAP: Final = "/workshop/lists/none.html"
_LARGE_IMAGE_BYTES: Final = 120 * 1024
_LARGE_SCRIPT_BYTES: Final = 2 * 1024 * 1024 + 1


@dataclass(frozen=True, slots=True)
class DemoResponse:
    """One response. `delay_s` is how long the server waits before its first byte."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class DemoSite:
    """Responds by path. A path is a request target: percent-encoded, with its query."""

    origin: str
    responses: Mapping[str, DemoResponse]
    not_found: DemoResponse

    def respond(self, target: str) -> DemoResponse:
        """The response to a request target; 404 for an unknown one."""
        return self.responses.get(target, self.not_found)


def build_site(origin: str) -> DemoSite:
    """The whole site as it is served at `origin` (scheme, host and port, no slash)."""
    content = load_content()
    renderer = DocumentRenderer(origin)
    delays = {page.path: page.delay_s for page in content.pages}
    dates = {entry.path: entry.date for entry in content.entries}
    documents = list(_documents(content))
    responses: dict[str, DemoResponse] = {}
    for document in documents:
        headers = (
            ("Content-Type", content_type_of(document)),
            ("Last-Modified", _http_date(dates.get(document.path, _RENOVATED))),
        )
        body = renderer.render(document)
        delay_s = delays.get(document.path, 0.0)
        responses[target_of(document.path)] = DemoResponse(200, headers, body, delay_s)
    responses.update(_redirects(content))
    responses.update(_files(content, origin))
    wanted = [*_wanted(documents), _IN_TWO_SITEMAPS]
    responses["/sitemap.xml"] = _file("application/xml", _sitemap(wanted, dates, origin))
    responses.update(_workshop(renderer, origin))
    errors = {error.path: _error(error, renderer) for error in content.errors}
    not_found = errors.pop(NOT_FOUND)
    return DemoSite(origin, MappingProxyType(responses | errors), not_found)


def target_of(path: str) -> str:
    """The request target for an address as a user writes it."""
    return quote(path.partition("#")[0], safe="/?=&:")


def _documents(content: DemoContent) -> Iterator[Document]:
    yield from exhibit_documents(content)
    yield from journal_documents(content)
    yield from shop_documents(content)
    yield from written_documents(content)
    yield workshop_index(EXAMPLES)


def _redirects(content: DemoContent) -> Iterator[tuple[str, DemoResponse]]:
    redirects = content.redirects
    for source, target, status in redirects.moved:
        yield source, _redirect(target, status)
    for chain in redirects.chain:
        for source, target, status in zip(
            chain.steps, chain.steps[1:], chain.statuses, strict=False
        ):
            yield source, _redirect(target, status)
    kinds = (301, 302, 307, 308)
    for thread in redirects.thread:
        for hop in range(1, thread.hops + 1):
            target = f"/{thread.name}/{hop + 1}" if hop < thread.hops else thread.end
            yield f"/{thread.name}/{hop}", _redirect(target, kinds[hop % len(kinds)])
    # The old catalogue: from a number to the common name, and from that to the page.
    for number, species in enumerate(content.species[:_OLD_CATALOGUE], 1):
        common = f"/spiders/{slug_of(species.name)}"
        yield f"/spider.php?id={number}", _redirect(common, 301)
        yield common, _redirect(species.path, 308)


def _redirect(target: str, status: int) -> DemoResponse:
    headers = (("Location", target),) if target else ()
    return DemoResponse(status, headers, b"")


def _files(content: DemoContent, origin: str) -> Iterator[tuple[str, DemoResponse]]:
    yield "/robots.txt", _file("text/plain; charset=utf-8", _ROBOTS.format(origin=origin))
    css = resource_path("demo", "museum.css").read_text("utf-8")
    yield "/assets/museum.css", _file("text/css; charset=utf-8", css)
    for number in range(len(content.halls)):
        yield f"/assets/web-{number}.svg", _file("image/svg+xml", orb_web(number))
    yield "/journal/feed.xml", _file("application/rss+xml", feed(content, origin))
    plan = floor_plan([hall.name for hall in content.halls])
    yield "/visit/floor-plan.pdf", _file("application/pdf", plan)


def _file(content_type: str, body: str | bytes) -> DemoResponse:
    headers = (("Content-Type", content_type), ("Last-Modified", _http_date(_RENOVATED)))
    return DemoResponse(200, headers, body.encode() if isinstance(body, str) else body)


def _workshop(renderer: DocumentRenderer, origin: str) -> Iterator[tuple[str, DemoResponse]]:
    for page, body in rendered_examples(EXAMPLES, renderer, origin):
        yield target_of(page.address), DemoResponse(200, tuple(page.headers), body)
    yield "/workshop/links/old-distrusted", _redirect("/workshop/links/distrusted.html", 301)
    large = orb_web(0).replace("<title>", f"<!-- {'x' * _LARGE_IMAGE_BYTES} --><title>", 1)
    yield "/workshop/files/large.svg", _file("image/svg+xml", large)
    script = f"// {'x' * _LARGE_SCRIPT_BYTES}\n"
    yield THUMBNAIL_PATH, _file("image/bmp", thumbnail())
    yield "/workshop/files/large.js", _file("text/javascript; charset=utf-8", script)
    paths = [page.address for page in EXAMPLES if page.listed and page.address != _IN_NO_SITEMAP]
    yield "/workshop/sitemap.xml", _file("application/xml", _sitemap(paths, {}, origin))


def _wanted(documents: list[Document]) -> Iterator[str]:
    """The paths of the pages that are meant to be found, one of which no other page links."""
    for document in documents:
        if (
            document.canonical in {"", document.path}
            and not document.robots
            and not document.path.startswith("/staff/")
        ):
            yield document.path


def _sitemap(paths: list[str], dates: dict[str, dt.date], origin: str) -> str:
    urls = "".join(
        f"<url><loc>{origin}{escape(target_of(path))}</loc>"
        f"<lastmod>{dates.get(path, _RENOVATED).isoformat()}</lastmod></url>\n"
        for path in sorted(paths)
    )
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{namespace}">\n{urls}</urlset>\n'
    )


def _error(error: ErrorResponse, renderer: DocumentRenderer) -> DemoResponse:
    document = Document(
        path=error.path,
        title=f"{error.title} · {MUSEUM}",
        headline=error.title,
        body=paragraph(error.text),
        bare=True,
    )
    headers: tuple[tuple[str, str], ...] = (("Content-Type", content_type_of(document)),)
    if error.retry_after_s is not None:
        headers = (*headers, ("Retry-After", str(error.retry_after_s)))
    return DemoResponse(error.status, headers, renderer.render(document))


def _http_date(day: dt.date) -> str:
    noon = dt.datetime.combine(day, dt.time(12), dt.UTC)
    return format_datetime(noon, usegmt=True)
