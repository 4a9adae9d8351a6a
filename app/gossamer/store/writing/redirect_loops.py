"""Detects redirect loops: URLs that are on a loop or lead into one.

The target of a redirect is known with its response, in any order. The response that closes a loop
may settle any number of URLs that were fetched before, and one that opens it again as well. So what
follows from a response is carried back in parts: the table `loop_owed` has the URLs from which that
is still to be done, and up to which id it was.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_counts import LEADING_ON
from gossamer.model.settings.crawl_settings import decode_settings
from gossamer.model.store_batch import LoopChange, VisitRow
from gossamer.store.bulk_insert import chunks, listed, marks
from gossamer.store.redirect_chains import MAX_URLS

REACH = 2_000
"""URLs looked at, back from those that are settled, in one transaction."""

_KIND = int(LinkKind.REDIRECT)
_LOOP = int(Outcome.REDIRECT_LOOP)
_ONWARD = listed(LEADING_ON)
# A redirect is the last link of its URL.
_NEXT = f"""
    SELECT l.target, u.outcome FROM link l JOIN visit v ON v.id = l.source
    JOIN url u ON u.id = l.target
    WHERE l.source = ?1 AND l.position = (SELECT max(position) FROM link WHERE source = ?1)
        AND l.kind = {_KIND}
"""  # noqa: S608 - a number
_BACK = f"""
    SELECT u.id, u.url, u.outcome, u.hops FROM link l
    JOIN url u ON u.id = l.source JOIN visit v ON v.id = l.source
    WHERE l.target = ? AND l.kind = {_KIND} AND l.source > ? ORDER BY l.source LIMIT ?
"""  # noqa: S608 - a number
_LED_TO = f"""
    SELECT DISTINCT l.target FROM link l JOIN url u ON u.id = l.source
    WHERE l.kind = {_KIND} AND u.outcome = {_LOOP} AND l.target IN ({{marks}})
"""  # noqa: S608 - numbers


class LoopDetector:
    """Determines, within a transaction, which redirects are loops."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the writer's connection."""
        self._connection = connection

    def settle(self, visits: Sequence[VisitRow]) -> list[LoopChange]:
        """What the visits, which are written, change of the outcomes of these and other URLs.

        The caller stores these outcomes.
        """
        changed: dict[int, LoopChange] = {}
        ending: set[int] = set()
        for row in visits:
            if not _leads_on(row) or row.outcome is Outcome.REDIRECT_LOOP:
                continue
            if self._loops(row.id, ending):
                query = "SELECT url FROM url WHERE id = ?"
                (url,) = self._connection.execute(query, (row.id,)).fetchone()
                changed[row.id] = LoopChange(row.id, url, row.outcome, Outcome.REDIRECT_LOOP)
        self._owe(changed)
        # What these lead to may turn out to be no loop before it has become known as one.
        onward = [self._connection.execute(_NEXT, (each,)).fetchone() for each in changed]
        self._owe(target for target, outcome in onward if outcome != _LOOP)
        # These responded otherwise before, or their responses were lost.
        self._owe(self._led_to([row.id for row in visits]))
        self._carry_back(changed)
        return [each for each in changed.values() if each.new is not each.old]

    def _loops(self, url_id: int, ending: set[int]) -> bool:
        """Whether the redirects from a URL on come by one again, or into what is known to loop.

        `ending` are URLs whose redirects are known to come to an end, and get more.
        """
        seen = {url_id}
        for _ in range(MAX_URLS):
            row = self._connection.execute(_NEXT, (url_id,)).fetchone()
            if row is None or row[0] in ending:
                ending |= seen
                return False
            url_id, outcome = row
            if url_id in seen or outcome == _LOOP:
                return True
            seen.add(url_id)
        return False

    def _led_to(self, ids: Sequence[int]) -> Iterator[int]:
        for chunk in chunks(ids):
            query = _LED_TO.format(marks=marks(len(chunk)))
            for (url_id,) in self._connection.execute(query, chunk).fetchall():
                yield url_id

    def _owe(self, ids: Iterable[int]) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO loop_owed (id, after) VALUES (?, 0)", [(each,) for each in ids]
        )

    def _carry_back(self, changed: dict[int, LoopChange]) -> None:
        """Give what leads to a URL that is owed the same fate, over REACH of them."""
        reach = REACH
        while reach > 0:
            owed = self._connection.execute("SELECT id, after FROM loop_owed LIMIT 1").fetchone()
            if owed is None:
                return
            url_id, after = owed
            reach -= 1 + self._carry_back_from(url_id, after, reach, changed)

    def _carry_back_from(
        self, url_id: int, after: int, limit: int, changed: dict[int, LoopChange]
    ) -> int:
        """The number of URLs that were looked at."""
        self._connection.execute("DELETE FROM loop_owed WHERE id = ?", (url_id,))
        rows = self._connection.execute(_BACK, (url_id, after, limit)).fetchall()
        sources = {
            source: changed[source].new if source in changed else Outcome(before)
            for source, _, before, _ in rows
        }
        loops = self._is_loop(url_id, changed, is_news=Outcome.REDIRECT_LOOP in sources.values())
        for source, url, before, hops in rows:
            old = sources[source]
            if old not in LEADING_ON:
                continue
            new = self._as(loops, old, hops)
            if new is not old:
                changed[source] = LoopChange(source, url, Outcome(before), new)
                self._owe([source])
        if len(rows) == limit:
            self._connection.execute(
                "INSERT INTO loop_owed (id, after) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                (url_id, rows[-1][0]),
            )
        return len(rows)

    def _is_loop(self, url_id: int, changed: dict[int, LoopChange], *, is_news: bool) -> bool:
        """Whether a URL loops, as far as is known by now.

        `is_news`: something that leads to it is known as a loop. A loop may have been closed again
        while it is still carried back that it was opened: that ends where it comes to the loop.
        """
        query = "SELECT url, outcome FROM url WHERE id = ?"
        url, before = self._connection.execute(query, (url_id,)).fetchone()
        known = changed.get(url_id)
        if (before if known is None else known.new) == _LOOP:
            return True
        if not (is_news and self._comes_back(url_id)):
            return False
        if (
            Outcome(before if known is None else known.new) in LEADING_ON
        ):  # none that waits or is held
            changed[url_id] = LoopChange(url_id, url, Outcome(before), Outcome.REDIRECT_LOOP)
            self._owe([url_id])  # from the first of those that lead to it
        return True

    def _comes_back(self, url_id: int) -> bool:
        """Whether the redirects from a URL on come by it again."""
        onward, seen = url_id, set[int]()
        while len(seen) < MAX_URLS:
            row = self._connection.execute(_NEXT, (onward,)).fetchone()
            if row is None or row[0] in seen:  # they end, or go round elsewhere
                return False
            onward, _ = row
            if onward == url_id:
                return True
            seen.add(onward)
        return False

    def _as(self, loops: bool, old: Outcome, hops: int) -> Outcome:  # noqa: FBT001 - one of two
        """The outcome of a redirect that loops, or does not any more."""
        if loops:
            return Outcome.REDIRECT_LOOP
        if old is not Outcome.REDIRECT_LOOP:
            return old
        return Outcome.REDIRECT if hops < self._max_redirects() else Outcome.REDIRECT_LIMIT

    def _max_redirects(self) -> int:
        (settings,) = self._connection.execute("SELECT settings FROM project").fetchone()
        return decode_settings(settings).max_redirects

    @property
    def owing(self) -> bool:
        """Whether something is still to be carried back."""
        return self._connection.execute("SELECT 1 FROM loop_owed LIMIT 1").fetchone() is not None


def _leads_on(row: VisitRow) -> bool:
    kinds = row.links.links.kinds
    return bool(kinds) and kinds[-1] == _KIND
