"""The parts that sections of the report are made of, as HTML. All texts are escaped here."""

from collections.abc import Callable
from html import escape
from typing import TypeAlias

from gossamer.model.translatable import Translatable
from gossamer.urls.url_parsing import is_http

Say: TypeAlias = Callable[[Translatable], str]
"""Gives a sentence in the language of the report."""


def html_text(say: Say, sentence: Translatable) -> str:
    """A sentence as HTML."""
    return escape(say(sentence))


def section(title: str, content: str, note: str = "") -> str:
    """A section as wide as the page; title and note are HTML."""
    shown = f"<p class='note'>{note}</p>" if note else ""
    return f"<section class='wide'><h2>{title}</h2>{shown}{content}</section>\n"


def table(headings: str, rows: list[str]) -> str:
    """A table of rows; `headings` are its <th> elements."""
    return (
        f"<table class='list'><thead><tr>{headings}</tr></thead><tbody>{''.join(rows)}</tbody>"
        "</table>"
    )


def heading(text: str, *, is_number: bool = False) -> str:
    """The <th> of a column."""
    return f"<th class='number'>{text}</th>" if is_number else f"<th>{text}</th>"


def badge(text: str, colour: str) -> str:
    """A short text in a frame."""
    return f"<span class='badge {colour}'>{text}</span>"


def address(url: str) -> str:
    """A URL as a link, if it leads into the web; text otherwise."""
    text = f"<bdi>{escape(url)}</bdi>"
    if not is_http(url):
        return f"<span class='address'>{text}</span>"
    rel = "noopener noreferrer nofollow"
    return f"<a class='address' href='{escape(url)}' rel='{rel}'>{text}</a>"
