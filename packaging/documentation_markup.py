"""What search engines and browsers want of a page and Sphinx does not write, as its extension.

Each page gets a title that fits into a search result, a description of its first sentences, and the
sizes of its pictures.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sphinx.application import Sphinx


class Document(Protocol):
    """A document of docutils, or a part of one: that library declares no types."""

    tagname: str

    def findall(self, condition: Callable[[Document], bool]) -> Iterable[Any]:
        """What is below and fulfils a condition."""


_TITLE_WIDTH: Final = 58
"""What a search result shows of a title, about 561 pixels, in Latin characters."""
_DESCRIPTION_WIDTH: Final = 140
"""What it shows of a description, about 985 pixels."""
_ENOUGH: Final = 70
"""A description that has as much ends with its last whole sentence."""
_SHORTEST: Final = 10
"""What is shorter at the beginning is a label, such as *Decided.*"""
_START: Final[Mapping[str, str]] = {
    "en": "Gossamer: an open desktop website crawler",
    "zh_CN": "Gossamer：开源桌面网站爬虫的文档",
}
_SITE: Final[Mapping[str, str]] = {"en": "Gossamer documentation", "zh_CN": "Gossamer 文档"}
_HELP: Final[Mapping[str, str]] = {
    "en": "Gossamer: help of the window",
    "zh_CN": "Gossamer 窗口帮助",
}
"""Pages of the window's help have the names of other pages."""
_SENTENCE: Final = re.compile(r".+?(?:[.!?](?=\s|$)|[\u3002\uff01\uff1f]|$)", re.DOTALL)
_CHINESE_ENDS: Final = tuple("\u3002\uff01\uff1f\uff1a")
_ENDS: Final = (*".!?:", *_CHINESE_ENDS)
_SPACE: Final = re.compile(r"\s+")


def page_title(name: str, title: str, language: str) -> str:
    """The title of a page, with as much of the site's name as there is room for."""
    if name == "index":
        return _START[language]
    site = (_HELP if name.startswith("window/") else _SITE)[language]
    candidates = (f"{title} - {site}", f"{title} - Gossamer")
    return next((each for each in candidates if width(each) <= _TITLE_WIDTH), title)


def description(paragraphs: Iterable[str]) -> str:
    """The first sentences of a page, as many as a search result shows; empty if it has none.

    What is no sentence, such as *Issue, low priority*, is left out.
    """
    taken = ""
    for paragraph in paragraphs:
        text = _SPACE.sub(" ", paragraph).strip()
        for sentence in _SENTENCE.findall(text):
            if not sentence.endswith(_ENDS) or (not taken and width(sentence) < _SHORTEST):
                continue
            gap = "" if taken.endswith(_CHINESE_ENDS) else " "
            longer = f"{taken}{gap}{sentence.strip()}".strip()
            if width(longer) > _DESCRIPTION_WIDTH:
                return taken if width(taken) >= _ENOUGH else _cut(longer)
            taken = longer
    return taken


def width(text: str) -> int:
    """How many Latin characters take as much room; a Chinese one takes that of two."""
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _cut(text: str) -> str:
    """As much of a sentence as there is room for, in whole words where it has words."""
    while width(text) > _DESCRIPTION_WIDTH - 2:
        shorter = text.rpartition(" ")[0]
        text = shorter if width(shorter) > _DESCRIPTION_WIDTH // 2 else text[:-1]
    return f"{text.rstrip(',;，；、')} …"


def _add_to_page(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], tree: Document | None
) -> None:
    """Give the templates the title, and the description as an element of the head."""
    language = app.config.language
    title = html.unescape(re.sub(r"<[^>]+>", "", context.get("title", "")))
    context["page_title"] = page_title(name, title, language)
    if tree and (said := description(each.astext() for each in _all(tree, "paragraph"))):
        context["metatags"] += f'<meta name="description" content="{html.escape(said)}">\n'


def _size_pictures(_app: Sphinx, tree: Document) -> None:
    """Have Sphinx read the sizes of pictures, so that text does not move when they have loaded."""
    for picture in _all(tree, "image"):
        if picture["uri"].endswith(".png"):
            picture["scale"] = 100


def _all(tree: Document, kind: str) -> Iterable[Any]:
    """The nodes of one kind in a document of docutils, which has no types."""
    found: Iterable[Any] = tree.findall(lambda node: node.tagname == kind)
    return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx use it."""
    app.connect("html-page-context", _add_to_page)
    app.connect("doctree-read", _size_pictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
