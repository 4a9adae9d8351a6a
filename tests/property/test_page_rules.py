"""Page rules are decided together as each of them decides alone."""

from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gossamer.audit.live_page_issues import page_indexability, page_issues
from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AuditedPage, PageRule, PageScope
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag, Directive, MarkupFlag, RenderFlag
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.model.text_errors import ErrorKind, TextError, encode_errors
from gossamer.model.visit import Visit

_URLS: Final = (
    "https://site.example/",
    "https://site.example/Big_Shoes//?q=1&utm_source=x",
    "http://site.example/%C3%A4",
    f"http://site.example/{'x' * 200}",
)
_SETTINGS: Final = (
    DEFAULTS,
    replace(DEFAULTS, audit_meta_keywords=True, title_max_length=3, content_min_words=0),
)
_TEXT: Final = st.sampled_from((None, "", "Shoes", "x" * 300))
_URL: Final = st.sampled_from((None, "", *_URLS))
_ERRORS: Final = encode_errors([TextError(ErrorKind.SPELLING, "shose")])
_PIXELS: Final = st.sampled_from((None, 0, 5, 9_000))
_NUMBER: Final = st.sampled_from((None, 0, 2, 500))
_FACTS: Final[dict[str, st.SearchStrategy[Any]]] = {
    **dict.fromkeys(("title", "title_2", "description", "description_2", "keywords"), _TEXT),
    **dict.fromkeys(("h1", "h1_2", "h2", "h2_2"), _TEXT),
    **dict.fromkeys(("title_pixels", "description_pixels"), _PIXELS),
    **dict.fromkeys(("canonical", "canonical_header", "mobile_url"), _URL),
    **dict.fromkeys(("next_url", "next_header", "prev_url", "prev_header"), _URL),
    "viewport": st.sampled_from((None, "", "width=device-width", "user-scalable=no")),
    "language": st.sampled_from((None, "", "en", "de")),
    "text_errors": st.sampled_from((None, _ERRORS)),
    **dict.fromkeys(("word_count", "sentence_count", "syllable_count"), _NUMBER),
    **{
        name: st.none() | st.integers(0, 2 * max(flags) - 1)
        for name, flags in (
            ("markup", MarkupFlag),
            ("content", ContentFlag),
            ("directives", Directive),
            ("javascript", RenderFlag),
        )
    },
}
_CHANGES: Final = st.sampled_from(sorted(_FACTS)).flatmap(
    lambda name: _FACTS[name].map(lambda value: {name: value})
)
_VISITS: Final = st.builds(
    Visit,
    st.sampled_from((Outcome.PAGE, Outcome.PAGE_SOFT_ERROR)),
    st.just(200),
    size_bytes=st.sampled_from((0, 1_000, 1 << 30)),
    facts=st.fixed_dictionaries({}, optional=_FACTS).map(lambda facts: PageFacts(**facts)),
)


def _issues_by_each_rule(page: AuditedPage, settings: CrawlSettings) -> set[int]:
    scopes = {PageScope.ALL}
    if page.indexability is Indexability.INDEXABLE:
        scopes.add(PageScope.INDEXABLE)
    rules = {
        number: rule.decision
        for number, rule in RULES.items()
        if isinstance(rule.decision, PageRule)
    }
    return {
        number
        for number, rule in rules.items()
        if rule.scope in scopes and rule.check(page, settings)
    }


@given(st.sampled_from(_URLS), _VISITS, st.sampled_from(_SETTINGS), st.lists(_CHANGES, max_size=30))
def test_rules_decided_together_hold_where_each_alone_does(
    url: str, visit: Visit, settings: CrawlSettings, changes: list[dict[str, Any]]
) -> None:
    """Pages of a site are alike: here each differs from the first in one fact."""
    assert visit.facts is not None
    for change in ({}, *changes):
        facts = replace(visit.facts, **change)
        alike = replace(visit, facts=facts)
        page = AuditedPage(url, alike, facts, page_indexability(url, alike, facts))
        together = page_issues(url, alike, settings)
        assert len(together) == len(set(together))
        assert set(together) == _issues_by_each_rule(page, settings)
