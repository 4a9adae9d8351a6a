"""The pages on issues in docs/issues, made from the audit rules.

Usage: .venv/bin/python packaging/issue_pages.py    bring docs/issues up to date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from script_arguments import script_arguments

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import AccessibilityCheck, RuleGroup, SiteRule
from gossamer.model.axe_rules import AXE_RULES_BY_NUMBER
from gossamer.model.settings.crawl_settings import DEFAULTS

REPO: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = REPO / "docs" / "issues"
_HEAD: Final = """# Issues

What an audit finds, by group. *Issues* are wrong, *warnings* may be wrong, *opportunities* could be
better, and *counts* are for information. Thresholds are [settings](../settings.md); the names here
have their defaults.
"""
_TABLE: Final = "| name | type | priority |\n|---|---|---|\n"
_NEEDS_RENDERING: Final = (
    "**Needs rendering:** the setting [`render`](../settings.md), *Render pages*, which is off by "
    "default; where no pages were rendered, nothing is reported."
)
_NEEDS_MOBILE: Final = (
    "**Needs rendering as a phone shows pages:** the settings [`render` and `device`]"
    "(../settings.md), *Render pages* and *Device*: `--render on --device mobile`; elsewhere "
    "nothing is reported."
)
_NEEDS_AXE: Final = (
    "**Needs rendering with accessibility on:** the settings "
    "[`render` and `accessibility`](../settings.md#accessibility), which are off by default; where "
    "no pages were checked, nothing is reported."
)


def pages() -> dict[str, str]:
    """The text of each page, by the name of its file."""
    return {"index.md": _index(), **{f"{rule.slug}.md": _page(rule) for rule in RULES.values()}}


def _index() -> str:
    groups = [
        f"\n## {group}\n\n{_TABLE}{''.join(_row(r) for r in RULES.values() if r.group is group)}"
        for group in RuleGroup
    ]
    return _HEAD + "".join(groups)


def _row(rule: SiteRule) -> str:
    name = _marked_up(rule.short_name(DEFAULTS))
    return f"| [{name}]({rule.slug}.md) | {rule.kind} | {rule.priority or ''} |\n"


def _page(rule: SiteRule) -> str:
    priority = f", {rule.priority} priority" if rule.priority else ""
    parts = [
        ("What it means", rule.meaning),
        ("Why it matters", rule.reason),
        ("How to fix it", rule.remedy),
        ("Which URLs are listed", rule.decision.listed.value),
        ("What the share is of", rule.share_base.sentence),
        *([("What counts", rule.definition)] if rule.definition else []),
    ]
    paragraphs = [
        f"# {_marked_up(rule.full_name(DEFAULTS))}",
        f"{rule.kind.capitalize()}{priority} · [all issues](index.md)",
        *(f"**{title}:** {_marked_up(text)}" for title, text in parts),
    ]
    if rule.limit:
        default = getattr(DEFAULTS, rule.limit)
        words = "empty" if default == () else f"`{default}`".lower()
        paragraphs.append(
            f"**Setting:** [`{rule.limit}`](../settings.md), which is {words} by default."
        )
    if axe := AXE_RULES_BY_NUMBER.get(rule.number):
        paragraphs.append(f"**Guideline:** {axe.guideline.value}, rule `{axe.id}` of axe-core.")
    if isinstance(rule.decision, AccessibilityCheck):
        paragraphs.append(_NEEDS_AXE)
    elif rule.needs_mobile:
        paragraphs.append(_NEEDS_MOBILE)
    elif rule.needs_rendering:
        paragraphs.append(_NEEDS_RENDERING)
    return "\n\n".join([*paragraphs, f"**Read more:** <{rule.reference}>"]) + "\n"


def _marked_up(text: str) -> str:
    """A text of a rule as Markdown: its elements are code, not HTML."""
    return re.sub(r"<[^<>]+>", r"`\g<0>`", text)


def write() -> None:
    """Write the pages, and remove those of rules that are gone."""
    made = pages()
    FOLDER.mkdir(exist_ok=True)
    for file in set(FOLDER.glob("*.md")) - {FOLDER / name for name in made}:
        file.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    script_arguments(__doc__)
    write()
    sys.exit()
