"""Rules about canonicals: which of several URLs a page asks search engines to show."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks, OtherUrl
from gossamer.audit.site_rule import (
    COUNT,
    HIGH,
    ISSUE,
    LOW,
    MEDIUM,
    WARNING,
    Listed,
    PageRule,
    PageScope,
    RuleGroup,
    SiteRule,
    StageRule,
    has_any,
    has_markup,
    has_none,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.indexability import is_canonicalised
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.link_kinds import LinkKind

_rule = partial(
    SiteRule,
    group=RuleGroup.CANONICALS,
    reference="https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    fields=("canonical", "canonical_header"),
)

CONTAINS_CANONICAL: Final = _rule(
    number=1000,
    name="Contains Canonical",
    kind=COUNT,
    priority=None,
    decision=has_any("canonical", "canonical_header", scope=PageScope.ALL),
    meaning="The page names a canonical URL, in a <link> element or a Link header.",
    reason="Search engines take it as a strong hint which of several similar URLs to show.",
    remedy="Nothing to do, if the canonical is the URL that you want people to find.",
)
SELF_REFERENCING: Final = _rule(
    number=1001,
    name="Self Referencing",
    kind=COUNT,
    priority=None,
    decision=PageRule(
        lambda page, _: (
            page.url in {page.facts.canonical, page.facts.canonical_header}
            or bool((page.facts.markup or 0) & MarkupFlag.LATER_SELF_CANONICAL)
        ),
        PageScope.ALL,
        needs=("canonical", "canonical_header", "markup"),
    ),
    meaning="The page names itself as the canonical URL.",
    reason=(
        "This protects it from copies of itself under other URLs, such as those with tracking "
        "parameters."
    ),
    remedy="Nothing to do: this is good practice.",
    definition=(
        "The page's own address with a fragment counts, too. Of several canonicals, one that names "
        "the page is enough."
    ),
)
CANONICALISED: Final = _rule(
    number=1002,
    name="Canonicalised",
    kind=WARNING,
    priority=HIGH,
    decision=PageRule(
        lambda page, _: is_canonicalised(page.url, page.facts),
        PageScope.ALL,
        needs=("canonical", "canonical_header", "markup"),
    ),
    meaning="The page names another URL as its canonical.",
    reason=(
        "It asks search engines to show the other URL instead, so it is unlikely to appear in "
        "search results itself."
    ),
    remedy=(
        "Check that the other page has the same content. If this page should be found, name its "
        "own URL as the canonical. If many pages name a wrong host, such as that of a test "
        "system, correct their template."
    ),
    definition=(
        "Of several canonicals, one that names another URL is enough. Pages that are noindex "
        "count, too. A value that is no web address, such as https:// alone or one that begins "
        "with file:, names none."
    ),
)
MISSING: Final = _rule(
    number=1003,
    name="Missing",
    kind=WARNING,
    priority=MEDIUM,
    decision=has_none("canonical", "canonical_header"),
    meaning="The page names no canonical URL, or an empty one.",
    reason=(
        "If the page can be reached under several URLs, search engines choose which one to show, "
        "and may choose another than you would."
    ),
    remedy='Add <link rel="canonical"> with the page\'s own absolute URL to its <head>.',
    definition="An empty href is missing, too. Only indexable pages count.",
)
MULTIPLE: Final = _rule(
    number=1004,
    evidence=MatchingLinks("Canonicals", LinkTest((LinkKind.CANONICAL,))),
    name="Multiple",
    kind=WARNING,
    priority=LOW,
    decision=has_markup(MarkupFlag.MULTIPLE_CANONICALS, PageScope.ALL),
    meaning="The page has more than one canonical, in elements or headers.",
    reason=(
        "Even if they agree today, they may differ after the next change, and search engines then "
        "ignore them."
    ),
    remedy="Keep one. Often a plugin, a second template or a server rule adds the other.",
)
CONFLICTING: Final = _rule(
    number=1005,
    evidence=MatchingLinks("Canonicals", LinkTest((LinkKind.CANONICAL,))),
    name="Multiple Conflicting",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.CONFLICTING_CANONICALS, PageScope.ALL),
    meaning="The page has several canonicals that name different URLs.",
    reason="Search engines cannot tell which one you mean, and are likely to ignore all of them.",
    remedy=(
        "Decide on one URL, and remove the other canonicals from the page and from its Link header."
    ),
)
NON_INDEXABLE_CANONICAL: Final = _rule(
    number=1006,
    evidence=OtherUrl("Non-Indexable Canonical"),
    name="Non-Indexable Canonical",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning=(
        "The canonical URL cannot be indexed: it redirects, is broken, is blocked by robots.txt, "
        "is noindex, or is canonicalised itself."
    ),
    reason=(
        "The page asks search engines to show a URL that they cannot show. They may ignore the "
        "canonical, or show neither page."
    ),
    remedy=(
        "Name an indexable URL that returns status code 200, or make the canonical page indexable."
    ),
    definition="A canonical that is canonicalised itself is not indexable.",
)
RELATIVE: Final = _rule(
    number=1007,
    name="Canonical Is Relative",
    kind=WARNING,
    priority=LOW,
    decision=has_markup(MarkupFlag.CANONICAL_RELATIVE, PageScope.ALL),
    meaning="The canonical is written as a relative URL.",
    reason=(
        "On a copy of the page under another host or scheme, it names the copy instead of the "
        "original."
    ),
    remedy="Write the canonical as an absolute URL, with https:// and the host.",
)
UNLINKED: Final = _rule(
    number=1008,
    evidence=MatchingLinks("Canonical Of", LinkTest((LinkKind.CANONICAL,), inbound=True)),
    name="Unlinked",
    kind=WARNING,
    priority=MEDIUM,
    decision=StageRule(Listed.TARGETS),
    meaning="This URL is named as a canonical, but no page links to it.",
    reason=(
        "Visitors cannot reach it by clicks, and search engines take a page without internal links "
        "for an unimportant one."
    ),
    remedy="Link to this URL instead of its variants, or correct the canonicals that name it.",
    fields=("status", "inlinks", "depth"),
)
CONTAINS_FRAGMENT: Final = _rule(
    number=1009,
    name="Contains Fragment URL",
    kind=ISSUE,
    priority=MEDIUM,
    decision=has_markup(MarkupFlag.CANONICAL_FRAGMENT, PageScope.ALL),
    meaning="The canonical has a fragment: the part of a URL from # on.",
    reason="Search engines ignore fragments, so the canonical does not name what it seems to name.",
    remedy="Remove the fragment from the canonical.",
)
INVALID_ATTRIBUTE: Final = _rule(
    number=1010,
    name="Invalid Attribute In Annotation",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.CANONICAL_INVALID_ATTRIBUTE, PageScope.ALL),
    meaning="The canonical <link> has an hreflang, lang, media or type attribute.",
    reason="Google ignores such a canonical, as it seems to name an alternate version of the page.",
    remedy=(
        'Remove these attributes. Name alternate versions in separate <link rel="alternate"> '
        "elements."
    ),
    definition="The attributes hreflang, lang, media and type are invalid here.",
)
OUTSIDE_HEAD: Final = _rule(
    number=1011,
    name="Outside <head>",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.CANONICAL_OUTSIDE_HEAD, PageScope.ALL),
    meaning="A canonical <link> is not in the <head> of the page that browsers build.",
    reason=(
        "Search engines ignore canonicals in the body. An element that is not allowed in <head>, "
        "such as <div> or <img>, ends the head, and everything after it is in the body."
    ),
    remedy="Move the canonical into <head>, before any element that is not allowed there.",
    reference="https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
    definition=(
        "The position in the tree that the HTML standard builds counts. A canonical in the body "
        "is still used as a canonical."
    ),
)
CHAIN_AND_LOOP: Final = _rule(
    number=1012,
    name="Canonical Chain and Loop",
    kind=WARNING,
    priority=MEDIUM,
    decision=StageRule(Listed.PAGES),
    meaning=(
        "The canonical names a page that names another URL as its own canonical, or the canonicals "
        "lead back to where they began."
    ),
    reason=(
        "Each step weakens the hint, and a loop has no original at all. Search engines then choose "
        "for themselves."
    ),
    remedy="Let each page of the chain name the last URL directly, and let that URL name itself.",
    definition="Of a chain, the first page is listed; of a loop, every page.",
)
