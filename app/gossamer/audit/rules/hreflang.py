"""Rules about hreflang: versions of a page in other languages or for other regions."""

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
    RuleGroup,
    SiteRule,
    StageRule,
    has_markup,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.link_kinds import LinkKind

HREFLANGS: Final = MatchingLinks("Hreflang", LinkTest((LinkKind.ALTERNATE,), tells_text=True))

_rule = partial(
    SiteRule,
    group=RuleGroup.HREFLANG,
    reference="https://developers.google.com/search/docs/specialty/international/localized-versions",
    fields=("language", "canonical"),
)

CONTAINS_HREFLANG: Final = _rule(
    number=1300,
    evidence=HREFLANGS,
    name="Contains Hreflang",
    kind=COUNT,
    priority=None,
    decision=has_markup(MarkupFlag.HREFLANG)._replace(has_stage=True),
    meaning="The page names versions of itself in other languages or for other regions.",
    reason="With these annotations search engines show each visitor the right version.",
    remedy="Nothing to do, if every version names itself and all others.",
    definition="Annotations in the page, in its headers and in sitemaps count.",
)
INVALID_CODE: Final = _rule(
    number=1301,
    evidence=HREFLANGS,
    name="Incorrect Language & Region Codes",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.HREFLANG_INVALID_CODE)._replace(has_stage=True),
    meaning=(
        "An hreflang value is not a language code of ISO 639-1, with or without a region code of "
        "ISO 3166-1 Alpha 2."
    ),
    reason=(
        "Search engines ignore versions with an invalid code. A common mistake is en-UK instead of "
        "en-GB."
    ),
    remedy="Write a valid code, such as de, de-AT or zh-Hant, or x-default.",
)
NON_200: Final = _rule(
    number=1302,
    evidence=OtherUrl("Non-200 Hreflang URL"),
    name="Non-200 Hreflang URLs",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(names_url=True),
    meaning="A URL in the hreflang annotations does not return status code 200.",
    reason=(
        "Search engines cannot show a version that redirects, is blocked or does not exist, and "
        "ignore the annotation."
    ),
    remedy="Name the final URL of each version, and remove versions that no longer exist.",
)
UNLINKED: Final = _rule(
    number=1303,
    evidence=OtherUrl("Unlinked Hreflang URL"),
    name="Unlinked Hreflang URLs",
    kind=ISSUE,
    priority=MEDIUM,
    decision=StageRule(names_url=True),
    meaning="A URL in the hreflang annotations is not linked from any page.",
    reason=(
        "Visitors cannot reach that version by clicks, and search engines find it only through the "
        "annotation."
    ),
    remedy="Link to it, for example from a language menu.",
)
MISSING_RETURN_LINKS: Final = _rule(
    number=1304,
    evidence=OtherUrl("URL Without Return Link"),
    name="Missing Return Links",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(names_url=True),
    meaning="A version that this page names in hreflang does not name this page in return.",
    reason="Search engines ignore annotations that the other page does not confirm.",
    remedy="Add this page to the hreflang annotations of the other version.",
    definition=(
        "The listed page is the one whose annotation has no return link. Versions that were not "
        "crawled, or whose status is not 200, do not count."
    ),
)
INCONSISTENT_RETURN_LINKS: Final = _rule(
    number=1305,
    evidence=OtherUrl("URL With Inconsistent Return Link"),
    name="Inconsistent Language & Region Return Links",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(names_url=True),
    meaning=(
        "A version that this page names in hreflang names it in return, but with another language "
        "or region code than the page gives itself."
    ),
    reason="Search engines cannot tell which of the two codes is right, and may ignore both.",
    remedy="Use the same code for a page in the annotations of all versions.",
    definition=(
        "The page that is named with another code is listed, not the version that names it so. "
        "x-default is not such a code."
    ),
)
NON_CANONICAL_RETURN_LINKS: Final = _rule(
    number=1306,
    evidence=OtherUrl("Non-Canonical Hreflang URL"),
    name="Non-Canonical Return Links",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(names_url=True),
    meaning="A version that this page names in hreflang is canonicalised to another URL.",
    reason=(
        "Hreflang and canonical contradict each other about the URL to show, so search engines may "
        "ignore the annotation."
    ),
    remedy="Name the canonical URL of each version, and let each version be its own canonical.",
    definition="The page that names the version is listed, not the version itself.",
)
NOINDEX_RETURN_LINKS: Final = _rule(
    number=1307,
    evidence=OtherUrl("Noindex Hreflang URL"),
    name="Noindex Return Links",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(names_url=True),
    meaning="A version that this page names in hreflang is noindex.",
    reason=(
        "Search engines cannot show that version, so visitors in its language or region do not "
        "find it."
    ),
    remedy="Remove noindex from the version, or the version from the annotations.",
    definition="The page that names the version is listed, not the version itself.",
)
MULTIPLE_ENTRIES: Final = _rule(
    number=1308,
    evidence=HREFLANGS,
    name="Multiple Entries",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(),
    meaning=(
        "The page names more than one URL for the same language and region, or names it in more "
        "than one way: in elements, Link headers and sitemaps."
    ),
    reason=(
        "Search engines cannot tell which of several URLs to show. What is written in several ways "
        "agrees only until somebody changes one of them."
    ),
    remedy="Keep one URL for each code, and write all of them in one way.",
    definition=(
        "The same annotation twice in elements, or in two sitemaps, does not count. Other crawlers "
        "report annotations written in several ways under this name, too."
    ),
)
MISSING_SELF_REFERENCE: Final = _rule(
    number=1309,
    evidence=HREFLANGS,
    name="Missing Self Reference",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(),
    meaning="The hreflang annotations of the page do not include the page itself.",
    reason=(
        "Each version should list itself as well as all others: this confirms its own language and "
        "region."
    ),
    remedy="Add the page's own URL with its language code.",
)
NOT_USING_CANONICAL: Final = _rule(
    number=1310,
    evidence=OtherUrl("Canonical Not In Hreflang"),
    name="Not Using Canonical",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.PAGES, names_url=True),
    meaning="The hreflang annotations of the page do not include its canonical URL.",
    reason=(
        "Hreflang and canonical name different URLs for the same page, so search engines may "
        "ignore the annotations."
    ),
    remedy="Use the canonical URL of each page in all annotations.",
)
MISSING_X_DEFAULT: Final = _rule(
    number=1311,
    evidence=HREFLANGS,
    name="Missing X-Default",
    kind=WARNING,
    priority=LOW,
    decision=StageRule(),
    meaning=(
        "The hreflang annotations have no x-default: the version for visitors whose language is "
        "not listed."
    ),
    reason="For these visitors search engines choose a version themselves.",
    remedy=(
        "Name a version for everyone else, such as a page to select the language. This is optional."
    ),
)
MISSING: Final = _rule(
    number=1312,
    name="Missing",
    kind=COUNT,
    priority=None,
    decision=StageRule(),
    meaning="Other pages of the site have hreflang annotations, but this one has none.",
    reason=(
        "If the page exists in other languages, search engines may show visitors the wrong version."
    ),
    remedy="Add annotations if there are other versions. A page in one language needs none.",
    definition="Every indexable page of a site counts on which any page has hreflang.",
)
OUTSIDE_HEAD: Final = _rule(
    number=1313,
    evidence=HREFLANGS,
    name="Outside <head>",
    kind=ISSUE,
    priority=HIGH,
    decision=has_markup(MarkupFlag.HREFLANG_OUTSIDE_HEAD),
    meaning="An hreflang <link> is not in the <head> of the page that browsers build.",
    reason=(
        "Search engines may ignore it. An element that is not allowed in <head>, such as <div> or "
        "<img>, ends the head, and everything after it is in the body."
    ),
    remedy="Move the hreflang elements into <head>, before any element that is not allowed there.",
    reference="https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
)
