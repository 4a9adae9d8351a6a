import pytest

from gossamer.extract.html_page import extract, header_links
from gossamer.extract.link_header import HeaderLink, link_header
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Link
from tests.cases import each_case

URL = "https://example.com/docs/page.html"


def links(*values: str) -> list[HeaderLink]:
    return [link._replace(hreflang=None, is_relative=False) for link in link_header(values, URL)]


@each_case(
    ("rel", "kind"),
    [
        ("canonical", LinkKind.CANONICAL),
        ("NEXT", LinkKind.PAGINATION),
        ("prev", LinkKind.PAGINATION),
        ("stylesheet", LinkKind.STYLESHEET),
        ("icon", LinkKind.ICON),
        ("preload", LinkKind.OTHER),
        ("preconnect stylesheet", LinkKind.STYLESHEET),
        ("https://example.com/relation", LinkKind.OTHER),
    ],
)
def test_the_relation_tells_the_kind(rel: str, kind: LinkKind) -> None:
    assert links(f'<x>; rel="{rel}"') == [HeaderLink("https://example.com/docs/x", kind, "", rel)]


@each_case(
    ("value", "found"),
    [
        ("</a>; rel=next, </b>; rel=prev", ["/a", "/b"]),
        ("</a>;rel=next,</b>;rel=prev", ["/a", "/b"]),
        (" , </a> ; rel = next ,, </b>; rel=prev", ["/a", "/b"]),
        ("</a,b;c>; rel=next", ["/a,b;c"]),
        ('</a>; title="x, <y>; rel=z"; rel=next, </b>; rel="prev"', ["/a", "/b"]),
        (r'</a>; title="x\", \\"; rel=next, </b>; rel="prev"', ["/a", "/b"]),
        ("</a>; ; rel=next; crossorigin", ["/a"]),
        ("</a>; REL=next", ["/a"]),
        ('</a>; rel="next', ["/a"]),
        ("</a>; rel=next junk, </b>; rel=prev", ["/a", "/b"]),
        ("</a>; rel=next, junk, </b>; rel=prev", ["/a"]),
        ("</a>", []),
        ("</a>; title=x", []),
        ("</a; rel=next", []),
        ("/a; rel=next", []),
        ("", []),
    ],
)
def test_values_are_read_as_the_rfc_says(value: str, found: list[str]) -> None:
    assert [target.removeprefix("https://example.com") for target, *_ in links(value)] == found


def test_each_header_counts() -> None:
    assert len(links("</a>; rel=next", "junk", "</b>; rel=prev")) == 2


@each_case(
    ("value", "link"),
    [
        ('<>; rel=canonical; title="T"', HeaderLink(URL, LinkKind.CANONICAL, "T", "canonical")),
        (
            "<#a>; rel=next; rel=prev; title*=UTF-8'de'f%C3%BCr; title=x",
            HeaderLink(f"{URL}#a", LinkKind.PAGINATION, "für", "next"),
        ),
        (
            "<//o.example>; rel=alternate; hreflang=de; hreflang=fr; title=T",
            HeaderLink("https://o.example/", LinkKind.ALTERNATE, "de", "alternate", "de"),
        ),
        ("<#>; rel=next", HeaderLink(f"{URL}#", LinkKind.PAGINATION, "", "next")),
        ("<http://[>; rel=next", HeaderLink("http://[", LinkKind.PAGINATION, "", "next")),
        (
            "<x>; rel=next; title*=klingon'x'y",
            HeaderLink("https://example.com/docs/x", LinkKind.PAGINATION, "", "next"),
        ),
    ],
)
def test_targets_and_titles_are_resolved(value: str, link: HeaderLink) -> None:
    (found,) = link_header([value], URL)
    assert found._replace(is_relative=False) == link


def test_the_title_of_an_alternate_is_not_taken_for_its_language() -> None:
    (link,) = link_header(
        ['</wp-json/3>; rel="alternate"; title="JSON"; type="application/json"'], URL
    )
    assert (link.text, link.hreflang) == ("", None)


@each_case(
    ("href", "is_relative"),
    [
        ("https://example.com/", False),
        ("HTTP://o.example", False),
        ("/a:b", True),
        ("//example.com/", True),
        ("page", True),
        ("", True),
    ],
)
def test_a_target_without_scheme_is_relative(href: str, is_relative: bool) -> None:
    (link,) = link_header([f"<{href}>; rel=canonical"], URL)
    assert link.is_relative is is_relative


@each_case(("anchor", "count"), [("", 1), ("#part", 1), ("page.html", 1), (URL, 1), ("/other", 0)])
def test_links_of_another_resource_are_left_out(anchor: str, count: int) -> None:
    assert len(links(f'<x>; rel=next; anchor="{anchor}"')) == count


HEADERS = [
    ("Content-Type", "text/html"),
    ("Link", "<../c#x>; rel=Canonical"),
    ("link", "<ü?ü>; rel=next, <javascript:1>; rel=next, <>; rel=stylesheet"),
]
HEADER_LINKS = [
    Link(0, LinkKind.CANONICAL, "", "canonical", "Link header", "#x"),
    Link(1, LinkKind.PAGINATION, "", "next", "Link header"),
]
TARGETS = ["https://example.com/c", "https://example.com/docs/%C3%BC?%C3%BC"]


@pytest.mark.parametrize("parser", list(Parser))
def test_links_of_headers_come_before_those_of_the_page(parser: Parser) -> None:
    # They are relative to the URL that answered, and in UTF-8, whatever the page says.
    body = "<base href=/base/><a href='?ü'>x</a>".encode("latin-1")
    page = extract(body, URL, "latin1", parser, HEADERS)
    assert page.targets[:2] == TARGETS
    assert page.targets[-1] == "https://example.com/base/?%FC"
    assert list(page.links)[:2] == HEADER_LINKS
    last = Link(len(page.targets) - 1, LinkKind.ANCHOR, "x", "", "a", "", 36, "body > a")
    assert list(page.links)[-1] == last


def test_answers_that_are_no_page_have_links_too() -> None:
    targets, found = header_links(HEADERS, URL)
    assert targets[:2] == TARGETS
    assert list(found)[:2] == HEADER_LINKS
