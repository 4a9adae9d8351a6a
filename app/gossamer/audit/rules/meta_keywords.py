"""Rules about meta keywords: for information, and only if the settings want them."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    COUNT,
    AuditedPage,
    PageRule,
    RuleGroup,
    SiteRule,
    StageRule,
)
from gossamer.model.fields.page_flags import MarkupFlag

_MULTIPLE: Final = int(MarkupFlag.MULTIPLE_KEYWORDS)

_rule = partial(
    SiteRule,
    group=RuleGroup.META_KEYWORDS,
    kind=COUNT,
    priority=None,
    reference="https://developers.google.com/search/blog/2009/09/google-does-not-use-keywords-meta-tag",
    fields=("keywords",),
    limit="audit_meta_keywords",
)


def _if_wanted(check: Callable[[AuditedPage], object]) -> PageRule:
    return PageRule(
        lambda page, settings: settings.audit_meta_keywords and bool(check(page)),
        facts=("keywords",),
    )


MISSING: Final = _rule(
    number=600,
    name="Missing",
    decision=_if_wanted(lambda page: not page.facts.keywords),
    meaning='The page has no <meta name="keywords"> element, or an empty one.',
    reason="No large search engine uses it, so nothing is lost.",
    remedy="Do nothing, unless the search of your own site uses meta keywords.",
)
DUPLICATE: Final = _rule(
    number=601,
    evidence=OtherUrl("Page With Same Keywords"),
    name="Duplicate",
    decision=StageRule(names_url=True),
    meaning="Another indexable page has the same meta keywords.",
    reason="Search engines ignore them. A search of your own site may find too much by them.",
    remedy="Remove meta keywords that nothing uses, or choose different ones for each page.",
)
MULTIPLE: Final = _rule(
    number=602,
    name="Multiple",
    decision=_if_wanted(lambda page: (page.facts.markup or 0) & _MULTIPLE),
    meaning='The page has more than one <meta name="keywords"> element.',
    reason="Search engines ignore them. Whatever reads them may take only one.",
    remedy="Keep one element, or none.",
)
