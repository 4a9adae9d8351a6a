"""Translated names, icons and explanations of audit rules for the window."""

from collections.abc import Sequence
from enum import StrEnum
from html import escape
from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.audit.audit_rule import RuleKind, RulePriority
from gossamer.audit.rules.content import GRAMMAR, SPELLING
from gossamer.audit.site_rule import AccessibilityCheck, RuleGroup, SiteRule
from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import labelled, listed, spoken
from gossamer.model.axe_rules import AXE_RULES_BY_NUMBER
from gossamer.model.series_contents import Note
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable

_tr = translator("Rules")

_KINDS: Final[dict[RuleKind, str]] = {
    RuleKind.ISSUE: QT_TRANSLATE_NOOP("Rules", "Issue"),
    RuleKind.WARNING: QT_TRANSLATE_NOOP("Rules", "Warning"),
    RuleKind.OPPORTUNITY: QT_TRANSLATE_NOOP("Rules", "Opportunity"),
    RuleKind.COUNT: QT_TRANSLATE_NOOP("Rules", "Count"),
}
_PRIORITIES: Final[dict[RulePriority, str]] = {
    RulePriority.HIGH: QT_TRANSLATE_NOOP("Rules", "High"),
    RulePriority.MEDIUM: QT_TRANSLATE_NOOP("Rules", "Medium"),
    RulePriority.LOW: QT_TRANSLATE_NOOP("Rules", "Low"),
}
KIND_ICONS: Final[dict[RuleKind, str]] = {
    RuleKind.ISSUE: "error",
    RuleKind.WARNING: "warning",
    RuleKind.OPPORTUNITY: "opportunity",
    RuleKind.COUNT: "count",
}
PRIORITY_ROLES: Final[dict[RulePriority | None, theme.Role]] = {
    RulePriority.HIGH: "error",
    RulePriority.MEDIUM: "warning",
    RulePriority.LOW: "muted",
    None: "muted",
}
"""The colours in which priorities are written."""


class RuleCommand(StrEnum):
    """Actions on a rule, as addresses of links in its explanation."""

    IGNORE = "gossamer:ignore"
    THRESHOLD = "gossamer:threshold"
    TEXT_ERRORS = "gossamer:text-errors"
    """Show the words and sentences with errors."""
    NOTES = "gossamer:notes"
    """Show or write notes."""


def group_name(group: RuleGroup) -> str:
    """The name of a group of rules."""
    return spoken(Translatable(group.value))


def rule_name(rule: SiteRule, settings: CrawlSettings) -> str:
    """The name of a rule within its group, with the threshold of `settings`."""
    values = {"limit": getattr(settings, rule.limit)} if rule.limit else {}
    return spoken(Translatable(rule.name, values))


def full_rule_name(rule: SiteRule, settings: CrawlSettings) -> str:
    """The name of a rule with its group, such as "Page Titles: Over 60 Characters"."""
    return labelled(group_name(rule.group), rule_name(rule, settings))


def kind_name(kind: RuleKind) -> str:
    """The name of a kind of finding."""
    return _tr(_KINDS[kind])


def priority_name(priority: RulePriority | None) -> str:
    """The name of a priority; "" for none."""
    return "" if priority is None else _tr(_PRIORITIES[priority])


def explanation(
    rule: SiteRule, settings: CrawlSettings, urls: int, total: int, notes: Sequence[Note] = ()
) -> str:
    """Meaning, reason, remedy and notes of a rule, as HTML."""
    priority = priority_name(rule.priority)
    words = [kind_name(rule.kind)]
    if priority:
        role = PRIORITY_ROLES[rule.priority]
        marked = f'<span style="color:{theme.colour(role).name()}">{escape(priority)}</span>'
        words.append(_tr("priority: {priority}").format(priority=marked))
    if axe := AXE_RULES_BY_NUMBER.get(rule.number):
        words.append(escape(spoken(Translatable(axe.guideline))))
    words.append(_tr("%Ln URL(s)", urls))
    if urls and total:
        words.append(escape(formatting.share(min(urls, total), total)))
    muted = theme.colour("muted").name()
    accent = theme.colour("accent").name()
    parts = [
        f"<h3>{escape(full_rule_name(rule, settings))}</h3>",
        f'<p style="color:{muted}">{" · ".join(words)}</p>',
        f"<p>{' · '.join(_commands(rule, accent))}</p>",
        *(f"<p>{escape(note.text)}{_origin(note, muted)}</p>" for note in notes),
    ]
    return "".join(parts) + texts_of(rule, settings)


def texts_of(rule: SiteRule, settings: CrawlSettings) -> str:
    """Meaning, reason, remedy and reference of a rule, as HTML."""
    parts = []
    for heading, text in (
        (_tr("What it means"), rule.meaning),
        (_tr("Why it matters"), rule.reason),
        (_tr("How to fix it"), rule.remedy),
    ):
        parts.append(f"<h4>{escape(heading)}</h4><p>{escape(spoken(Translatable(text)))}</p>")
    if note := _needed(rule, settings):
        parts.append(f"<p>{escape(note)}</p>")
    muted, accent = theme.colour("muted").name(), theme.colour("accent").name()
    link = f'<a style="color:{accent}" href="{escape(rule.reference)}">{_tr("Read more")}</a>'
    parts.append(
        f'<p>{link} <span style="color:{muted}">{escape(_host(rule.reference))}</span></p>'
    )
    return "".join(parts)


def _needed(rule: SiteRule, settings: CrawlSettings) -> str:
    """A sentence about settings that the rule needs and that are off; "" without such."""
    if isinstance(rule.decision, AccessibilityCheck):
        if settings.checks_accessibility:
            return ""
        return _tr(
            "Needs rendering with accessibility on: switch on the settings Render pages and Check"
            " accessibility, and crawl again."
        )
    if rule.needs_mobile and not settings.renders_for_mobile:
        return _tr(
            "Needs rendering as on a phone: switch on the setting Render pages, set Device to "
            "Mobile, and crawl again."
        )
    if rule.needs_rendering and not settings.renders_pages:
        return _tr("Needs rendering: switch on the setting Render pages, and crawl again.")
    return ""


def _commands(rule: SiteRule, accent: str) -> list[str]:
    """Links to the actions on a rule, with addresses of RuleCommand."""
    offered = [(RuleCommand.IGNORE, _tr("Ignore…"))]
    if rule in {SPELLING, GRAMMAR}:
        offered.append((RuleCommand.TEXT_ERRORS, _tr("Show all errors…")))
    elif rule.limit:
        offered.append((RuleCommand.THRESHOLD, _tr("Change threshold…")))
    offered.append((RuleCommand.NOTES, _tr("Notes…")))
    return [
        f'<a style="color:{accent}" href="{command}">{escape(text)}</a>'
        for command, text in offered
    ]


def _origin(note: Note, muted: str) -> str:
    origin = listed([formatting.clean(note.author), formatting.moment(note.created_at)])
    return f'<br><span style="color:{muted}">{escape(origin)}</span>'


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def rule_tooltip(rule: SiteRule) -> str:
    """The tooltip of a rule: its meaning."""
    return QCoreApplication.translate("Sentences", rule.meaning)
