import pytest

from gossamer.extract.facts.titles_and_headings import heading_facts
from gossamer.extract.facts.topic_facts import FactElements
from gossamer.extract.html_page import extract
from gossamer.extract.parsed_elements import ALT_MARK, Element
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.settings.request_settings import Parser
from gossamer.model.text_cleaning import one_line, one_lines
from gossamer.model.text_width import pixel_width
from tests.cases import each_case
from tests.fakes.page_facts import URL, facts_of, markup_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))


@both_parsers
def test_titles_are_the_first_two_that_are_not_empty(parser: Parser) -> None:
    page = facts_of(parser, "<title> </title><title>One</title><title>Two</title><title>3</title>")
    assert (page.title, page.title_2) == ("One", "Two")
    page = facts_of(parser, "<title>One</title><title>\n</title>")
    assert (page.title, page.title_2) == ("One", None)


@both_parsers
@each_case(
    ("head", "body", "expected"),
    [
        ("<title>A</title>", "", MarkupFlag(0)),
        ("", "", MarkupFlag(0)),
        ("<title>A</title><title>A</title>", "", MarkupFlag.MULTIPLE_TITLES),
        ("<title>A</title><title></title>", "", MarkupFlag.MULTIPLE_TITLES),
        ("<title>A</title>", "<svg><title>B</title></svg>", MarkupFlag(0)),
        ("", "<p>x</p><title>A</title>", MarkupFlag.TITLE_OUTSIDE_HEAD),
        (
            "<title>A</title>",
            "<p>x</p><title>B</title>",
            MarkupFlag.TITLE_OUTSIDE_HEAD | MarkupFlag.MULTIPLE_TITLES,
        ),
        ('<meta name="description" content="a">', "", MarkupFlag(0)),
        (
            '<meta name="description" content="a"><meta name=Description content="">',
            "",
            MarkupFlag.MULTIPLE_DESCRIPTIONS,
        ),
        ("", '<p>x</p><meta name="description">', MarkupFlag.DESCRIPTION_OUTSIDE_HEAD),
        ("<meta name=keywords content=a>", "", MarkupFlag(0)),
        ("<meta name=keywords content=a>" * 2, "", MarkupFlag.MULTIPLE_KEYWORDS),
    ],
)
def test_doubled_and_misplaced_elements_are_flagged(
    head: str, body: str, expected: MarkupFlag, parser: Parser
) -> None:
    assert markup_of(parser, head, body) == expected


@pytest.mark.parametrize(
    ("html", "flag"),
    [
        ("<!doctype html><html lang=en><title>A</title><p>x", False),
        ("<html lang=en><head><meta charset=utf-8><title>A</title></head><body>", False),
        ("<html lang=en><head><div>x</div><title>A</title></head><body>", True),
        ("<html lang=en><head><img src=x><title>A</title></head><body>", True),
    ],
)
def test_the_head_is_that_of_the_tree_not_of_the_tags(html: str, flag: bool) -> None:
    found = extract(html.encode(), URL, "utf-8", Parser.SELECTOLAX).facts
    assert bool((found.markup or 0) & MarkupFlag.TITLE_OUTSIDE_HEAD) is flag
    assert found.title == "A"


@both_parsers
def test_descriptions_and_keywords_are_on_one_line(parser: Parser) -> None:
    page = facts_of(
        parser,
        "<meta name=description content=' a\n b '><meta name=description content=c>"
        "<meta name=' Keywords ' content='x,\ty'>",
    )
    assert (page.description, page.description_2, page.keywords) == ("a b", "c", "x, y")
    assert facts_of(parser).keywords is None
    assert facts_of(parser, "<meta name=keywords content>").keywords == ""


@both_parsers
def test_texts_have_a_width_in_pixels(parser: Parser) -> None:
    page = facts_of(parser, "<title>iiii</title><meta name=description content=WWWW>")
    assert (page.title_pixels, page.description_pixels) == (18, 53)
    page = facts_of(parser, "<title></title>")
    assert (page.title_pixels, page.description_pixels) == (0, None)


@each_case(
    ("text", "pixels"),
    [
        ("", 0),
        ("0", 11),  # 1139 of 2048 units
        ("a" * 60, 667),
        ("é", 11),
        ("Ж", 18),
        ("€", 11),
        ("中文", 40),
        ("カ", 20),
        ("ｱ", 11),
        ("e\u0301", 11),
        ("\u0e01\u0e34", 11),
        ("\U0001f600", 20),
        ("\u0958", 11),
    ],
)
def test_a_text_is_as_wide_as_in_arial_of_20_pixels(text: str, pixels: int) -> None:
    assert pixel_width(text, 20) == pixels


@both_parsers
def test_headings_are_the_first_two_that_are_not_empty(parser: Parser) -> None:
    page = facts_of(
        parser,
        body="<h1> </h1><h1>A</h1><h2>B</h2><h3>x</h3><h2></h2><h2>C</h2><h1>D</h1><h2>E</h2>",
    )
    assert (page.h1, page.h1_2, page.h2, page.h2_2) == ("A", "D", "B", "C")
    assert page.heading_levels == "123212"


@both_parsers
def test_headings_that_are_empty_or_missing(parser: Parser) -> None:
    page = facts_of(parser, body="<h1></h1><h3>x</h3>")
    assert (page.h1, page.h1_2, page.h2, page.h2_2, page.heading_levels) == (
        *("", None, None, None),
        "3",
    )
    assert facts_of(parser).heading_levels is None


@both_parsers
def test_texts_of_other_headings_are_kept_in_order(parser: Parser) -> None:
    page = facts_of(
        parser,
        body="<h3>a</h3><h1>A</h1><h2>B</h2><h4> </h4><h2>C</h2><h2>D</h2><h1>E</h1><h1>F &amp;"
        " G</h1><h6>b<br>c</h6><h5><img alt='a picture'></h5>",
    )
    assert page.heading_texts == "a\nD\nF & G\nb c\na picture"


@both_parsers
def test_without_other_headings_there_are_no_texts(parser: Parser) -> None:
    assert facts_of(parser, body="<h1>A</h1><h2>B</h2><h3></h3>").heading_texts is None
    assert facts_of(parser).heading_texts is None


@both_parsers
def test_texts_of_other_headings_are_bounded(parser: Parser) -> None:
    page = facts_of(parser, body=f"<h3>{'x' * 300}</h3>" + "<h4>y</h4>" * 300)
    texts = (page.heading_texts or "").split("\n")
    assert (texts[0], len(texts)) == (f"{'x' * 199}…", 200)
    page = facts_of(parser, body=f"<h3>{'x' * 150}</h3>" * 200)
    assert len(page.heading_texts or "") <= 8_000
    page = facts_of(parser, body="<h3>x</h3>" * 201 + "<h2>y</h2><h2>z</h2>")
    assert len((page.heading_texts or "").split("\n")) == len(page.heading_levels or "") == 200
    assert (page.h2, page.h2_2) == ("y", "z")


@both_parsers
@each_case(
    ("levels", "expected"),
    [
        ("1", MarkupFlag(0)),
        ("12", MarkupFlag(0)),
        ("1232", MarkupFlag.MULTIPLE_H2),
        ("112", MarkupFlag.MULTIPLE_H1),
        ("21", MarkupFlag.H1_NON_SEQUENTIAL | MarkupFlag.H2_NON_SEQUENTIAL),
        ("312", MarkupFlag.H1_NON_SEQUENTIAL),
        ("132", MarkupFlag.H2_NON_SEQUENTIAL | MarkupFlag.HEADING_SKIPPED),
        (
            "1312",
            MarkupFlag.MULTIPLE_H1 | MarkupFlag.H2_NON_SEQUENTIAL | MarkupFlag.HEADING_SKIPPED,
        ),
        ("2", MarkupFlag(0)),
        ("32", MarkupFlag(0)),
        ("13", MarkupFlag.HEADING_SKIPPED),
        ("12456", MarkupFlag.HEADING_SKIPPED),
        ("123456", MarkupFlag(0)),
        ("6", MarkupFlag(0)),
    ],
)
def test_the_order_of_headings_is_judged(levels: str, expected: MarkupFlag, parser: Parser) -> None:
    assert markup_of(parser, body="".join(f"<h{n}>x</h{n}>" for n in levels)) == expected


@both_parsers
def test_empty_headings_have_no_say_in_the_order(parser: Parser) -> None:
    assert markup_of(parser, body="<h2></h2><h1>x</h1><h3> </h3><h2>x</h2><h1><br></h1>") == 0


@both_parsers
def test_no_more_than_the_first_levels_are_kept(parser: Parser) -> None:
    page = facts_of(parser, body="<h2>x</h2>" * 201)
    assert page.heading_levels == "2" * 200


@both_parsers
@each_case(
    ("h1", "text", "is_alt"),
    [
        ("<h1><img src=l alt=' The shop '></h1>", "The shop", True),
        ("<h1><a href=/><img src=l alt='The shop'></a></h1>", "The shop", True),
        ("<h1><img src=l alt='The shop'> Welcome</h1>", "Welcome", False),
        ("<h1><img src=l alt=' '></h1>", "", False),
        ("<h1>x</h1><h1><img src=l alt=y></h1>", "x", True),
        ("<h1>x</h1><h1>z</h1><h1><img src=l alt=y></h1>", "x", True),
        ("<h1>x</h1><h2><img src=l alt=y></h2>", "x", False),
        ("<h1></h1><h1><img src=l alt=y></h1>", "y", True),
    ],
)
def test_a_heading_may_be_the_text_of_an_image(
    h1: str, text: str, is_alt: bool, parser: Parser
) -> None:
    assert facts_of(parser, body=h1).h1 == text
    assert bool(markup_of(parser, body=h1) & MarkupFlag.H1_ALT_TEXT) is is_alt


@each_case(("alternative", "is_alt"), [("The shop", True), (" ", False)])
def test_a_blank_alternative_text_is_that_of_no_heading(alternative: str, is_alt: bool) -> None:
    headings = [Element("h1", {}, ALT_MARK + alternative, 0, 0)]
    markup = heading_facts(FactElements([], headings, {}, {}, [])).markup
    assert bool(markup & MarkupFlag.H1_ALT_TEXT) is is_alt


@each_case(
    "texts",
    [
        ["Plain", " at the ends ", "\xa0unbroken\xa0space", ""],
        ["two  spaces", "beside them"],
        [" ", " begins with the space that the first ends with"],
        ["a line\nend", "a tab\t"],
        ["controls \x01\x7f", "\xa0"],
        ["x" * 30, "y" * 31],
        [],
    ],
)
def test_several_texts_become_lines_as_each_does(texts: list[str]) -> None:
    assert one_lines(texts, 30) == [one_line(text, 30) for text in texts]
