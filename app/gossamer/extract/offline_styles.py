"""Rewrites the URLs in style sheets, so that they load nothing from elsewhere. Pure functions."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from gossamer.extract.css_and_srcset_urls import spelled_out, unescaped
from gossamer.model.lazy_pattern import lazy_pattern

Local = Callable[[str], str | None]
"""The path in the copy of what a URL as written loads; None if the copy does not have it."""

_NOTHING: Final = "data:,"
_SPACE: Final = r"[ \t\n\r\f]"
# No pattern fails after a long scan, which the next "url(" would have to repeat.
_ESCAPED: Final = r"\\(?:.|\Z)"
_STRING: Final = (
    rf"\"(?:[^\"\\\n\r\f]|{_ESCAPED}|)*+(?:\"|(?=[\n\r\f])|\Z)"
    rf"|'(?:[^'\\\n\r\f]|{_ESCAPED}|)*+(?:'|(?=[\n\r\f])|\Z)"
)
_UNQUOTED: Final = rf"(?![\"'])(?:[^)\\]|{_ESCAPED}|)*+"
"""Also an invalid one, with quotes in it: browsers read it up to the same end."""
_URL: Final = rf"url\({_SPACE}*+(?:(?:{_STRING}){_SPACE}*+|{_UNQUOTED})(?:\)|\Z)"
_TYPE: Final = rf"type\({_SPACE}*+(?:{_STRING}){_SPACE}*+\)"
_IMAGE: Final = lazy_pattern(rf"{_TYPE}|(?P<image>{_URL}|{_STRING})", re.IGNORECASE | re.DOTALL)
_TOKEN: Final = lazy_pattern(
    r"(?P<comment>/\*.*?(?:\*/|\Z))"
    rf"|@import{_SPACE}*+(?P<sheet>{_URL}|{_STRING})(?P<terms>[^;{{}}]*+);?"
    r"|(?P<at>@(?:import|charset)[^;{}]*+;?)"
    rf"|(?P<set>image-set\((?:{_TYPE}|{_URL}|{_STRING}|[^()\"'{{}};/\\]|)*+\))"
    rf"|(?P<url>{_URL})"
    rf"|(?P<string>{_STRING})"
    r"|(?P<loads>(?:image-set|src|image|cross-fade|url|expression)\()"
    r"|(?P<binding>-moz-binding|behavior(?=\s*:))",
    re.IGNORECASE | re.DOTALL,
)


def offline_css(css: str, local: Local) -> str:
    """A style sheet whose URLs lead to the copy; what the copy does not have loads nothing."""

    def rewrite(token: re.Match[str]) -> str:
        if token["comment"] is not None:
            return " "
        if token["sheet"] is not None:
            place = local(_written(token["sheet"]))
            is_hidden = place is None or _TOKEN.search(token["terms"])
            return "" if is_hidden else f'@import "{place}"{token["terms"]};'
        if token["at"] is not None:
            return ""
        if (images := token["set"] or token["url"]) is not None:
            return _IMAGE.sub(partial(_rewritten_image, local), images)
        if token["string"] is not None:
            return token[0]
        return f"-not-in-a-copy-{token[0]}"

    # "<" begins no tag in HTML that contains this; in CSS it is only within strings or queries.
    return _TOKEN.sub(rewrite, spelled_out(css)).replace("</", "<\\/").replace("<!", "<\\!")


def _rewritten_image(local: Local, found: re.Match[str]) -> str:
    written = found["image"]
    return found[0] if written is None else f'url("{_loaded(_written(written), local)}")'


def _loaded(written: str, local: Local) -> str:
    if written.startswith("#"):
        return re.sub(r"[^\w#-]", "", written)
    if written[:5].lower() == "data:":
        return re.sub(r"[\"\\\s<]", lambda found: f"%{ord(found[0]):02x}", written)
    return local(written) or _NOTHING


def _written(token: str) -> str:
    """The URL in a string, or within `url()`."""
    text = token
    if text[:4].lower() == "url(":
        text = text[4:].removesuffix(")").strip(" \t\n\r\f")
    if text[:1] in {'"', "'"}:
        text = text[1:].removesuffix(text[0])
    return unescaped(text)
