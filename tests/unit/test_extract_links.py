import inspect

import pytest

from gossamer.extract.html_page import extract
from gossamer.extract.link_targets import MAX_TARGET
from gossamer.extract.links import MAX_LINKS
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkTrait
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Extract
from tests.cases import each_case

URL = "https://example.com/docs/page.html?q=1"

pytestmark = pytest.mark.parametrize("parser", list(Parser))


def read(html: str, parser: Parser, url: str = URL) -> Extract:
    return extract(html.encode(), url, "utf-8", parser)


def links(html: str, parser: Parser) -> list[tuple[str, LinkKind, str, str]]:
    page = read(html, parser)
    return [(page.targets[link.target], link.kind, link.text, link.rel) for link in page.links]


@each_case(
    ("html", "kind", "text", "rel"),
    [
        ("<a href=/x>Read me</a>", LinkKind.ANCHOR, "Read me", ""),
        ("<a href=/x rel='NoFollow  ugc'>x</a>", LinkKind.ANCHOR, "x", "nofollow ugc"),
        ("<svg><a xlink:href=/x><text>x</text></a></svg>", LinkKind.ANCHOR, "x", ""),
        ("<map><area href=/x alt='North'></map>", LinkKind.AREA, "North", ""),
        ("<iframe src=/x></iframe>", LinkKind.FRAME, "", ""),
        ("<img src=/x alt='A  cat'>", LinkKind.IMAGE, "A cat", ""),
        ("<script src=/x></script>", LinkKind.SCRIPT, "", ""),
        ("<link rel=stylesheet href=/x>", LinkKind.STYLESHEET, "", "stylesheet"),
        (
            "<link rel='alternate stylesheet' href=/x>",
            LinkKind.STYLESHEET,
            "",
            "alternate stylesheet",
        ),
        ("<link rel=Canonical href=/x>", LinkKind.CANONICAL, "", "canonical"),
        ("<link rel=alternate hreflang=de href=/x>", LinkKind.ALTERNATE, "de", "alternate"),
        ("<link rel=next href=/x>", LinkKind.PAGINATION, "", "next"),
        ("<link rel=AMPHTML href=/x>", LinkKind.AMP, "", "amphtml"),
        ("<link rel=prev href=/x>", LinkKind.PAGINATION, "", "prev"),
        ("<link rel='shortcut icon' href=/x>", LinkKind.ICON, "", "shortcut icon"),
        ("<link rel=apple-touch-icon href=/x>", LinkKind.ICON, "", "apple-touch-icon"),
        ("<link rel=preload href=/x>", LinkKind.OTHER, "", "preload"),
        ("<link href=/x>", LinkKind.OTHER, "", ""),
        ("<video src=/x></video>", LinkKind.MEDIA, "", ""),
        ("<audio src=/x></audio>", LinkKind.MEDIA, "", ""),
        ("<video><source src=/x></video>", LinkKind.MEDIA, "", ""),
        ("<video><track src=/x></video>", LinkKind.MEDIA, "", ""),
        ("<embed src=/x>", LinkKind.MEDIA, "", ""),
        ("<object data=/x></object>", LinkKind.MEDIA, "", ""),
        ("<form action=/x></form>", LinkKind.FORM, "", ""),
        ("<noscript><a href=/x>x</a></noscript>", LinkKind.ANCHOR, "x", ""),
        ("<A HREF=/x REL=Next>x</A>", LinkKind.ANCHOR, "x", "next"),
    ],
)
def test_each_kind_of_link_is_found(
    html: str, kind: LinkKind, text: str, rel: str, parser: Parser
) -> None:
    assert links(html, parser) == [("https://example.com/x", kind, text, rel)]


def test_frames_are_links(parser: Parser) -> None:
    assert links("<frameset><frame src=/x></frameset>", parser) == [
        ("https://example.com/x", LinkKind.FRAME, "", "")
    ]


@each_case(
    "html",
    [
        "<a>x</a>",
        "<a name=x>x</a>",
        "<img src=''>",
        "<img src>",
        "<script src=''></script>",
        "<link rel=stylesheet href=''>",
        "<div href=/x>x</div>",
        "<p src=/x data=/x action=/x>x</p>",
        "<template><a href=/x>x</a></template>",
        "<!-- <a href=/x>x</a> -->",
        "<script>'<a href=/x>x</a>'</script>",
        "<form></form>",
        "<base href=/x>",
        "<meta name=description content=/x>",
    ],
)
def test_elements_without_a_target_are_no_links(html: str, parser: Parser) -> None:
    assert list(read(html, parser).links) == []
    assert read(html, parser).targets == []


@each_case(
    ("html", "target"),
    [
        ("<a href='javascript:void(0)'>x</a>", "javascript:void(0)"),
        ("<a href=' JavaScript:void(0)'>x</a>", "javascript:void(0)"),
        ("<a href='java\nscript:void(0)'>x</a>", "javascript:void(0)"),
        ("<a href='javascript://['>x</a>", "javascript://["),
        ("<img src='data:image/png;base64,iVBO='>", "data:image/png;base64,iVBO="),
        ("<a href='blob:https://example.com/1'>x</a>", "blob:https://example.com/1"),
        ("<iframe src='about:blank'></iframe>", "about:blank"),
        ("<a href='mailto:jo@example.com'>x</a>", "mailto:jo@example.com"),
        ("<a href='tel:+1-555'>x</a>", "tel:+1-555"),
    ],
)
def test_links_to_other_schemes_are_kept(html: str, target: str, parser: Parser) -> None:
    page = read(html, parser)
    assert page.targets == [target]
    assert len(page.links) == 1


@each_case("size", [201, 5_000, 2_000_000])
@each_case("scheme", ["data:image/png;base64,", "javascript:", "DATA:,"])
def test_data_and_javascript_urls_are_truncated(scheme: str, size: int, parser: Parser) -> None:
    written = scheme + "A" * (size - len(scheme))
    (target,) = read(f"<img src='{written}'>", parser).targets
    assert target.lower().startswith(scheme.lower() + "a" * 150)
    assert target.endswith(f"… ({size:,} characters)")
    assert len(target) < 240


@each_case(
    ("href", "target"),
    [
        ("b.html", "https://example.com/docs/b.html"),
        ("  b.html\n", "https://example.com/docs/b.html"),
        ("../b.html#part", "https://example.com/b.html"),
        ("", URL),
        ("#part", URL),
        ("#", URL),
        ("a #x", "https://example.com/docs/a%20"),
        ("?", "https://example.com/docs/page.html?"),
        ("mailto:someone@example.com", "mailto:someone@example.com"),
        ("tel:+1555", "tel:+1555"),
        ("http://exa mple/ü", "http://exa mple/ü"),
        (" http://[::1 ", "http://[::1"),
        ("https://example.com:99999/", "https://example.com:99999/"),
        ("http://[\x01", "http://[\ufffd"),
        ("http://[" + "x" * 5000, "http://[" + "x" * 2039 + "…"),
    ],
)
def test_targets_are_serialised_or_stand_as_written(href: str, target: str, parser: Parser) -> None:
    assert read(f'<a href="{href}">x</a>', parser).targets == [target]


def test_an_attribute_without_value_is_an_empty_one(parser: Parser) -> None:
    assert read("<a href>x</a>", parser).targets == [URL]


def test_targets_are_distinct_and_links_in_document_order(parser: Parser) -> None:
    page = read(
        "<link rel=icon href=/i><a href=/b>1</a><img src=/i><a href=/a>2</a><a href=/b#x>3</a>",
        parser,
    )
    assert page.targets == [f"https://example.com/{name}" for name in "iba"]
    assert [link.target for link in page.links] == [0, 1, 0, 2, 1]
    assert [link.text for link in page.links] == ["", "1", "", "2", "3"]


@each_case(
    ("head", "target"),
    [
        ("<base href='/other/'>", "https://example.com/other/x"),
        ("<base href='https://other.example/a/b'>", "https://other.example/a/x"),
        ("<base target=_blank><base href='/2/'>", "https://example.com/2/x"),
        ("<base href='/1/'><base href='/2/'>", "https://example.com/1/x"),
        ("<base href='http://['><base href='/2/'>", "https://example.com/docs/x"),
        ("<base href='javascript:1'>", "https://example.com/docs/x"),
        ("<base href='data:text/html,x'>", "https://example.com/docs/x"),
        ("<base href='ftp://other.example/'>", "ftp://other.example/x"),
        ("<base href='file:///a/b'>", "file:///a/x"),
        ("<base href='about:blank'>", "x"),
        ("<base href=''>", "https://example.com/docs/x"),
        ("<base href>", "https://example.com/docs/x"),
    ],
)
def test_the_first_base_that_urls_can_be_relative_to_counts(
    head: str, target: str, parser: Parser
) -> None:
    assert read(f"<head>{head}</head><a href=x>x</a>", parser).targets == [target]


@each_case(
    "form",
    ["<form action></form>", "<form action=/x><button formaction=''>Send</button></form>"],
)
def test_an_empty_action_of_a_form_is_its_page_whatever_the_base(form: str, parser: Parser) -> None:
    page = read(f"<base href='http://other.example/'>{form}", parser)
    assert page.targets[-1] == URL


def test_a_base_after_the_links_also_counts(parser: Parser) -> None:
    page = read("<body><a href=x>x</a><base href=/other/></body>", parser)
    assert page.targets == ["https://example.com/other/x"]


@each_case(
    ("inside", "text"),
    [
        ("Read\n\t the  docs", "Read the docs"),
        ("f<b>oo</b>", "foo"),
        ("<span>Title</span> <span>Sub</span>", "Title Sub"),
        ("<div>Title</div><div>Sub</div>", "Title Sub"),
        ("Title<br>Sub", "Title Sub"),
        ("f<b>oo</b>, ba<i>r</i>.<br>a<b>b</b>", "foo, bar. ab"),
        ("<div>One<p>f<b>oo</b></p>t<b>wo</b></div>thr<b>ee</b>", "One foo two three"),
        ("a<br><b>b</b><hr>c<b>d</b>", "a b cd"),
        ("<p><b>a</b></p><b></b><i>b</i>c", "a bc"),
        ("<img src=i alt='Home'>", "Home"),
        ("<img src=i alt=''><img src=j alt=' Shop '>", "Shop"),
        ("<img src=i alt='Icon'> Home", "Home"),
        ("<svg><title>Tip</title></svg>Home", "Home"),
        ("<svg><title> Tip </title></svg>", "Tip"),
        ("<i><svg><title></title></svg></i><img src=i alt=Home>", "Home"),
        ("<i aria-label=Home></i>", "Home"),
        ("<b><svg aria-label=' Home '><title>Tip</title></svg></b>", "Home"),
        ("<img src=i alt=''><i aria-label=' '></i><i aria-label=Home></i>", "Home"),
        ("<i aria-label=Icon></i>Home", "Home"),
        ("<!-- icon --><i aria-label=Home></i>", "Home"),
        ("<!-- icon -->", ""),
        ("<style>.a{}</style>Home<script>1</script>", "Home"),
        ("", ""),
        (" \n ", ""),
        ("x" * 600, "x" * 499 + "…"),
        ("x \u202e\x01", "x \u202e\ufffd"),
    ],
)
def test_anchor_text_is_the_visible_text(inside: str, text: str, parser: Parser) -> None:
    first = next(iter(read(f"<a href=/x>{inside}</a>", parser).links))
    assert first.text == text


@each_case(
    ("markup", "text"),
    [
        ("<b id=x>A <i>page</i></b><a href=/a aria-labelledby=x></a>", "A page"),
        ("<a href=/a aria-labelledby=x><i></i></a><h2 id=x>Later</h2>", "Later"),
        ("<a href=/a ARIA-LabelledBy=x></a><b id=x>Go</b>", "Go"),
        ("<b id=x>Read</b><b id=y>more</b><a href=/a aria-labelledby=' y\n x '></a>", "more Read"),
        ("<b id=x>Go</b><a href=/a aria-labelledby='nothing x'></a>", "Go"),
        ("<b id=x>First</b><b id=x>second</b><a href=/a aria-labelledby=x></a>", "First"),
        ("<b id=x hidden>Go</b><a href=/a aria-labelledby=x></a>", "Go"),
        ("<b id=x aria-label=Name>Go</b><a href=/a aria-labelledby=x></a>", "Name"),
        ("<b id=x title=Name></b><a href=/a aria-labelledby=x></a>", "Name"),
        ("<img id=x alt=Picture><a href=/a aria-labelledby=x></a>", "Picture"),
        ("<p id=x><img alt=Picture></p><a href=/a aria-labelledby=x></a>", "Picture"),
        ("<svg><title id=x>Drawing</title></svg><a href=/a aria-labelledby=x></a>", "Drawing"),
        ("<a href=/a id=x aria-label=Own aria-labelledby='x y'></a><b id=y>and</b>", "Own and"),
        ("<b id=x>Go</b><a href=/a aria-labelledby=x aria-label=Else></a>", "Go"),
        ("<a href=/a aria-labelledby=x aria-label=Else></a>", "Else"),
        ("<b id=x>Go</b><a href=/a aria-labelledby=x>Seen</a>", "Seen"),
        ("<b id=X>Go</b><a href=/a aria-labelledby=x></a>", ""),
        ("<template><b id=x>Go</b></template><a href=/a aria-labelledby=x></a>", ""),
        ("<a href=/a aria-labelledby></a>", ""),
        ("<b id=x>Go</b><map><area href=/a aria-labelledby=x></map>", "Go"),
        ("<b id=x>Go</b><map><area href=/a alt=Place aria-labelledby=x></map>", "Place"),
        ("<b id=x>Go</b><p style='a:url()'><a href=/a aria-labelledby=x></a>", "Go"),
    ],
)
def test_a_link_without_text_says_what_labels_it(markup: str, text: str, parser: Parser) -> None:
    found = links(markup, parser)
    assert [said for url, _, said, _ in found if url.endswith("/a")] == [text]


def test_labels_of_hostile_pages_stay_bounded(parser: Parser) -> None:
    deep = "".join(f"<b id=x{n}>word " for n in range(300))
    labelled = "".join(f"<a href=/{n} aria-labelledby='x{n} x0'></a>" for n in range(300))
    found = [text for _, _, text, _ in links(deep + "</b>" * 300 + labelled, parser)]
    assert len(found) == 300
    assert max(map(len, found)) <= 500
    assert found[0].startswith("word word")


def test_the_number_of_links_per_page_is_limited(parser: Parser) -> None:
    most = MAX_LINKS if parser is Parser.SELECTOLAX else 50  # the other takes seconds for thousands
    html = "<a href=/x></a>" * (most + 5)
    page = extract(html.encode(), URL, "utf-8", parser, max_links=most)
    assert len(page.links) == most
    assert page.targets == ["https://example.com/x"]
    assert inspect.signature(extract).parameters["max_links"].default == MAX_LINKS


def test_a_very_long_url_is_truncated(parser: Parser) -> None:
    page = read("<a href='/" + "x" * 100_000 + "'>x</a>", parser)
    assert [len(target) for target in page.targets] == [MAX_TARGET]


HASH_ROUTES = """<a href="#/cart">Cart</a> <a href="/x">x</a> <a href="#top">Top</a>
<a href="#/">Home</a> <a href="/app#!/a/b?c">A</a>
<a href="https://other.example/#/far">Far</a> <a href="#/cart">Cart</a>
<map><area href="#/map"></map> <img src="/sprite.svg#/bird"> <link rel=canonical href="/#/page">"""


def test_hash_routes_are_targets_of_hyperlinks_if_they_are_wanted(parser: Parser) -> None:
    page = extract(HASH_ROUTES.encode(), URL, "utf-8", parser, hash_routes=True)
    found = {(page.targets[link.target], link.fragment) for link in page.links}
    assert found == {
        (f"{URL}#/cart", ""),
        ("https://example.com/x", ""),
        (URL, "#top"),
        (URL, "#/"),
        ("https://example.com/app#!/a/b?c", ""),
        ("https://other.example/", "#/far"),
        (f"{URL}#/map", ""),
        ("https://example.com/sprite.svg", "#/bird"),
        ("https://example.com/", "#/page"),
    }
    assert {target for target, _ in found} == set(page.targets), "each is linked"


def test_hash_routes_are_fragments_otherwise(parser: Parser) -> None:
    page = read(HASH_ROUTES, parser)
    assert not [target for target in page.targets if "#" in target]
    assert {link.fragment for link in page.links} >= {"#/cart", "#!/a/b?c", "#/map"}


@each_case(
    ("markup", "text", "is_of_image"),
    [
        ("<a href=/x><img alt=Cat></a>", "Cat", True),
        ("<a href=/x rel=next><img alt=' A \n cat '></a>", "A cat", True),
        ("<a href=/x target=_top><span><img alt=Cat></span></a>", "Cat", True),
        ("<a href=/x>Cat<img alt=Cat></a>", "Cat", False),
        ("<a href=/x><img alt=Cat><b>Cat</b></a>", "Cat", False),
        ("<a href=/x><img aria-label=Cat></a>", "Cat", False),
        ("<a href=/x><svg><title>Cat</title></svg></a>", "Cat", False),
        ("<a href=/x><i aria-label=Cat></i><img alt=Dog></a>", "Cat", False),
        ("<a href=/x><img alt=''></a>", "", False),
        ("<a href=/x aria-labelledby=l><img></a><a id=l href=/x><img alt=Cat></a>", "Cat", False),
    ],
)
def test_links_that_show_an_image_alone_are_told_from_those_with_words(
    markup: str, text: str, is_of_image: bool, parser: Parser
) -> None:
    first, *_ = read(markup, parser).links
    assert (first.text, bool(first.traits & LinkTrait.IMAGE_TEXT)) == (text, is_of_image)


def test_links_that_show_an_image_are_told_whatever_stands_between(parser: Parser) -> None:
    many = "<a href=/1>One</a><a href=/2><img alt=Two></a><p style=color:red><a href=/3>3</a>"
    found = [link.text for link in read(many, parser).links if link.traits & LinkTrait.IMAGE_TEXT]
    assert found == ["Two"]


@each_case(
    ("markup", "windows"),
    [
        ("<a href=/x target=_blank>x</a>", ["_blank"]),
        ("<a href=/x target=_BLANK>x</a>", ["_BLANK"]),
        ("<a href=/x target=main>x</a><a href=/y>y</a>", ["main", ""]),
        ("<form action=/x target=_top></form>", ["_top"]),
        ("<a href target=_self>x</a>", ["_self"]),
        ("<link rel=next href=/x target=no>", [""]),
    ],
)
def test_where_links_open_is_kept_as_written(
    markup: str, windows: list[str], parser: Parser
) -> None:
    assert [link.window for link in read(markup, parser).links] == windows
