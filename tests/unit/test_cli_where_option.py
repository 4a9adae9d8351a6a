"""--where: the facets of an export."""

import re

import pytest
from msgspec.structs import replace

from gossamer.cli.where_option import WHERE_FACETS, filter_of
from gossamer.model.content_types import ContentKind
from gossamer.model.custom_definitions import CustomOutcome, CustomSearch
from gossamer.model.errors import UsageError
from gossamer.model.fields.derived_fields import NotedOrNot
from gossamer.model.fields.derived_freshness_fields import FreshnessStatus
from gossamer.model.fields.derived_rendering_fields import (
    AccessibilityStatus,
    RenderReasonWord,
    RenderStatus,
)
from gossamer.model.fields.indexability import Indexability, IndexableOrNot
from gossamer.model.fields.link_record import LinkOriginName
from gossamer.model.fields.url_record import UNREACHED
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.project_queries import NO_RESPONSE, Filter, facet_values
from gossamer.model.redirect_types import ChainType
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.settings.crawl_settings import DEFAULTS
from tests.architecture.checkout import ROOT
from tests.cases import each_case


@each_case(
    ("text", "expected"),
    [
        ("verdict=broken", Filter(facets=facet_values(verdict={Verdict.BROKEN}))),
        ("status=404", Filter(facets=facet_values(status={404}))),
        ("status-class=4xx", Filter(facets=facet_values(status_class={4}))),
        ("status-class=none", Filter(facets=facet_values(status_class={NO_RESPONSE}))),
        ("Outcome=client_error", Filter(facets=facet_values(outcome={Outcome.CLIENT_ERROR}))),
        ("kind=image", Filter(facets=facet_values(kind={LinkKind.IMAGE}))),
        ("content-type=text/html", Filter(facets=facet_values(content_type={"text/html"}))),
        ("content-kind=PDF", Filter(facets=facet_values(content_kind={ContentKind.PDF}))),
        ("depth=3", Filter(facets=facet_values(depth={3}))),
        ("depth=none", Filter(facets=facet_values(depth={UNREACHED}))),
        ("origin=https://a.test", Filter(facets=facet_values(origin={"https://a.test"}))),
        ("chain-length=3", Filter(facets=facet_values(chain_length={3}))),
        (
            "warning=size-limit",
            Filter(facets=facet_values(warning={ResponseWarning.SIZE_LIMIT})),
        ),
        (
            "indexability=non-indexable",
            Filter(facets=facet_values(indexability={IndexableOrNot.NON_INDEXABLE})),
        ),
        (
            "indexability-status=Client Error",
            Filter(facets=facet_values(indexability_status={Indexability.CLIENT_ERROR})),
        ),
        ("issue=Page Titles: Missing", Filter(facets=facet_values(issue={400}))),
        ("issue=page titles: over 60 characters", Filter(facets=facet_values(issue={402}))),
        ("chain-type=mixed", Filter(facets=facet_values(chain_type={ChainType.MIXED}))),
        (
            "link-origin=rendered html",
            Filter(facets=facet_values(link_origin={LinkOriginName.RENDERED})),
        ),
        (
            "why-rendered=sample",
            Filter(facets=facet_values(why_rendered={RenderReasonWord.SAMPLE})),
        ),
        (
            "accessibility=check failed",
            Filter(facets=facet_values(accessibility={AccessibilityStatus.FAILED})),
        ),
        (
            "since-last-crawl=not modified",
            Filter(facets=facet_values(since_last_crawl={FreshnessStatus.NOT_MODIFIED})),
        ),
        ("noted=with notes", Filter(facets=facet_values(noted={NotedOrNot.NOTED}))),
        ("rendering=timed out", Filter(facets=facet_values(rendering={RenderStatus.TIMED_OUT}))),
    ],
)
def test_each_facet_can_be_given(text: str, expected: Filter) -> None:
    assert filter_of([text]) == expected


def test_custom_results_are_named_by_their_definition_and_outcome() -> None:
    search = CustomSearch("Terms: and", "and")
    settings = replace(DEFAULTS, custom_searches=(search,))
    for text, outcome in (
        ("custom=terms: AND", CustomOutcome.FOUND),
        ("custom=Terms: and:missing", CustomOutcome.MISSING),
        ("custom=Terms: and:failed", CustomOutcome.FAILED),
    ):
        wanted = {outcome.facet_value(search.number)}
        assert filter_of([text], lambda: settings) == Filter(facets=facet_values(custom=wanted))
    with pytest.raises(UsageError, match="no custom search or extraction 'x'; use Terms: and,"):
        filter_of(["custom=x"], lambda: settings)
    with pytest.raises(UsageError, match="has no custom searches"):
        filter_of(["custom=x"])


def test_the_documentation_has_every_facet_and_the_values_of_those_with_few() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    section = text.partition("\n### Facets\n")[2].partition("\n### ")[0]
    documented = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", section, re.MULTILINE))
    assert set(documented) == set(WHERE_FACETS)
    for facet in ("content-kind", "since-last-crawl", "accessibility", "why-rendered", "rendering"):
        with pytest.raises(UsageError) as refused:
            filter_of([f"{facet}=x"])
        known = str(refused.value).partition("; use ")[2].removesuffix(".")
        assert re.findall("`(.*?)`", documented[facet]) == re.split(", | or ", known)


def test_values_of_a_facet_add_up_and_facets_narrow() -> None:
    found = filter_of(["status=404", "depth=1", "status=410"])
    assert found == Filter(facets=facet_values(status={404, 410}, depth={1}))
    assert filter_of([]) == Filter()


@each_case(
    "text",
    [
        "status",
        "colour=red",
        "status=many",
        "status-class=ten",
        "verdict=bad",
        "outcome=x",
        "chain-type=x",
        "content-kind=x",
        "indexability=x",
        "=1",
    ],
)
def test_an_unknown_facet_or_value_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError):
        filter_of([text])


def test_names_of_issues_have_the_thresholds_of_the_project() -> None:
    settings = replace(DEFAULTS, title_max_length=70)
    wanted = Filter(facets=facet_values(issue={402}))
    assert filter_of(["issue=Page Titles: Over 70 Characters"], lambda: settings) == wanted


def test_an_unknown_issue_is_refused_with_similar_names() -> None:
    with pytest.raises(UsageError, match=r"did you mean .*Page Titles: Missing"):
        filter_of(["issue=Page Title: Mising"])
