"""How an audit rule about URLs of a site is declared: names, kind, priority, decision, texts.

Each module of `gossamer.audit.rules` declares one group; what its rules share is bound once, to
`_rule`, with `partial`. Everything else is made from the declarations: what is stored, lists, tabs,
exports, the pages in docs/issues.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, StrEnum, auto
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rule_evidence import Evidence
from gossamer.audit.url_checks import UrlTrait, url_traits
from gossamer.model.audit_totals import AuditTotals
from gossamer.model.axe_rules import rules_of_level
from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.page_facts import PageFields
from gossamer.model.fields.page_flags import (
    MOBILE_FLAGS,
    ContentFlag,
    Directive,
    MarkupFlag,
    RenderFlag,
)
from gossamer.model.outcome import Outcome
from gossamer.model.rule_comparability import RuleComparability
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Sentence, Translatable, said
from gossamer.model.visit import Visit


class RuleGroup(StrEnum):
    """The groups of rules, in the order of lists and tabs; their values begin rule names."""

    _value_: Sentence

    RESPONSE_CODES = "Response Codes"
    SECURITY = "Security"
    URL = "URL"
    PAGE_TITLES = "Page Titles"
    META_DESCRIPTION = "Meta Description"
    META_KEYWORDS = "Meta Keywords"
    H1 = "H1"
    H2 = "H2"
    CONTENT = "Content"
    IMAGES = "Images"
    CANONICALS = "Canonicals"
    PAGINATION = "Pagination"
    DIRECTIVES = "Directives"
    HREFLANG = "Hreflang"
    JAVASCRIPT = "JavaScript"
    LINKS = "Links"
    AMP = "AMP"
    MOBILE = "Mobile"
    ACCESSIBILITY = "Accessibility"
    STRUCTURED_DATA = "Structured Data"
    SITEMAPS = "Sitemaps"
    VALIDATION = "Validation"


class AuditedPage(NamedTuple):
    """An HTML page that was read with a status of success, as rules see it."""

    url: str
    visit: Visit
    facts: PageFields
    indexability: Indexability


class PageScope(Enum):
    """Which pages a page rule applies to."""

    INDEXABLE = auto()
    ALL = auto()
    """Every HTML page."""


class Listed(Enum):
    """Which URLs an issue lists, as described on its page in docs/issues."""

    INDEXABLE_PAGES = "Indexable HTML pages of the site."
    PAGES = "HTML pages of the site, indexable or not."
    INTERNAL_URLS = "URLs of the site, pages and other files."
    EXTERNAL_URLS = "URLs of other sites that the site links to."
    IMAGES = "The images, not the pages that show them."
    RESOURCES = "The files, not the pages that use them."
    TARGETS = "The URLs that pages name, not the pages that name them."
    SITEMAPS = "The sitemaps."


class ShareBase(Enum):
    """What a share of URLs refers to: the number of `AuditTotals` that has all of them."""

    URLS = "urls"
    INTERNAL_URLS = "internal_urls"
    EXTERNAL_URLS = "external_urls"
    PAGES = "pages"
    INDEXABLE_PAGES = "indexable_pages"

    @property
    def sentence(self) -> Sentence:
        """In the words of the page on an issue."""
        return _BASE_SENTENCES[self]

    def of(self, totals: AuditTotals) -> int:
        """How many URLs that is."""
        total: int = getattr(totals, self.value)
        return total


_BASE_SENTENCES: Final[dict[ShareBase, Sentence]] = {
    ShareBase.URLS: "Of all URLs that were requested, files and external URLs included.",
    ShareBase.INTERNAL_URLS: "Of all URLs of the site.",
    ShareBase.EXTERNAL_URLS: "Of all URLs of other sites that were checked.",
    ShareBase.PAGES: "Of all HTML pages of the site.",
    ShareBase.INDEXABLE_PAGES: "Of the indexable HTML pages of the site.",
}
_BASES: Final = {
    Listed.INDEXABLE_PAGES: ShareBase.INDEXABLE_PAGES,
    Listed.PAGES: ShareBase.PAGES,
    Listed.INTERNAL_URLS: ShareBase.INTERNAL_URLS,
    Listed.EXTERNAL_URLS: ShareBase.EXTERNAL_URLS,
    Listed.IMAGES: ShareBase.URLS,
    Listed.RESOURCES: ShareBase.URLS,
    Listed.TARGETS: ShareBase.URLS,
    Listed.SITEMAPS: ShareBase.INTERNAL_URLS,
}
_OF_INTERNAL_URLS: Final = frozenset({RuleGroup.RESPONSE_CODES, RuleGroup.URL})
"""Groups whose rules are about addresses, even if they list only pages."""
_OF_PAGES: Final = frozenset({ShareBase.PAGES, ShareBase.INDEXABLE_PAGES})


Check: TypeAlias = Callable[[AuditedPage, CrawlSettings], bool]
Measure: TypeAlias = Callable[[Any], float]


class FactBit(NamedTuple):
    """A bit of a fact that is made of flags."""

    field: str
    bit: int


class FactBound(NamedTuple):
    """The most, or least, that a present fact may measure: the setting `limit`."""

    field: str
    measure: Measure
    limit: str
    is_most: bool

    def is_broken(self, page: AuditedPage, settings: CrawlSettings) -> bool:
        """Whether the fact of a page measures more than the most, or less than the least."""
        value = getattr(page.facts, self.field)
        if not value:
            return False
        size, limit = self.measure(value), getattr(settings, self.limit)
        return bool(size > limit if self.is_most else size < limit)


class PageRule(NamedTuple):
    """Decided from the facts of one page, when it is read.

    If one thing decides it, that is also declared, so that page workers need not evaluate each rule
    for each page: a test ensures that the check agrees.
    """

    check: Check
    scope: PageScope = PageScope.INDEXABLE
    flag: FactBit | None = None
    bound: FactBound | None = None
    url_trait: int = 0
    """The bit of UrlTrait."""
    facts: tuple[str, ...] | None = None
    """These by their presence, with the settings and what `live_page_issues.PageTraits` has."""
    needs: tuple[str, ...] = ()
    """Facts of which at least one must be present, if the check reads more than that."""
    has_stage: bool = False
    """Whether a stage of the site audit decides again, knowing the whole crawl."""

    @property
    def listed(self) -> Listed:
        """The pages that can have the issue."""
        return Listed.PAGES if self.scope is PageScope.ALL else Listed.INDEXABLE_PAGES


class StageRule(NamedTuple):
    """Decided over the whole crawl, by a stage of the site audit that names this rule."""

    listed: Listed = Listed.INDEXABLE_PAGES
    names_url: bool = False
    """Whether the value that the stage measures is the id of another URL."""
    needs_rendering: bool = False
    """Whether it reports nothing if no pages were rendered."""
    is_live: bool = False
    """Whether `live_response_issues` decides it by each response; the stage has the last word."""
    link_trait: int = 0
    """Of links to the images that it lists: `live_image_issues` adds those of each page."""


class AccessibilityCheck(NamedTuple):
    """Decided by axe-core in the rendered page, if the setting `accessibility` is on."""

    axe_id: str
    listed: Listed = Listed.PAGES


_PROOFREADING: Final = {
    "ignored_words": "check_spelling",
    "ignored_grammar_rules": "languagetool",
}
"""The setting that must be on for a rule with such a threshold to be decided."""


class SiteRule(Struct, frozen=True, kw_only=True, eq=False):
    """The declaration of a rule.

    `number` is stored in project files and keeps its meaning for ever. A `name` may have the
    placeholder `{limit}` for the value of the setting `limit`. `fields` are those of a URL that are
    shown next to it, by their names in UrlRecord. A rule without priority counts what is no
    problem.
    """

    number: int
    group: RuleGroup
    name: Sentence
    kind: RuleKind
    priority: RulePriority | None
    decision: PageRule | StageRule | AccessibilityCheck
    meaning: Sentence
    """What it means, in a sentence or two."""
    reason: Sentence
    """Why it matters."""
    remedy: Sentence
    """How to fix it."""
    reference: str
    """The URL of the standard, or of a search engine's documentation."""
    fields: tuple[str, ...] = ()
    evidence: Evidence | None = None
    """What else is shown as the reason why it holds, if the fields do not show it."""
    limit: str = ""
    since: int = 1
    """The RULES_VERSION since which it is decided as it is."""
    definition: str = ""
    """What exactly counts, if the meaning leaves room; for the page on the issue."""

    def short_name(self, settings: CrawlSettings) -> str:
        """Its name in the group, in English, such as "Over 60 Characters"."""
        return self.name.format(limit=getattr(settings, self.limit)) if self.limit else self.name

    @property
    def share_base(self) -> ShareBase:
        """What its share of URLs refers to."""
        base = _BASES[self.decision.listed]
        if base in _OF_PAGES and self.group in _OF_INTERNAL_URLS:
            return ShareBase.INTERNAL_URLS
        return base

    @property
    def needs_rendering(self) -> bool:
        """Whether it reports nothing if no pages were rendered."""
        match self.decision:
            case PageRule(flag=flag):
                return flag is not None and flag.field == _RENDERED
            case StageRule(needs_rendering=needs):
                return needs
            case AccessibilityCheck():
                return True

    @property
    def needs_mobile(self) -> bool:
        """Whether it reports nothing if pages were not rendered as on a phone."""
        if not isinstance(self.decision, PageRule) or self.decision.flag is None:
            return False
        field, bit = self.decision.flag
        return field == _RENDERED and bool(bit & MOBILE_FLAGS)

    def is_decided(self, settings: CrawlSettings) -> bool:
        """Whether a crawl with these settings decides for which URLs it holds."""
        if isinstance(self.decision, AccessibilityCheck):
            level = rules_of_level(settings.accessibility)
            return settings.checks_accessibility and self.decision.axe_id in level
        if self.needs_mobile:
            return settings.renders_for_mobile
        if self.needs_rendering:
            return settings.renders_pages
        needed = _PROOFREADING.get(self.limit, "")
        return not needed or bool(getattr(settings, needed))

    @property
    def basis(self) -> RuleComparability:
        """What its results are based on."""
        decision = self.decision
        has_stage = isinstance(decision, StageRule) or (
            isinstance(decision, PageRule) and decision.has_stage
        )
        return RuleComparability(self.limit, self.since, has_stage, self.is_decided)

    @property
    def slug(self) -> str:
        """Its full name in addresses, without the threshold: "page-titles-over-characters"."""
        words = f"{self.group} {self.name}".replace("{limit}", "").lower()
        return "-".join(re.findall(r"[a-z0-9]+", words))

    def full_name(self, settings: CrawlSettings) -> str:
        """Such as "Page Titles: Over 60 Characters": its name in exports and scripts."""
        return f"{self.group}: {self.short_name(settings)}"

    def said_name(self, settings: CrawlSettings) -> Translatable:
        """The same, to be translated."""
        limit = {"limit": getattr(settings, self.limit)} if self.limit else {}
        group, name = Translatable(self.group.value), Translatable(self.name, limit)
        return said("{group}: {name}", group=group, name=name)


def has_markup(flag: MarkupFlag, scope: PageScope = PageScope.INDEXABLE) -> PageRule:
    """Decided by a flag of the page's markup."""
    return _has_flag("markup", flag, scope)


def has_content(flag: ContentFlag, scope: PageScope = PageScope.INDEXABLE) -> PageRule:
    """Decided by a flag of the page's content."""
    return _has_flag("content", flag, scope)


def has_directive(directive: Directive, scope: PageScope = PageScope.ALL) -> PageRule:
    """Decided by the page's directives for robots."""
    return _has_flag("directives", directive, scope)


def has_javascript(flag: RenderFlag, scope: PageScope = PageScope.INDEXABLE) -> PageRule:
    """Decided by how the rendered page differs from its HTML; other pages have no such flags."""
    return _has_flag(_RENDERED, flag, scope)


_RENDERED: Final = "javascript"  # the fact that only rendered pages have


def _has_flag(field: str, flag: int, scope: PageScope) -> PageRule:
    read, bit = attrgetter(field), int(flag)
    return PageRule(lambda page, _: bool((read(page.facts) or 0) & bit), scope, FactBit(field, bit))


def has_any(*facts: str, scope: PageScope = PageScope.INDEXABLE) -> PageRule:
    """Decided by whether one of these facts is present."""
    read = _reading(facts)
    return PageRule(lambda page, _: any(read(page.facts)), scope, facts=facts)


def has_none(*facts: str, scope: PageScope = PageScope.INDEXABLE) -> PageRule:
    """Decided by whether none of these facts is present."""
    read = _reading(facts)
    return of_whole_page(PageRule(lambda page, _: not any(read(page.facts)), scope, facts=facts))


def of_whole_page(rule: PageRule) -> PageRule:
    """The same rule without pages whose transfer broke off: what they lack may not have come."""
    check = rule.check

    def holds(page: AuditedPage, settings: CrawlSettings) -> bool:
        return page.visit.outcome is not Outcome.PAGE_INCOMPLETE and check(page, settings)

    return rule._replace(check=holds)


def _reading(facts: Sequence[str]) -> Callable[[PageFields], Iterable[object]]:
    reads = [attrgetter(each) for each in facts]
    return lambda page: (read(page) for read in reads)


def has_url_trait(trait: UrlTrait) -> PageRule:
    """Decided by the address of the page."""
    bit = int(trait)
    return PageRule(lambda page, _: bool(url_traits(page.url) & bit), url_trait=bit)


def is_over(field: str, limit: str, measure: Measure = len) -> PageRule:
    """Decided by a present fact that measures more than the setting `limit`."""
    bound = FactBound(field, measure, limit, is_most=True)
    return PageRule(bound.is_broken, bound=bound)


def is_under(field: str, limit: str, measure: Measure = len) -> PageRule:
    """Decided by a present fact that measures less than the setting `limit`."""
    bound = FactBound(field, measure, limit, is_most=False)
    return PageRule(bound.is_broken, bound=bound)


ISSUE: Final = RuleKind.ISSUE
WARNING: Final = RuleKind.WARNING
OPPORTUNITY: Final = RuleKind.OPPORTUNITY
COUNT: Final = RuleKind.COUNT
HIGH: Final = RulePriority.HIGH
MEDIUM: Final = RulePriority.MEDIUM
LOW: Final = RulePriority.LOW
