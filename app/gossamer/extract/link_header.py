"""Parses links in Link headers (RFC 8288)."""

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import LinkKind, kind_by_rel
from gossamer.urls.url_parsing import join, without_fragment

_SCHEME = lazy_pattern(r"[ \t]*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TARGET = lazy_pattern(r"[ \t,]*<([^>]*)>")
_PARAMETER = lazy_pattern(
    r"[ \t]*;[ \t]*([^ \t=;,]*)[ \t]*"
    r"(?:=[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"?|([^;,]*)))?"
)
_TO_NEXT = lazy_pattern(r"[^,]*")
_ESCAPED = lazy_pattern(r"\\(.)")
_EXTENDED = lazy_pattern(r"(utf-8|iso-8859-1)'[^']*'(.*)", re.IGNORECASE)


class HeaderLink(NamedTuple):
    """A link of a header: the resolved URL, with its fragment, or the text in its place.

    `text` is its title, but for an alternate its hreflang, as with elements: a title is no
    language. `rel` is as written. `hreflang` is None if there is no such parameter.
    """

    target: str
    kind: LinkKind
    text: str
    rel: str
    hreflang: str | None = None
    is_relative: bool = False


def link_header(values: Sequence[str], base: str) -> list[HeaderLink]:
    """The links in the Link headers of a response; `base` is the URL that it is for.

    Links without a relation are left out, and those whose anchor makes them another resource's. An
    invalid link ends its value (RFC 8288 §B.2).
    """
    links: list[HeaderLink] = []
    for value in values:
        for href, parameters in _parsed(value):
            if "rel" in parameters and _is_own(parameters.get("anchor"), base):
                links.append(_link(href, parameters, base))
    return links


def _link(href: str, parameters: dict[str, str], base: str) -> HeaderLink:
    rel = parameters["rel"]
    kind = kind_by_rel(rel)
    text = _extended(parameters.get("title*", "")) or parameters.get("title", "")
    if kind is LinkKind.ALTERNATE:
        text = parameters.get("hreflang", "")
    address, hash_sign, fragment = href.partition("#")
    target = join(base, address)
    # If it is no URL, the targets of the page decide what to do.
    target = f"{target or address}{hash_sign}{fragment}"
    is_relative = _SCHEME.match(href) is None
    return HeaderLink(target, kind, text, rel, parameters.get("hreflang"), is_relative)


def _parsed(value: str) -> list[tuple[str, dict[str, str]]]:
    """Targets and parameters in one header; of repeated parameters, the first."""
    found: list[tuple[str, dict[str, str]]] = []
    position = 0
    while target := _TARGET.match(value, position):
        position = target.end()
        parameters: dict[str, str] = {}
        while parameter := _PARAMETER.match(value, position):
            name, quoted, token = parameter.groups()
            said = _ESCAPED.sub(r"\1", quoted) if quoted is not None else (token or "").strip(" \t")
            parameters.setdefault(name.lower(), said)
            position = parameter.end()
        found.append((target[1], parameters))
        rest = _TO_NEXT.match(value, position)
        position = rest.end() if rest else position
    return found


def _is_own(anchor: str | None, base: str) -> bool:
    """Whether a link with this anchor belongs to the resource at `base`, or to a part of it."""
    return anchor is None or join(base, anchor) == without_fragment(base)


def _extended(text: str) -> str:
    """A text in RFC 8187's notation, such as `utf-8'en'%e2%82%ac`."""
    found = _EXTENDED.fullmatch(text)
    return unquote(found[2], encoding=found[1], errors="replace") if found else ""
