"""Parses and checks `--fail-on` thresholds of a comparison."""

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from gossamer.audit.audit_rule import RuleKind
from gossamer.audit.rule_catalogue import RULES, nearest_names
from gossamer.cli.fail_on import FailThreshold, parse_bound
from gossamer.cli.terminal import listed
from gossamer.model.comparison_field_choice import compared_fields
from gossamer.model.comparison_filters import VIEW
from gossamer.model.comparison_results import ComparisonSummary, FilterMove
from gossamer.model.errors import UsageError
from gossamer.model.number_format import number
from gossamer.model.project_queries import View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.site_file_changes import SiteFileKind
from gossamer.store.comparing.comparison_reader import ComparisonReader

_NEW_ISSUES: Final = "new_issues"
_VIEWS: Final = {"errors": View.ERRORS, "broken_links": View.BROKEN_LINKS}
_PAGES: Final[dict[str, Callable[[ComparisonSummary], int]]] = {
    "new": lambda summary: summary.new,
    "missing": lambda summary: summary.missing,
    "changed": lambda summary: summary.changed,
    "moved": lambda summary: summary.moved,
    "any": lambda summary: summary.new + summary.missing + summary.changed,
}
_FILES: Final = {"robots_txt": SiteFileKind.ROBOTS, "sitemaps": SiteFileKind.SITEMAP}
_PRIORITIES: Final = ("high", "medium", "low")
_GAINED: Final = frozenset(each for each in FilterMove if each.is_in)
_UNKNOWN: Final = frozenset({FilterMove.UNKNOWN_BEFORE})
_NAMES: Final = (_NEW_ISSUES, *_PRIORITIES, *_VIEWS, *_PAGES, *_FILES)


class ComparisonThreshold(NamedTuple):
    """A threshold as typed, and the name of the field it is about, if any."""

    bound: FailThreshold
    field: str = ""

    def exceeded(self, reader: ComparisonReader) -> str | None:
        """A sentence if there are more than allowed."""
        count = self._count(reader)
        if count <= self.bound.most:
            return None
        return f"--fail-on {self._name}: {number(count)} found, {number(self.bound.most)} allowed."

    def doubts(self, reader: ComparisonReader) -> list[str]:
        """Sentences if there may be more issues than were counted."""
        if not self._is_of_issues:
            return []
        old, unseen = self._count_moved(reader, _UNKNOWN), reader.summary().after.unseen
        counted = [
            (old, "{} URLs have such issues, but nothing shows whether they had them before."),
            (unseen, "{} URLs were fetched after the last audit, which knows nothing of them."),
        ]
        return [
            f"--fail-on {self._name}: Not counted: {text.format(number(count))}"
            for count, text in counted
            if count
        ]

    @property
    def _name(self) -> str:
        return self.bound.name.replace("_", "-") if self.bound.rule is None else self.bound.name

    @property
    def _is_of_issues(self) -> bool:
        is_of_many = not self.field and self.bound.name in {_NEW_ISSUES, *_PRIORITIES}
        return self.bound.rule is not None or is_of_many

    def _count_moved(self, reader: ComparisonReader, moves: Collection[FilterMove]) -> int:
        return reader.count_moved([each for each in RULES if self._concerns(each)], moves)

    def _count(self, reader: ComparisonReader) -> int:
        summary, name = reader.summary(), self.bound.name
        if self.field:
            return summary.fields.get(self.field, 0)
        if self._is_of_issues:
            return self._count_moved(reader, _GAINED)
        if name in _VIEWS:
            return sum(x.gained for x in reader.filters((VIEW,)) if x.value == _VIEWS[name])
        if name in _FILES:
            return sum(each.kind is _FILES[name] for each in reader.site_files())
        return _PAGES[name](summary)

    def _concerns(self, rule: int) -> bool:
        if self.bound.rule is not None:
            return rule == self.bound.rule
        if self.bound.name == _NEW_ISSUES:
            return RULES[rule].kind is not RuleKind.COUNT
        return self.bound.concerns(rule)


def comparison_thresholds(
    texts: Sequence[str], settings: CrawlSettings, fields: Sequence[str]
) -> tuple[ComparisonThreshold, ...]:
    """Parse NAME or NAME:N options; UsageError if malformed. Called before anything is compared.

    The thresholds of `settings` are in the names of issues; `fields` are compared.
    """
    return tuple(_threshold(text, settings, fields) for text in texts)


def _threshold(text: str, settings: CrawlSettings, fields: Sequence[str]) -> ComparisonThreshold:
    bound = parse_bound(text, settings, lambda name: name in _NAMES or bool(_field(name)))
    if bound is None:
        known = [name.replace("_", "-") for name in _NAMES]
        sentence = (
            f"--fail-on takes {listed(known, 'or')}, a field such as status-code, or the name of"
            f" an issue such as 'H1: Missing', not {text!r}"
        )
        if ":" in text:
            sentence += f"; did you mean {listed(nearest_names(text, settings), 'or')}?"
            raise UsageError(sentence)
        raise UsageError(f"{sentence}.")
    if bound.rule is not None or bound.name in _NAMES:
        return ComparisonThreshold(bound)
    field = _field(bound.name)
    if field not in fields:
        raise UsageError(f"--fail-on {text!r} is about a field that is not compared; add --fields.")
    return ComparisonThreshold(bound, field)


def _field(name: str) -> str:
    """The field of this name; "" if there is none."""
    try:
        (found,) = compared_fields([name.replace("_", " ")])
    except (UsageError, ValueError):
        return ""
    return found
