"""Which fields a comparison of two crawls looks at."""

import pytest

from gossamer.model.comparison_field_choice import (
    COMPARABLE,
    COMPARED,
    compared_fields,
    sources_of,
)
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.store.field_sql import read_sql


def test_the_usual_fields_are_those_that_release_engineers_ask_for() -> None:
    headings = [COMPARABLE[name].field.export for name in COMPARED]
    assert headings == [
        *("Status Code", "Title 1", "Meta Description 1", "H1-1", "Canonical Link Element 1"),
        *("Word Count", "Crawl Depth", "Inlinks", "Redirect URL", "Structured Data Types"),
        *("Indexability", "Indexability Status", "Outlinks", "Hreflang"),
        "Content Similarity",
    ]


def test_each_field_that_can_be_compared_can_be_read() -> None:
    declared = {each.name: each for each in URL_FIELDS}
    for each in COMPARABLE.values():
        if each.name in declared:
            assert all(read_sql(declared[name]) for name in sources_of(each))


def test_a_mistyped_field_is_told_similar_names() -> None:
    with pytest.raises(UsageError, match=r"similar names: Response Time") as caught:
        compared_fields(["Respose Time"])
    assert len(str(caught.value)) < 250
