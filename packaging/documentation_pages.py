"""The pages of the documentation in Markdown, gathered from where their sources lie.

A page's id is its path below `docs/` without `.md`: `how-to/broken-links`. It stays the same across
releases; other pages, the window and the web refer to it. The Chinese page has `zh/` before it.

    docs/**/*.md                    as they are
    resources/help/en.md            window/TOPIC, a page for each topic, and window/index;
                                    zh_CN.md: zh/window/TOPIC and so on
    docs/adr                        besides, adr/index, which lists the decisions
    CHANGELOG.md, CONTRIBUTING.md   changelog, contributing; LICENSE: licence
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPO: Final = Path(__file__).resolve().parent.parent
CHINESE: Final = "zh/"
TOPICS: Final = REPO / "resources" / "help" / "topics.toml"
_ELSEWHERE: Final = {
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
    "LICENSE": "licence",
    "packaging/cluster/README.md": "cluster-recipes",
}
_HELP: Final = {"en.md": "", "zh_CN.md": CHINESE}
"""The files of the window's help, and what the ids of their pages begin with."""
_DECISIONS: Final = """\
# Decisions

Why the code is as it is: what someone might reverse without knowing the reasons.
"""
_HELP_TITLE: Final = {"": "The help of the window", CHINESE: "窗口帮助"}
_HELP_OPENING: Final = {
    "": "What each part of the window shows, and how to use it. In the window, **F1** opens the "
    "page about the part that has the focus.",
    CHINESE: "窗口的每个部分显示什么、如何使用。在窗口中按 **F1** 会打开当前焦点所在部分的说明。",
}
_READ_MORE: Final = {"": "More in the documentation", CHINESE: "更多内容"}
_TOPIC: Final = re.compile(r"^# \[([\w-]+)\] (.+)$", re.MULTILINE)
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK: Final = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]+)")
"""A link to a file; what is in its address before a fragment is the second group."""


def pages(repo: Path = REPO) -> dict[str, str]:
    """The text of every page, by its id. Links between pages are relative and end with `.md`."""
    found = {_id(file, repo): file.read_text(encoding="utf-8") for file in _files(repo)}
    made = {name: _with_links(name, text) for name, text in found.items()}
    for file, name in _ELSEWHERE.items():
        text = (repo / file).read_text(encoding="utf-8")
        headed = text if text.startswith("# ") else f"# {text}"
        made[name] = _with_links(name, headed, place=file)
    made["adr/index"] = _list_of_decisions(made)
    return made | _window_pages(made, repo)


def topics() -> dict[str, tuple[str, ...]]:
    """The pages of each topic of the window's help, by the ids of the English ones."""
    declared = tomllib.loads(TOPICS.read_text(encoding="utf-8"))
    return {topic: tuple(more) for topic, more in declared["topics"].items()}


def title(text: str) -> str:
    """The title of a page."""
    found = _TITLE.search(text)
    return found[1].replace("`", "") if found else ""


def _files(repo: Path) -> list[Path]:
    return sorted((repo / "docs").rglob("*.md"))


def _id(file: Path, repo: Path) -> str:
    return file.relative_to(repo / "docs").with_suffix("").as_posix()


def _with_links(name: str, text: str, place: str = "") -> str:
    """`text` with links that hold among the pages; `place` is its file in the checkout."""
    source = place or f"docs/{name}.md"

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        return link[1] + posixpath.relpath(_place(target), posixpath.dirname(name) or ".")

    return _outside_code(text, lambda part: _LINK.sub(led, part))


def _place(target: str) -> str:
    """Where a file of the checkout is among the pages."""
    if target in _ELSEWHERE:
        return f"{_ELSEWHERE[target]}.md"
    if target == "README.md":
        return "index.md"
    for file, prefix in _HELP.items():
        if target == f"resources/help/{file}":
            return f"{prefix}window/index.md"
    if not posixpath.splitext(target)[1]:  # a folder, as its list of files is a page on code hosts
        target += "/index.md"
    return target.removeprefix("docs/") if target.startswith("docs/") else f"../{target}"


def _list_of_decisions(written: Mapping[str, str]) -> str:
    """The page that leads to all decisions."""
    rows = [
        f"- [{title(text)}]({posixpath.basename(name)}.md)\n"
        for name, text in written.items()
        if name.startswith("adr/")
    ]
    return f"{_DECISIONS}\n{''.join(rows)}"


def _outside_code(text: str, changed: Callable[[str], str]) -> str:
    """`text`, changed where it is not in a fenced or indented block of code."""
    lines, fenced = [], False
    for line in text.splitlines(keepends=True):
        fence = line.startswith("```")
        fenced ^= fence
        is_code = fenced or fence or line.startswith("    ")
        lines.append(line if is_code else changed(line))
    return "".join(lines)


def _window_pages(written: Mapping[str, str], repo: Path) -> dict[str, str]:
    """The pages of the window's help, each with links to those that its topic also has."""
    made = {}
    for file, prefix in _HELP.items():
        text = (repo / "resources" / "help" / file).read_text(encoding="utf-8")
        parts = _TOPIC.split(text)[1:]
        for topic, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            links = _read_more(topic, prefix, written)
            made[f"{prefix}window/{topic}"] = f"# {name}\n\n{body.strip()}\n{links}"
        names = zip(parts[::3], parts[1::3], strict=True)
        items = "".join(f"- [{name}]({topic}.md)\n" for topic, name in names)
        made[f"{prefix}window/index"] = (
            f"# {_HELP_TITLE[prefix]}\n\n{_HELP_OPENING[prefix]}\n\n{items}"
        )
    return made


def _read_more(topic: str, prefix: str, written: Mapping[str, str]) -> str:
    """The links to the pages of `topic`, in the language of `prefix` where there is one."""
    lines = []
    for page in topics().get(topic, ()):
        one = prefix + page if prefix + page in written else page
        target = posixpath.relpath(f"{one}.md", f"{prefix}window")
        lines.append(f"- [{title(written[one])}]({target})\n")
    return f"\n## {_READ_MORE[prefix]}\n\n{''.join(lines)}" if lines else ""
