"""A report as a document, and the parts that make up its sections, as HTML.

All texts from the web are escaped, and the page's own policy forbids scripts and requests.
"""

from collections.abc import Callable
from html import escape
from typing import Final, TypeAlias

from gossamer import __version__
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.program_resources import resource_path
from gossamer.model.translatable import Translatable, said
from gossamer.urls.url_parsing import host_of, is_http

Say: TypeAlias = Callable[[Translatable], str]
"""Returns a sentence in the language of the report."""


_POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'"
)
_FORBIDDEN: Final = lazy_pattern(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef"
    f"{''.join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))}]"
)
"""Control characters and noncharacters: https://html.spec.whatwg.org/#text-content."""
_REL: Final = "noopener noreferrer nofollow"


def document(say: Say, title: Translatable, content: str) -> str:
    """A whole page with this content, which is HTML."""
    style = resource_path("report", "report.css").read_text(encoding="utf-8")
    # The tag of a language, as in a translation of the program: "en", "zh-CN".
    language = html_text(say, said("en"))
    shown = _FORBIDDEN.sub("\ufffd", content)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="Gossamer {__version__}">\n'
        f"<title>{html_text(say, title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{shown}\n</main>\n</body>\n</html>\n"
    )


def html_text(say: Say, sentence: Translatable) -> str:
    """A sentence as HTML."""
    return escape(say(sentence))


def section(title: str, content: str, note: str = "") -> str:
    """A section as wide as the page; title and note are HTML."""
    shown = f"<p class='note'>{note}</p>" if note else ""
    return f"<section class='wide'><h2>{title}</h2>{shown}{content}</section>\n"


def table(headings: str, rows: list[str], *, is_short: bool = False) -> str:
    """A table of rows; `headings` are its <th> elements.

    A narrow page has the cells of a row below each other; those of an `is_short` row, after the
    first, beside each other.
    """
    kind = "list short" if is_short else "list"
    return (
        f"<table class='{kind}'><thead><tr>{headings}</tr></thead><tbody>{''.join(rows)}</tbody>"
        "</table>"
    )


def heading(text: str, *, is_number: bool = False) -> str:
    """The <th> of a column."""
    return f"<th class='number'>{text}</th>" if is_number else f"<th>{text}</th>"


def badge(text: str, colour: str) -> str:
    """A short text in a frame."""
    return f"<span class='badge {colour}'>{text}</span>"


def address(url: str) -> str:
    """A URL as a link, if it leads to the web; otherwise text."""
    text = f"<bdi>{escape(url)}</bdi>"
    if not is_http(url):
        return f"<span class='address'>{text}</span>"
    return f"<a class='address' href='{escape(url)}' rel='{_REL}'>{text}</a>"


def reference(url: str, words: str) -> str:
    """A link with these words to a page to read, and its host."""
    return (
        f"<a class='reference' href='{escape(url)}' rel='{_REL}'>{words}</a>"
        f" <span class='muted'><bdi>{escape(host_of(url))}</bdi></span>"
    )
