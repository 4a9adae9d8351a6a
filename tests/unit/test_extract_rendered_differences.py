"""How the rendered page differs from its HTML, and what both together are."""

from gossamer.extract.html_page import extract
from gossamer.extract.rendered_differences import (
    LoadedFile,
    PageContentRead,
    adds_words,
    has_files_blocked_by_robots,
    loaded_files,
    merged,
    wrongly_sized,
)
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkOrigin, LinkTrait, origin_of
from gossamer.model.rendering import BlockedBy, PageResource, RenderedImage, ResourceType
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

URL = "https://site.test/folder/page"


def read(markup: str) -> PageContentRead:
    page = f"<!doctype html><html><head>{markup}"
    return PageContentRead.of(extract(page.encode(), URL, "utf-8", Parser.SELECTOLAX))


def flags(html: str, rendered: str) -> RenderFlag:
    return RenderFlag(merged(read(html), read(rendered)).facts.javascript or 0)


TITLE = "<title>A page</title>"
CANONICAL = '<link rel="canonical" href="/c">'
ROBOTS = '<meta name="robots" content="noindex, nofollow">'


@each_case(
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


@each_case(
    ("html", "rendered", "expected"),
    [
        ("one two", "one two", False),
        ("one two", "one two three", True),
        ("one two", "one six", True),
        ("one two", "six", True),
        ("one two", "two\0one", False),
        ("one\0two\0two", "two\0one", False),
        ("one\0two", "two\0one\0two", True),
        ("same\0one two\0same", "same\0same two\0one", False),
        ("same\0one", "same\0six", True),
        ("one two two", "two, one.", False),
        ("one", "one one", True),
        ("", "", False),
        ("一二", "二一", False),
        ("一二", "一三", True),
    ],
)
def test_words_that_the_html_has_not_are_new(html: str, rendered: str, *, expected: bool) -> None:
    assert adds_words(html, rendered) is expected


IMAGE = "https://site.test/image.png"


def _wrongly_sized(*places: tuple[int, int], url: str = IMAGE, size_bytes: int = 40_000) -> bool:
    """Whether an image of 200 by 100 pixels, shown at these sizes, is not of the right one."""
    images = [RenderedImage(url, 200, 100, width, height) for width, height in places]
    return url in wrongly_sized(images, [PageResource(url, ResourceType.IMAGE, 200, size_bytes)])


def test_an_image_is_of_the_wrong_size_if_its_file_differs_by_4_kb_from_one_that_fits() -> None:
    assert not _wrongly_sized((200, 100))
    assert _wrongly_sized((100, 50))
    assert not _wrongly_sized((200, 90), size_bytes=40_950)
    assert _wrongly_sized((200, 90), size_bytes=40_970)
    assert _wrongly_sized((400, 200))
    assert not _wrongly_sized((100, 50), size_bytes=5_000)


def test_an_image_that_fits_one_of_its_places_is_of_the_right_size() -> None:
    assert not _wrongly_sized((100, 50), (200, 100))
    assert not _wrongly_sized((200, 100), (100, 50))


def test_images_without_size_or_pixels_are_not_judged() -> None:
    assert not _wrongly_sized((0, 0))
    assert not _wrongly_sized((100, 50), url="https://site.test/drawing.SVG?v=1")
    spacer = RenderedImage(IMAGE, 1, 1, 600, 400)
    background = RenderedImage(IMAGE, 0, 0, 600, 400, is_background=True)
    files = [PageResource(IMAGE, ResourceType.IMAGE, 200, 90_000)]
    assert wrongly_sized([spacer, background], files) == frozenset()


def test_the_links_of_images_of_the_wrong_size_are_marked() -> None:
    read_page = read('<body><img src="/image.png" alt=""><a href="/image.png">i</a>')
    page = merged(read_page, read_page, wrong_sizes={IMAGE})
    marked = {link.kind: bool(link.traits & LinkTrait.WRONG_SIZE) for link in page.links}
    assert marked == {LinkKind.IMAGE: True, LinkKind.ANCHOR: False}


def test_only_files_blocked_by_robots_count_as_blocked() -> None:
    def blocked(by: BlockedBy) -> bool:
        url = "https://site.test/a"
        return has_files_blocked_by_robots([PageResource(url, ResourceType.XHR, blocked_by=by)])

    assert {by for by in BlockedBy if blocked(by)} == {BlockedBy.ROBOTS}


def test_files_that_no_element_names_become_links() -> None:
    images = [
        RenderedImage("https://site.test/bg.png#part", is_background=True),
        RenderedImage("https://site.test/shown.png", 9, 9, 9, 9),
    ]
    resources = [
        PageResource("https://site.test/api", ResourceType.FETCH, blocked_by=BlockedBy.ROBOTS),
        PageResource("https://site.test/js", ResourceType.SCRIPT, blocked_by=BlockedBy.ROBOTS),
        PageResource("https://site.test/frame", ResourceType.DOCUMENT, blocked_by=BlockedBy.ROBOTS),
        PageResource("https://site.test/ping", ResourceType.PING, blocked_by=BlockedBy.TYPE),
    ]
    files = loaded_files(images, resources)
    read_page = read('<body><script src="/js"></script>')
    page = merged(read_page, read_page, files=[*files, *files])
    found = [
        (page.targets[link.target], link.kind, link.element, origin_of(link.traits))
        for link in page.links
    ]
    assert found == [
        ("https://site.test/js", LinkKind.SCRIPT, "script", LinkOrigin.BOTH),
        ("https://site.test/api", LinkKind.SCRIPT, "script", LinkOrigin.RENDERED),
        ("https://site.test/bg.png", LinkKind.CSS, "computed style", LinkOrigin.RENDERED),
    ]


def test_an_image_that_is_named_otherwise_is_still_a_background() -> None:
    read_page = read('<body><img src="/image.png" alt="">')
    page = merged(read_page, read_page, files=[LoadedFile(IMAGE, LinkKind.CSS, "computed style")])
    assert [link.kind for link in page.links] == [LinkKind.IMAGE, LinkKind.CSS]
    assert page.targets == [IMAGE]
