"""Rewrites pages for a copy: links lead to the copy, and nothing is loaded from elsewhere.

What may stay is written from the parsed tree, so that no oddity of the original markup is in the
result. Scripts, frames, forms' targets and what loads from elsewhere are left out; a policy in the
head (Content-Security-Policy) additionally forbids what should not be there.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final, Protocol

from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.css_and_srcset_urls import srcset_candidates
from gossamer.extract.offline_styles import offline_css

_POLICY: Final = (
    "default-src 'none'; img-src 'self' file: data:; media-src 'self' file: data:; "
    "font-src 'self' file: data:; style-src 'self' file: data: 'unsafe-inline'; "
    "form-action 'none'; base-uri 'none'"
)
HEAD: Final = (
    '<meta charset="utf-8">'
    f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    '<meta http-equiv="x-dns-prefetch-control" content="off">'
    '<meta name="referrer" content="no-referrer">'
    "<style>[data-not-in-copy]::after{content:'\\2197';font-size:.8em;text-decoration:none}</style>"
)
"""The beginning of the head of each page of a copy."""
_LEFT_OUT: Final = frozenset(
    (  # noqa: SIM905 - easier to read
        "script base iframe frame frameset noframes object embed applet param template portal "
        "fencedframe noembed plaintext xmp slot animate animatemotion animatetransform set "
        "discard handler listener foreignobject -comment -doctype -cdata -document"
    ).split()
)
_UNWRAPPED: Final = frozenset({"noscript", "-undef"})
"""Without scripts, their content is to be visible."""
_VOID: Final = frozenset(
    ("area br col hr img input link meta source track wbr bgsound keygen").split()  # noqa: SIM905 - so it can be read
)
_KEPT_LINKS: Final = frozenset({"stylesheet", "icon"})
_CLICKED: Final = frozenset({"a", "area"})
_LOADING: Final = frozenset(
    ("src href xlink:href poster background lowsrc dynsrc data icon").split()  # noqa: SIM905 - so it can be read
)
_SETS: Final = frozenset({"srcset", "imagesrcset"})
_DROPPED: Final = frozenset(
    (  # noqa: SIM905 - easier to read
        "action formaction formmethod ping srcdoc manifest nonce integrity crossorigin http-equiv "
        "codebase classid archive profile longdesc target usemap attributionsrc "
        "xml:base imagesizes is shadowrootmode fetchpriority autofocus cite loading"
    ).split()
)
_MARK: Final = ' data-not-in-copy=""'
"""The mark of a link to outside the copy: an arrow shows it, and its title says why."""
_NOT_ARCHIVED: Final = "not archived: leads to the web"
_NO_PAGE: Final = "opens another program"
_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]*")
_LIVE: Final = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_DOCTYPE: Final = re.compile(rb"(?:\s|<!--.*?-->|)*+<!doctype", re.IGNORECASE | re.DOTALL)
_INVISIBLE: Final = re.compile(r"[\x00-\x20]")


class CopyLinks(Protocol):
    """Where links of one page lead in the copy. URLs are as written."""

    def begin_at(self, base: str) -> None:
        """Set the base that the page names, before anything else."""

    def page(self, href: str) -> str | None:
        """Of a link to click on: a place in the copy, else the live address; None for no web."""

    def resource(self, href: str) -> str | None:
        """For what loads by itself: a path in the copy; None if the copy does not have it."""


def offline_html(markup: bytes, links: CopyLinks, head: str = HEAD) -> str:
    """The page for a copy, in UTF-8 like `markup`, which must be safe for parsers.

    `head` comes first in its head.
    """
    tree = LexborHTMLParser(markup)
    if (base := tree.css_first("base[href]")) is not None:
        links.begin_at(base.attributes["href"] or "")
    doctype = "<!doctype html>" if _DOCTYPE.match(markup) else ""
    return doctype + "".join(_written(tree.root, links, head))


def _written(root: Any, links: CopyLinks, head: str) -> Iterator[str]:  # noqa: ANN401 - a LexborNode
    """The markup of an element; no recursion, since pages nest to any depth."""
    todo: list[Any] = [] if root is None else [root]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            yield node
            continue
        tag = (node.tag or "").lower()
        if tag == "-text":
            yield escape(node.text_content or "", quote=False)
        elif tag == "style":
            css = offline_css(node.text(deep=True) or "", links.resource)
            about = _attributes(tag, node.attributes, links)
            yield f"<style{about}>{css.replace('<', ' ')}</style>"
        elif tag in _UNWRAPPED:
            todo += reversed(list(node.iter(include_text=True)))
        elif tag not in _LEFT_OUT and _NAME.fullmatch(tag) and _is_kept(tag, node.attributes):
            yield f"<{tag}{_attributes(tag, node.attributes, links)}>"
            yield head if tag == "head" else "\n" if tag in {"pre", "textarea", "listing"} else ""
            if tag not in _VOID:
                todo.append(f"</{tag}>")
                todo += reversed(list(node.iter(include_text=True)))


def _is_kept(tag: str, attributes: Mapping[str, str | None]) -> bool:
    if tag == "link":
        relations = (attributes.get("rel") or "").lower().split()
        return not _KEPT_LINKS.isdisjoint(relations) and "alternate" not in relations
    return tag != "meta" or not {"http-equiv", "charset"} & set(attributes)


def _attributes(tag: str, attributes: Mapping[str, str | None], links: CopyLinks) -> str:
    kept, title, why = [], None, ""
    for name, value in attributes.items():
        lowered = name.lower()
        if not _NAME.fullmatch(name) or lowered.startswith("on") or lowered in _DROPPED:
            continue
        new = "" if value is None else _value(tag, lowered, value, links)
        if tag in _CLICKED and lowered == "title":
            title = title or new
        elif new is not None:
            kept.append(f' {name}="{escape(new)}"')
            if tag in _CLICKED and lowered in _LOADING and _LIVE.match(new):
                why = _NOT_ARCHIVED if new[:4].lower() == "http" else _NO_PAGE
    if why:
        kept.append(_MARK)
        title = f"{title} ({why})" if title else why.capitalize()
    if title is not None:
        kept.append(f' title="{escape(title)}"')
    return "".join(kept)


def _value(tag: str, name: str, value: str, links: CopyLinks) -> str | None:
    """The value of an attribute in the copy; None if it is left out."""
    if tag == "link" and name == "rel":
        # Its other values may make a browser connect.
        return " ".join(each for each in value.lower().split() if each in _KEPT_LINKS)
    if name in _SETS:
        return _set(value, links)
    if name in _LOADING:
        return _link(tag, value, links)
    if name == "style" or "url(" in value.lower() or ("\\" in value and "(" in value):
        return offline_css(value, links.resource)
    return value


def _link(tag: str, value: str, links: CopyLinks) -> str | None:
    bare = _INVISIBLE.sub("", value)
    if bare.startswith("#"):
        return bare
    if tag in _CLICKED:
        found = links.page(value)
        is_relative = found is not None and ":" not in found.partition("/")[0]
        return found if is_relative or (found and _LIVE.match(found)) else None
    if bare[:11].lower().startswith("data:image/"):
        return value if tag in {"img", "image", "input", "source", "video", "feimage"} else None
    return links.resource(value)


def _set(value: str, links: CopyLinks) -> str | None:
    """A set of images, reduced to what the copy has of them."""
    kept = [
        " ".join((place, *descriptors))
        for url, descriptors in srcset_candidates(value)
        if (place := links.resource(url)) is not None
    ]
    return ", ".join(kept) or None


def is_harmless_svg(data: bytes) -> bool:
    """Whether a drawing loads and runs nothing, by a rule that prefers to refuse good ones."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not _MAY_ACT.search(text) and "<svg" in text


_MAY_ACT: Final = re.compile(
    r"<!ENTITY|<\?xml-|<!\[CDATA|script|\bon[a-z]+\s*=|foreignobject|@import|image-set|&#|\\"
    r"|<(?:\w+:)?(?:a|animate\w*|set|handler|iframe|object|embed|audio|video|link|use|feimage)\b(?![^<>]*href\s*+=\s*+[\"']#)"
    r"|href\s*+=\s*+(?![\"'](?:#|data:image/))|url\((?!\s*[\"']?#)",
    re.IGNORECASE,
)
