"""Both back ends read thousands of pages that people wrote, and find the same in them."""

import random
import re
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest
from msgspec.structs import replace

from gossamer.demo.site import build_site
from gossamer.extract.html_page import extract
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag, MarkupFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import NO_LINKS, Extract, Link

CORPORA = {
    "cppreference-doc-en-html": Path("/usr/share/cppreference/doc/html"),
    "postgresql-doc-15": Path("/usr/share/doc/postgresql-doc-15/html"),
}
SAMPLE = 50

ANCHOR = re.compile(r"<a\s[^>]*?href=(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
COMMENT_OR_SCRIPT = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1>", re.DOTALL)
# Links may not contain links. The HTML Standard ends the outer one where the inner one begins, so
# that it can be left without text; libxml2 nests them. The only difference on these pages.
NESTED_ANCHORS = re.compile(r"<a\s[^>]*>(?:(?!</a>).)*?<a\s", re.DOTALL | re.IGNORECASE)
SAFE_IN_FRAGMENTS = "!#$%&'()*+,/:;=?@[]\\^{|}~"
TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)


class Page(NamedTuple):
    """A page that somebody wrote, and what is found in it."""

    path: Path
    url: str
    body: bytes
    extracted: Extract

    @property
    def hrefs(self) -> list[str]:
        """What the anchors in its source lead to."""
        source = COMMENT_OR_SCRIPT.sub("", self.body.decode())
        return [unescape(first or second) for first, second in ANCHOR.findall(source)]

    @property
    def anchors(self) -> list[Link]:
        """Those that are found in it."""
        return [link for link in self.extracted.links if link.kind is LinkKind.ANCHOR]


@pytest.fixture(params=CORPORA, scope="module")
def pages(request: pytest.FixtureRequest) -> list[Page]:
    """A sample of a package's pages with the URL each would have; the same in every run."""
    folder = CORPORA[request.param]
    files = sorted(folder.rglob("*.html")) if folder.is_dir() else []
    if not files:
        pytest.skip(f"the Debian package {request.param} is not installed")
    chosen = random.Random(request.param).sample(files, SAMPLE)
    urls = [f"https://example.com/{quote(path.relative_to(folder).as_posix())}" for path in chosen]
    bodies = [path.read_bytes() for path in chosen]
    return [
        Page(path, url, body, extract(body, url, None, Parser.SELECTOLAX))
        for path, url, body in zip(chosen, urls, bodies, strict=True)
    ]


def readable(page: Extract, *, texts: bool) -> list[tuple[str, ...]]:
    return [
        (
            page.targets[link.target],
            link.kind.name,
            link.text if texts else "",
            link.rel,
            link.element,
            link.fragment,
        )
        for link in page.links
    ]


def facts(page: Extract, *, texts: bool) -> PageFacts:
    """Without those that come of links without text, unless they can be told."""
    found = page.facts
    flags = (found.content or 0) & ~ContentFlag.NO_ANCHOR_TEXT
    markup = (found.markup or 0) & ~MarkupFlag.EMPTY_LINK
    return found if texts else replace(found, content=flags, markup=markup)


def without_paths(page: Extract) -> Extract:
    """Where `<tbody>` is left out, the HTML Standard adds it to paths, and libxml2 does not."""
    return replace(page, links=replace(page.links, paths=NO_LINKS.paths))


def test_both_back_ends_find_the_same(pages: list[Page]) -> None:
    alike = 0
    for path, url, body, fast in pages:
        slow = extract(body, url, None, Parser.BEAUTIFULSOUP)
        nested = NESTED_ANCHORS.search(COMMENT_OR_SCRIPT.sub("", body.decode()))
        assert readable(fast, texts=not nested) == readable(slow, texts=not nested), path
        assert facts(fast, texts=not nested) == facts(slow, texts=not nested), path
        assert (fast.targets, fast.charset) == (slow.targets, slow.charset)
        alike += without_paths(fast) == without_paths(slow)
    assert alike > 0.95 * len(pages)


def test_every_anchor_in_the_source_is_a_link(pages: list[Page]) -> None:
    total = 0
    for page in pages:
        assert len(page.anchors) == len(page.hrefs), page.path
        total += len(page.anchors)
    assert total > SAMPLE


def test_every_fragment_in_the_source_stays_on_its_link(pages: list[Page]) -> None:
    for page in pages:
        fragments = [
            quote("".join(href.partition("#")[1:]), safe=SAFE_IN_FRAGMENTS) for href in page.hrefs
        ]
        assert [link.fragment for link in page.anchors] == fragments, page.path


def test_every_title_is_the_one_in_the_source(pages: list[Page]) -> None:
    for page in pages:
        found = TITLE.search(page.body.decode())
        assert found
        title = re.sub("[ \\n]+", " ", unescape(found[1])).strip(" ")
        assert page.extracted.facts.title == title, page.path
        assert page.extracted.facts.word_count
        assert page.extracted.charset == "utf-8"


FOR_THE_STANDARD = {"/workshop/markup/body-first.html"}
"""Pages of the demo site that only a parser builds right that follows the HTML standard."""
MOST_BYTES = 200_000
"""Of a page of it: the rows of its register of a megabyte are alike."""


def test_both_back_ends_find_the_same_on_the_demo_site() -> None:
    site = build_site("http://localhost:8000")
    pages = 0
    for target, response in site.responses.items():
        content_type = dict(response.headers).get("Content-Type", "")
        if not content_type.startswith("text/html") or target in FOR_THE_STANDARD:
            continue
        pages += 1
        url = f"http://localhost:8000{target}"
        charset = content_type.partition("charset=")[2] or None
        body = response.body
        if len(body) > MOST_BYTES:
            body = body[:MOST_BYTES].rpartition(b"<")[0]
        fast = extract(body, url, charset, Parser.SELECTOLAX)
        slow = extract(body, url, charset, Parser.BEAUTIFULSOUP)
        assert fast == slow, target
    assert pages > 100
