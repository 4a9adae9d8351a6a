"""Rules about AMP pages and the pages that name them."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    Listed,
    RuleGroup,
    SiteRule,
    StageRule,
)

_rule = partial(
    SiteRule,
    group=RuleGroup.AMP,
    reference="https://developers.google.com/search/docs/crawling-indexing/amp",
    fields=("amp_url", "canonical"),
    definition=(
        "An AMP page is read if a link leads to it, or if the settings follow links of the kind "
        "amp. Otherwise its headers alone are requested, and nothing is known of its content."
    ),
)

NON_200: Final = _rule(
    number=1600,
    evidence=OtherUrl("Non-200 AMP URL"),
    name="Non-200 Response",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning="The AMP version that the page names does not return status code 200.",
    reason=(
        "Search engines cannot use the AMP version, and visitors who follow it meet an error or a "
        "detour."
    ),
    remedy="Correct the amphtml link, repair the AMP page, or remove the link.",
    definition="The AMP version is requested whether other links lead to it or not.",
)
MISSING_RETURN_LINK: Final = _rule(
    number=1601,
    evidence=OtherUrl("Page Without AMP Link"),
    name="Missing Non-AMP Return Link",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning=(
        "The page that this AMP page names as its canonical does not name it in an amphtml link."
    ),
    reason=(
        "Search engines connect the two only if each names the other, so they may not find the AMP "
        "version."
    ),
    remedy=(
        'Add <link rel="amphtml"> with the URL of the AMP page to the <head> of the canonical page.'
    ),
)
MISSING_CANONICAL: Final = _rule(
    number=1602,
    evidence=OtherUrl("Non-AMP Page"),
    name="Missing Canonical to Non-AMP",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning="This AMP page does not name the page without AMP that it belongs to as its canonical.",
    reason="Search engines take the two for separate pages with the same content.",
    remedy="Name the page without AMP as the canonical of the AMP page.",
)
NON_INDEXABLE_CANONICAL: Final = _rule(
    number=1603,
    evidence=OtherUrl("Non-Indexable Canonical"),
    name="Non-Indexable Canonical",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning="The page that this AMP page names as its canonical is not indexable.",
    reason="Neither of the two may then appear in search results.",
    remedy="Name an indexable page as the canonical, or make that page indexable.",
)
INDEXABLE: Final = _rule(
    number=1604,
    name="Indexable",
    kind=COUNT,
    priority=None,
    decision=StageRule(Listed.PAGES),
    meaning="An AMP page that is indexable itself.",
    reason=(
        "This is right for a page that exists as AMP alone. One with a version without AMP should "
        "name that as its canonical."
    ),
    remedy="Nothing to do for pages that are AMP alone. Otherwise add the canonical.",
)
NON_INDEXABLE: Final = _rule(
    number=1605,
    name="Non-Indexable",
    kind=COUNT,
    priority=None,
    decision=StageRule(Listed.PAGES),
    meaning="An AMP page that is not indexable.",
    reason="This is usual: it names the page without AMP as its canonical.",
    remedy=(
        "Nothing to do, if its canonical is the reason. An AMP page should not be noindex or "
        "blocked by robots.txt."
    ),
)
