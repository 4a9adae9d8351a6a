"""How the rendered page differs from its HTML, and what both together are."""

import pytest

from gossamer.extract.html_page import extract
from gossamer.extract.rendered_differences import PageContentRead, image_flags, merged
from gossamer.model.page_flags import LinkOrigin, RenderFlag, origin_of
from gossamer.model.settings.request_settings import Parser

URL = "https://site.test/folder/page"


def read(markup: str) -> PageContentRead:
    page = f"<!doctype html><html><head>{markup}"
    return PageContentRead.of(extract(page.encode(), URL, "utf-8", Parser.SELECTOLAX))


def flags(html: str, rendered: str) -> RenderFlag:
    return RenderFlag(merged(read(html), read(rendered)).facts.javascript or 0)


TITLE = "<title>A page</title>"
CANONICAL = '<link rel="canonical" href="/c">'
ROBOTS = '<meta name="robots" content="noindex, nofollow">'


@pytest.mark.parametrize(
    ("html", "rendered", "expected"),
    [
        (TITLE, TITLE, 0),
        ("", TITLE, RenderFlag.TITLE_ONLY_IN_RENDERED),
        ("<title> </title>", TITLE, RenderFlag.TITLE_ONLY_IN_RENDERED),
        ("<title>Old</title>", TITLE, RenderFlag.TITLE_UPDATED),
        (TITLE, "", 0),
        ("", CANONICAL, RenderFlag.CANONICAL_ONLY_IN_RENDERED),
        (CANONICAL, '<link rel="canonical" href="/d">', RenderFlag.CANONICAL_MISMATCH),
        (CANONICAL, '<link rel="canonical" href="https://site.test/c">', 0),
        (ROBOTS, "", RenderFlag.NOINDEX_ONLY_IN_HTML | RenderFlag.NOFOLLOW_ONLY_IN_HTML),
        (
            '<meta name="robots" content="none">',
            '<meta name="robots" content="nofollow">',
            RenderFlag.NOINDEX_ONLY_IN_HTML,
        ),
        ("", ROBOTS, 0),
        (
            '<meta name="description" content="a">',
            '<meta name="description" content="b">',
            RenderFlag.DESCRIPTION_UPDATED,
        ),
        (
            "",
            '<meta name="description" content="b">',
            RenderFlag.DESCRIPTION_ONLY_IN_RENDERED,
        ),
        ("<body><h1>A</h1>", "<body><h1>B</h1>", RenderFlag.H1_UPDATED),
        ("<body><p>A</p>", "<body><h1>A</h1>", RenderFlag.H1_ONLY_IN_RENDERED),
        ("<body>one", "<body>one two", RenderFlag.CONTENT),
        ("<body>one two", "<body>one", 0),
        ("<body>", '<body><a href="/x"></a>', RenderFlag.LINKS),
        ("<body>", '<body><img src="/x.png" alt="">', 0),
    ],
)
def test_each_difference_has_its_flag(html: str, rendered: str, expected: int) -> None:
    assert flags(html, rendered) == expected


def test_the_links_of_both_are_kept_with_their_origins() -> None:
    html = read('<body><a href="/both">b</a><a href="/html">h</a><img src="/gone.png" alt="">')
    rendered = read('<body><a href="/js">j</a><a href="/both">other text</a>')
    page = merged(html, rendered)
    found = [
        (page.targets[link.target].rpartition("/")[2], origin_of(link.traits))
        for link in page.links
    ]
    assert found == [
        ("js", LinkOrigin.RENDERED),
        ("both", LinkOrigin.BOTH),
        ("html", LinkOrigin.HTML_ONLY),
    ]
    assert page.rendered_links == 1


def test_what_the_html_says_is_told_only_where_it_differs() -> None:
    page = merged(read(f"{TITLE}<body>one"), read(f"{TITLE}{CANONICAL}<body>one two"))
    assert page.html.html_title is None
    assert page.html.html_canonical == ""
    assert page.html.html_word_count == 1
    assert page.facts.word_count == 2


def test_images_are_judged_by_their_place() -> None:
    assert image_flags([(100, 50, 100, 50, False)]) == 0
    assert image_flags([(200, 100, 100, 50, False)]) == RenderFlag.WRONG_SIZE_IMAGES
    assert image_flags([(200, 100, 0, 0, False)]) == 0
    assert image_flags([(0, 0, 100, 50, True)]) == RenderFlag.BACKGROUND_IMAGES
