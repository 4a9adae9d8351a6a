"""Checks an llms.txt: whether it follows the proposal of llmstxt.org, and where it leads.

The proposal: Markdown with a heading of level 1, then optionally a summary as a quotation, text,
and headings of level 2, each with a list of links.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from gossamer.model.fields.indexability import Indexability
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import ERROR_OUTCOMES
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.translatable import Translatable, said
from gossamer.urls.url_parsing import join

_MOST_LINKS: Final = 10_000
_SUCCESS: Final = 2
_LOWEST_HEADING: Final = 6


class LlmsLink(NamedTuple):
    """A link of an llms.txt: its line, from 1, its section, and where it leads."""

    line: int
    section: str
    text: str
    url: str


class LlmsTxt(NamedTuple):
    """The contents of an llms.txt, and where it deviates from the proposal."""

    title: str
    summary: str
    sections: tuple[str, ...]
    links: tuple[LlmsLink, ...]
    faults: tuple[Translatable, ...]


class CheckedLink(NamedTuple):
    """A link of an llms.txt, and what the crawl knows of its target: None if unknown."""

    link: LlmsLink
    record: UrlRecord | None

    @property
    def is_broken(self) -> bool:
        """Whether the target failed."""
        return self.record is not None and self.record.outcome in ERROR_OUTCOMES

    @property
    def is_not_indexable(self) -> bool:
        """Whether the target was fetched, and search engines may not list it."""
        record = self.record
        if record is None or self.is_broken or record.status is None:
            return False
        return record.indexability_status not in {None, "", Indexability.INDEXABLE.value}


def llms_check(rows: Iterable[SiteCheckRow], origin: str) -> SiteCheckRow | None:
    """The response of an origin for its llms.txt; None if it was not requested."""
    return next(
        (row for row in rows if row.kind is SiteCheck.LLMS_TXT and row.origin == origin), None
    )


def has_llms_txt(row: SiteCheckRow) -> bool:
    """Whether there is one."""
    return (row.status or 0) // 100 == _SUCCESS and bool(row.text.strip())


def parse_llms_txt(text: str, url: str) -> LlmsTxt:
    """The contents of the text at `url`."""
    text = text.removeprefix("\ufeff")
    if re.match(r"\s*<(?:!doctype|html|head|body)\b", text, re.IGNORECASE):
        return LlmsTxt("", "", (), (), (said("It is an HTML page, not Markdown."),))
    titles: list[tuple[int, str]] = []
    summary: list[str] = []
    sections: list[str] = []
    links: list[LlmsLink] = []
    for number, line in enumerate(text.splitlines(), 1):
        level, heading = _heading(line)
        if not level:
            if line.startswith(">") and not sections:
                summary.append(line[1:].strip())
            links += _links_in(line, number, sections[-1] if sections else "", url)
        elif level == 1:
            titles.append((number, heading))
        elif level == 2:  # noqa: PLR2004 - the level of sections
            sections.append(heading)
    first = next((n for n, line in enumerate(text.splitlines(), 1) if line.strip()), 0)
    return LlmsTxt(
        titles[0][1] if titles else "",
        " ".join(summary),
        tuple(sections),
        tuple(links[:_MOST_LINKS]),
        tuple(_faults(titles, first, sections, links)),
    )


def checked_links(llms: LlmsTxt, lookup: Callable[[str], UrlRecord | None]) -> list[CheckedLink]:
    """The links, with what the crawl knows of their targets."""
    return [CheckedLink(link, lookup(link.url.partition("#")[0])) for link in llms.links]


def _heading(line: str) -> tuple[int, str]:
    """The level and the text of a heading; level 0 for any other line."""
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    if not (level <= _LOWEST_HEADING and rest[:1].isspace()):
        return 0, ""
    return level, rest.strip().rstrip("#").rstrip()


def _links_in(line: str, number: int, section: str, url: str) -> list[LlmsLink]:
    return [
        LlmsLink(number, section, text.strip(), _resolved(url, target))
        for text, target in _texts_and_targets(line)
    ]


def _resolved(url: str, target: str) -> str:
    """The target as the crawl writes it, with its fragment."""
    address, mark, fragment = target.partition("#")
    return f"{join(url, address) or address}{mark}{fragment}"


def _texts_and_targets(line: str) -> Iterator[tuple[str, str]]:
    """What each `[text](target)` says; looks at each character only a few times."""
    at = 0
    while (middle := line.find("](", at)) >= 0 and (end := line.find(")", middle)) >= 0:
        start = line.rfind("[", at, middle)
        target = line[middle + 2 : end].strip().removeprefix("<").partition(">")[0].split()
        if start >= 0 and target and "]" not in (text := line[start + 1 : middle]):
            yield text, target[0]
        at = end + 1


def _faults(
    titles: list[tuple[int, str]], first: int, sections: list[str], links: list[LlmsLink]
) -> Iterable[Translatable]:
    if not titles:
        yield said("It has no heading of level 1, which is to name the site.")
    elif titles[0][0] != first:
        yield said("It does not begin with the heading that names the site.")
    if len(titles) > 1:
        yield said("It has several headings of level 1: sections have level 2.")
    if not links:
        yield said("It has no links.")
    elif sections and all(not link.section for link in links):
        yield said("Its links stand outside its sections.")
