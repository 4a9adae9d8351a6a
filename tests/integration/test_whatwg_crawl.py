"""The URL test data of web-platform-tests as links of pages that are crawled."""

from html import escape
from itertools import groupby
from pathlib import Path

import pytest

from app.model.settings import Parser
from app.model.text import clean_text
from app.store.reader import Reader
from tests.integration.crawling import crawl_all
from tests.sites import Site
from tests.unit.test_whatwg_urls import ENTRIES, serialisation

NO_LINKS = ("javascript:", "data:")
"""They hold what they would lead to."""


def can_stand_in_a_page(text: str) -> bool:
    """Whether HTML hands the text on as it is: it has no NUL and no lone surrogates."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


@pytest.mark.parametrize("parser", list(Parser))
def test_links_lead_where_the_standard_says(site: Site, tmp_path: Path, parser: Parser) -> None:
    entries = [
        entry
        for entry in ENTRIES
        if (entry["base"] or "").startswith(("http:", "https:"))
        and can_stand_in_a_page(entry["input"])
    ]
    entries.sort(key=lambda entry: str(entry["base"]))
    pages = []
    expected = {}
    for number, (base, same) in enumerate(groupby(entries, lambda entry: str(entry["base"]))):
        anchors: list[str] = []
        for entry in same:
            target = serialisation(entry)
            text = f"{number}-{len(anchors)}"
            expected[text] = clean_text(entry["input"].strip(), 2048) if target is None else target
            if expected[text].startswith(NO_LINKS):
                del expected[text]
            anchors.append(f'<a href="{escape(entry["input"])}">{text}</a>')
        pages.append(f"/{number}")
        body = f'<base href="{escape(base)}">' + "\n".join(anchors)
        site.file(f"/{number}", body.encode(), "text/html; charset=utf-8")
    site.page("/", links=pages)
    path = tmp_path / "whatwg.gossamer"
    crawl_all(path, site.url(), parser=parser)
    with Reader(path) as reader:
        found = {link.text: link.target_url for link in reader.links()}
    assert len(expected) > 180
    assert {text: found.get(text) for text in expected} == expected
