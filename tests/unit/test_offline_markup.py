"""Pages of a copy lead where a user clicks, and load nothing from elsewhere by themselves."""

import pytest

from gossamer.extract.offline_markup import is_harmless_svg, offline_html
from tests.cases import each_case


class Links:
    """A copy that has what ends with "known"."""

    def begin_at(self, base: str) -> None:
        self.base = base

    def page(self, href: str) -> str | None:
        return "there.html" if href.endswith("known") else href

    def resource(self, href: str) -> str | None:
        return "here.png" if href.endswith("known") else None


@each_case(
    ("markup", "rewritten"),
    [
        ("<a href=known ping=//o onclick=x>a</a>", '<a href="there.html">a</a>'),
        (
            "<a href=http://o/x>a</a>",
            '<a href="http://o/x" data-not-in-copy="" title="Not archived: leads to the web">a</a>',
        ),
        (
            "<a title='x&quot;y' href=mailto:a>a</a>",
            '<a href="mailto:a" data-not-in-copy="" title="x&quot;y (opens another program)">a</a>',
        ),
        ("<a href=known title=x>a</a>", '<a href="there.html" title="x">a</a>'),
        ("<a href=' java\tscript:x'>a</a>", "<a>a</a>"),
        ("<img src=known alt='&quot;<'>", '<img src="here.png" alt="&quot;&lt;">'),
        ("<img src=//o/x>", "<img>"),
        ("<img srcset='//o/x 1x, known 2x'>", '<img srcset="here.png 2x">'),
        ("<img srcset='1known 1x, known 2x'>", '<img srcset="here.png 1x, here.png 2x">'),
        ("<img src=data:image/png;base64,AA>", '<img src="data:image/png;base64,AA">'),
        ("<p style='background:url(//o/x)'>", '<p style="background:url(&quot;data:,&quot;)"></p>'),
        ("<script src=known>x</script><b>y</b>", "<b>y</b>"),
        ("<noscript><img src=known></noscript>", '<img src="here.png">'),
        ("<iframe src=known></iframe><embed src=known><object data=known>x</object>", ""),
        (
            "<form action=//o><button formaction=//o>x</button></form>",
            "<form><button>x</button></form>",
        ),
        ("<video poster=//o/x src=known></video>", '<video src="here.png"></video>'),
        ("<table background=//o/x></table>", "<table></table>"),
        ("<svg><image xlink:href=//o/x /><set attributeName=href to=//o /></svg>", None),
        ("<template shadowrootmode=open><img src=//o></template>", ""),
        ("<math><style><img src=//o></style></math>", None),
        ("<!-- <img src=//o> -->", ""),
        ("<xmp><img src=//o></xmp><noembed></noembed>", ""),
    ],
)
def test_what_stays_of_a_body(markup: str, rewritten: str | None) -> None:
    page = offline_html(f"<!doctype html><body>{markup}".encode(), Links())
    body = page.partition("<body>")[2].removesuffix("</body></html>")
    assert page.startswith("<!doctype html><html><head><meta charset")
    assert "//o" not in body or "<a " in body
    assert rewritten is None or body == rewritten


@pytest.mark.parametrize(
    "markup",
    [
        "<base href=//o>",
        "<meta http-equiv=refresh content='0;url=//o'>",
        *(
            f"<link rel={rel} href=known>"
            for rel in ("preload", "preconnect", "dns-prefetch", "prefetch", "manifest")
        ),
        "<link rel='alternate stylesheet' href=known>",
        "<link rel=stylesheet href=//o/x>",
        "<style>@import '//o/x'; a{b:url(//o/x)}</style>",
    ],
)
def test_heads_lead_nowhere(markup: str) -> None:
    page = offline_html(f"<head>{markup}</head>".encode(), Links())
    assert "//o" not in page
    assert "here.png" not in page


def test_a_base_counts_for_all_of_its_page() -> None:
    links = Links()
    offline_html(b"<a href=x></a><base href='/b/'>", links)
    assert links.base == "/b/"


def test_pages_nest_as_deep_as_they_like() -> None:
    assert offline_html(b"<div>" * 5_000, Links()).count("<div>") == 5_000


@pytest.mark.parametrize(
    ("inside", "is_harmless"),
    [
        ("<path d='M0 0' fill='url(#a)'/><use href='#a'/>", True),
        ("<script/>", False),
        ("<path onload='x'/>", False),
        ("<image href='http://o/x'/>", False),
        ("<image href='data:image/png;base64,AA'/>", True),
        ("<style>@import 'x'</style>", False),
        ("<style>a{b:url(//o)}</style>", False),
        ("<x:script xmlns:x='http://www.w3.org/2000/svg'/>", False),
    ],
)
def test_drawings_that_act_are_refused(inside: str, is_harmless: bool) -> None:
    text = f"<svg xmlns='http://www.w3.org/2000/svg'>{inside}</svg>"
    assert is_harmless_svg(text.encode()) is is_harmless


@pytest.mark.parametrize(
    ("inside", "is_harmless"),
    [("<a " * 300_000, False), ("<image href=" + " " * 300_000 + "'#'/>", True)],
)
def test_drawings_are_read_once(inside: str, is_harmless: bool) -> None:
    # Read to their end from each place, they would take minutes.
    text = f"<svg>{inside}<a href='#'/></svg>"
    assert is_harmless_svg(text.encode()) is is_harmless
