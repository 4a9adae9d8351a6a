"""The small language of --search and --extract."""

import pytest
from msgspec.structs import replace

from gossamer.cli.custom_options import extractions_of, searches_of
from gossamer.model.custom_definitions import (
    CustomExtraction,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchCondition,
    SearchLocation,
)
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.settings_file import settings_of, settings_text
from tests.cases import each_case


@each_case(
    ("typed", "search"),
    [
        ("A=b", CustomSearch("A", "b")),
        ("A=b=c", CustomSearch("A", "b=c")),
        ("A=hello: world", CustomSearch("A", "hello: world")),
        ("A=text:text:b", CustomSearch("A", "text:b", place=SearchLocation.TEXT)),
        (
            r"A=not:scripts:regex:UA-\d+",
            CustomSearch(
                "A",
                r"UA-\d+",
                place=SearchLocation.SCRIPTS,
                regex=True,
                condition=SearchCondition.DOES_NOT_CONTAIN,
            ),
        ),
        (
            "A=element(div:not(.b)):case:C",
            CustomSearch(
                "A", "C", place=SearchLocation.ELEMENT, selector="div:not(.b)", match_case=True
            ),
        ),
    ],
)
def test_a_search_is_read_as_it_is_written(typed: str, search: CustomSearch) -> None:
    assert searches_of([typed]) == (search,)


@each_case(
    ("typed", "extraction"),
    [
        ("A=css:h1", CustomExtraction("A", "h1")),
        (
            "A=all:html:css:.a:first-child",
            CustomExtraction(
                "A", ".a:first-child", part=ExtractedPart.INNER_HTML, all_matches=True
            ),
        ),
        (
            "A=attribute(href):xpath://a",
            CustomExtraction(
                "A",
                "//a",
                method=ExtractionMethod.XPATH,
                part=ExtractedPart.ATTRIBUTE,
                attribute="href",
            ),
        ),
        ("A=regex:css:b", CustomExtraction("A", "css:b", method=ExtractionMethod.REGEX)),
        ("A=count:css:p", CustomExtraction("A", "p", part=ExtractedPart.COUNT)),
    ],
)
def test_an_extraction_is_read_as_it_is_written(typed: str, extraction: CustomExtraction) -> None:
    assert extractions_of([typed]) == (extraction,)


def test_without_a_name_or_method_a_sentence_says_how_to_write_it() -> None:
    with pytest.raises(UsageError, match="write it as NAME=PATTERN"):
        searches_of(["UA-1"])
    with pytest.raises(UsageError, match="names no method; write it as NAME=css:SELECTOR"):
        extractions_of(["A=h1"])
    with pytest.raises(UsageError, match="close the parenthesis"):
        searches_of(["A=element(h1:b"])


def test_a_settings_file_has_them_as_tables_and_gives_them_back() -> None:
    settings = replace(
        DEFAULTS,
        custom_searches=searches_of([r'A "b"=regex:\d', "C=\u202e"]),
        custom_extractions=extractions_of(["D=all:css:a"]),
    )
    text = settings_text(settings)
    assert '{ name = "D", pattern = "a", all_matches = true },' in text
    assert settings_of(text)[0] == settings


def test_a_settings_file_with_an_unknown_key_or_place_is_refused_with_a_reason() -> None:
    with pytest.raises(UsageError, match="colour"):
        settings_of('custom_searches = [{ name = "a", pattern = "b", colour = "red" }]')
    with pytest.raises(UsageError, match="cannot be 'attic'"):
        settings_of('custom_searches = [{ name = "a", pattern = "b", place = "attic" }]')
