"""Gathers the visible text of a page, and separately the part that counts as content."""

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import NamedTuple, Self

from gossamer.extract.parsed_elements import APART, BREAKS, UNSEEN, Attributes
from gossamer.extract.text_statistics import BREAK
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.page_prose import MAX_PROSE_BYTES, ProseRun

_TOKEN = lazy_pattern(r"[^ \t\n\f\r]+")

CONTENT_EXCLUDE = ("nav", "footer")
"""What does not count as content by default."""


class ContentExclusion(NamedTuple):
    """Elements whose text does not count as content, by their names, classes and ids."""

    tags: frozenset[str]
    classes: frozenset[str]
    ids: frozenset[str]

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, names: Collection[str]) -> Self:
        """These: elements, `.classes` and `#ids`."""
        return cls(
            frozenset(name.lower() for name in names if name[0] not in ".#"),
            frozenset(name[1:] for name in names if name.startswith(".")),
            frozenset(name[1:] for name in names if name.startswith("#")),
        )

    def excludes(self, tag: str, attributes: Callable[[], Attributes]) -> bool:
        """Whether the text of this element does not count."""
        if tag in self.tags:
            return True
        if not (self.classes or self.ids):
            return False
        names = attributes()
        return (names.get("id") or "") in self.ids or not self.classes.isdisjoint(
            _TOKEN.findall(names.get("class") or "")
        )


class TextNode(NamedTuple):
    """A node of the body for `visible_text`: an element, or a text, which has no tag."""

    key: int
    parent: int
    tag: str
    text: str
    attributes: Callable[[], Attributes]


class VisibleText(NamedTuple):
    """The text of a body, with `BREAK` where blocks begin and end."""

    content: str
    rest: str
    outside_links: list[str]
    """Text nodes."""


class _Span(NamedTuple):
    """An open element, and what it means for the text in it."""

    key: int
    separator: str = ""
    """Separates the text before and after it from the text in it."""
    is_unseen: bool = False
    is_excluded: bool = False
    is_in_link: bool = False


def visible_text(nodes: Iterable[TextNode], exclusion: ContentExclusion) -> VisibleText:
    """The text of these nodes, the body first, in document order."""
    content: list[str] = []
    rest: list[str] = []
    outside_links: list[str] = []
    spans: list[_Span] = []
    last = content
    separator = ""
    for node in nodes:
        while spans and spans[-1].key != node.parent:
            separator = _stronger(separator, spans.pop().separator)
        span = spans[-1] if spans else None
        if node.tag:
            spans.append(_span(node, span, exclusion))
            separator = _stronger(separator, spans[-1].separator)
        elif span is not None and not span.is_unseen:
            texts = rest if span.is_excluded else content
            texts += (separator if texts is last else BREAK, node.text)
            last = texts
            separator = ""
            if not span.is_in_link:
                outside_links.append(node.text)
    return VisibleText("".join(content), "".join(rest), outside_links)


def text_lines(content: str, most_bytes: int) -> bytes:
    """Content with `BREAK` between blocks, as it is stored: UTF-8, one block per line, none empty.

    White space becomes a single space. At most `most_bytes` are kept. C does the same.
    """
    blocks = (" ".join(_TOKEN.findall(block)) for block in content.split(BREAK))
    text = "\n".join(filter(None, blocks)).encode("utf-8", "replace")
    if len(text) <= most_bytes:
        return text
    return text[:most_bytes].decode("utf-8", "ignore").rstrip(" \n").encode()


def prose_of(nodes: Iterable[TextNode], exclusion: ContentExclusion) -> list[ProseRun]:
    """The text to proofread of these nodes, the body first, in runs of one language.

    What is excluded or not to be translated, such as a name, is left out. `BREAK` marks where
    blocks begin and end. C does the same.
    """
    prose = _Prose()
    for node in nodes:
        prose.leave_up_to(node.parent)
        if node.tag:
            prose.enter(_passage(node, prose.around, exclusion))
        else:
            prose.add(node.text)
    prose.end_run(prose.around.language)
    return prose.runs


class _Passage(NamedTuple):
    """An open element, and what it means for the prose in it."""

    key: int
    separator: str = ""
    speaker: int = 0
    """The key of the element whose lang attribute applies; 0 for the page's."""
    language: str = ""
    is_left_out: bool = False


_PAGE = _Passage(0)


class _Prose:
    """Gathers runs of text, one node after the other."""

    def __init__(self) -> None:
        self.runs: list[ProseRun] = []
        self._texts: list[str] = []
        self._open: list[_Passage] = []
        self._separator = ""
        self._room = MAX_PROSE_BYTES

    @property
    def around(self) -> _Passage:
        return self._open[-1] if self._open else _PAGE

    def leave_up_to(self, parent: int) -> None:
        while self._open and self._open[-1].key != parent:
            left = self._open.pop()
            self._separator = _stronger(self._separator, left.separator)
            if left.speaker == left.key:
                self.end_run(left.language)

    def enter(self, passage: _Passage) -> None:
        if passage.speaker == passage.key:
            self.end_run(self.around.language)
        self._open.append(passage)
        self._separator = _stronger(self._separator, passage.separator)

    def add(self, text: str) -> None:
        if self._open and not self.around.is_left_out and self._room > 0:
            self._texts += (self._separator if self._texts else "", text)
            self._room -= len(text.encode())
            self._separator = ""

    def end_run(self, language: str) -> None:
        if any(self._texts):
            self.runs.append(ProseRun(language, "".join(self._texts)))
        self._texts.clear()


def _passage(node: TextNode, around: _Passage, exclusion: ContentExclusion) -> _Passage:
    if around is _PAGE:
        return _Passage(node.key)
    said = (around.speaker, around.language)
    if around.is_left_out:
        return _Passage(node.key, "", *said, is_left_out=True)
    if node.tag in UNSEEN:
        return _Passage(node.key, _separator(node.tag), *said, is_left_out=True)
    if exclusion.excludes(node.tag, node.attributes):
        return _Passage(node.key, BREAK, *said, is_left_out=True)
    attributes = node.attributes()
    if (attributes.get("translate") or "").lower() == "no":
        return _Passage(node.key, BREAK, *said, is_left_out=True)
    if "lang" in attributes:
        said = (node.key, attributes["lang"] or "")
    return _Passage(node.key, _separator(node.tag), *said)


def _stronger(one: str, other: str) -> str:
    return BREAK if BREAK in {one, other} else one or other


def _span(node: TextNode, around: _Span | None, exclusion: ContentExclusion) -> _Span:
    if around is None:
        return _Span(node.key, separator=BREAK)
    is_unseen = around.is_unseen or node.tag in UNSEEN
    return _Span(
        node.key,
        separator="" if is_unseen else _separator(node.tag),
        is_unseen=is_unseen,
        is_excluded=around.is_excluded or exclusion.excludes(node.tag, node.attributes),
        is_in_link=around.is_in_link or node.tag == "a",
    )


def _separator(tag: str) -> str:
    if tag in APART:
        return " "
    return BREAK if tag in BREAKS else ""
