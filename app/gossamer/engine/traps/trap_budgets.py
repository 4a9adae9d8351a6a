"""Budgets that limit crawler traps: calendars, facets, growing paths, session ids.

A budget holds each back without holding back the site, and is judged by what is found. Links on a
page that says something new are free. Those on a page that does not are counted, for what they have
in common: the pattern within which they were found (the address with what varies taken out), the
pattern alone when they are far from the root.

Links are doubtful on pages that look just like others, and on pages that spread: that lead to many
new addresses and to next to none that other pages had found, as the pages before them did, for
some generations. Doubtful links are counted for the folder they lead into, if it has yielded
anything; all other folders of all hosts share one budget. A page yields that says something new
and does not spread. So a maze is bounded as a whole, whatever its text, its folders and its hosts.

What is found pays back. A page that says something new pays for ten addresses of its pattern, and
so does a page that leads to addresses of another pattern. So an archive may be as long as it likes:
its lists say nothing, but what they lead to does. Pages that look alike and only lead to each other
use up their budget, however their addresses are made.
"""

from collections.abc import Collection, Iterable
from operator import itemgetter

from gossamer.engine.traps.budget_keys import AT_LARGE, FAR, FOLDER, HOSTS, ORDER, SESSION, SHARED
from gossamer.engine.traps.repeated_content import (
    LinkSource,
    Novelty,
    SourceRecord,
    appearance_of,
    content_hashes,
    image_hashes,
    phrases_hash,
    record_of,
)
from gossamer.engine.traps.url_patterns import (
    choice_of,
    folder_of,
    page_in_session,
    pattern_of,
    site_of,
)
from gossamer.engine.url_tracker import Lane
from gossamer.model.bounded_dict import drop_oldest, remember
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import host_of

LARGE_BUDGETS = 5
"""A folder, or all folders that yielded nothing together, may have so many budgets of a pattern."""
FAR_BUDGETS = 10
"""What is far away likewise: an archive whose posts differ in a number alone looks like that."""
FAR_CLICKS = 30
"""From so many clicks on, all addresses of a pattern are counted, wherever they are found."""
EARNED = 10
"""Addresses of its pattern that a page with something new pays for."""
EARNED_AT_LARGE = 2
"""Addresses of its folder, or on other hosts, likewise: these are shared by more."""
TIED = 10
"""New addresses for each that other pages had found: with more, a page spreads."""
SESSION_BUDGET = 25
"""Addresses of one page that differ in a session id."""
MAX_KINDS = 100_000
"""Budgets that are counted; beyond that the oldest are forgotten, which gives them new ones."""
MAX_APPEARANCES = 50_000
"""Looks of pages remembered, those seen last; and pages that led to others."""
_LEARNING = 200
"""Pages after a project is resumed, for which those that cost before do not say anything new."""


class TrapBudgets:
    """Counts URLs found on pages that say nothing new, against their budgets."""

    def __init__(
        self, budget: int, max_kinds: int = MAX_KINDS, root_hosts: Iterable[str] = ()
    ) -> None:
        """`root_hosts` are hosts that a user named; up to `max_kinds` budgets are counted.

        These are no trap, whatever they say; nor are their twins with or without "www".
        """
        self._budget = budget
        self._root_hosts = frozenset(map(_plain_host, root_hosts))
        self.max_kinds = max_kinds
        self._spent: dict[str, int] = {}
        self._changed: dict[str, int] = {}
        self._novelty = Novelty()
        self._informative_sites: dict[str, None] = {}
        """Sites with a page that said something new."""
        self._yields_by_folder: dict[str, int] = {}
        """Pages of a folder that yielded something, or led there."""
        self._at_large: dict[str, int] = {}
        """What folders have spent of the budget that they share."""
        self._credit: dict[str, int] = {}
        """Doubtful links that may be followed from pages of a pattern, for what others led to."""
        self._sources: dict[int | None, SourceRecord] = {}
        """Pages that say nothing new or spread, and led to others: by their ids."""
        self._appearances: dict[int, None] = {}
        self._choices: dict[int, int] = {}
        """By what a choice of folders has in common in any order, its address that came first."""
        self._refusing: set[str] = set()
        self._paid: set[str] = set()
        """Of what refused something, what was paid back since what it left out was looked at."""
        self._has_other_ways = False
        """Whether what was left out may be counted otherwise by now."""
        self._suspects_trap = False
        """Whether much is doubtful: before, nobody asks whether what leads nowhere looks alike."""
        self._counts_kinds = False
        """Whether anything was counted for a pattern."""
        self._to_learn = 0

    def set_budget(self, budget: int) -> bool:
        """Set another budget; returns whether it is larger."""
        before, self._budget = self._budget, budget
        return budget > before

    def restore(self, spent: dict[str, int]) -> None:
        """Restore what was spent before; what is nearly used up is forgotten last."""
        self._spent |= sorted(spent.items(), key=itemgetter(1))
        self._counts_kinds = not all(key.startswith(SHARED) for key in spent)
        self._suspects_trap = spent.get(AT_LARGE, 0) >= self._budget
        self._refusing.update(key for key, counted in spent.items() if counted >= self._limit(key))
        self._to_learn = _LEARNING if spent else 0

    def take_changes(self) -> dict[str, int]:
        """What is spent of each budget that changed since the last call, by its key."""
        changed, self._changed = self._changed, {}
        return changed

    @property
    def has_repaid(self) -> bool:
        """Whether a budget that refused something was paid back, or another one has room for it."""
        return self._has_other_ways or any(map(self._room, self._paid))

    def reopen(self) -> None:
        """Begin to reconsider what was left out: see `grants`."""
        self._paid.clear()
        self._refusing.clear()
        self._has_other_ways = False

    def grants(self, key: str, url: str, source: str, page: int | None = None) -> bool:
        """Whether the budget `key`, which refused `url` found on `source`, has room for it by now.

        If so it is counted. `page` is the id of `source`.
        """
        keys = [f"{SESSION}{whole}"] if (whole := page_in_session(url)) else []
        if key == HOSTS and site_of(url) in self._informative_sites:  # it costs no host any more
            trail = self._sources.get(page)
            key = "" if trail is None or trail.lane is Lane.USUAL else AT_LARGE
        if not key.startswith((FOLDER, AT_LARGE)):
            keys += [key] if key else []
        elif not self._use_credit(pattern_of(source)):
            keys.append(self._account(url, source))
        return self._counted(dict.fromkeys(keys), url) is None

    def visited(
        self, url: str, depth: int, visit: Visit, page: int = 0, parent: int | None = None
    ) -> LinkSource:
        """Note the visit of `url`, before its links are looked at."""
        source = LinkSource(url, depth, page, parent)
        if self._says_new(visit) and not self._may_be_forgotten(url):
            source.is_new = True
            self._note_informative(source)
        else:
            source.facts = visit.facts
        if visit.location is not None and (trail := self._sources.get(parent)) is not None:
            self._remember(page, trail)  # where it leads to was found there
        return source

    def _says_new(self, visit: Visit) -> bool:
        """Whether a response says something that none before it has said."""
        novelty, is_new = self._novelty, visit.says_new
        if is_new is not None:  # an earlier crawl has judged the same content
            novelty.note_text(visit.phrases_hash)
            return is_new
        is_known = novelty.has_notes and novelty.is_noted(phrases_hash(visit))
        is_text_new = novelty.is_new(content_hashes(visit)) and not is_known
        return is_text_new or novelty.is_new(image_hashes(visit))

    def note_targets(self, source: LinkSource, new: int, tied: int) -> None:
        """Note how many targets of a page are `new`, and how many others had found (`tied`)."""
        source.is_leaf = not new
        if new:
            self._compare_appearance(source)
        before = self.spread_of(source.parent)
        source.spreads = new > max(1, TIED * tied)
        source.spread = before + 1 if source.spreads else max(0, before - (tied > 0))
        if new and (source.spread or not source.is_new):
            self._remember(source.id, record_of(source))

    def spread_of(self, page: int | None) -> int:
        """The `spread` of a page, as far as it is remembered."""
        trail = self._sources.get(page)
        return 0 if trail is None else trail.spread

    def remember_source(self, source: LinkSource) -> None:
        """Remember a page of another shard that leads to URLs of this one, if it matters."""
        if source.spread or not source.is_new:
            self._remember(source.id, record_of(source))

    def may_refuse(self, url: str, source: LinkSource) -> bool:
        """Whether budgets of the shard that owns `url` may count it, found on `source` here."""
        if source.is_doubtful or page_in_session(url):
            return True
        return not source.is_new and bool(self._keys_of_kind(url, source))

    def lane(self, parent: int | None) -> Lane:
        """The lane for URLs found on the page with this id."""
        trail = self._sources.get(parent)
        if trail is None or not self._suspects_trap or self._credit.get(trail.pattern):
            return Lane.USUAL
        return trail.lane

    def finish(self, source: LinkSource) -> None:
        """Finish a page: all its links were looked at."""
        if source.is_new:
            if not source.spreads:
                self._note_yield(source)
            return
        if source.is_leaf and self._suspects_trap:
            self._compare_appearance(source)
            if source.is_alike:
                self._note_yield(source)
        if source.leads_on:
            self._repay(source.pattern)

    def refusal(self, url: str, source: LinkSource) -> str | None:
        """The budget that is used up if `url`, found on `source`, is one too many of its kind.

        Otherwise it is counted, if it counts at all.
        """
        if source.is_free and not page_in_session(url):
            return None
        if key := self._counted(self._keys(url, source), url):
            return key
        if not source.is_new:
            source.leads_on = source.leads_on or pattern_of(url) != source.pattern
            if choice := choice_of(url, source.url):
                remember(
                    self._choices, choice, self._choices.get(choice, hash(url)), self.max_kinds
                )
        if source.is_doubtful:
            self._use_credit(source.pattern)
        return None

    def _counted(self, keys: Collection[str], url: str) -> str | None:
        """Count a URL for all of these, unless one of them, which is returned, has no room."""
        for key in keys:
            if not self._room(key):
                self._refusing.add(key)
                return key
        for key in keys:
            self._count(key, url)
        return None

    def exhausted(self, url: str, source: LinkSource) -> bool:
        """Whether `refusal` would refuse; counts nothing."""
        return not all(map(self._room, self._keys(url, source)))

    def _keys(self, url: str, source: LinkSource) -> list[str]:
        """The budget keys that `url`, found on `source`, is counted for."""
        keys = []
        if page := page_in_session(url):
            keys.append(f"{SESSION}{page}")
        if not source.is_new:
            keys += self._keys_of_kind(url, source)
        if source.is_doubtful and not self._credit.get(source.pattern):
            keys.append(self._account(url, source.url))
        return keys

    def _keys_of_kind(self, url: str, source: LinkSource) -> list[str]:
        keys, pattern = [], pattern_of(url)
        if pattern == source.pattern:
            keys.append(pattern)
        if FAR_CLICKS - 1 <= source.depth < UNLINKED and pattern != url.rstrip("/"):
            keys.append(f"{FAR}{pattern}")
        site = site_of(url)
        if site not in self._informative_sites and not source.url.startswith(f"{site}/"):
            keys += [] if _plain_host(host_of(url)) in self._root_hosts else [HOSTS]
        if (choice := choice_of(url, source.url)) and self._is_reordered(choice, url):
            keys.append(f"{ORDER}{folder_of(url)}")
        return keys

    def _is_reordered(self, choice: int, url: str) -> bool:
        return self._choices.get(choice, hash(url)) != hash(url)

    def _account(self, url: str, source: str) -> str:
        """The account of a doubtful link.

        The folder it leads into, or comes from, as far as they have yielded; then all together.
        """
        for folder in dict.fromkeys((folder_of(url), folder_of(source))):
            if folder in self._yields_by_folder and self._room(own := f"{FOLDER}{folder}"):
                return own
        return AT_LARGE

    def _limit(self, key: str) -> int:
        if key.startswith(SESSION):
            return SESSION_BUDGET
        if key.startswith(FOLDER):
            ends = self._yields_by_folder.get(key.removeprefix(FOLDER), 0)
            return min(self._budget * LARGE_BUDGETS, ends * EARNED)
        if key.startswith(FAR):
            return self._budget * FAR_BUDGETS
        return self._budget * LARGE_BUDGETS if key == AT_LARGE else self._budget

    def _room(self, key: str) -> bool:
        return self._spent.get(key, 0) < self._limit(key)

    def _count(self, key: str, url: str) -> None:
        spent = self._spent.get(key)
        if spent is None and len(self._spent) >= self.max_kinds:
            forgotten = drop_oldest(self._spent)
            self._refusing.difference_update(forgotten)
            self._paid.difference_update(forgotten)
        self._spent[key] = self._changed[key] = (spent or 0) + 1
        self._counts_kinds |= not key.startswith(SHARED)
        if key == AT_LARGE:
            self._suspects_trap |= self._spent[key] >= self._budget
            folder = folder_of(url)
            remember(self._at_large, folder, self._at_large.get(folder, 0) + 1, self.max_kinds)

    def _use_credit(self, pattern: str) -> bool:
        credit = self._credit.get(pattern, 0)
        if credit:
            self._credit[pattern] = credit - 1
        return credit > 0

    def _may_be_forgotten(self, url: str) -> bool:
        """Whether another page may have said the same before the project was resumed."""
        if not self._to_learn:
            return False
        self._to_learn -= 1
        return pattern_of(url) in self._spent

    def _compare_appearance(self, source: LinkSource) -> None:
        if source.facts is not None:
            look = appearance_of(source.url, source.facts)
            source.is_alike = look in self._appearances
            self._appearances.pop(look, None)
            remember(self._appearances, look, None, MAX_APPEARANCES)

    def _remember(self, page: int, trail: SourceRecord) -> None:
        remember(self._sources, page, trail, MAX_APPEARANCES)

    def _note_informative(self, source: LinkSource) -> None:
        """Note that a page says something new: what led there has paid off."""
        site = site_of(source.url)
        if site not in self._informative_sites:
            remember(self._informative_sites, site, None, self.max_kinds)
            self._repay(HOSTS, EARNED_AT_LARGE)
        if self._counts_kinds:
            pattern, trail = source.pattern, self._sources.get(source.parent)
            self._repay_kind(pattern)
            if trail is not None and trail.pattern != pattern:
                self._repay_kind(trail.pattern)

    def _repay_kind(self, pattern: str) -> None:
        for key in (pattern, f"{FAR}{pattern}"):
            if key in self._spent:
                self._repay(key)

    def _note_yield(self, source: LinkSource) -> None:
        """Note that a page leads no further, so what led there is no maze."""
        folder, trail = folder_of(source.url), self._sources.get(source.parent)
        self._enlarge_folder_budget(folder)
        if self._suspects_trap:
            self._repay(f"{FOLDER}{folder}", EARNED_AT_LARGE)
        if trail is not None:
            if trail.folder != folder:
                self._enlarge_folder_budget(trail.folder)
            credit = min(self._credit.get(trail.pattern, 0) + EARNED_AT_LARGE, self._budget)
            remember(self._credit, trail.pattern, credit, self.max_kinds)
            if self._refusing and trail.lane is not Lane.USUAL:
                self._has_other_ways = True

    def _enlarge_folder_budget(self, folder: str) -> None:
        """Give a folder a larger budget of its own."""
        if ends := self._yields_by_folder.get(folder, 0):
            self._yields_by_folder[folder] = ends + 1
        else:
            remember(self._yields_by_folder, folder, 1, self.max_kinds)
            self._repay(AT_LARGE, self._at_large.pop(folder, 0))
        if self._refusing and ends < self._budget and AT_LARGE in self._refusing:
            self._has_other_ways = True

    def _repay(self, key: str, earned: int = EARNED) -> None:
        spent = self._spent.get(key)
        if spent is None or not earned:
            return
        left = spent - earned
        if key in self._refusing:  # then it is saved up for what was left out
            self._paid.add(key)
        elif left < 0:
            left = min(spent, 0)
        self._spent[key] = self._changed[key] = left


def _plain_host(host: str) -> str:
    return host.removeprefix("www.")
