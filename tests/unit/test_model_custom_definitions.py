"""Custom searches and extractions as values: what is refused, and what tells one from another."""

import pytest
from msgspec.structs import replace

from gossamer.model.custom_definitions import (
    MAX_DEFINITIONS,
    CustomExtraction,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchCondition,
    SearchLocation,
)
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import (
    CrawlSettings,
    decode_settings,
    encode_settings,
)
from tests.cases import each_case

PLAIN = CrawlSettings(roots=("example.com",))
SEARCH = CustomSearch("Analytics", "UA-")
EXTRACTION = CustomExtraction("Price", "span.price")


def refusal(settings: CrawlSettings) -> str:
    with pytest.raises(UsageError) as refused:
        settings.checked()
    return str(refused.value)


def test_a_hundred_are_taken_and_one_more_is_refused() -> None:
    hundred = tuple(replace(SEARCH, name=f"n{number}") for number in range(MAX_DEFINITIONS))
    assert replace(PLAIN, custom_searches=hundred).checked()
    more = (*hundred, SEARCH)
    assert refusal(replace(PLAIN, custom_searches=more)) == (
        "Custom searches: 101 are too many; keep at most 100."
    )


def test_two_names_that_differ_in_case_only_are_refused() -> None:
    twice = (EXTRACTION, replace(EXTRACTION, name="PRICE"))
    assert refusal(replace(PLAIN, custom_extractions=twice)) == (
        "Custom extractions: there are two called 'PRICE'; rename one."
    )


def test_a_search_and_an_extraction_may_have_the_same_name() -> None:
    both = replace(
        PLAIN,
        custom_searches=(SEARCH,),
        custom_extractions=(replace(EXTRACTION, name="Analytics"),),
    )
    assert both.checked() is both


@each_case(
    ("wrong", "sentence"),
    [
        (replace(SEARCH, name=" "), "has no name"),
        (replace(SEARCH, name="a\nb"), "must be one line"),
        (replace(SEARCH, name="x" * 101), "is longer than 100 characters"),
        (replace(SEARCH, pattern=""), "'Analytics' has no pattern"),
        (replace(SEARCH, pattern="x" * 70_000), "longer than 65,536 characters"),
        (replace(SEARCH, place=SearchLocation.ELEMENT), "needs a CSS selector"),
        (replace(SEARCH, selector="h1"), "needs a CSS selector to search in elements"),
    ],
)
def test_what_a_search_lacks_is_said_in_a_sentence(wrong: CustomSearch, sentence: str) -> None:
    assert sentence in refusal(replace(PLAIN, custom_searches=(wrong,)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (replace(EXTRACTION, part=ExtractedPart.ATTRIBUTE), "needs the name of an attribute"),
        (replace(EXTRACTION, attribute="href"), "and has none otherwise"),
        (
            replace(EXTRACTION, method=ExtractionMethod.REGEX, part=ExtractedPart.INNER_HTML),
            "use CSS or XPath",
        ),
    ],
)
def test_what_an_extraction_lacks_is_said_in_a_sentence(
    wrong: CustomExtraction, sentence: str
) -> None:
    assert sentence in refusal(replace(PLAIN, custom_extractions=(wrong,)))


def test_names_with_odd_characters_are_names() -> None:
    for name in ("a, b", "a/b", "=1+1", "价格", "a b  c", '"'):
        assert replace(PLAIN, custom_searches=(replace(SEARCH, name=name),)).checked()


def test_another_name_or_condition_makes_no_other_definition() -> None:
    renamed = replace(SEARCH, name="GA", condition=SearchCondition.DOES_NOT_CONTAIN)
    assert renamed.number == SEARCH.number
    assert replace(EXTRACTION, name="Cost").number == EXTRACTION.number


def test_another_pattern_or_kind_makes_another_definition() -> None:
    numbers = {
        each.number
        for each in (
            SEARCH,
            replace(SEARCH, pattern="UA"),
            replace(SEARCH, regex=True),
            replace(SEARCH, match_case=True),
            replace(SEARCH, place=SearchLocation.HEAD),
            CustomExtraction("Analytics", "UA-"),
            EXTRACTION,
            replace(EXTRACTION, all_matches=True),
        )
    }
    assert len(numbers) == 8


def test_a_project_keeps_them() -> None:
    settings = replace(
        PLAIN,
        custom_searches=(SEARCH,),
        custom_extractions=(replace(EXTRACTION, all_matches=True),),
    )
    assert decode_settings(encode_settings(settings)) == settings
