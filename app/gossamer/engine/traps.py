"""Sites that make up addresses without end: calendars, facet mazes, growing paths, session ids.

A budget holds each back without holding back the site, and is judged by what is found. Links on a
page that says something new are free. Those on a page that does not are counted, for what they have
in common: the pattern within which they were found (the address with what varies taken out), the
pattern alone when they are far from the root, the folder when the page looks just like another.

What is found pays back. A page that says something new pays for ten addresses of its pattern, and
so does a page that leads to addresses of another pattern. So an archive may be as long as it likes:
its lists say nothing, but what they lead to does. Pages that look alike and only lead to each other
use up their budget, however their addresses are made.

Pages with made-up text and links without end cannot be told from a large site by what they say.
"""

import re
from functools import lru_cache
from operator import itemgetter
from zlib import crc32

from msgspec import Struct

from gossamer.engine.novelty import Novelty
from gossamer.engine.patterns import (
    choice_of,
    folder_of,
    page_in_session,
    pattern_of,
    site_of,
)
from gossamer.model.forgetting import drop_oldest
from gossamer.model.outcome import Outcome
from gossamer.model.page import PageFacts, Visit
from gossamer.model.rows import UNLINKED

LARGE_BUDGETS = 10
"""What is far away, in a folder, or in all folders of a site without anything new may have so many
budgets of a pattern."""
FAR_CLICKS = 30
"""From so many clicks on, all addresses of a pattern are counted, wherever they are found."""
EARNED = 10
"""Addresses of its pattern that a page with something new pays for."""
EARNED_AT_LARGE = 2
"""Addresses of its folder, of its site, or on other hosts, likewise: these are shared by more."""
SESSION_BUDGET = 25
"""Addresses of one page that differ in a session id."""
MAX_KINDS = 100_000
"""Budgets that are counted; beyond that the oldest are forgotten, which gives them new ones."""
MAX_LOOKS = 50_000
"""Looks of pages remembered, those seen last."""
_MAX_FINDERS = 4
"""Patterns of pages that are remembered to lead to a folder: the latest."""
_LEARNING = 200
"""Pages after a project is resumed, for which those that cost before do not say anything new."""
_HOSTS = "hosts"
_SITE = "site "
_FOLDER = "folder "
_FAR = "far "

_WORD = re.compile(r"[^\W\d]+")
_pattern_of_source = lru_cache(maxsize=1)(pattern_of)


class Source(Struct, gc=False):
    """A page whose links are looked at."""

    url: str
    depth: int = 0
    is_new: bool = False
    """Whether it says something that no page said before."""
    is_alike: bool = False
    """Whether it looks just like a page that was seen before."""
    leads_on: bool = False
    """Whether it leads to addresses of another kind that nobody knew."""

    @property
    def pattern(self) -> str:
        """What its address has in common with others of its kind."""
        return _pattern_of_source(self.url)


class TrapBudgets:
    """Counts addresses found on pages that say nothing new."""

    def __init__(self, budget: int) -> None:
        """Take the budget of a pattern."""
        self._budget = budget
        self._spent: dict[str, int] = {}
        self._changed: dict[str, int] = {}
        self._novelty = Novelty()
        self._speaking: dict[str, None] = {}
        """Folders and sites with a page that said something new."""
        self._finders: dict[str, tuple[str, ...]] = {}
        """What pays when a page in a folder says something new: what led there."""
        self._looks: dict[int, None] = {}
        self._choices: dict[int, int] = {}
        """By what a choice of folders has in common in any order, its address that came first."""
        self._refusing: set[str] = set()
        self._to_learn = 0

    def set_budget(self, budget: int) -> bool:
        """Go on with another budget; whether it is larger."""
        before, self._budget = self._budget, budget
        return budget > before

    def restore(self, spent: dict[str, int]) -> None:
        """Go on from what was spent before; what is nearly used up is forgotten last."""
        self._spent |= sorted(spent.items(), key=itemgetter(1))
        self._to_learn = _LEARNING if spent else 0

    def changed(self) -> dict[str, int]:
        """What is spent of each budget that changed since this was last asked, by its key."""
        changed, self._changed = self._changed, {}
        return changed

    def repaid(self) -> frozenset[str]:
        """The budgets that refused something and are whole again since; each is told once."""
        whole = {key for key in self._refusing if self._spent.get(key, 0) <= 0}
        self._refusing -= whole
        return frozenset(whole)

    @property
    def has_repaid(self) -> bool:
        """Whether `repaid` has something to tell."""
        return any(self._spent.get(key, 0) <= 0 for key in self._refusing)

    def arrived(self, url: str, depth: int, visit: Visit) -> Source:
        """Take in what came of asking `url`, before its links are looked at."""
        if self._novelty.is_new(_said_in(visit)) and not self._may_be_forgotten(url):
            self._speaks(url)
            return Source(url, depth, is_new=True)
        is_alike = visit.facts is not None and self._was_seen(look_of(url, visit.facts))
        return Source(url, depth, is_alike=is_alike)

    def _budgets_of_folders(
        self, url: str, source: Source, site: str, budget: int
    ) -> list[tuple[str, int]]:
        folder, came_from = folder_of(url), folder_of(source.url)
        budgets = [(f"{_FOLDER}{folder}", budget)]
        places = {folder} if came_from == f"{site_of(source.url)}/" else {folder, came_from}
        if folder != came_from and not places & self._speaking.keys():
            budgets.append((f"{_SITE}{site}", budget))
        return budgets

    def _is_reordered(self, choice: int, url: str) -> bool:
        if len(self._choices) >= MAX_KINDS:
            drop_oldest(self._choices)
        return self._choices.setdefault(choice, hash(url)) != hash(url)

    def _may_be_forgotten(self, url: str) -> bool:
        """Whether what a page says may have been said before the project was resumed."""
        if not self._to_learn:
            return False
        self._to_learn -= 1
        return pattern_of(url) in self._spent

    def _was_seen(self, look: int) -> bool:
        was_seen = look in self._looks
        if was_seen:
            del self._looks[look]
        elif len(self._looks) >= MAX_LOOKS:
            drop_oldest(self._looks)
        self._looks[look] = None
        return was_seen

    def left(self, source: Source) -> None:
        """All links of a page were looked at."""
        if source.leads_on and not source.is_new:
            self._repay(source.pattern)

    def refusal(
        self,
        url: str,
        source: Source,
    ) -> str | None:
        """The budget that is used up if `url`, found on `source`, is one too many of its kind.

        Otherwise it is counted, if it counts at all.
        """
        budgets = self._budgets(url, source)
        for key, budget in budgets:
            if self._spent.get(key, 0) >= budget:
                self._refusing.add(key)
                return key
        for key, _ in budgets:
            spent = self._spent.get(key)
            if spent is None and len(self._spent) >= MAX_KINDS:
                forgotten = drop_oldest(self._spent)
                self._refusing.difference_update(forgotten)
            self._spent[key] = self._changed[key] = (spent or 0) + 1
        if not source.is_new:
            self._found_on(source, url)
        return None

    def exhausted(self, url: str, source: Source) -> bool:
        """Whether `refusal` would refuse; counts nothing."""
        budgets = self._budgets(url, source)
        return any(self._spent.get(key, 0) >= budget for key, budget in budgets)

    def _budgets(self, url: str, source: Source) -> list[tuple[str, int]]:
        """What `url`, found on `source`, is counted for, and how far."""
        budgets = []
        if page := page_in_session(url):
            budgets.append((f"session {page}", SESSION_BUDGET))
        if source.is_new:
            return budgets
        pattern, large = pattern_of(url), self._budget * LARGE_BUDGETS
        if pattern == source.pattern:
            budgets.append((pattern, self._budget))
        if FAR_CLICKS - 1 <= source.depth < UNLINKED and pattern != url.rstrip("/"):
            budgets.append((f"{_FAR}{pattern}", large))
        site = site_of(url)
        if site not in self._speaking and not source.url.startswith(f"{site}/"):
            budgets.append((_HOSTS, self._budget))
        if source.is_alike:
            budgets += self._budgets_of_folders(url, source, site, large)
        if (choice := choice_of(url, source.url)) and self._is_reordered(choice, url):
            budgets.append((f"order {folder_of(url)}", self._budget))
        return budgets

    def _found_on(self, source: Source, url: str) -> None:
        """A page without anything new leads to `url`, which nobody knew."""
        pattern = source.pattern
        source.leads_on = source.leads_on or pattern_of(url) != pattern
        folder = folder_of(url)
        finders = self._finders.get(folder, ())
        if pattern in finders:
            return
        if len(self._finders) >= MAX_KINDS:
            drop_oldest(self._finders)
        latest = finders[3 - 3 * _MAX_FINDERS :]
        own = f"{_FOLDER}{folder_of(source.url)}"
        self._finders[folder] = (*latest, pattern, f"{_FAR}{pattern}", own)

    def _speaks(self, url: str) -> None:
        """The page at `url` says something new: what led there has paid off."""
        folder, site = folder_of(url), site_of(url)
        if site not in self._speaking:
            self._repay(_HOSTS)
        for place in (folder, site):
            self._speaking[place] = None
        if len(self._speaking) > MAX_KINDS:
            drop_oldest(self._speaking)
        if self._spent:
            pattern = pattern_of(url)
            paid = (pattern, f"{_FAR}{pattern}", f"{_FOLDER}{folder}", f"{_SITE}{site}")
            for key in dict.fromkeys((*paid, *self._finders.get(folder, ()))):
                self._repay(key)

    def _repay(self, key: str) -> None:
        if spent := self._spent.get(key):
            earned = EARNED_AT_LARGE if key.startswith((_FOLDER, _SITE, _HOSTS)) else EARNED
            self._spent[key] = self._changed[key] = max(0, spent - earned)


def look_of(url: str, facts: PageFacts) -> int:
    """What a person sees of a page, as far as we know it, apart from its own address."""
    own = set(_WORD.findall(url.lower()))
    texts = (facts.title, facts.h1, facts.description)
    words = [word for text in texts if text for word in _WORD.findall(text.lower())]
    return hash((site_of(url), facts.word_count, *(word for word in words if word not in own)))


def _said_in(visit: Visit) -> list[int]:
    """What an answer says, in a few numbers of 32 bits; none where that is nothing."""
    if visit.facts is not None:
        return visit.facts.phrases
    if visit.outcome is Outcome.REDIRECT_OUT_OF_SCOPE and visit.location:
        return [crc32(visit.location.encode("utf-8", "surrogatepass"))]
    if visit.outcome is Outcome.FILE and visit.size_bytes and not visit.targets:
        return [crc32(f"{visit.content_type} {visit.size_bytes}".encode())]
    return []
