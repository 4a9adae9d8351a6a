"""The documentation as the window's help shows it, made of the same pages as the site.

Usage: .venv/bin/python packaging/help_pages.py    into resources/help/pages

pages.json has the text of each page in Markdown, with the contents in both languages; beside it lie
the pictures. Neither is kept with the code: they are made whenever Gossamer is set up. What has a
declaration (issues, settings, keys) the window makes itself, in its language.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import sys
from typing import TYPE_CHECKING, Final

from documentation_pages import CHINESE, REPO, pages
from script_arguments import script_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FOLDER: Final = REPO / "resources" / "help" / "pages"
VERSION: Final = 1
_START: Final = "index"
_FOR_DEVELOPERS: Final = frozenset({"contributing"})
_IN_ENGLISH: Final = "英文参考资料"
_SECTION: Final = re.compile(r"^## (.+)$", re.MULTILINE)
_ITEM: Final = re.compile(r"^- \[[^\]]+\]\(([^)#]+)\.md\)", re.MULTILINE)
_PICTURE: Final = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
_EMPTY_CELL: Final = re.compile(r"\| (?=\|)")
"""Qt would join it with the cell before."""
_CELLS: Final = re.compile(r"(?<!\\)\|")
_FACTS: Final = ("option", "default", "least", "most", "changes", "meaning")
"""The columns of the table of settings, after the name."""
_SOURCES: Final = ("docs", "resources/help")


def build_help_pages(folder: Path = FOLDER) -> None:
    """Make them, unless they are newer than all that they are made of."""
    made = folder / "pages.json"
    if made.exists() and made.stat().st_mtime_ns >= _newest():
        return
    written = pages()
    contents = _contents(written)
    names = [*contents["en"].values(), *contents["zh"].values()]
    shown = dict.fromkeys(name for section in names for name in section if name in written)
    shown |= {f"{prefix}{_START}": None for prefix in ("", CHINESE)}
    folder.mkdir(parents=True, exist_ok=True)
    for name in shown:
        for picture in _PICTURE.findall(written[name]):
            place = posixpath.normpath(posixpath.join(posixpath.dirname(name), picture))
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REPO / "docs" / place, folder / place)
    sections = {
        language: [{"title": title, "pages": listed} for title, listed in of_language.items()]
        for language, of_language in contents.items()
    }
    text = {name: _EMPTY_CELL.sub("| &nbsp; ", written[name]) for name in shown}
    settings = _settings(written["settings"])
    data = {"version": VERSION, "contents": sections, "pages": text, "settings": settings}
    aside = made.with_suffix(".new")
    aside.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    aside.replace(made)


def _contents(written: Mapping[str, str]) -> dict[str, dict[str, list[str]]]:
    """The ids of the pages under each heading, in English and in Chinese."""
    english = _sections(written, "")
    chinese = _sections(written, CHINESE)
    for listed in chinese.values():
        if f"{CHINESE}keyboard" in listed:
            listed.insert(0, "issues/index")  # the window writes it in its language
    there = {name.removeprefix(CHINESE) for listed in chinese.values() for name in listed}
    rest = [name for listed in english.values() for name in listed if name not in there]
    return {"en": english, "zh": chinese | {_IN_ENGLISH: rest}}


def _sections(written: Mapping[str, str], prefix: str) -> dict[str, list[str]]:
    """The pages that the start page of a language lists, without those for developers."""
    parts = _SECTION.split(written[prefix + _START])[1:]
    found = {}
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        names = [posixpath.normpath(prefix + item) for item in _ITEM.findall(body)]
        if _FOR_DEVELOPERS.isdisjoint(names):
            found[title] = [each for name in names for each in _with_topics(name, written)]
    return {title: names for title, names in found.items() if names}


def _with_topics(name: str, written: Mapping[str, str]) -> list[str]:
    """The page, and those below it: the window's help is a page for each topic."""
    if name.startswith("../"):  # listed on a page in Chinese, and there in English alone
        return []
    if name.endswith("window/index"):
        listed = _ITEM.findall(written[name])
        return [name, *(posixpath.join(posixpath.dirname(name), each) for each in listed)]
    return [name]


def _settings(page: str) -> dict[str, dict[str, str]]:
    """What the table of settings says of each: option, default, bounds, meaning."""
    table = page.partition("| setting |")[2].partition("\n\n")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in _CELLS.split(line)[1:-1]] for line in lines]
    return {row[0].strip("`"): dict(zip(_FACTS, row[1:], strict=True)) for row in rows}


def _newest() -> int:
    """When the last of the sources was changed."""
    found = [path for folder in _SOURCES for path in (REPO / folder).rglob("*.md")]
    found += [REPO / "CHANGELOG.md", REPO / "resources/help/topics.toml", *_code()]
    return max(path.stat().st_mtime_ns for path in found)


def _code() -> list[Path]:
    return [REPO / "packaging" / f"{name}.py" for name in ("help_pages", "documentation_pages")]


if __name__ == "__main__":
    script_arguments(__doc__)
    build_help_pages()
    sys.exit()
