"""No bytes and no pattern make a custom search or extraction raise or overflow its bounds."""

import re
import warnings

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from gossamer.extract.custom_markup import PageMarkup
from gossamer.extract.custom_patterns import PageValues, compiled
from gossamer.extract.pattern_syntax import check_patterns
from gossamer.model.custom_definitions import (
    MAX_COUNT,
    MAX_VALUE_CHARACTERS,
    MAX_VALUES,
    CustomDefinition,
    CustomExtraction,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchLocation,
)
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.settings.request_settings import Parser
from tests.property.markup import markup

PATTERNS = st.one_of(
    st.sampled_from(
        [
            "p",
            "a[href]",
            "* > *",
            "//a/@href",
            "//text()",
            "count(//*)",
            "//*[1]",
            "[a-z]+",
            "(a)|b",
        ]
    ),
    st.text(alphabet="ab/*[]()@.#:>+~|\\'\"^$?!={} ", min_size=1, max_size=12),
)
SEARCHES = st.builds(
    CustomSearch,
    name=st.just("s"),
    pattern=PATTERNS,
    place=st.sampled_from(SearchLocation),
    selector=PATTERNS,
    regex=st.booleans(),
    match_case=st.booleans(),
)
EXTRACTIONS = st.builds(
    CustomExtraction,
    name=st.just("e"),
    pattern=PATTERNS,
    method=st.sampled_from(ExtractionMethod),
    part=st.sampled_from(ExtractedPart),
    attribute=st.sampled_from(["href", "a b", "\ud800", ""]),
    all_matches=st.booleans(),
)


def _page(parts: list[str]) -> bytes:
    return "".join(parts).encode(errors="surrogatepass")


@given(
    body=st.one_of(
        st.binary(max_size=300),
        st.lists(markup, max_size=30).map(lambda parts: "".join(parts).encode(errors="replace")),
    ),
    definition=st.one_of(SEARCHES, EXTRACTIONS),
    parser=st.sampled_from(Parser),
)
def test_whatever_is_checked_can_be_applied_to_any_bytes(
    body: bytes, definition: CustomDefinition, parser: Parser
) -> None:
    name = "custom_searches" if isinstance(definition, CustomSearch) else "custom_extractions"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of `re` and soupsieve, about syntax
        try:
            check_patterns(replace(DEFAULTS, parser=parser, **{name: (definition,)}))
        except UsageError:
            assume(False)
        page = PageMarkup(body, None, parser)
        found = PageValues().result(1, compiled(definition), page)
    assert len(found.values) <= MAX_VALUES
    for value in found.values:
        if isinstance(value, int):
            assert 0 <= value <= MAX_COUNT
        else:
            assert len(value) <= MAX_VALUE_CHARACTERS
            assert not re.search("[\x00-\x08\ud800-\udfff]", value)
