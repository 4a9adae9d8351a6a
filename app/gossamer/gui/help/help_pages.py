"""The pages of the help, in the language of the window.

Most are those of the documentation (`packaging/help_pages.py` makes the file of them). What has a
declaration is written from that: a page for each issue, setting, column and tab, and one of all
keys.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QCoreApplication, QLocale

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import RuleGroup, SiteRule
from gossamer.gui.help.shortcut_list import shortcuts, table_of
from gossamer.gui.help.table_pages import FIELDS, TAB_PAGES, column_page, tab_page
from gossamer.gui.issues.rule_texts import (
    full_rule_name,
    group_name,
    kind_name,
    priority_name,
    rule_name,
    texts_of,
)
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import (
    labelled,
    listed,
    sentences,
    setting_labels,
    spoken,
)
from gossamer.gui.widgets.help_context import page_about
from gossamer.model.program_resources import resource_path
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS
from gossamer.model.translatable import Translatable

_tr = translator("Help")
INDEX: Final = "index"
"""The start page of the documentation."""
KEYBOARD: Final = "keyboard"
ISSUES: Final = "issues/index"
SETTINGS_PAGE: Final = "settings"
_TO: Final = "\N{EN DASH}"
_CHINESE: Final = "zh/"
_MARKS: Final = re.compile(r"<[^<>]*>|[*`#\[\]|]")
_TITLE: Final = re.compile(r"^# (.+)\n+")
_HEADING: Final = re.compile(r"^##+ (.+)$", re.MULTILINE)
_NO_WORD: Final = re.compile(r"[^\w\- ]")


class _Section(msgspec.Struct, frozen=True):
    title: str
    pages: list[str]


class _SettingRow(msgspec.Struct, frozen=True):
    option: str
    default: str
    least: str
    most: str
    meaning: str


class _Made(msgspec.Struct, frozen=True):
    """The file of the documentation's pages; `version` is that of its format."""

    version: int
    contents: dict[str, list[_Section]]
    pages: dict[str, str]
    settings: dict[str, _SettingRow]


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: `name` is its id, `text` is Markdown or HTML, with the title."""

    name: str
    title: str
    text: str
    is_html: bool = False
    base: str = ""
    """The page that its links are relative to, if that is another one."""
    fragments: Mapping[str, str] = field(default_factory=dict)
    """The headings that links in English lead to, where they are called otherwise here."""

    def is_called(self, words: str) -> bool:
        """Whether all of `words` occur in its title; case does not matter."""
        return _all_in(words, self.title)

    def has_heading(self, words: str) -> bool:
        """Whether all of `words` occur in one of its headings below the title."""
        return any(_all_in(words, heading) for heading in _HEADING.findall(self.text))


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """An entry of the contents: a heading if it has no page."""

    title: str
    name: str = ""
    below: list["HelpEntry"] = field(default_factory=list)


class HelpPages:
    """The pages in a language, by default that of the window."""

    def __init__(self, language: str = "") -> None:
        file = resource_path("help", "pages", "pages.json")
        self._made = msgspec.json.decode(file.read_bytes(), type=_Made)
        self.pictures: Final = file.parent
        """The folder of pictures, as pages name them."""
        self._is_chinese = (language or QLocale().name()).startswith("zh")
        self._rules = {f"issues/{rule.slug}": rule for rule in RULES.values()}

    def page(self, name: str) -> HelpPage | None:
        """The page with this id, in the window's language if there is one; None for no page.

        An id that begins with `zh/` is that of the Chinese page.
        """
        plain = name.removeprefix(_CHINESE)
        if made := self._declared(plain):
            return made
        for known in (_CHINESE + plain, plain) if self._is_chinese else (name, plain):
            if known in self._made.pages:
                text = self._made.pages[known]
                return HelpPage(known, title_of(text), text)
        return None

    def linked(self, page: HelpPage, address: str) -> str:
        """The id of what a link leads to, "" if that is no page of the help."""
        here = page.base or page.name
        target = posixpath.normpath(posixpath.join(posixpath.dirname(here), address))
        name = target.removesuffix(".md") if address else here
        return name if self.page(name) else ""

    @cached_property
    def contents(self) -> list[HelpEntry]:
        """The contents as the documentation's start page has them."""
        return [
            HelpEntry(section.title, below=self._entries(section.pages))
            for section in self._made.contents["zh" if self._is_chinese else "en"]
        ]

    @cached_property
    def all(self) -> list[HelpPage]:
        """Every page, in the order of the contents; then settings."""
        names = [name for entry in self.contents for name in _names(entry)]
        names += [f"settings/{name}" for name in SETTINGS]
        return [page for name in dict.fromkeys(names) if (page := self.page(name))]

    def found(self, words: str) -> list[HelpPage]:
        """The pages that have these words: first in their titles, then in a heading."""
        pages = [page for page, text in self._texts if _all_in(words, text)]
        return sorted(
            pages, key=lambda page: (not page.is_called(words), not page.has_heading(words))
        )

    @cached_property
    def _texts(self) -> list[tuple[HelpPage, str]]:
        """Each page with its text, without marks: a search that is typed looks at it ten times."""
        return [(page, _MARKS.sub("", page.text)) for page in self.all]

    def _settings_reference(self) -> HelpPage:
        """The page of all settings in Chinese: its table is written from the declarations."""
        name = _CHINESE + SETTINGS_PAGE
        english, chinese = (
            self._made.pages[each].partition("\n## ")[1:] for each in (SETTINGS_PAGE, name)
        )
        after = "".join(chinese).strip()
        columns = (_tr("Setting"), _tr("On the command line"), _tr("Default"), _tr("Meaning"))
        lines = [_row(columns), _row(["---"] * len(columns))]
        for setting, row in self._made.settings.items():
            label = next(iter(setting_labels([setting])), f"`{setting}`")
            bounds = f" ({row.least} {_TO} {row.most})" if row.least else ""
            default = f"{_default(row)}{bounds}"
            lines.append(_row([label, row.option, default, _meaning(setting, row)]))
        title = _tr("Settings of a crawl")
        intro = _tr("In the window, each setting has a question mark that leads to its page.")
        text = "\n\n".join((f"# {title}", intro, "\n".join(lines), after))
        both = (headings("".join(each)) for each in (english, chinese))
        return HelpPage(name, title, text, fragments=dict(zip(*both, strict=True)))

    def _entries(self, names: list[str]) -> list[HelpEntry]:
        """Entries of pages; what follows an index and lies in its folder goes below that."""
        entries: list[HelpEntry] = []
        for name in names:
            page = self.page(name)
            if page is None:
                continue
            entry = HelpEntry(page.title, name)
            parent = _parent(name, entries)
            (entries if parent is None else parent).append(entry)
            if name == ISSUES:
                entry.below.extend(_groups())
        return entries

    def _declared(self, name: str) -> HelpPage | None:
        """The page that is written from a declaration; None for none."""
        if name == KEYBOARD:
            return _keyboard_page()
        if name == ISSUES:
            return _list_of_issues()
        if rule := self._rules.get(name):
            return _rule_page(name, rule)
        if name in FIELDS or name in TAB_PAGES:
            text = column_page(FIELDS[name]) if name in FIELDS else tab_page(TAB_PAGES[name])
            return HelpPage(name, title_of(text), text, base=INDEX)
        return self._of_settings(name)

    def _of_settings(self, name: str) -> HelpPage | None:
        if name == SETTINGS_PAGE and self._is_chinese:
            return self._settings_reference()
        setting = name.removeprefix("settings/")
        if setting != name and setting in SETTINGS and SETTINGS[setting].section:
            return self._setting_page(setting)
        return None

    def _setting_page(self, name: str) -> HelpPage:
        [title] = setting_labels([name])
        setting, row = SETTINGS[name], self._made.settings.get(name)
        parts = [f"# {title}", spoken(Translatable(setting.hint)) if setting.hint else ""]
        if row is not None:
            parts.append(_meaning(name, row))
            facts = (
                (_tr("Default"), f"`{_default(row)}`" if row.default else ""),
                (_tr("At least"), row.least),
                (_tr("At most"), row.most),
                (_tr("On the command line"), row.option),
            )
            parts.append("\n".join(f"- {labelled(of, said)}" for of, said in facts if said))
        parts.append(f"[{_tr('All settings')}](settings.md)")
        text = "\n\n".join(filter(None, parts))
        return HelpPage(f"settings/{name}", title, text, base="settings")


def title_of(text: str) -> str:
    """The title of a page in Markdown."""
    found = _TITLE.match(text)
    return found[1].replace("`", "") if found else ""


def _all_in(words: str, text: str) -> bool:
    text = text.casefold()
    return all(word in text for word in words.casefold().split())


def headings(text: str) -> list[str]:
    """What the headings below the title of a page are called in addresses."""
    return [slug(each) for each in _HEADING.findall(text)]


def slug(heading: str) -> str:
    """What a heading is called in addresses, as code hosts call it.

    >>> slug("The JSON report")
    'the-json-report'
    """
    return _NO_WORD.sub("", heading.strip().lower()).replace(" ", "-")


def picture_of(page: HelpPage, address: str) -> Path:
    """Where a picture lies below the folder of pictures."""
    return Path(posixpath.normpath(posixpath.join(posixpath.dirname(page.name), address)))


def _names(entry: HelpEntry) -> list[str]:
    own = [entry.name] if entry.name else []
    return own + [name for each in entry.below for name in _names(each)]


def _parent(name: str, entries: list[HelpEntry]) -> list[HelpEntry] | None:
    """What a page goes below: the index of its folder, or there the page whose name it continues.

    None: it stands beside the `entries`.
    """
    index = entries[-1] if entries else None
    if index is None or not index.name.endswith("/index"):
        return None
    if posixpath.dirname(name) != posixpath.dirname(index.name):
        return None
    longer = next((each for each in index.below if name.startswith(f"{each.name}-")), index)
    return longer.below


def _meaning(name: str, row: _SettingRow) -> str:
    """What a setting means, in the language of the window."""
    needed = SETTINGS[name].needs
    words = row.meaning.removesuffix(f" No effect without `{needed}`.") if needed else row.meaning
    said = QCoreApplication.translate("SettingMeanings", words) if words else ""
    if not needed:
        return said
    return sentences([said, _tr("No effect without `{setting}`.").format(setting=needed)])


def _default(row: _SettingRow) -> str:
    """The default as the documentation has it, in the language of the window."""
    words = {"on": _tr("on"), "off": _tr("off"), "none": _tr("none")}
    return words.get(row.default, row.default)


def _row(cells: Sequence[str]) -> str:
    return "".join(f"| {cell or '&nbsp;'} " for cell in cells) + "|"


def _groups() -> list[HelpEntry]:
    """The contents of all issues."""
    return [
        HelpEntry(
            group_name(group),
            below=[
                HelpEntry(rule_name(rule, DEFAULTS), f"issues/{rule.slug}")
                for rule in RULES.values()
                if rule.group is group
            ],
        )
        for group in RuleGroup
    ]


def _list_of_issues() -> HelpPage:
    parts = [f"<h1>{escape(_tr('Issues'))}</h1>"]
    for group in _groups():
        lines = [f'<li><a href="{each.name}">{escape(each.title)}</a></li>' for each in group.below]
        parts.append(f"<h2>{escape(group.title)}</h2><ul>{''.join(lines)}</ul>")
    return HelpPage(ISSUES, _tr("Issues"), "".join(parts), is_html=True, base=INDEX)


def _rule_page(name: str, rule: SiteRule) -> HelpPage:
    title = full_rule_name(rule, DEFAULTS)
    words = listed([kind_name(rule.kind), priority_name(rule.priority)])
    text = f"<h1>{escape(title)}</h1><p>{escape(words)}</p>{texts_of(rule, DEFAULTS)}"
    if rule.limit and SETTINGS[rule.limit].section:
        [label] = setting_labels([rule.limit])
        link = f'<a href="settings/{rule.limit}">{escape(label)}</a>'
        text += f"<p>{labelled(escape(_tr('Setting')), link)}</p>"
    text += f'<p><a href="{page_about(None)}">{escape(_tr("About issues"))}</a></p>'
    return HelpPage(name, title, text, is_html=True, base=INDEX)


def _keyboard_page() -> HelpPage:
    title = _tr("Keyboard shortcuts")
    text = f"<h1>{escape(title)}</h1>{table_of(shortcuts())}"
    return HelpPage(KEYBOARD, title, text, is_html=True, base=INDEX)
