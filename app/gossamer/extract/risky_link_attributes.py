"""Finds links that, besides their text, say that they sign out or delete something.

The signs are the method with which scripts send them (`data-method="delete"` of Rails, `hx-delete`
of htmx), a question before they are followed, a tool tip or a name for screen readers, or an icon,
if there is no text.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from gossamer.extract.link_targets import Targets
from gossamer.extract.parsed_elements import MAX_LINE, Attributes
from gossamer.model.text_cleaning import one_line
from gossamer.urls.url_joining import Base

_WITHOUT_EVENTS: Final = int(LexborDocumentOptions.WO_EVENTS)
_METHODS: Final = ("data-method", "data-turbo-method")
_DELETING: Final = ("hx-delete", "data-hx-delete")
"""Attributes named after the method; their value is where scripts send it."""
_ASKING: Final = ("data-confirm", "data-turbo-confirm", "hx-confirm", "data-hx-confirm")
"""Attributes with a question that a script asks before it follows a link: to one that does more
than show a page."""
_ASKS: Final = "confirm("
"""The same in a script of the link's own."""
_BY_GET: Final = frozenset({"", "get"})
_NAMES: Final = ("title", "aria-label", "alt")
_LEAST_TEXT: Final = 2
"""Letters and digits of a text: with fewer, it is a sign, such as "⏻" and "x"."""
_LETTERED_ICONS: Final = '[class*="material-"]'
"""Icons whose name is their text, which a font shows as one sign."""
_MAX_LINKS: Final = 10_000
_MAX_NODES: Final = 20
"""Nodes of a link without text that are examined for icons."""
_MAX_NAMES: Final = 40
_FILE_NAME: Final = re.compile(r"[/#]")


class RiskWords(NamedTuple):
    """Decides what words mean; each method returns "" if it is no such act."""

    in_text: Callable[[str], str]
    """For a text that people read."""
    in_icon: Callable[[str, str], str]
    """For the URL that an icon leads to, and a name of the icon, such as "fa-sign-out"."""


class RiskyTargets(NamedTuple):
    """The targets of a page's links that sign out or delete, with the words of that."""

    by_get: dict[str, str]
    """Those that do so when they are requested by GET, with the words."""
    by_method: dict[str, str]
    """Those to which scripts send another method, which is named. It is "" if another link of the
    page leads there: then the URL is that of a page as well."""


def risky_targets(markup: bytes, base: Base, acts: RiskWords) -> RiskyTargets:
    """Such links of a page in UTF-8."""
    targets = Targets(base)
    found = RiskyTargets({}, {})
    others: list[tuple[str, LexborNode]] = []
    tree = LexborHTMLParser(markup, options=_WITHOUT_EVENTS)
    for node in islice(tree.css("a[href], area[href]"), _MAX_LINKS):
        attributes: Attributes = node.attributes
        number, fragment = targets.number(attributes["href"] or "")
        if number < 0 or fragment:  # "#" has a script act on the page itself
            continue
        url = targets.urls[number]
        if method := _method(attributes):
            found.by_method.setdefault(url, method)
        elif words := _question(attributes) or _words(node, attributes, url, acts):
            found.by_get.setdefault(url, words)
        else:
            others.append((url, node))
    for url, node in others:
        if url in found.by_method:
            if words := acts.in_text(one_line(node.text(), MAX_LINE)):
                found.by_get.setdefault(url, words)
            else:
                found.by_method[url] = ""
    return found


def _question(attributes: Attributes) -> str:
    """Such as `data-confirm="Are you sure?"`; "" if there is none."""
    for name in _ASKING:
        if question := attributes.get(name):
            return one_line(f'{name}="{question}"', MAX_LINE)
    script = attributes.get("onclick") or ""
    return one_line(f'onclick="{script}"', MAX_LINE) if _ASKS in script else ""


def _method(attributes: Attributes) -> str:
    """Such as `data-method="delete"`, or `hx-delete`; "" for none, or GET."""
    for name in _METHODS:
        if name in attributes:
            value = (attributes[name] or "").strip()
            return "" if value.lower() in _BY_GET else one_line(f'{name}="{value}"', MAX_LINE)
    return next((name for name in _DELETING if name in attributes), "")


def _words(node: LexborNode, attributes: Attributes, url: str, acts: RiskWords) -> str:
    if said := _name(attributes, acts):
        return said
    text = node.text()[:MAX_LINE].strip()
    if sum(map(str.isalnum, text)) >= _LEAST_TEXT:
        is_icon = " " not in text and node.css_first(_LETTERED_ICONS) is not None
        return acts.in_icon(url, text) if is_icon else ""
    for part in islice(node.traverse(), _MAX_NODES):
        own: Attributes = part.attributes
        icons = islice(_icons(part.tag or "", own), _MAX_NAMES)
        if said := _name(own, acts) or next((i for i in icons if acts.in_icon(url, i)), ""):
            return one_line(said, MAX_LINE)
    return ""


def _name(attributes: Attributes, acts: RiskWords) -> str:
    """The text of an element's attributes for people, if it means such an act; else ""."""
    for name in _NAMES:
        if said := attributes.get(name):
            words = acts.in_text(one_line(said, MAX_LINE))
            if words:
                return words
    return ""


def _icons(tag: str, attributes: Attributes) -> Iterator[str]:
    """The names of an element's icon: classes, the file, the symbol of a drawing."""
    yield from (attributes.get("class") or "").split()
    for name in ("id", "data-icon", "data-lucide"):
        yield attributes.get(name) or ""
    for name in ("src", "href", "xlink:href"):
        if tag != "a" and (file := attributes.get(name)):
            yield _FILE_NAME.split(file)[-1].partition(".")[0]
