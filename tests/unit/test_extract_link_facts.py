import pytest

from gossamer.extract.facts.generic_anchor_texts import GenericTexts, generic_texts
from gossamer.extract.facts.link_facts import CrawledSite
from gossamer.extract.html_page import extract
from gossamer.model.fields.page_flags import ContentFlag, MarkupFlag
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.request_settings import Parser
from gossamer.urls.scope_and_limits import Scope
from tests.cases import each_case
from tests.fakes.page_facts import content_of, markup_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))
NONE = ContentFlag(0)
LINKS = (
    ContentFlag.LOCALHOST_LINK
    | ContentFlag.UNCRAWLABLE_LINK
    | ContentFlag.NO_ANCHOR_TEXT
    | ContentFlag.GENERIC_ANCHOR_TEXT
    | ContentFlag.NOFOLLOW_LINK
)


def site(root: str) -> CrawledSite:
    scope = Scope(CrawlSettings(roots=(root,)))
    return CrawledSite(scope.is_internal, scope.host_names)


def flags(parser: Parser, body: str, root: str = "https://example.com/") -> ContentFlag:
    return content_of(parser, body=body, url=f"{root}docs/", site=site(root)) & LINKS


@both_parsers
@each_case(
    ("link", "expected"),
    [
        ("<a href=/a>A page</a>", NONE),
        ("<a href=/a></a>", ContentFlag.NO_ANCHOR_TEXT),
        ("<a href=/a> <i></i>\n</a>", ContentFlag.NO_ANCHOR_TEXT),
        ("<a href=https://o.example/></a>", NONE),
        ("<a href=/a><img src=i alt='A page'></a>", NONE),
        ("<a href=/a><img src=i alt=''></a>", ContentFlag.NO_ANCHOR_TEXT),
        ("<a href=/a aria-label='A page'><i></i></a>", NONE),
        ("<a href=/a aria-label=' '><i></i></a>", ContentFlag.NO_ANCHOR_TEXT),
        ("<a href=/a>Click here</a>", ContentFlag.GENERIC_ANCHOR_TEXT),
        ("<a href=/a>» MORE …</a>", ContentFlag.GENERIC_ANCHOR_TEXT),
        ("<a href=https://o.example/>Click here</a>", NONE),
        ("<a href=/a>Read more about spiders</a>", NONE),
        ("<a href=/a rel=nofollow>A page</a>", ContentFlag.NOFOLLOW_LINK),
        ("<a href=/a rel='ugc,NoFollow'>A page</a>", ContentFlag.NOFOLLOW_LINK),
        ("<a href=/a rel='nofollower, ugc'>A page</a>", NONE),
        ("<a href=/a rel='ugc NoFollow'>A page</a>", ContentFlag.NOFOLLOW_LINK),
        ("<a href=/a rel='ugc sponsored'>A page</a>", NONE),
        ("<a href=https://o.example/ rel=nofollow>A page</a>", NONE),
        ("<link rel='nofollow' href=/a>", NONE),
        ("<a href='javascript:go()'>A page</a>", ContentFlag.UNCRAWLABLE_LINK),
        ("<a href=' JavaScript:go()'>A page</a>", ContentFlag.UNCRAWLABLE_LINK),
        ("<a onclick='go()'>A page</a>", ContentFlag.UNCRAWLABLE_LINK),
        ("<a routerLink=/a>A page</a>", ContentFlag.UNCRAWLABLE_LINK),
        ("<a href=/a onclick='go()'>A page</a>", NONE),
        ("<a name=x>A page</a>", NONE),
        ("<a href=mailto:a@b.example>Mail</a><a href=tel:1>Call</a><a href=#>Top</a>", NONE),
        ("<iframe src='javascript:go()'></iframe>", NONE),
        ("<a href=http://localhost/>A page</a>", ContentFlag.LOCALHOST_LINK),
        ("<a href=https://127.0.0.1:8000/>A page</a>", ContentFlag.LOCALHOST_LINK),
        ("<a href=http://[::1]/>A page</a>", ContentFlag.LOCALHOST_LINK),
        ("<a href=//app.localhost/>A page</a>", ContentFlag.LOCALHOST_LINK),
        ("<img src=http://127.1/ alt=x>", ContentFlag.LOCALHOST_LINK),
        ("<a href=http://localhost.example/>A page</a>", NONE),
        ("<a href=http://o.example/?http://localhost/>A page</a>", NONE),
        ("<a href=http://1.127.0.0.example/>A page</a>", NONE),
    ],
)
def test_remarks_on_one_link(link: str, expected: ContentFlag, parser: Parser) -> None:
    assert flags(parser, link) == expected


@both_parsers
def test_a_crawl_of_the_own_machine_may_link_to_its_own_hosts(parser: Parser) -> None:
    root = "http://127.0.0.1:8000/"
    assert flags(parser, "<a href=http://127.0.0.1:8000/a>A page</a>", root) == NONE
    assert flags(parser, "<a href=http://127.0.0.1:9000/a>A page</a>", root) == NONE
    other = "<a href=http://localhost:8000/a>A page</a>"
    assert flags(parser, other, root) == ContentFlag.LOCALHOST_LINK


@each_case(
    "text",
    [
        *("Click here", "here", "READ MORE", "Read more...", "→ Learn more", "[more]", "More »"),
        *("Mehr erfahren", "hier", "En savoir plus", "Plus d\u2019infos", "Leer más", "更多"),
        *("点击这里", "続きを読む", "Подробнее", "더보기", "اقرأ المزيد", "daha fazla"),
        *("CLICK\u00a0HERE", "Lire\u202fla\u00a0suite\u00a0»"),
    ],
)
def test_texts_that_say_nothing_of_the_target(text: str) -> None:
    known = GenericTexts()
    assert known.among({text}) == known.among({text, "x"}) == {text}


@each_case(
    ("language", "text", "is_generic"),
    [
        ("fr", "Plus", True),
        ("fr-CA", "la suite", True),
        ("en", "Plus", False),
        ("en-GB", "suite", False),
        ("de", "click here", True),
        ("en", "lire la suite", True),
        ("en", "こちら", True),
        ("nb-NO", "mer", True),
        ("eo", "mer", False),
        ("", "mer", True),
        (None, "plus", True),
    ],
)
def test_words_of_one_language_count_on_its_pages(
    language: str | None, text: str, is_generic: bool
) -> None:
    assert bool(generic_texts(language).among({text})) is is_generic


@both_parsers
def test_the_language_of_a_page_decides_on_its_link_texts(parser: Parser) -> None:
    html = "<html lang={}><body><a href=/a>plus</a></body></html>"
    for language, expected in (("fr", ContentFlag.GENERIC_ANCHOR_TEXT), ("en", NONE)):
        found = extract(html.format(language).encode(), "https://example.com/", "utf-8", parser)
        assert ContentFlag(found.facts.content or 0) & LINKS == expected


@both_parsers
@each_case(
    ("link", "expected"),
    [
        ("<a href=#more>More information</a>", NONE),
        ("<a href='/page#information'>Information</a>", NONE),
        ("<a href=/other#information>Information</a>", ContentFlag.GENERIC_ANCHOR_TEXT),
        ("<a href=#more></a>", ContentFlag.NO_ANCHOR_TEXT),
    ],
)
def test_text_of_a_link_to_a_section_of_its_own_page(
    link: str, expected: ContentFlag, parser: Parser
) -> None:
    found = extract(link.encode(), "https://example.com/page", "utf-8", parser)
    assert ContentFlag(found.facts.content or 0) & LINKS == expected


def test_next_page_in_german_says_where_it_leads() -> None:
    assert not generic_texts("de").among({"Weiter"})


@each_case("text", ["start()", "<this>", "--details", "#information", "-link"])
def test_texts_that_name_code_say_something(text: str) -> None:
    assert GenericTexts("en").among({text}) == set()


@each_case("text", ["»", "Moreover", "No more", "Here we are", "x" * 500])
def test_texts_that_say_something(text: str) -> None:
    assert GenericTexts().among({text}) == set()


@both_parsers
@each_case(
    ("html", "expected"),
    [
        ("<a href=/a>x</a>", MarkupFlag(0)),
        ("<a href=/a></a>", MarkupFlag.EMPTY_LINK),
        ("<a href=/a rel=x> </a>", MarkupFlag.EMPTY_LINK),
        ("<a name=x></a>", MarkupFlag(0)),
        ("<a href=/a aria-label=x></a>", MarkupFlag(0)),
        ("<a href=/a title=x><i></i></a>", MarkupFlag(0)),
        ("<a href=/a title=' '></a>", MarkupFlag.EMPTY_LINK),
        ("<a href=/a><img src=i alt=x></a>", MarkupFlag(0)),
        ("<a href=/a><img src=i alt=''></a>", MarkupFlag.EMPTY_LINK),
        ("<img src=i alt=''>", MarkupFlag(0)),
        ("<img src=i>", MarkupFlag.MISSING_ALT),
        ("<img src=i title=x><img src=i role=presentation><img src=i aria-label=x>", MarkupFlag(0)),
    ],
)
def test_links_and_images_need_a_name(html: str, expected: MarkupFlag, parser: Parser) -> None:
    assert markup_of(parser, body=html) == expected


@both_parsers
@each_case(
    ("html", "is_found"),
    [
        ("<p>Lorem ipsum dolor sit amet</p>", True),
        ("<p>LOREM IPSUM</p>", True),
        ("<h2>A <b>lorem ipsum</b></h2>", True),
        ("<p>Lorem  \n ipsum</p>", True),
        ("<p><b>Lorem</b> ipsum</p>", True),
        ("<p>Lorem&nbsp;ipsum</p>", True),
        ("<p>Lorem\xa0ipsum</p>", True),
        ("<p>Lorem<!-- x --> ipsum</p>", True),
        ("<p>Lorem<br>Ipsum</p>", True),
        ("<p>loremipsum</p>", False),
        ("<p>Lorem, not ipsum</p>", False),
        ("<p>ipsum lorem</p>", False),
        ("<!-- Lorem ipsum -->", False),
        ("<!-- x --><script>x</script><p>Lorem ipsum</p>", True),
        ("<script>'Lorem ipsum'</script>", False),
        ("<img src=i alt='Lorem ipsum'>", False),
        ("<img src=i alt='Lorem ipsum'><p>Lorem ipsum</p>", True),
        ("<img src=i alt='Lorem ipsum'>" * 50 + "<p>Lorem ipsum</p>", True),
        ("<p data-tip='<b>Lorem ipsum</b>'>x</p>", False),
        ('<p data-tip = "1 > 0, lorem ipsum">x</p>', False),
        ("<iframe srcdoc='<p>Lorem ipsum</p>'>Lorem ipsum</iframe>", False),
        ("<p title=it's>Lorem ipsum</p><p title=it's>", True),
        ("<p>Lorem<!-- 1 > 0 --> <b title='a > b'>ipsum</b>", True),
        ("<p title='Lorem ipsum", False),
        ('<a href=/s?q="x>Lorem ipsum</a>', True),
        ("<a href=/s?q='x>y</a><p>Lorem ipsum</p>", True),
        ('<p a= b="c>lorem ipsum</p>', True),
        ('<p a="b"c=">lorem ipsum"></p>', False),
        ("<p>1 < 2, lorem ipsum</p>", True),
    ],
)
def test_placeholder_text_is_found_where_it_is_seen(
    html: str, is_found: bool, parser: Parser
) -> None:
    found = content_of(parser, body=html) & ContentFlag.LOREM_IPSUM
    assert bool(found) is is_found
