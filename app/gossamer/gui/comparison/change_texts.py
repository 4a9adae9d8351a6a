"""The texts of tables and details about a page that differs."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.issues.rule_texts import full_rule_name
from gossamer.gui.look.theme import Role
from gossamer.gui.tables.table_columns import field_label, value_text
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import labelled, listed, spoken
from gossamer.model.comparison_field_choice import COMPARABLE
from gossamer.model.comparison_filters import ISSUE_SECTION
from gossamer.model.comparison_results import (
    ComparedPage,
    ComparisonFilter,
    FieldChange,
    FilterMove,
    IssueMove,
    LinkChange,
    PageChange,
)
from gossamer.model.fields.comparison_only_fields import HREFLANG, OUTLINKS, SIMILARITY
from gossamer.model.missing_pages import fate_of
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.shortened_listing import read_listing
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_url

_tr = translator("Changes")

CHANGE_STYLES: Final[dict[PageChange, tuple[str, Role]]] = {
    PageChange.NEW: ("added", "ok"),
    PageChange.MISSING: ("missing", "error"),
    PageChange.CHANGED: ("changed", "accent"),
    PageChange.NONE: ("links", "muted"),
}
"""The icon and the colour of each change."""


class ShownChange(NamedTuple):
    """One difference of a page as texts; `others` counts those that are not shown."""

    name: str
    before: str
    after: str
    others: int = 0

    @property
    def named(self) -> str:
        """The name, and how many others there are."""
        if not self.others:
            return self.name
        return _tr("{name} and {n} more").format(name=self.name, n=formatting.number(self.others))


def change_name(change: PageChange) -> str:
    """How a page differs, in a word."""
    return spoken(Translatable(change.label))


def move_name(move: FilterMove) -> str:
    """How a page came into a filter or left it, in a word."""
    return spoken(Translatable(move.label))


def shown_change(page: ComparedPage, filter_: ComparisonFilter) -> ShownChange:
    """The difference that a row tells: that which is filtered by, or the first one."""
    if filter_.has_moved and page.moved_url is not None:
        return _shown_move(page, page.moved_url)
    fields = sorted(page.fields, key=lambda each: each.field != filter_.field)
    issues = sorted(page.issues, key=lambda each: not _is_wanted(each, filter_))
    is_wanted = bool(issues) and _is_wanted(issues[0], filter_)
    if page.change is PageChange.MISSING and not is_wanted:
        return ShownChange("", "", fate(page))
    if page.change is PageChange.NEW and not is_wanted:
        return ShownChange("", "", found(page))
    if issues and (is_wanted or not fields):
        return shown_issue(issues[0])._replace(others=len(fields) + len(issues) - 1)
    if fields:
        return shown_field(fields[0])._replace(others=len(fields) + len(issues) - 1)
    return ShownChange("", "", "")


def _shown_move(page: ComparedPage, moved_url: str) -> ShownChange:
    """Where a page was, and where it probably is."""
    old = page.url if page.change is not PageChange.NEW else moved_url
    new = moved_url if page.change is not PageChange.NEW else page.url
    reason = "" if page.moved_by is None else spoken(Translatable(page.moved_by.label))
    before, after = (formatting.clean(display_url(each)) for each in (old, new))
    return ShownChange(reason, before, after)


def all_changes(page: ComparedPage) -> list[ShownChange]:
    """Every difference of a page: fields, each outlink that came or went, then issues.

    The issues of a missing page can only be listed as former ones.
    """
    if page.change is PageChange.MISSING and page.issues:
        return [_issues_before(page.issues)]
    found: list[ShownChange] = []
    for change in page.fields:
        found.append(shown_field(change))
        if change.field == OUTLINKS.name:
            found += map(_shown_link, page.links)
    return [*found, *map(shown_issue, page.issues)]


def _issues_before(issues: Sequence[IssueMove]) -> ShownChange:
    names = listed(_rule_name(each.rule) for each in issues)
    _, after = FilterMove.MISSING.held
    return ShownChange(_tr("Issues"), names, spoken(Translatable(after)))


def _shown_link(link: LinkChange) -> ShownChange:
    url = formatting.clean(display_url(link.url))
    name = _tr("Link to")
    return ShownChange(name, "", url) if link.is_gained else ShownChange(name, url, "")


def shown_field(change: FieldChange) -> ShownChange:
    """What has become of a field."""
    if change.field == OUTLINKS.name:
        gone, came = change.before, change.after
        return ShownChange(
            field_name(change.field),
            _tr("%Ln target(s) gone", gone) if gone else "",
            _tr("%Ln new target(s)", came) if came else "",
        )
    return ShownChange(
        field_name(change.field),
        "" if change.field == SIMILARITY.name else _text(change.field, change.before),
        _text(change.field, change.after),
    )


def shown_issue(moved: IssueMove) -> ShownChange:
    """Whether a page had an issue, and has it."""
    before, after = (spoken(Translatable(each)) for each in moved.move.held)
    return ShownChange(labelled(_tr("Issue"), _rule_name(moved.rule)), before, after)


def _rule_name(number: int) -> str:
    rule = RULES.get(number)
    return str(number) if rule is None else full_rule_name(rule, DEFAULTS)


def field_name(field: str) -> str:
    """What a field that is compared is called."""
    return field_label(COMPARABLE[field])


def found(page: ComparedPage) -> str:
    """How a new page was found: its status, and what keeps it out of search engines."""
    words = [] if page.status is None else [str(page.status)]
    if page.reason is not None:
        words.append(spoken(Translatable(page.reason.value)))
    if page.moved_url is not None:
        words.append(_tr("probably moved from {url}").format(url=display_url(page.moved_url)))
    return " · ".join(words)


def fate(page: ComparedPage) -> str:
    """What has become of a page that the later crawl has not."""
    return spoken(fate_of(page))


def _is_wanted(moved: IssueMove, filter_: ComparisonFilter) -> bool:
    return filter_.moved is not None and filter_.moved[:2] == (ISSUE_SECTION, moved.rule)


def _text(field: str, value: Any) -> str:  # noqa: ANN401 - of the field's type
    if value is None:
        return ""
    others = 0
    if field == HREFLANG.name:
        value, others = read_listing(value)
    text = value_text(COMPARABLE[field], value)
    if not others:
        return text
    return _tr("{entries} and {n} more").format(entries=text, n=formatting.number(others))
