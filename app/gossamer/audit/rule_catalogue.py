"""All audit rules, by number, name and group."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Final

from gossamer.audit.rules import (
    accessibility,
    accessibility_aria,
    accessibility_content,
    accessibility_structure,
    amp,
    canonicals,
    content,
    directives,
    h1,
    h2,
    hreflang,
    images,
    javascript,
    meta_description,
    meta_keywords,
    mobile,
    page_links,
    page_titles,
    pagination,
    response_codes_external,
    response_codes_internal,
    security,
    sitemaps,
    structured_data,
    url,
    validation,
)
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

# Listed here, as every page worker imports them: finding them in their folder takes 2 ms.
_MODULES: Final = (
    accessibility,
    amp,
    canonicals,
    content,
    directives,
    h1,
    h2,
    hreflang,
    images,
    javascript,
    meta_description,
    meta_keywords,
    mobile,
    page_links,
    page_titles,
    pagination,
    response_codes_external,
    response_codes_internal,
    security,
    sitemaps,
    structured_data,
    url,
    validation,
)


_OF_AXE: Final = (accessibility_aria, accessibility_content, accessibility_structure)


def _declared() -> Iterable[SiteRule]:
    for rules in _OF_AXE:
        yield from rules.AXE_RULES
    for module in _MODULES:
        yield from (value for value in vars(module).values() if isinstance(value, SiteRule))


def _by_number() -> dict[int, SiteRule]:
    """In the order of the groups, and within a group of the numbers."""
    groups = list(RuleGroup)
    order = sorted(_declared(), key=lambda rule: (groups.index(rule.group), rule.number))
    return {rule.number: rule for rule in order}


RULES: Final[Mapping[int, SiteRule]] = _by_number()


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """The key of a name: its letters and digits in lower case, `_` for everything between them.

    A repeated word counts once, as in "Internal: Internal Client Error".
    """
    words = re.findall(r"[^\W_]+", name.casefold())
    return "_".join(word for word, _ in groupby(words))


def rule_named(name: str, settings: CrawlSettings = DEFAULTS) -> SiteRule | None:
    """The rule with this full name, with the thresholds of `settings` or the default ones.

    Case, spaces and punctuation do not matter, as in files that drop hyphens; the name of its page
    in docs/issues is accepted as well.
    """
    return _rules_by_letters(settings).get(_letters(name))


@lru_cache(maxsize=2)  # those of a project, and the default ones
def _rules_by_letters(settings: CrawlSettings) -> Mapping[str, SiteRule]:
    found: dict[str, SiteRule] = {}
    for rule in RULES.values():
        for each in (rule.slug, rule.full_name(settings), rule.full_name(DEFAULTS)):
            found.setdefault(_letters(each), rule)
    return found


def _letters(name: str) -> str:
    return name_key(name).replace("_", "")


def nearest_names(name: str, settings: CrawlSettings = DEFAULTS) -> list[str]:
    """The three full names most similar to `name`, for the sentence about an unknown one."""
    from difflib import get_close_matches  # noqa: PLC0415 - every page worker imports the rules

    by_folded = {
        rule.full_name(settings).casefold(): rule.full_name(settings) for rule in RULES.values()
    }
    found = get_close_matches(name.strip().casefold(), by_folded, cutoff=0.0)
    return [by_folded[each] for each in found]
