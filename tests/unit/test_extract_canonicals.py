import pytest

from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case
from tests.fakes.page_facts import URL, facts_of, markup_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))
NONE = MarkupFlag(0)
CONFLICTING = MarkupFlag.MULTIPLE_CANONICALS | MarkupFlag.CONFLICTING_CANONICALS
SITE = "https://example.com"


def link(rel: str, href: str, more: str = "") -> str:
    return f'<link rel="{rel}" href="{href}" {more}>'


def header(*links: str) -> list[tuple[str, str]]:
    return [("Link", link) for link in links]


@both_parsers
@each_case(
    ("hrefs", "canonical", "expected"),
    [
        ((f"{SITE}/a",), f"{SITE}/a", NONE),
        ((URL,), URL, NONE),
        (("/a",), f"{SITE}/a", MarkupFlag.CANONICAL_RELATIVE),
        (("//example.com/a",), f"{SITE}/a", MarkupFlag.CANONICAL_RELATIVE),
        ((f"{SITE}/a#b",), f"{SITE}/a", MarkupFlag.CANONICAL_FRAGMENT),
        ((f"{SITE}/a", f"{SITE}/a"), f"{SITE}/a", MarkupFlag.MULTIPLE_CANONICALS),
        ((f"{SITE}/a", f"{SITE}/b"), f"{SITE}/a", CONFLICTING),
        ((f"{SITE}/a", URL), f"{SITE}/a", CONFLICTING | MarkupFlag.LATER_SELF_CANONICAL),
        ((URL, f"{SITE}/a"), URL, CONFLICTING),
        ((f"{SITE}/a", "https://"), f"{SITE}/a", MarkupFlag.MULTIPLE_CANONICALS),
        (
            ("https://", URL),
            "https://",
            MarkupFlag.MULTIPLE_CANONICALS | MarkupFlag.LATER_SELF_CANONICAL,
        ),
        (("https://",), "https://", NONE),
        (("", f"{SITE}/a"), f"{SITE}/a", NONE),
        (("",), "", MarkupFlag.CANONICAL_EMPTY),
        ((" ", ""), "", MarkupFlag.CANONICAL_EMPTY),
        ((), None, NONE),
    ],
)
def test_canonical_elements(
    hrefs: tuple[str, ...], canonical: str | None, expected: MarkupFlag, parser: Parser
) -> None:
    head = "".join(link("canonical", href) for href in hrefs)
    assert facts_of(parser, head).canonical == canonical
    assert markup_of(parser, head) == expected


@both_parsers
@each_case("attribute", ["hreflang=de", "lang=de", "media=print", "type=text/html"])
def test_a_canonical_with_what_belongs_to_alternates_is_flagged(
    attribute: str, parser: Parser
) -> None:
    expected = MarkupFlag.CANONICAL_INVALID_ATTRIBUTE
    assert markup_of(parser, link("canonical", URL, attribute)) == expected
    assert markup_of(parser, link("canonical", URL, "id=x data-type=y")) == NONE


@both_parsers
def test_a_canonical_outside_the_head_still_counts(parser: Parser) -> None:
    body = f"<p>x</p>{link('canonical', f'{SITE}/a')}"
    assert facts_of(parser, body=body).canonical == f"{SITE}/a"
    assert markup_of(parser, body=body) == MarkupFlag.CANONICAL_OUTSIDE_HEAD


@both_parsers
@each_case(
    ("in_page", "in_header", "expected"),
    [
        (None, f"<{SITE}/a>; rel=canonical", NONE),
        (None, "</a>; rel=canonical", MarkupFlag.CANONICAL_RELATIVE),
        (None, f"<{SITE}/a#b>; rel=canonical", MarkupFlag.CANONICAL_FRAGMENT),
        (f"{SITE}/a", f'<{SITE}/a>; rel="Canonical"', MarkupFlag.MULTIPLE_CANONICALS),
        (
            f"{SITE}/b",
            f"<{SITE}/a>; rel=canonical",
            CONFLICTING,
        ),
        (
            None,
            f"<{SITE}/a>; rel=canonical, <{URL}>; rel=canonical",
            CONFLICTING | MarkupFlag.LATER_SELF_CANONICAL,
        ),
    ],
)
def test_canonicals_of_headers_count_with_those_of_elements(
    in_page: str | None, in_header: str, expected: MarkupFlag, parser: Parser
) -> None:
    head = link("canonical", in_page) if in_page else ""
    assert facts_of(parser, head, headers=header(in_header)).canonical_header == f"{SITE}/a"
    assert markup_of(parser, head, headers=header(in_header)) == expected


@both_parsers
def test_next_and_previous_pages(parser: Parser) -> None:
    page = facts_of(
        parser,
        link("next", "p3#x") + link("prev", "p1") + link("next", "p4"),
        headers=header("<h3>; rel=next, <h1>; rel=previous"),
    )
    assert (page.next_url, page.prev_url) == (f"{SITE}/docs/p3", f"{SITE}/docs/p1")
    assert (page.next_header, page.prev_header) == (f"{SITE}/docs/h3", f"{SITE}/docs/h1")
    page = facts_of(parser, body="<a rel=next href=x>x</a>")
    assert (page.next_url, page.prev_url, page.next_header, page.prev_header) == (None,) * 4


@both_parsers
@each_case(
    ("head", "headers", "expected"),
    [
        (link("next", "/2"), [], MarkupFlag.PAGINATION),
        (link("next", ""), [], NONE),
        (link("next", "/2") + link("prev", "/1"), [], MarkupFlag.PAGINATION),
        (link("next", "/2") * 2, [], MarkupFlag.PAGINATION),
        (
            link("next", "/2") + link("next", "/3"),
            [],
            MarkupFlag.PAGINATION | MarkupFlag.MULTIPLE_PAGINATION,
        ),
        ("", header("</2>; rel=prev"), MarkupFlag.PAGINATION),
        (link("prev", "/2"), header("</2>; rel=prev"), MarkupFlag.PAGINATION),
        (
            link("prev", "/2"),
            header("</1>; rel=prev"),
            MarkupFlag.PAGINATION | MarkupFlag.MULTIPLE_PAGINATION,
        ),
    ],
)
def test_pagination_is_flagged(
    head: str, headers: list[tuple[str, str]], expected: MarkupFlag, parser: Parser
) -> None:
    assert markup_of(parser, head, headers=headers) == expected


@both_parsers
def test_amp_and_mobile_pages(parser: Parser) -> None:
    small = 'media="only screen and (max-width: 640px)"'
    page = facts_of(
        parser,
        link("amphtml", "/amp")
        + link("alternate", "/print", "media=print")
        + link("alternate stylesheet", "/small.css", small)
        + link("alternate", "//m.example.com/", small),
    )
    assert (page.amp_url, page.mobile_url) == (f"{SITE}/amp", "https://m.example.com/")
    page = facts_of(parser, link("alternate", "/feed", "type=application/rss+xml"))
    assert (page.amp_url, page.mobile_url) == (None, None)


@both_parsers
@each_case(
    ("code", "is_valid"),
    [
        *[(code, True) for code in ("de", "de-AT", "DE-at", "x-default", "zh-Hant", "zh-hant-TW")],
        *[(code, True) for code in (" en ", "pt-BR", "sr-Latn-RS", "X-Default")],
        *[(code, False) for code in ("", "uk-UK", "en-UK", "en-EU", "en_US", "eng", "us", "x")],
        *[(code, False) for code in ("es-419", "de-DE-AT", "zh-Xxxx", "jp", "x-standard", "en-")],
    ],
)
def test_hreflang_codes_are_checked(code: str, is_valid: bool, parser: Parser) -> None:
    expected = MarkupFlag.HREFLANG
    if not is_valid:
        expected |= MarkupFlag.HREFLANG_INVALID_CODE
    assert markup_of(parser, link("alternate", "/x", f'hreflang="{code}"')) == expected
    in_header = header(f'</x>; rel=alternate; hreflang="{code}"')
    assert markup_of(parser, headers=in_header) == expected


@both_parsers
def test_what_is_no_hreflang(parser: Parser) -> None:
    assert markup_of(parser, link("alternate", "/feed")) == NONE
    assert markup_of(parser, link("author", "/x", "hreflang=xx")) == NONE
    assert markup_of(parser, link("alternate stylesheet", "/x", "hreflang=de")) == NONE
    assert markup_of(parser, link("alternate", " ", "hreflang=xx")) == NONE
    assert markup_of(parser, "<link rel=alternate hreflang=xx>") == NONE
    assert markup_of(parser, body="<a rel=alternate hreflang=xx href=/x>x</a>") == NONE
    assert markup_of(parser, headers=header("</x>; rel=next; hreflang=xx")) == MarkupFlag.PAGINATION
    assert markup_of(parser, headers=header("</x>; rel=alternate; title=xx")) == NONE


@both_parsers
def test_hreflang_outside_the_head(parser: Parser) -> None:
    body = f"<p>x</p>{link('alternate', '/x', 'hreflang=de')}"
    assert markup_of(parser, body=body) == MarkupFlag.HREFLANG | MarkupFlag.HREFLANG_OUTSIDE_HEAD
