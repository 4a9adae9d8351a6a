"""What custom searches count and custom extractions take out of a page."""

import pytest
from msgspec.structs import replace

from gossamer.extract.custom_markup import PageMarkup
from gossamer.extract.custom_patterns import PageValues, compiled
from gossamer.extract.pattern_syntax import check_patterns
from gossamer.model.custom_definitions import (
    MAX_PAGE_CHARACTERS,
    MAX_VALUE_CHARACTERS,
    MAX_VALUES,
    CustomDefinition,
    CustomExtraction,
    CustomFailure,
    CustomResult,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchLocation,
)
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

PAGE = b"""<!DOCTYPE html><html><head><title>Foo &amp; Bar</title>
<script>ga('UA-1234'); if (a<b) {}</script></head>
<body><h1 id="top">Hello <b>brave</b> new <i>wor</i>ld</h1><p>one</p><p>two</p>
<ul><li>first<li>second</ul><a href="/x?a=1&amp;b=2" title="">link</a>
<script src="https://tags.example/UA-5678.js"></script><noscript>hidden</noscript></body></html>
"""
BOTH = pytest.mark.parametrize("parser", list(Parser))


def values(
    definition: CustomDefinition, page: bytes = PAGE, parser: Parser = Parser.SELECTOLAX
) -> list[str | int]:
    markup = PageMarkup(page, "utf-8", parser)
    result = PageValues().result(definition.number, compiled(definition), markup)
    assert result.failure is None
    return result.values


def search(
    pattern: str, place: SearchLocation = SearchLocation.HTML, selector: str = ""
) -> CustomSearch:
    return CustomSearch("s", pattern, place=place, selector=selector)


# ---------------------------------------------------------------- searches


def test_the_source_is_searched_as_it_was_sent() -> None:
    assert values(search("&amp;")) == [2]
    assert values(search("<LI>")) == [2]


def test_case_counts_only_if_asked_for() -> None:
    assert values(replace(search("<LI>"), match_case=True)) == [0]
    assert values(replace(search("hello"), match_case=True)) == [0]
    assert values(search("STRASSE"), b"Stra\xc3\x9fe") == [1]


def test_a_regular_expression_is_counted_without_empty_matches() -> None:
    assert values(replace(search(r"ua-\d+"), regex=True)) == [2]
    assert values(replace(search(r"x*"), regex=True), b"axxbx") == [2]


def test_visible_text_joins_what_inline_elements_part_and_parts_what_blocks_part() -> None:
    text = SearchLocation.TEXT
    assert values(search("Hello brave new world", text)) == [1]
    assert values(search("onetwo", text)) == [0]
    assert values(search("one two", text)) == [1]
    assert values(search("firstsecond", text)) == [0]


def test_visible_text_has_no_scripts_and_no_title() -> None:
    for unseen in ("UA-1234", "Foo & Bar", "hidden"):
        assert values(search(unseen, SearchLocation.TEXT)) == [0]


def test_scripts_are_searched_with_their_addresses() -> None:
    assert values(search("UA-", SearchLocation.SCRIPTS)) == [2]
    assert values(search("Hello", SearchLocation.SCRIPTS)) == [0]


def test_the_head_ends_where_the_body_begins() -> None:
    assert values(search("UA-", SearchLocation.HEAD)) == [1]
    assert values(search("a", SearchLocation.HEAD), b"<title>a</title><body>a") == [1]
    assert values(search("header", SearchLocation.HEAD), b"<header>header</header>") == [3]


@BOTH
def test_elements_are_searched_with_their_own_tags(parser: Parser) -> None:
    found = values(search("top", SearchLocation.ELEMENT, "h1"), parser=parser)
    assert found == [1]
    assert values(search("o", SearchLocation.ELEMENT, "p"), parser=parser) == [2]


# ---------------------------------------------------------------- extractions


@BOTH
def test_css_gives_the_text_of_the_first_or_of_all(parser: Parser) -> None:
    first = CustomExtraction("e", "p")
    assert values(first, parser=parser) == ["one"]
    assert values(replace(first, all_matches=True), parser=parser) == ["one", "two"]
    assert values(CustomExtraction("e", "h1"), parser=parser) == ["Hello brave new world"]


@BOTH
def test_css_gives_inner_html_attributes_and_counts(parser: Parser) -> None:
    inner = CustomExtraction("e", "h1", part=ExtractedPart.INNER_HTML)
    assert values(inner, parser=parser) == ["Hello <b>brave</b> new <i>wor</i>ld"]
    href = CustomExtraction("e", "a", part=ExtractedPart.ATTRIBUTE, attribute="HREF")
    assert values(href, parser=parser) == ["/x?a=1&b=2"]
    assert values(replace(href, attribute="title"), parser=parser) == [""]
    assert values(replace(href, attribute="rel"), parser=parser) == []
    count = CustomExtraction("e", "li", part=ExtractedPart.COUNT)
    assert values(count, parser=parser) == [2]
    assert values(replace(count, pattern="table"), parser=parser) == [0]


@BOTH
def test_comments_are_no_text_of_an_element(parser: Parser) -> None:
    page = b"<p>19<!-- was 29 -->,95 <b>EUR<!----></b></p>"
    assert values(CustomExtraction("e", "p"), page, parser) == ["19,95 EUR"]
    xpath = CustomExtraction("e", "//p", method=ExtractionMethod.XPATH)
    assert values(xpath, page, parser) == ["19,95 EUR"]


@BOTH
def test_formatting_is_found_on_a_large_page(parser: Parser) -> None:
    """Only markup that a parser would repeat without end is changed."""
    rows = b"<tr><td><b>x</b><td><code>f(<i>y</i>)</code> <em>z</em> <a href=q>a</a></tr>" * 2_000
    css = CustomExtraction("e", "td > code", part=ExtractedPart.COUNT)
    assert values(css, b"<table>" + rows, parser) == [2_000]
    xpath = replace(css, pattern="//td/code", method=ExtractionMethod.XPATH)
    assert values(xpath, b"<table>" + rows, parser) == [2_000]
    text = replace(css, part=ExtractedPart.INNER_HTML)
    assert values(text, b"<table>" + rows, parser) == ["f(<i>y</i>)"]


def test_an_xpath_gives_comments() -> None:
    page = b"<p>19<!-- was 29 --></p><!---->"
    comments = CustomExtraction("e", "//comment()", method=ExtractionMethod.XPATH, all_matches=True)
    assert values(comments, page) == ["was 29", ""]
    assert values(replace(comments, part=ExtractedPart.INNER_HTML), page) == ["was 29", ""]
    attribute = replace(comments, part=ExtractedPart.ATTRIBUTE, attribute="id")
    assert values(attribute, page) == []


@BOTH
def test_the_case_of_an_attribute_in_svg_does_not_matter(parser: Parser) -> None:
    """The HTML standard gives such attributes back their capitals."""
    page = b'<svg viewBox="0 0 4 3"><a xlink:href="/x">x</a></svg>'
    box = CustomExtraction("e", "svg", part=ExtractedPart.ATTRIBUTE, attribute="viewBox")
    assert values(box, page, parser) == ["0 0 4 3"]
    assert values(replace(box, attribute="viewbox"), page, parser) == ["0 0 4 3"]
    link = replace(box, pattern="svg a", attribute="xlink:href")
    assert values(link, page, parser) == ["/x"]


@each_case(
    ("expression", "found"),
    [
        ("//p", ["one", "two"]),
        ("//a/@href", ["/x?a=1&b=2"]),
        ("//p/text()", ["one", "two"]),
        ("count(//p)", [2]),
        ("number('x')", ["NaN"]),
        ("1 div 0", ["Infinity"]),
        ("-1 div 0", ["-Infinity"]),
        ("1 div 4", ["0.25"]),
        ("1 div 1000000", ["0.000001"]),
        ("number('0049301234567')", ["49301234567"]),
        ("-1000000000000 * 10000000000", ["-10000000000000000000000"]),
        ("string(//title)", ["Foo & Bar"]),
        ("//p = 'one'", ["true"]),
        ("//table", []),
        ("//p[re:test(., 'tw')]", ["two"]),
    ],
)
def test_an_xpath_gives_elements_attributes_texts_or_what_a_function_gives(
    expression: str, found: list[str | int]
) -> None:
    extraction = CustomExtraction("e", expression, method=ExtractionMethod.XPATH, all_matches=True)
    assert values(extraction) == found


def test_an_xpath_gives_inner_html_attributes_and_counts() -> None:
    inner = CustomExtraction(
        "e", "//h1", method=ExtractionMethod.XPATH, part=ExtractedPart.INNER_HTML
    )
    assert values(inner) == ["Hello <b>brave</b> new <i>wor</i>ld"]
    assert values(replace(inner, part=ExtractedPart.COUNT)) == [1]
    attribute = replace(inner, part=ExtractedPart.ATTRIBUTE, attribute="id")
    assert values(attribute) == ["top"]


def test_a_regular_expression_gives_its_first_group_or_all_it_matches() -> None:
    regex = CustomExtraction("e", r"UA-(\d+)", method=ExtractionMethod.REGEX, all_matches=True)
    assert values(regex) == ["1234", "5678"]
    assert values(replace(regex, pattern=r"UA-\d+", all_matches=False)) == ["UA-1234"]
    assert values(replace(regex, part=ExtractedPart.COUNT)) == [2]
    assert values(replace(regex, pattern="(zzz)|UA-")) == []


def test_a_page_in_another_encoding_is_read_as_it_is_meant() -> None:
    page = '<meta charset="gbk"><p>价格</p>'.encode("gbk")
    for method, pattern in ((ExtractionMethod.CSS, "p"), (ExtractionMethod.XPATH, "//p")):
        apply = compiled(CustomExtraction("e", pattern, method=method))
        markup = PageMarkup(page, None, Parser.SELECTOLAX)
        assert PageValues().result(1, apply, markup) == CustomResult(1, ["价格"])


def test_values_and_their_number_are_bounded() -> None:
    many = b"<p>" + b"x" * 6000 + b"</p>" + b"<p>y</p>" * 200
    found = values(CustomExtraction("e", "p", all_matches=True), many)
    assert len(found) == MAX_VALUES
    assert isinstance(found[0], str)
    assert len(found[0]) == MAX_VALUE_CHARACTERS
    assert found[0].endswith("…")


def test_all_values_of_a_page_together_are_bounded() -> None:
    page = PageMarkup(b"<p>" + b"x" * 6000 + b"</p>", None, Parser.SELECTOLAX)
    kept = PageValues()
    apply = compiled(CustomExtraction("e", "p"))
    found = [kept.result(number, apply, page).values[0] for number in range(200)]
    assert sum(len(str(value)) for value in found) <= MAX_PAGE_CHARACTERS + 200


def test_an_empty_page_has_no_values() -> None:
    for method, pattern in ((ExtractionMethod.CSS, "p"), (ExtractionMethod.XPATH, "//p")):
        assert values(CustomExtraction("e", pattern, method=method), b"") == []
    assert values(search("a", SearchLocation.TEXT), b"") == [0]


def test_what_cannot_be_applied_to_a_page_has_failed_there() -> None:
    xpath = CustomExtraction("e", "//p[$x]", method=ExtractionMethod.XPATH)
    page = PageMarkup(PAGE, None, Parser.SELECTOLAX)
    assert PageValues().result(1, compiled(xpath), page) == CustomResult(
        1, failure=CustomFailure.FAILED
    )


# ---------------------------------------------------------------- syntax


@each_case(
    ("definition", "sentence"),
    [
        (
            CustomSearch("s", "a(b", regex=True),
            "regular expression: missing ), unterminated subpattern at character 2",
        ),
        (
            CustomSearch("s", "b", place=SearchLocation.ELEMENT, selector="h1["),
            "CSS selector: malformed attribute selector at character 3",
        ),
        (
            CustomExtraction("e", "p::before"),
            "CSS selector: pseudo-element found at character 2",
        ),
        (
            CustomExtraction("e", "p:-soup-contains('a')"),
            "CSS selector: the parser of this crawl does not know it",
        ),
        (
            CustomExtraction("e", "//h1[", method=ExtractionMethod.XPATH),
            "XPath: invalid expression at character 6",
        ),
        (
            CustomExtraction("e", "foo()", method=ExtractionMethod.XPATH),
            "XPath: unregistered function",
        ),
        (
            CustomExtraction("e", "//p[re:test(., '(')]", method=ExtractionMethod.XPATH),
            "XPath: missing ), unterminated subpattern at position 0",
        ),
        (
            CustomExtraction(
                "e", f"//p[re:test(., 'a{{{9**30}}}')]", method=ExtractionMethod.XPATH
            ),
            "XPath: the repetition number is too large",
        ),
        (
            CustomExtraction("e", "[", method=ExtractionMethod.REGEX),
            "regular expression: unterminated character set at character 1",
        ),
    ],
)
def test_a_wrong_pattern_is_refused_with_the_place_where_it_is_wrong(
    definition: CustomDefinition, sentence: str
) -> None:
    name = "custom_searches" if isinstance(definition, CustomSearch) else "custom_extractions"
    with pytest.raises(UsageError) as refused:
        check_patterns(replace(DEFAULTS, **{name: (definition,)}))
    kind, _, why = sentence.partition(": ")
    expected = f"The {kind} of {definition.name!r} is not valid: {why}; correct it."
    assert str(refused.value) == expected


def test_a_pattern_that_is_slow_or_large_is_no_wrong_pattern() -> None:
    slow = (
        CustomSearch("a", "(a+)+$", regex=True),
        CustomSearch("b", "(?:(?:a{1000}){1000}){1000}", regex=True),
    )
    check_patterns(replace(DEFAULTS, custom_searches=slow))
    assert values(slow[1]) == [0]


@pytest.mark.filterwarnings("error")
def test_an_outdated_selector_makes_no_warning_of_a_library() -> None:
    outdated = (CustomExtraction("e", "p:contains('two')"),)
    check_patterns(replace(DEFAULTS, parser=Parser.BEAUTIFULSOUP, custom_extractions=outdated))
    assert values(outdated[0], parser=Parser.BEAUTIFULSOUP) == ["two"]
