"""The pages of the help in the window's language, and which of them F1 opens where."""

import re
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from gossamer.model.resources import resource_path

START: Final = "start"
SHORTCUTS: Final = "shortcuts"
"""The page that is made of the window's actions."""
_PROPERTY: Final = "help"
_HEAD: Final = re.compile(r"^# \[(\w+)\] (.+)$", re.MULTILINE)
_MARKS: Final = re.compile(r"[*`#]")


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page: `name` is how code calls it, `text` is Markdown."""

    name: str
    title: str
    text: str

    def has(self, words: str) -> bool:
        """Whether all of `words` occur in it; case does not matter."""
        text = _MARKS.sub("", f"{self.title} {self.text}").casefold()
        return all(word in text for word in words.casefold().split())


def pages(language: str = "") -> list[HelpPage]:
    """The pages that are written, in their order, by default in the window's language."""
    chinese = (language or QLocale().name()).startswith("zh")
    file = resource_path("help", "zh_CN.md" if chinese else "en.md")
    return parsed(file.read_text(encoding="utf-8"))


def parsed(text: str) -> list[HelpPage]:
    """The pages in a text: each begins with "# [name] Title"."""
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        HelpPage(head[1], head[2], text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    ]


def explain(widget: QWidget, name: str) -> None:
    """Let F1 in `widget`, and in what it holds, open the page `name`."""
    widget.setProperty(_PROPERTY, name)


def page_for(widget: QWidget | None) -> str:
    """The page about `widget` or what it lies in."""
    while widget is not None:
        name = widget.property(_PROPERTY)
        if isinstance(name, str):
            return name
        widget = widget.parentWidget()
    return START
