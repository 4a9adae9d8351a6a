"""Extracts secondary links: URLs in style sheets, `srcset`, `<meta>` and second attributes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gossamer.extract.parsed_elements import IN_NOSCRIPT, Attributes, Element
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import LinkKind
from gossamer.model.text_cleaning import one_line
from gossamer.urls.refresh_directive import MAX_REDIRECT_DELAY_S, read_refresh

_SPACE_OR_COMMAS = lazy_pattern(r"[ \t\n\f\r,]*")
_URL = lazy_pattern(r"[^ \t\n\f\r]+")
_SPACE = lazy_pattern(r"[ \t\n\f\r]*")
_DESCRIPTOR = lazy_pattern(r"(?:[^ \t\n\f\r,(]+|\([^)]*\)?)+")
_COUNT = lazy_pattern(r"[0-9]+")
_NUMBER = lazy_pattern(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def srcset_urls(text: str) -> list[str]:
    """The URLs as written, in order, of the images that a browser would consider."""
    return [url for url, _ in srcset_candidates(text)]


def srcset_candidates(text: str) -> list[tuple[str, list[str]]]:
    """The images that a browser would consider, in order: URLs as written, and descriptors.

    Parsed as in the HTML Standard (§4.8.4.2.2).
    """
    candidates: list[tuple[str, list[str]]] = []
    position = 0
    while found := _URL.match(text, _end(_SPACE_OR_COMMAS, text, position)):
        url, position = found[0], found.end()
        descriptors: list[str] = []
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            descriptors, position = _descriptors(text, position)
        if not descriptors or _are_valid(descriptors):
            candidates.append((url, descriptors))
    return candidates


def _descriptors(text: str, position: int) -> tuple[list[str], int]:
    """What follows a URL up to the next comma outside of parentheses, and its end."""
    descriptors: list[str] = []
    position = _end(_SPACE, text, position)
    while found := _DESCRIPTOR.match(text, position):
        descriptors.append(found[0])
        position = _end(_SPACE, text, found.end())
    return descriptors, position


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where the match of `pattern` ends; the pattern can match nothing."""
    found = pattern.match(text, position)
    return found.end() if found else position


def _are_valid(descriptors: list[str]) -> bool:
    """Whether the descriptors are consistent: one density, or a width and perhaps a height."""
    kinds = [_kind(descriptor) for descriptor in descriptors]
    return sorted(kinds) in (["w"], ["x"], ["h", "w"])


def _kind(descriptor: str) -> str:
    """`w`, `h` or `x` for a valid width, height or density; "" for anything else."""
    kind, value = descriptor[-1], descriptor[:-1]
    if kind in "wh":
        return kind if _COUNT.fullmatch(value) and value.strip("0") else ""
    is_density = kind == "x" and _NUMBER.fullmatch(value)
    return "x" if is_density and float(value) >= 0 else ""


_CSS_SPACE = r"[ \t\n\r\f]"
_STRING = (
    r"\"(?P<{0}1>[^\"\\\n\r\f]*+(?:\\(?:\r\n|.|\Z)[^\"\\\n\r\f]*+|)*+)\"?"
    r"|'(?P<{0}2>[^'\\\n\r\f]*+(?:\\(?:\r\n|.|\Z)[^'\\\n\r\f]*+|)*+)'?"
)
_BARE = rf"[^\"'()\\\s]*+(?:\\(?:[0-9a-f]{{1,6}}{_CSS_SPACE}?|[^\n\r\f])[^\"'()\\\s]*+|)*+"
_BAD = r"[^)\\]*+(?:\\.?[^)\\]*+|)*+"
_TOKEN = lazy_pattern(
    r"/\*.*?(?:\*/|\Z)"
    r"|(?P<context>@(?:import|namespace|(?:-moz-)?document)(?![\w-])"
    r"|(?<![\w-])(?:-webkit-)?image-set\()"
    rf"|(?<![\w-])(?P<url>url\(){_CSS_SPACE}*+"
    rf"(?:{_STRING.format('quoted')}|(?P<bare>{_BARE}){_CSS_SPACE}*+(?:\)|\Z)|{_BAD})"
    rf"|{_STRING.format('string')}",
    re.IGNORECASE | re.DOTALL,
)
_RULE_END = lazy_pattern("[;{}]")
_ESCAPE = lazy_pattern(
    rf"\\(?:([0-9a-f]{{1,6}})(?:\r\n|{_CSS_SPACE})?|(\r\n|[\n\r\f]|\Z)|(.))",
    re.IGNORECASE | re.DOTALL,
)


def css_urls(css: str) -> Iterator[str]:
    """The URLs that `css` loads, in `url()`, `@import` and `image-set()`, unescaped, in order.

    Not a parser: it recognises comments, strings and URLs by CSS Syntax Level 3 (§4.3), so as not
    to mistake the content of one for another. It omits those of `@namespace` and `@document`, which
    load nothing, and `url(#id)`, which means the document itself.
    """
    css = spelled_out(css)
    lowered = css.lower()
    if "url(" not in lowered and "@import" not in lowered and "image-set(" not in lowered:
        return
    context = ""
    done = 0
    for token in _TOKEN.finditer(css):
        if token["context"]:
            context, done = token["context"].lower(), token.end()
            continue
        between = css[done : token.start()] if context else ""
        if not _belongs(context, between):
            context = ""
        done = token.end()
        if token[0].startswith("/*"):
            continue
        is_loaded = not context.endswith(_NAMING) if token["url"] else _loads(context, between)
        url = _url(token) if is_loaded else ""
        if context == "@import":
            context = ""
        if url and not url.startswith("#"):
            yield url


_NAMING = ("namespace", "document")


def _belongs(context: str, between: str) -> bool:
    """Whether a rule or function continues to the string or URL that comes next.

    @import has it directly after it (comments do not matter), others anywhere.
    """
    if context == "@import":
        return not between or between.isspace()
    return not _RULE_END.search(between)


def _loads(context: str, between: str) -> bool:
    """Whether a string is loaded there: by @import, or as one of the images of a set."""
    if not context.endswith("("):
        return context == "@import"
    before = between.rstrip()
    return not before or before.endswith(",")


def _url(token: re.Match[str]) -> str:
    names = ("quoted1", "quoted2", "bare", "string1", "string2")
    return unescaped(next((token[name] for name in names if token[name]), ""))


def unescaped(text: str) -> str:
    """The value of a CSS string or URL."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    digits, line_end, character = escape.groups()
    if digits is None:
        return "" if line_end is not None else str(character)
    code = int(digits, 16)
    is_scalar = 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000  # noqa: PLR2004 - Unicode
    return chr(code) if is_scalar else "\ufffd"


def spelled_out(css: str) -> str:
    """The same style sheet with letters and hyphens unescaped, so that names are recognised."""
    return _ESCAPE.sub(_letter, css) if "\\" in css else css


def _letter(escape: re.Match[str]) -> str:
    character = _character(escape)
    if character.isascii() and (character.isalpha() or character == "-"):
        return character
    # The space keeps what follows from being read as more digits.
    return f"\\{escape[1]} " if escape[1] is not None else escape[0]


MAX_ELEMENT = 60
"""Characters of `Link.element`; tag names can be of any length."""

_MORE_ATTRIBUTES: dict[str, list[tuple[str, LinkKind]]] = {}
for _link_kind in LinkKind:
    for _tag, _attribute in _link_kind.declaration.more_attributes.items():
        _MORE_ATTRIBUTES.setdefault(_tag, []).append((_attribute, _link_kind))
LINKING_ATTRIBUTES_OF_A = frozenset(name for name, _ in _MORE_ATTRIBUTES.get("a", ()))
"""Attributes of `<a>` with links, besides href."""
_META_NAMES = {name: kind for kind in LinkKind for name in kind.declaration.meta_names}

_DECIDING = {tag: frozenset(name for name, _ in more) for tag, more in _MORE_ATTRIBUTES.items()}
_DECIDING["input"] = _DECIDING.get("input", frozenset()) | {"src"}


class SecondaryLink(NamedTuple):
    """A link as written, with fields of the same names as `gossamer.model.visit.Link`."""

    href: str
    kind: LinkKind
    element: str
    text: str = ""


def may_link_otherwise(tag: str, attributes: Attributes) -> bool:
    """Whether `secondary_links` must look at an element. Takes a fraction of its time."""
    if tag == "style" or "style" in attributes:
        return True
    if tag == "meta":
        return "http-equiv" in attributes or _meta_name(attributes) in _META_NAMES
    deciding = _DECIDING.get(tag)
    return deciding is not None and not deciding.isdisjoint(attributes)


def secondary_links(element: Element) -> Iterator[SecondaryLink]:
    """What an element links to besides its main attribute."""
    tag, attributes, text = element[:3]
    if tag == "style":
        yield from _style_sheet(attributes, text)
    elif tag == "meta":
        yield from _meta(attributes, text)
    elif tag == "input":
        yield from _image_button(attributes)
    if tag in _MORE_ATTRIBUTES:
        yield from _more_attributes(tag, attributes)
    if style := attributes.get("style"):
        name = one_line(f"{tag[:MAX_ELEMENT]} style", MAX_ELEMENT)
        for url in css_urls(style):
            yield SecondaryLink(url, LinkKind.CSS, name)


def _more_attributes(tag: str, attributes: Attributes) -> Iterator[SecondaryLink]:
    for name, kind in _MORE_ATTRIBUTES[tag]:
        value = attributes.get(name)
        if value or (name in attributes and kind.declaration.empty_is_page):
            text = (attributes.get("alt") or "") if kind is LinkKind.IMAGE else ""
            for url in srcset_urls(value) if value and "srcset" in name else [value or ""]:
                yield SecondaryLink(url, kind, f"{tag} {name}", text)


def _image_button(attributes: Attributes) -> Iterator[SecondaryLink]:
    is_image = (attributes.get("type") or "").lower() == "image"
    if is_image and (src := attributes.get("src")):
        yield SecondaryLink(src, LinkKind.IMAGE, "input", attributes.get("alt") or "")


def _meta(attributes: Attributes, text: str) -> Iterator[SecondaryLink]:
    refresh = refresh_of(attributes)
    if refresh is not None and refresh[1] is not None:
        waits = refresh[0] > MAX_REDIRECT_DELAY_S and text != IN_NOSCRIPT
        refresh_kind = LinkKind.DELAYED_REFRESH if waits else LinkKind.META_REFRESH
        yield SecondaryLink(refresh[1], refresh_kind, "meta refresh")
    name = _meta_name(attributes)
    kind = _META_NAMES.get(name)
    if kind is not None and (content := (attributes.get("content") or "").strip()):
        yield SecondaryLink(content, kind, f"meta {name}")


def _meta_name(attributes: Attributes) -> str:
    return (attributes.get("property") or attributes.get("name") or "").strip().lower()


def _style_sheet(attributes: Attributes, text: str) -> Iterator[SecondaryLink]:
    if (attributes.get("type") or "text/css").strip().lower() == "text/css":
        for url in css_urls(text):
            yield SecondaryLink(url, LinkKind.CSS, "style")


def refresh_of(attributes: Attributes) -> tuple[int, str | None] | None:
    """Delay and URL as written of a `<meta>`, as returned by `read_refresh`."""
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return None
    return read_refresh(attributes.get("content") or "")
