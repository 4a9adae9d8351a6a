"""The reference pages that are made from declarations: columns, and keys in both languages.

Usage: .venv/bin/python packaging/reference_pages.py    bring docs/ up to date

The settings are in settings_table.py, but for the Chinese table of them, which is made here; the
issues are in issue_pages.py.
"""

from __future__ import annotations

import os
import re
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import settings_table
from script_arguments import script_arguments
from translations import build_translations

from gossamer.cli.where_option import WHERE_FACETS
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.link_record import LINK_EXPORTS, LINK_FIELDS
from gossamer.model.fields.url_record import URL_EXPORTS, URL_FIELDS
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.settings.setting_declaration import ChangePolicy
from gossamer.model.translatable import Translatable
from gossamer.sql_console.live_views import live_view, view_names, view_of
from gossamer.sql_console.query_templates import TEMPLATES
from gossamer.store.reading.sql_functions import QUERY_FUNCTIONS
from gossamer.urls.url_parts import UrlPart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gossamer.model.fields.field_declaration import DeclaredField

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
_COLUMNS: Final = """\
# Columns

What is known of each URL and each link: what it is called in the tables of the window and in
exported files, by which facet rows are chosen (`--where FACET=VALUE`), and in which column of the
[project file](project-file.md) it lies. What has no column there is calculated. Choose columns in
the window with a right click on a header, on the command line with `--columns`;
[views](command-line.md#views) say which rows there are. A comparison looks at those marked with *.

This page is made from the declarations by `packaging/reference_pages.py`.
"""
_TABLE: Final = "| in the window | in exports | facet | in the file | |\n|---|---|---|---|---|\n"
_UNITS: Final = {
    FieldKind.SIZE: "in bytes",
    FieldKind.DURATION: "in the window as milliseconds, in exports as seconds",
    FieldKind.PERCENT: "in percent",
    FieldKind.PIXELS: "in pixels",
}
_MADE: Final = "`packaging/reference_pages.py`"
_KEYBOARD: Final = {
    "en": f"""\
# Keyboard

Every key of the window. On macOS, Ctrl is the command key. This page is made from the actions by
{_MADE}.
""",
    "zh_CN": f"""\
# 键盘

窗口的全部按键。在 macOS 上，Ctrl 是 Command 键。本页由 {_MADE} 根据操作的声明生成。
""",
}
_SQL: Final = {
    "en": f"""\
# SQL views and templates

What `gossamer sql` can read from a project;
[Ask a project with SQL](how-to/sql.md) says how.

This page is made from the declarations by {_MADE}.

## Views of URLs, links and issues

They are read on demand: columns that a query does not name cost nothing.
{{live}}
## Other views

Their rows are made when a query names them. Their columns are those of the exports.

| view | rows |
|---|---|
{{others}}
## Functions

Besides those of SQLite:

| function | gives |
|---|---|
{{functions}}
The parts of an address are {{parts}}.

## Templates
{{templates}}""",
    "zh_CN": f"""\
# SQL 视图和模板

`gossamer sql` 可以向项目查询的内容；方法见[用 SQL 查询项目](how-to/sql.md)。

本页由 {_MADE} 根据声明生成。

## 网址、链接和问题的视图

它们在查询时才读取：查询没有提到的列不花费任何代价。
{{live}}
## 其他视图

查询提到它们时才生成各行。它们的列与导出文件相同。

| 视图 | 各行 |
|---|---|
{{others}}
## 函数

除 SQLite 的函数以外：

| 函数 | 给出 |
|---|---|
{{functions}}
地址的各部分：{{parts}}。

## 模板
{{templates}}""",
}
_HEADINGS: Final = {"en": ("does", "key"), "zh_CN": ("操作", "按键")}
_NEEDED: Final = "No effect without `{setting}`."
_PAGE: Final = re.compile(r"\]\(([\w-]+\.md)")
"""A link to another page, which is there in English alone."""
_FILES: Final = {"en": "keyboard.md", "zh_CN": "zh/keyboard.md"}
_SQL_FILES: Final = {"en": "sql.md", "zh_CN": "zh/sql.md"}


def columns() -> str:
    """The page of all columns."""
    urls = _rows(URL_FIELDS, URL_EXPORTS)
    links = _rows(LINK_FIELDS, LINK_EXPORTS)
    return f"{_COLUMNS}\n## Of a URL\n\n{_TABLE}{urls}\n## Of a link\n\n{_TABLE}{links}"


def _rows(fields: Sequence[DeclaredField], exports: Sequence[DeclaredField]) -> str:
    order = {each.name: place for place, each in enumerate(exports)}
    known = [each for each in fields if each.field.label or each.field.export]
    known.sort(key=lambda each: order.get(each.name, len(order)))
    return "".join(map(_row, known))


def _row(declared: DeclaredField) -> str:
    field = declared.field
    unit = _UNITS.get(field.kind) if field.kind else None
    said = "; ".join(part for part in (field.doc, field.note, unit) if part)
    cells = (
        f"{field.label}{'*' if field.compared and field.label else ''}",
        f"{field.export}{'*' if field.compared and not field.label else ''}",
        next((f"`{typed}`" for typed, each in WHERE_FACETS.items() if each == field.facet), ""),
        f"`{declared.name}`" if declared.is_stored else "",
        said,
    )
    return "|" + "|".join(f" {_in_a_cell(cell)} " if cell else " " for cell in cells) + "|\n"


def _in_a_cell(text: str) -> str:
    """In one line; links within the page on the project file lead there."""
    return " ".join(text.split()).replace("|", "\\|").replace("](#", "](project-file.md#")


def keyboard(language: str) -> str:
    """The page of all keys. Needs a QApplication that speaks the language."""
    from gossamer.gui.help.shortcut_list import shortcuts  # noqa: PLC0415 - the columns do without Qt

    does, key = _HEADINGS[language]
    table = f"| {does} | {key} |\n|---|---|\n"
    parts = [
        f"\n## {place}\n\n{table}" + "".join(f"| {each.does} | `{each.keys}` |\n" for each in keys)
        for place, keys in groupby(shortcuts(), lambda each: each.place)
    ]
    return _KEYBOARD[language] + "".join(parts)


def settings_in_chinese(document: str, english: str) -> str:
    """The Chinese page of settings with its table. Needs a QApplication that speaks Chinese."""
    from PySide6.QtCore import QCoreApplication  # noqa: PLC0415 - the columns do without Qt

    from gossamer.gui.help.help_pages import headings  # noqa: PLC0415 - likewise

    fragments = dict(zip(headings(english), headings(document), strict=True))

    def meaning(name: str) -> str:
        said = QCoreApplication.translate("SettingMeanings", settings_table.meaning(name))
        for fragment, theirs in fragments.items():
            said = said.replace(f"](#{fragment})", f"](#{theirs})")
        needed = SETTINGS[name].needs
        words = QCoreApplication.translate("Help", _NEEDED).format(setting=needed) if needed else ""
        return _PAGE.sub(r"](../\1", said) + words

    words = settings_table.TableWords(
        ("设置", "选项", "默认值", "最小", "最大", "更改", "作用"),
        {ChangePolicy.AT_ONCE: "立即", ChangePolicy.WITH_NEW_WORKERS: "新进程"},
        {"on": "开", "off": "关", "none": "无"},
        meaning,
    )
    return settings_table.with_table(document, words)


def sql(language: str, say: Callable[[str], str]) -> str:
    """The page of the views and templates of SQL; `say` gives a sentence in the language."""
    live, others = [], []
    for name in view_names():
        on_tables, view = live_view(name), view_of(name)
        label = "" if view is None else say(str(view.label))
        if on_tables is None:
            others.append(f"| `{name}` | {label} |\n")
            continue
        columns = ", ".join(f"`{each}`" for each in on_tables.columns)
        live.append(f"\n### `{name}`\n\n{f'{label}: ' if label else ''}{columns}\n")
    templates = [
        f"\n### `{each.name}`\n\n{say(each.question)}\n\n```sql\n{each.sql}\n```\n"
        for each in TEMPLATES.values()
    ]
    functions = [
        f"| `{name}({', '.join(each.takes)})` | {say(each.doc)} |\n"
        for name, each in QUERY_FUNCTIONS.items()
    ]
    return _SQL[language].format(
        live="".join(live),
        functions="".join(functions),
        others="".join(others),
        parts=", ".join(f"`{part.value}`" for part in UrlPart),
        templates="".join(templates),
    )


def write() -> None:
    """Write the pages."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - likewise

    from gossamer.gui.text import language  # noqa: PLC0415 - likewise
    from gossamer.gui.text.translated_sentences import spoken  # noqa: PLC0415 - likewise

    build_translations(Path(sys.executable))  # without them, Chinese pages would be in English
    _app = QApplication(sys.argv[:1])
    (DOCS / "columns.md").write_text(columns(), encoding="utf-8")
    page = DOCS / "zh" / "settings.md"
    language.use("zh_CN")
    english = (DOCS / "settings.md").read_text(encoding="utf-8")
    page.write_text(
        settings_in_chinese(page.read_text(encoding="utf-8"), english), encoding="utf-8"
    )
    for code, name in _FILES.items():
        language.use(code)  # type: ignore[arg-type]  # the window's languages
        (DOCS / name).write_text(keyboard(code), encoding="utf-8")
        views = sql(code, lambda text: spoken(Translatable(text)))
        (DOCS / _SQL_FILES[code]).write_text(views, encoding="utf-8")


if __name__ == "__main__":
    script_arguments(__doc__)
    write()
    sys.exit()
