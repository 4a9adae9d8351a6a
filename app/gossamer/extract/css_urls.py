"""The URLs that CSS loads: in `url()` and `@import`, in style elements and attributes.

Not a parser: it knows comments, strings and URLs by CSS Syntax Level 3 (§4.3), so as not to take
what stands in one of them for another. Names spelled with escapes are not recognised.
"""

import re
from collections.abc import Iterator

_SPACE = r"[ \t\n\r\f]"
_STRING = (
    r"\"(?P<{0}1>[^\"\\\n\r\f]*+(?:\\(?:\r\n|.|\Z)[^\"\\\n\r\f]*+)*+)\"?"
    r"|'(?P<{0}2>[^'\\\n\r\f]*+(?:\\(?:\r\n|.|\Z)[^'\\\n\r\f]*+)*+)'?"
)
_BARE = rf"[^\"'()\\\s]*+(?:\\(?:[0-9a-f]{{1,6}}{_SPACE}?|[^\n\r\f])[^\"'()\\\s]*+)*+"
_BAD = r"[^)\\]*+(?:\\.?[^)\\]*+)*+"
_TOKEN = re.compile(
    r"/\*.*?(?:\*/|\Z)"
    r"|(?P<at>@(?:import|namespace))(?![\w-])"
    rf"|(?<![\w-])(?P<url>url\(){_SPACE}*+"
    rf"(?:{_STRING.format('quoted')}|(?P<bare>{_BARE}){_SPACE}*+(?:\)|\Z)|{_BAD})"
    rf"|{_STRING.format('string')}",
    re.IGNORECASE | re.DOTALL,
)
_RULE_END = re.compile("[;{}]")
_ESCAPE = re.compile(
    rf"\\(?:([0-9a-f]{{1,6}})(?:\r\n|{_SPACE})?|(\r\n|[\n\r\f]|\Z)|(.))", re.IGNORECASE | re.DOTALL
)


def css_urls(css: str) -> Iterator[str]:
    """The URLs in `css`, unescaped, in order.

    Not those of `@namespace`, which are names, nor `url(#id)`, which means the document itself.
    """
    lowered = css.lower()
    if "url(" not in lowered and "@import" not in lowered:
        return
    rule = ""
    rule_end = 0
    for token in _TOKEN.finditer(css):
        if token["at"]:
            rule, rule_end = token["at"].lower(), token.end()
            continue
        follows = bool(rule) and _belongs(rule, css[rule_end : token.start()])
        if token[0].startswith("/*") and follows:
            rule_end = token.end()
            continue
        at, rule = rule if follows else "", ""
        url = _url(token) if token["url"] or at == "@import" else ""
        if url and at != "@namespace" and not url.startswith("#"):
            yield url


def _belongs(rule: str, between: str) -> bool:
    """Whether a rule is about the string or URL that comes next (comments are no matter).

    @import has it at once, @namespace after a prefix.
    """
    if rule == "@import":
        return not between or between.isspace()
    return not _RULE_END.search(between)


def _url(token: re.Match[str]) -> str:
    names = ("quoted1", "quoted2", "bare", "string1", "string2")
    written = next((token[name] for name in names if token[name]), "")
    return _ESCAPE.sub(_unescaped, written) if "\\" in written else written


def _unescaped(escape: re.Match[str]) -> str:
    digits, line_end, character = escape.groups()
    if digits is None:
        return "" if line_end is not None else str(character)
    code = int(digits, 16)
    is_scalar = 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000  # noqa: PLR2004 - Unicode
    return chr(code) if is_scalar else "\ufffd"
