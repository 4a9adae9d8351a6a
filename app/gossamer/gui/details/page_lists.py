"""Declares the lists of the details about a page's content: its duplicates and its headings."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.issues.rule_texts import full_rule_name
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.tables.row_kind import RowKind, UrlOutcome
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.urls.url_folders import display_url

_tr = translator("DetailList")
_NOT_STORED: Final = "…"
"""Replaces the text of a heading of which only the level is stored."""
_NEAR: Final = "Near Duplicates"
_EXACT: Final = "Exact Duplicates"
_SAME: Final = frozenset({"Duplicate", _EXACT, _NEAR})
DUPLICATE_RULES: Final = sorted(
    (rule for rule in RULES.values() if rule.name in _SAME),
    key=lambda rule: rule.group is not RuleGroup.CONTENT,
)
"""The rules about URLs that share something with others; those on texts first."""


class Duplicate(NamedTuple):
    """Another page that shares something with the page of the list.

    `percent` is the share of text that both have in common, if that is known.
    """

    rule: SiteRule
    record: UrlRecord
    percent: int | None = None


class OutlineHeading(NamedTuple):
    """A heading of a page: its position from 1, its level, and its text if that is stored."""

    place: int
    level: int
    text: str
    skips: bool
    """Whether it skips a level."""


def duplicates() -> DetailList[Duplicate]:
    """The other pages with the same title, description, heading or content."""
    return DetailList(
        kind=RowKind(
            columns=(
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "In common"),
                    30,
                    lambda each: full_rule_name(each.rule, DEFAULTS),
                ),
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Similarity"),
                    10,
                    lambda each: (
                        "" if each.percent is None else formatting.share(each.percent, 100)
                    ),
                    numeric=True,
                ),
                ColumnSpec(
                    "address",
                    QT_TRANSLATE_NOOP("Column", "Address"),
                    40,
                    lambda each: formatting.clean(display_url(each.record.url)),
                    address=True,
                ),
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Title"),
                    40,
                    lambda each: formatting.clean(each.record.title or ""),
                ),
            ),
            url_id=lambda each: each.record.id,
            outcome=lambda each: UrlOutcome(
                each.record.id, each.record.outcome, each.record.status
            ),
            filling=2,
        ),
        read=_read_duplicates,
    )


def headings() -> DetailList[OutlineHeading]:
    """The headings of a page in order, indented by level."""
    return DetailList(
        kind=RowKind(
            columns=(
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Heading"),
                    60,
                    lambda each: formatting.clean(
                        f"{'    ' * (each.level - 1)}H{each.level}  {each.text}".rstrip()
                    ),
                ),
                ColumnSpec(
                    None,
                    QT_TRANSLATE_NOOP("Column", "Note"),
                    30,
                    _remarks,
                ),
            )
        ),
        read=_read_headings,
    )


def _remarks(heading: OutlineHeading) -> str:
    remarks = [_tr("skips a level")] if heading.skips else []
    if heading.text == _NOT_STORED:
        remarks.append(_tr("text not stored"))
    return " · ".join(remarks)


def _read_duplicates(
    rows: ProjectRows, url_id: int, last: Duplicate | None, limit: int
) -> list[Duplicate]:
    """Read all duplicates at once, up to the limit, where the list ends."""
    if last is not None:
        return []
    found: list[Duplicate] = []
    held = rows.issues_of(url_id)
    for rule in DUPLICATE_RULES:
        if rule.number in held:
            percents = _others(rows, rule, url_id, limit)
            found += [
                Duplicate(rule, record, percents[record.id])
                for record in rows.records(list(percents))
            ]
    return found[: limit - 1]


def _others(rows: ProjectRows, rule: SiteRule, url_id: int, limit: int) -> dict[int, int | None]:
    """The other pages, each with the percentage of shared text if that is known."""
    if rule.name == _NEAR:
        return dict(rows.near_duplicates(rule.number, url_id, limit))
    percent = 100 if rule.name == _EXACT else None
    return dict.fromkeys(rows.same_issue(rule.number, url_id, limit), percent)


def _read_headings(
    rows: ProjectRows, url_id: int, last: OutlineHeading | None, limit: int
) -> list[OutlineHeading]:
    del limit
    if last is not None:
        return []
    return [heading for record in rows.records([url_id]) for heading in outline(record)]


def outline(record: UrlRecord) -> Iterator[OutlineHeading]:
    """The headings of a page, in order."""
    own = {"1": [record.h1, record.h1_2], "2": [record.h2, record.h2_2]}
    others = iter((record.heading_texts or "").split("\n"))
    before = 0
    # Anything may be in a project of somebody else.
    levels = filter(str.isdecimal, record.heading_levels or "")
    for position, digit in enumerate(levels, 1):
        level = int(digit)
        first = own.get(digit)
        text = (first.pop(0) if first else next(others, None)) or _NOT_STORED
        yield OutlineHeading(position, level, text, skips=level > before + 1)
        before = level
