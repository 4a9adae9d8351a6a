"""Every element and attribute that carries a link, in both back ends."""

import pytest

from gossamer.extract.css_and_srcset_urls import MAX_ELEMENT
from gossamer.extract.html_page import extract
from gossamer.extract.link_targets import MAX_FRAGMENT
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract, Refresh
from tests.cases import each_case

URL = "https://example.com/docs/page.html?q=1"

pytestmark = pytest.mark.parametrize("parser", list(Parser))


def read(html: str, parser: Parser, url: str = URL) -> Extract:
    return extract(html.encode(), url, "utf-8", parser)


def found(html: str, parser: Parser) -> list[tuple[str, LinkKind, str, str]]:
    """Target without our site, kind, element and text of each link."""
    page = read(html, parser)
    return [
        (
            page.targets[link.target].removeprefix("https://example.com"),
            link.kind,
            link.element,
            link.text,
        )
        for link in page.links
    ]


@each_case(
    ("html", "element"),
    [
        ("<a href=/x>x</a>", "a"),
        ("<map><area href=/x></map>", "area"),
        ("<link href=/x rel=canonical>", "link"),
        ("<img src=/x>", "img"),
        ("<script src=/x></script>", "script"),
        ("<iframe src=/x></iframe>", "iframe"),
        ("<video src=/x></video>", "video"),
        ("<audio src=/x></audio>", "audio"),
        ("<video><source src=/x></video>", "source"),
        ("<video><track src=/x></video>", "track"),
        ("<embed src=/x>", "embed"),
        ("<object data=/x></object>", "object"),
        ("<form action=/x></form>", "form"),
        ("<svg><a xlink:href=/x></a></svg>", "a"),
        ("<svg><image href=/x></image></svg>", "image"),
    ],
)
def test_a_link_says_where_it_stands(html: str, element: str, parser: Parser) -> None:
    page = read(html, parser)
    assert [link.element for link in page.links] == [element]


@each_case(
    ("html", "links"),
    [
        (
            "<img src=/a srcset='/b 1x, /c 2x' alt=Cat>",
            [
                ("/a", LinkKind.IMAGE, "img", "Cat"),
                ("/b", LinkKind.IMAGE, "img srcset", "Cat"),
                ("/c", LinkKind.IMAGE, "img srcset", "Cat"),
            ],
        ),
        ("<img srcset=/a>", [("/a", LinkKind.IMAGE, "img srcset", "")]),
        (
            "<picture><source srcset='/a 100w, /b 200w'><img src=/c></picture>",
            [
                ("/a", LinkKind.IMAGE, "source srcset", ""),
                ("/b", LinkKind.IMAGE, "source srcset", ""),
                ("/c", LinkKind.IMAGE, "img", ""),
            ],
        ),
        (
            "<link rel=preload as=image imagesrcset='/a 1x, /b 2x'>",
            [
                ("/a", LinkKind.IMAGE, "link imagesrcset", ""),
                ("/b", LinkKind.IMAGE, "link imagesrcset", ""),
            ],
        ),
        (
            "<video src=/a poster=/b></video>",
            [("/a", LinkKind.MEDIA, "video", ""), ("/b", LinkKind.IMAGE, "video poster", "")],
        ),
        ("<video poster=/b></video>", [("/b", LinkKind.IMAGE, "video poster", "")]),
        ("<input type=Image src=/a alt=Go>", [("/a", LinkKind.IMAGE, "input", "Go")]),
        ("<input type=submit src=/a>", []),
        ("<input formaction=/a>", [("/a", LinkKind.FORM, "input formaction", "")]),
        ("<button formaction=/a>x</button>", [("/a", LinkKind.FORM, "button formaction", "")]),
        ("<button>x</button>", []),
        ("<svg><image xlink:href=/a></image></svg>", [("/a", LinkKind.IMAGE, "image", "")]),
        ("<svg><use href=/a></use><use xlink:href=/b></use></svg>", []),
        ("<blockquote cite=/a>x</blockquote><q cite=/b>x</q>", []),
        ("<img data-src=/a>", []),
        ("<a ping=/a>x</a>", []),
    ],
)
def test_further_attributes_link_too(
    html: str, links: list[tuple[str, LinkKind, str, str]], parser: Parser
) -> None:
    assert found(html, parser) == links


@each_case(
    ("html", "links"),
    [
        ("<div style='background:url(/a)'>x</div>", [("/a", "div style")]),
        (
            "<p style='background:URL(\"/a\"), url(/b)'>x</p>",
            [("/a", "p style"), ("/b", "p style")],
        ),
        ("<x-y style='background:url(/a)'>x</x-y>", [("/a", "x-y style")]),
        ("<a href=/l style='background:url(/a)'>x</a>", [("/l", "a"), ("/a", "a style")]),
        ("<p style='color:red'>x</p><p style='x:urlx'>x</p>", []),
        ("<style>@import '/a'; b{c:url(/b)}</style>", [("/a", "style"), ("/b", "style")]),
        ("<style type=Text/CSS>b{c:url(/b)}</style>", [("/b", "style")]),
        ("<style type=''>b{c:url(/b)}</style>", [("/b", "style")]),
        ("<style type=text/less>b{c:url(/b)}</style>", []),
        ("<style>b{c:url(/&quot;)}</style>", [("/&quot;", "style")]),
        ("<style><!-- b{c:url(/b)} --></style>", [("/b", "style")]),
        ("<template><style>b{c:url(/b)}</style></template>", []),
    ],
)
def test_css_links(html: str, links: list[tuple[str, str]], parser: Parser) -> None:
    assert [(target, element) for target, _, element, _ in found(html, parser)] == links
    styles = {kind for _, kind, element, _ in found(html, parser) if "style" in element}
    assert styles <= {LinkKind.CSS}


@each_case(
    ("meta", "links"),
    [
        ("property=og:image content=/a", [("/a", "meta og:image")]),
        ("property=OG:Image:secure_url content=' /a '", [("/a", "meta og:image:secure_url")]),
        ("property=og:url content=/a", [("/a", "meta og:url")]),
        ("property=og:video content=/a", [("/a", "meta og:video")]),
        ("property=og:audio content=/a", [("/a", "meta og:audio")]),
        ("name=twitter:image content=/a", [("/a", "meta twitter:image")]),
        ("property=og:image content=''", []),
        ("property=og:image", []),
        ("property=og:image:width content=100", []),
        ("property=og:title content=/a", []),
    ],
)
def test_open_graph_links(meta: str, links: list[tuple[str, str]], parser: Parser) -> None:
    page = found(f"<meta {meta}>", parser)
    assert [(target, element) for target, _, element, _ in page] == links
    assert {kind for _, kind, _, _ in page} <= {LinkKind.OPEN_GRAPH}


def test_an_alternate_says_its_language(parser: Parser) -> None:
    page = read("<link rel=alternate hreflang=' de-AT ' title=T href=/x>", parser)
    (link,) = page.links
    assert (link.kind, link.text) == (LinkKind.ALTERNATE, "de-AT")


@each_case(
    "html",
    [
        "<template><a href=/x>x</a><img srcset=/x><p style='a:url(/x)'></p></template>",
        "<template><meta http-equiv=refresh content='0;url=/x'></template>",
        "<template><template><a href=/x>x</a></template></template>",
        "<script>document.write('<a href=/x>x</a>')</script>",
        "<script type=text/template><a href=/x>x</a></script>",
    ],
)
def test_what_only_scripts_use_is_no_link(html: str, parser: Parser) -> None:
    page = read(html, parser)
    assert (len(page.links), page.refresh) == (0, None)


# ---------------------------------------------------------------- fragments


@each_case(
    ("href", "fragment"),
    [
        ("/x#part", "#part"),
        ("#part", "#part"),
        ("/x", ""),
        ("", ""),
        ("?q", ""),
        # An empty one is told from none.
        ("/x#", "#"),
        ("#", "#"),
        ("##", "##"),
        (" # ", "#"),
        ("/x# ", "#"),
        ("/x #", "#"),
        ("/x\n#\t", "#"),
        ("?#", "#"),
        ("?q#", "#"),
        ("mailto:a@example.com#", "#"),
        ("http://[#", "#"),
        ("//#", "#"),
        (" /x#a b ", "#a%20b"),
        ("/x#ü", "#%C3%BC"),
        ("/x#a#b", "#a#b"),
        ("/x?q#:~:text=a", "#:~:text=a"),
        ("mailto:a@example.com#x", "#x"),
        ("http://[#x", "#x"),
        ("/x#" + "a" * 5000, "#" + "a" * (MAX_FRAGMENT - 1)),
    ],
)
def test_fragments_stay_on_the_link(href: str, fragment: str, parser: Parser) -> None:
    page = read(f'<a href="{href}">x</a>', parser)
    (link,) = page.links
    assert link.fragment == fragment
    assert "#" not in page.targets[0]


def test_images_and_canonicals_keep_theirs_too(parser: Parser) -> None:
    page = read(
        "<link rel=canonical href=/c#x><img src=/i.svg#y><img src=#><form action=#>", parser
    )
    assert [link.fragment for link in page.links] == ["#x", "#y", "#", "#"]


# ---------------------------------------------------------------- refreshes


@each_case(
    ("html", "refresh"),
    [
        ("<meta http-equiv=refresh content='5; url=/x#y'>", Refresh(5, "https://example.com/x")),
        ("<meta http-equiv=Refresh content='0;x'>", Refresh(0, "https://example.com/docs/x")),
        (
            "<base href=/b/><meta http-equiv=refresh content='0;url=x'>",
            Refresh(0, "https://example.com/b/x"),
        ),
        (
            "<base href=/b/><meta http-equiv=refresh content='0;url='>",
            Refresh(0, "https://example.com/b/"),
        ),
        ("<body><meta http-equiv=refresh content='0;/x'>", Refresh(0, "https://example.com/x")),
        # Itself, in one way or another.
        ("<meta http-equiv=refresh content=300>", None),
        ("<base href=/b/><meta http-equiv=refresh content=300>", None),
        ("<meta http-equiv=refresh content='0;url='>", None),
        ("<meta http-equiv=refresh content='0;url=#x'>", None),
        ("<meta http-equiv=refresh content='0;page.html?q=1'>", None),
        # No refresh, or one that leads nowhere.
        ("<meta http-equiv=refresh>", None),
        ("<meta http-equiv=refresh content=x>", None),
        ("<meta name=refresh content='0;url=/x'>", None),
        ("<meta http-equiv=' refresh' content='0;url=/x'>", None),
        ("<meta http-equiv=refresh content='0;url=javascript:1'>", None),
        ("<meta http-equiv=refresh content='0;url=mailto:a@example.com'>", None),
        # Visitors with scripts do not see it.
        ("<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>", None),
        ("<body><noscript><p><meta http-equiv=refresh content='0;/x'></p></noscript>", None),
    ],
)
def test_where_a_page_sends_its_visitors(
    html: str, refresh: Refresh | None, parser: Parser
) -> None:
    assert read(html, parser).refresh == refresh


@each_case(
    ("contents", "url"),
    [
        (["0;/1", "0;/2"], "https://example.com/1"),
        (["x", "0;http://[", "0;javascript:1", "0;/2"], "https://example.com/2"),
        # One that loads the page again keeps those after it from counting.
        (["60", "0;/2"], None),
        (["60;#x", "0;/2"], None),
    ],
)
def test_the_first_that_is_valid_counts(
    contents: list[str], url: str | None, parser: Parser
) -> None:
    html = "".join(f"<meta http-equiv=refresh content='{content}'>" for content in contents)
    refresh = read(html, parser).refresh
    assert (refresh.url if refresh else None) == url


def test_a_refresh_is_a_link_too(parser: Parser) -> None:
    html = (
        "<noscript><meta http-equiv=refresh content='0;url=/n'></noscript>"
        "<meta http-equiv=refresh content='0;url=/x#y'>"
        "<meta http-equiv=refresh content='9'><meta http-equiv=refresh content='9;url='>"
    )
    assert found(html, parser) == [
        ("/n", LinkKind.META_REFRESH, "meta refresh", ""),
        ("/x", LinkKind.META_REFRESH, "meta refresh", ""),
        ("/docs/page.html?q=1", LinkKind.DELAYED_REFRESH, "meta refresh", ""),
    ]
    assert list(read(html, parser).links)[1].fragment == "#y"


# ---------------------------------------------------------------- the document's encoding


@each_case(
    ("html", "target"),
    [
        ("<a href='/ü?ü#ü'>x</a>", "/%C3%BC?%FC"),
        ("<a href='?Я'>x</a>", "/docs/page.html?%26%231071%3B"),
        ("<a href='/?%C3%BC'>x</a>", "/?%C3%BC"),
        ("<img srcset='/?ü 1x'>", "/?%FC"),
        ("<meta http-equiv=refresh content='0;/?ü'>", "/?%FC"),
        ("<base href='/?ü'><a href=#>x</a>", "/?%FC"),
        ("<a href='mailto:a?subject=ü'>x</a>", "mailto:a?subject=%C3%BC"),
        ("<form action='/?ü'></form>", "/?%C3%BC"),
        ("<button formaction='/?ü'></button>", "/?%C3%BC"),
        ("<p style='a:url(/?ü)'>x</p>", "/?%C3%BC"),
        ("<style>a{b:url(/?ü)}</style>", "/?%C3%BC"),
    ],
)
def test_queries_are_in_the_encoding_of_the_document(
    html: str, target: str, parser: Parser
) -> None:
    body = html.encode("latin-1", "xmlcharrefreplace")
    page = extract(body, URL, "iso-8859-1", parser)
    assert [url.removeprefix("https://example.com") for url in page.targets] == [target]
    if page.refresh:
        assert page.refresh.url == page.targets[0]


@each_case("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_they_are_in_utf_8_where_that_is_some_unicode(codec: str, parser: Parser) -> None:
    page = extract("\ufeff<a href='/?ü'>x</a>".encode(codec), URL, None, parser)
    assert page.targets == ["https://example.com/?%C3%BC"]


def test_the_canonical_has_its_query_encoded_like_its_link(parser: Parser) -> None:
    body = "<link rel=canonical href='/?ü'>".encode("latin-1")
    page = extract(body, URL, "latin1", parser)
    assert page.facts.canonical == page.targets[0] == "https://example.com/?%FC"


# ---------------------------------------------------------------- hostile


def test_a_long_element_name_is_cut(parser: Parser) -> None:
    page = read("<x" + "y" * 5000 + " style='a:url(/x)'>x", parser)
    assert [len(link.element) for link in page.links] == [MAX_ELEMENT]


@each_case(
    ("head", "target"),
    [
        ("<base href='//other.example'><base href=/2/>", "https://other.example/x"),
        ("<base href='\njavascript:1'>", "https://example.com/docs/x"),
        ("<base href='https://user:pass@other.example:99/a/../b/'>", None),
        ("<base href='" + "a/" * 20_000 + "'>", None),
        ("<base href='https:'>", "https://example.com/docs/x"),
        ("<base href='\\\\other.example\\a\\'>", "https://other.example/a/x"),
        ("<template><base href=/t/></template>", "https://example.com/docs/x"),
        ("<svg><base href=/s/></svg>", None),
    ],
)
def test_hostile_bases_still_resolve(head: str, target: str | None, parser: Parser) -> None:
    page = read(f"{head}<a href=x>x</a>", parser)
    assert len(page.targets) == 1
    assert page.targets[0].endswith("/x")
    assert target in {None, page.targets[0]}
