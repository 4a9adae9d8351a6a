"""What a project says of a site, compared with an independent reading of the site's files."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import OUTLINK_KINDS
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import View
from gossamer.model.settings.scope_settings import OUTLINK_NAMES
from gossamer.store.reading.reader import Reader
from tests.sites.documentation import ServedDocumentation
from tests.sites.truth import ExpectedUrl, Truth

ASKED = frozenset({UrlState.DONE, UrlState.FAILED})

EVERY_PAGE: dict[str, Any] = {
    "follow_kinds": OUTLINK_NAMES,
    "check_kinds": (),
    "follow_nofollow": True,
}
"""The truth knows pages and links, and nothing of resources and nofollow."""


@dataclass(frozen=True)
class Found:
    """What a project says, by URL. Inlinks are counted from the links that are followed."""

    records: dict[str, UrlRecord]
    inlinks: Counter[str]
    linking_pages: Counter[str]

    @property
    def asked(self) -> set[str]:
        return {url for url, record in self.records.items() if record.state in ASKED}

    def with_outcome(self, outcome: Outcome) -> set[str]:
        return {url for url, record in self.records.items() if record.outcome is outcome}


def found_in(project: Path) -> Found:
    with Reader(project) as reader:
        records = {record.url: record for record in reader.iterate(View.ALL)}
        numbers = Counter(
            (link.source_id, link.target_url)
            for link in reader.links()
            if link.kind in OUTLINK_KINDS
        )
    inlinks: Counter[str] = Counter()
    for (_, target), number in numbers.items():
        inlinks[target] += number
    return Found(records, inlinks, Counter(target for _, target in numbers))


def differences(found: Found, truth: Truth, url_of: Callable[[str], str]) -> list[str]:
    """Every fact about an asked URL that is not as the truth has it, as lines to read."""
    told = {path: url for path, url in truth.urls.items() if url.status is not None}
    lines = [f"{url} was asked" for url in found.asked - {url_of(path) for path in told}]
    for path, expected in told.items():
        record = found.records.get(url_of(path))
        if record is None or record.state not in ASKED:
            lines.append(f"{path} was not asked: {record}")
        else:
            lines += _different(found, expected, record, url_of)
    return lines


def _different(
    found: Found, expected: ExpectedUrl, record: UrlRecord, url_of: Callable[[str], str]
) -> Iterator[str]:
    target = expected.redirects_to
    has_title = expected.is_html and expected.status == 200
    is_page = has_title and target is None
    facts = {
        "status": (record.status, expected.status),
        "depth": (record.depth, expected.depth),
        "page": (record.outcome is Outcome.PAGE, is_page),
        "title": (record.title if has_title else expected.title, expected.title),
        "redirect": (record.redirect, url_of(target) if target else None),
        "inlinks": (found.inlinks[record.url], expected.inlinks),
        "linking pages": (found.linking_pages[record.url], expected.linking_pages),
    }
    for fact, (seen, wanted) in facts.items():
        if seen != wanted:
            yield f"{expected.path}: {fact} is {seen!r}, not {wanted!r}"


def check_documentation(docs: ServedDocumentation, project: Path) -> None:
    found = found_in(project)
    truth = docs.truth
    assert differences(found, truth, docs.url) == []
    assert found.with_outcome(Outcome.OUT_OF_SCOPE) >= {
        url for url in truth.external if url.startswith("http")
    }
    for url, record in found.records.items():
        assert record.inlinks >= found.inlinks[url], url
        assert record.unique_inlinks >= found.linking_pages[url], url
    assert Outcome.PENDING not in {record.outcome for record in found.records.values()}
