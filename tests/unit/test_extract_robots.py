import pytest

from gossamer.extract.html_page import extract
from gossamer.model.fields.page_flags import Directive, MarkupFlag
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case
from tests.fakes.page_facts import URL, facts_of, markup_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))
NONE = Directive(0)
LAST = "<meta name=googlebot content=' nofollow '>"


def directives(
    parser: Parser, head: str = "", body: str = "", headers: list[tuple[str, str]] | None = None
) -> Directive:
    return Directive(facts_of(parser, head, body, headers=headers or []).directives or 0)


@both_parsers
@each_case(
    ("content", "expected"),
    [
        ("", NONE),
        ("index, follow", Directive.INDEX | Directive.FOLLOW),
        ("NoIndex,NOFOLLOW", Directive.NOINDEX | Directive.NOFOLLOW),
        ("noindex nofollow", Directive.NOINDEX | Directive.NOFOLLOW),
        ("noindex; nofollow", Directive.NOINDEX | Directive.NOFOLLOW),
        ("noindex;nofollow", Directive.NOINDEX | Directive.NOFOLLOW),
        ("none", Directive.NONE),
        ("all", Directive.ALL),
        ("noarchive, nosnippet, notranslate", Directive.NOARCHIVE | Directive.NOSNIPPET
            | Directive.NOTRANSLATE),
        ("noodp,noydir,noimageindex", Directive.NOODP | Directive.NOYDIR
            | Directive.NOIMAGEINDEX),
        ("max-snippet:20", Directive.MAX_SNIPPET),
        ("max-image-preview: none", Directive.MAX_IMAGE_PREVIEW),
        ("max-image-preview : none", Directive.MAX_IMAGE_PREVIEW),
        ("max-snippet: -1, max-image-preview: large", Directive.MAX_SNIPPET
            | Directive.MAX_IMAGE_PREVIEW),
        ("max-video-preview:0", Directive.MAX_VIDEO_PREVIEW),
        ("unavailable_after: 25 Jun 2030 15:00:00 GMT", Directive.UNAVAILABLE_AFTER),
        ("indexifembedded, noindexed, x", NONE),
    ],
)  # fmt: skip
def test_directives_of_elements_and_headers(
    content: str, expected: Directive, parser: Parser
) -> None:
    for name in ("robots", "Gossamer"):
        assert directives(parser, f'<meta name="{name}" content="{content}">') == expected
    assert directives(parser, headers=[("X-Robots-Tag", content)]) == expected


@both_parsers
def test_what_other_robots_are_told_does_not_count(parser: Parser) -> None:
    assert directives(parser, "<meta name=googlebot content=noindex>") == NONE
    assert directives(parser, headers=[("x-robots-tag", "googlebot: noindex")]) == NONE
    ours = [("x-robots-tag", "gossamer: noindex"), ("X-Robots-Tag", "nofollow")]
    assert directives(parser, headers=ours) == Directive.NOINDEX | Directive.NOFOLLOW


@both_parsers
@each_case(
    ("head", "kept"),
    [
        ("<meta name=googlebot content=NoIndex>", "googlebot: NoIndex"),
        (
            "<meta name=GoogleBot content='noindex'><meta name=bingbot content='none;x'>" + LAST,
            "bingbot: none,x; googlebot: noindex, nofollow",
        ),
        ("<meta name=robots content=noindex>", None),
        ("<meta name=gossamer content=noindex><meta name=viewport content=x>", None),
        ("<meta name=googlebot>", "googlebot: "),
    ],
)
def test_what_single_crawlers_are_told_is_kept_apart(
    head: str, kept: str | None, parser: Parser
) -> None:
    assert facts_of(parser, head).crawler_robots == kept


@both_parsers
def test_a_crawl_as_googlebot_obeys_it_and_keeps_apart_what_all_robots_are_told(
    parser: Parser,
) -> None:
    head = "<meta name=robots content=nosnippet><meta name=googlebot content=noindex>"
    page = f"<html><head>{head}</head><body>x</body></html>".encode()
    facts = extract(page, URL, "utf-8", parser, robot="googlebot").facts
    assert facts.robots == "nosnippet, noindex"
    assert facts.directives == Directive.NOSNIPPET | Directive.NOINDEX
    assert facts.crawler_robots == "robots: nosnippet; googlebot: noindex"
    other = extract(page, URL, "utf-8", parser, robot="bingbot").facts
    assert (other.directives, other.crawler_robots) == (Directive.NOSNIPPET, "googlebot: noindex")


@both_parsers
def test_directives_outside_the_head_count_and_are_flagged(parser: Parser) -> None:
    body = "<p>x</p><meta name=robots content=noarchive>"
    assert directives(parser, body=body) == Directive.NOARCHIVE
    assert markup_of(parser, body=body) == MarkupFlag.ROBOTS_OUTSIDE_HEAD
    assert markup_of(parser, body="<p>x</p><meta name=googlebot content=none>") == 0
    assert markup_of(parser, "<meta name=robots content=none>") == 0


@both_parsers
@each_case(
    ("content", "stays"),
    [
        ("0; url=/x", False),
        ("1; url=/x", False),
        ("1.9; url=/x", False),
        ("2; url=/x", True),
        ("300", True),
        ("0", True),
        ("0; url=page.html#top", True),
        ("", False),
        ("soon; url=/x", False),
        ("5; url=javascript:x", False),
    ],
)
def test_a_refresh_that_is_no_redirect_is_a_directive(
    content: str, stays: bool, parser: Parser
) -> None:
    expected = Directive.REFRESH if stays else NONE
    assert directives(parser, f'<meta http-equiv="Refresh" content="{content}">') == expected
    assert directives(parser, headers=[("refresh", content)]) == expected


@both_parsers
def test_a_refresh_header_counts_before_an_element(parser: Parser) -> None:
    later = "<meta http-equiv=refresh content='9;/x'>"
    assert directives(parser, later, headers=[("Refresh", "0;/y")]) == NONE
    assert directives(parser, later, headers=[("Refresh", "x")]) == Directive.REFRESH


@both_parsers
def test_refreshes_are_kept_as_written(parser: Parser) -> None:
    one = "<noscript><meta http-equiv=refresh content='0;/no'></noscript>"
    page = facts_of(parser, one + "<meta http-equiv=refresh content=' 5;\n URL=/x '>")
    assert page.refresh == "5; URL=/x"
    assert facts_of(parser, one).refresh is None


@both_parsers
def test_the_viewport_and_the_old_ajax_scheme(parser: Parser) -> None:
    assert facts_of(parser, "<meta name=viewport content=' width=1 '>").viewport == "width=1"
    assert facts_of(parser, "<meta name=viewport>").viewport == ""
    assert facts_of(parser).viewport is None
    assert markup_of(parser, "<meta name=fragment content='!'>") == MarkupFlag.AJAX_FRAGMENT
    assert markup_of(parser, "<meta name=fragment content=x>") == 0


@both_parsers
@each_case(
    ("tag", "expected"),
    [
        ("<html lang=de>", False),
        ("<html>", True),
        ("<html lang>", True),
        ("<html lang=' '>", True),
        ("", True),
    ],
)
def test_a_page_should_say_its_language(tag: str, expected: bool, parser: Parser) -> None:
    found = extract(f"{tag}<title>x</title><p>x".encode(), URL, None, parser).facts
    assert bool((found.markup or 0) & MarkupFlag.NO_LANGUAGE) is expected
