"""Selects the pages to render if only those that need it are rendered."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from zlib import crc32

from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.fields.rendering_fields import RenderReason
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.urls.url_folders import section_of

LITTLE_TEXT_WORDS: Final = 100
"""A page with fewer words of content has little text."""
MUCH_SCRIPT_BYTES: Final = 10_000
"""A page with so many bytes of script in its HTML, or any script in a file, has much."""
FIRST_PAGES: Final = 5
"""The first pages of each section that do not need rendering by themselves are its sample..."""
ONE_IN: Final = 20
"""...and later one page in so many."""
DIFFERENCES: Final = (
    RenderFlag.LINKS
    | RenderFlag.TITLE_ONLY_IN_RENDERED
    | RenderFlag.H1_ONLY_IN_RENDERED
    | RenderFlag.CANONICAL_ONLY_IN_RENDERED
)
"""What a page of the sample may have only as rendered, which has its section rendered."""
MAX_SECTIONS: Final = 20
"""Sections of one host."""
MAX_KNOWN: Final = 10_000
"""Sections of all hosts."""
_LOOKED_AT: Final = 256 * 1024
_TYPE: Final = lazy_pattern(rb"[\s\"']type\s*=\s*[\"']?\s*([^\s\"'>;]+)")
_SCRIPT_TYPE: Final = (b"module", b"javascript", b"ecmascript")
"""How the types of `<script>` elements without data end."""
_SOURCE: Final = lazy_pattern(rb"[\s\"']src\s*=")


def reason_by_itself(visit: Visit, html: bytes) -> RenderReason | None:
    """Why a page needs rendering, whatever is known of its section; None if it does not seem to.

    `html` is the body that the server sent for it.
    """
    if visit.outcome is Outcome.PAGE_NEEDS_SCRIPTS:
        return RenderReason.NEEDS_SCRIPTS
    words = visit.facts.word_count if visit.facts else None
    if (words or 0) < LITTLE_TEXT_WORDS and script_bytes(html) >= MUCH_SCRIPT_BYTES:
        return RenderReason.LITTLE_TEXT
    return None


def script_bytes(html: bytes) -> int:
    """The size of the scripts of a page; each one in a file counts as `MUCH_SCRIPT_BYTES`."""
    folded = html[:_LOOKED_AT].lower()
    size_bytes = at = 0
    while (start := folded.find(b"<script", at)) >= 0:
        opened = folded.find(b">", start)
        if opened < 0:
            break
        closed = folded.find(b"</script", opened)
        at = len(folded) if closed < 0 else closed
        attributes = folded[start:opened]
        of_type = _TYPE.search(attributes)
        if of_type is None or of_type[1].endswith(_SCRIPT_TYPE):
            is_file = _SOURCE.search(attributes) is not None
            size_bytes += MUCH_SCRIPT_BYTES if is_file else at - opened - 1
    return size_bytes


class _Section:
    def __init__(self) -> None:
        self.users = 0
        """Pages that are being decided or rendered."""
        self.sampled = 0
        """Pages that were chosen as its sample."""
        self.known = 0
        """Pages of the sample that were rendered."""
        self.differs = False
        self.first_done = asyncio.Event()
        """Set once the first pages of the sample were rendered, or one of them differs."""


class RenderSelection:
    """Selects pages by what they are and by a sample of their section of the site.

    A static site may have an application in a folder. Folders beyond the first `MAX_SECTIONS` of a
    host are one section. It forgets when the process ends: in a resumed crawl, the sample begins
    again.
    """

    def __init__(self) -> None:
        self._sections: dict[tuple[str, ...], _Section] = {}
        self._by_host: Counter[str] = Counter()

    @asynccontextmanager
    async def page(self, visit: Visit, url: str, html: bytes) -> AsyncIterator["SelectedPage"]:
        """Whether to render a page, and why; note what differs on it before leaving the block.

        Pages wait for the first of their section, so that none is left out before these are known.
        """
        section = self._section(url)
        section.users += 1
        page = SelectedPage(None)
        try:
            page.reason = reason_by_itself(visit, html) or await _reason_by_sample(section, url)
            yield page
        finally:
            section.users -= 1
            if page.reason is RenderReason.SAMPLE:
                section.known += 1
                section.differs |= bool(page.flags & DIFFERENCES)
                if section.differs or section.known >= FIRST_PAGES:
                    section.first_done.set()

    def _section(self, url: str) -> _Section:
        name = section_of(url)
        found = self._sections.get(name)
        if found is None and self._by_host[name[0]] >= MAX_SECTIONS:
            name = name[:1]
            found = self._sections.get(name)
        if found is None:
            if len(self._sections) >= MAX_KNOWN:
                self._forget_unused()
            found = self._sections[name] = _Section()
            self._by_host[name[0]] += 1
        return found

    def _forget_unused(self) -> None:
        """Make room: forget the sections without a page in use."""
        self._sections = {name: each for name, each in self._sections.items() if each.users}
        self._by_host = Counter(name[0] for name in self._sections)


class SelectedPage:
    """A page that is rendered for a reason, or not rendered if the reason is None."""

    def __init__(self, reason: RenderReason | None) -> None:
        self.reason = reason
        self.flags = 0
        """Those of `RenderFlag` that were found."""


async def _reason_by_sample(section: _Section, url: str) -> RenderReason | None:
    if not section.differs and (section.sampled < FIRST_PAGES or is_in_sample(url)):
        section.sampled += 1
        return RenderReason.SAMPLE
    await section.first_done.wait()
    return RenderReason.SITE_DIFFERS if section.differs else None


def is_in_sample(url: str) -> bool:
    """Whether a page is one of those that are rendered in any case: always the same ones."""
    return crc32(url.encode()) % ONE_IN == 0
