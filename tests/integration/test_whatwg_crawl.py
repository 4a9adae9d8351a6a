"""Inputs that the URL Standard says something about, as links of pages that are crawled."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

import pytest

from gossamer.model.settings.request_settings import Parser
from gossamer.model.text_cleaning import clean_text
from gossamer.store.reading.reader import Reader
from tests.data.vectors import UrlVector, url_vectors
from tests.integration.crawling import crawl_all
from tests.sites import Site

SCHEME = re.compile(r"[\x00-\x20]*([a-z][a-z0-9+.\t\n\r-]*):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """An input as a link: of a page with this `<base>`, leading to `target`, None for no URL."""

    base: str
    href: str
    target: str | None


def can_stand_in_a_page(text: str) -> bool:
    """Whether HTML hands the text on as it is: it has no NUL and no lone surrogates."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def base_for(vector: UrlVector) -> str | None:
    """The `<base>` for an input, None where no page can have it.

    An input without one names its scheme; on a page of another scheme it means the same.
    """
    base = vector.base
    if base is not None:
        return None if base.startswith(("javascript:", "data:")) else base
    scheme = SCHEME.match(vector.text)
    if scheme is None:
        return None
    is_https = re.sub(r"[\t\n\r]", "", scheme[1]).lower() == "https"
    return "http://base.invalid/x?y" if is_https else "https://base.invalid/x?y"


def entries() -> Iterator[Entry]:
    """Those that pages can have, by base."""
    for vector in url_vectors():
        base = base_for(vector)
        if base is not None and can_stand_in_a_page(vector.text):
            yield Entry(base, vector.text, vector.target)


def as_written(href: str) -> str:
    """What is recorded of what is no URL: all of it, but for a fragment that can be told apart."""
    before = href.partition("#")[0]
    return clean_text((before if before[-1:] > " " else href).strip(), 2048)


@pytest.mark.parametrize("parser", list(Parser))
def test_links_are_resolved_as_whatwg_specifies(site: Site, tmp_path: Path, parser: Parser) -> None:
    by_base = sorted(entries(), key=lambda entry: entry.base)
    pages = []
    expected = {}
    for number, (base, same) in enumerate(groupby(by_base, lambda entry: entry.base)):
        anchors: list[str] = []
        for entry in same:
            text = f"{number}-{len(anchors)}"
            target = entry.target
            expected[text] = as_written(entry.href) if target is None else target
            anchors.append(f'<a href="{escape(entry.href)}">{text}</a>')
        pages.append(f"/{number}")
        body = f'<base href="{escape(base)}">' + "\n".join(anchors)
        site.file(f"/{number}", body.encode(), "text/html; charset=utf-8")
    site.page("/", links=pages)
    path = tmp_path / "whatwg.gossamer"
    crawl_all(path, site.url(), parser=parser)
    with Reader(path) as reader:
        found = {link.text: link.target_url for link in reader.links()}
    assert len(expected) > 750
    assert {text: found.get(text) for text in expected} == expected
