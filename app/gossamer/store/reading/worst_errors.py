"""Finds the worst error among the URLs below a folder or discovery-tree node."""

import sqlite3
from typing import Final

from gossamer.model.outcome import ERROR_OUTCOMES, REFUSED_STATUSES, Outcome, Verdict, verdict
from gossamer.store.bulk_insert import listed

_GRAVITY: Final = (None, Verdict.REFUSED, Verdict.UNVERIFIED, Verdict.BROKEN)
"""From what concerns robots alone to what is dead for everybody."""
_STEPS: Final = len(_GRAVITY)

_ERRORS: Final = listed(ERROR_OUTCOMES)
_BROKEN: Final = ", ".join(
    str(int(o)) for o in sorted(ERROR_OUTCOMES) if verdict(o, None) is Verdict.BROKEN
)
_REFUSED: Final = ", ".join(map(str, sorted(REFUSED_STATUSES)))
_GRAVITY_OF: Final = (
    f"CASE WHEN w.status IN ({_REFUSED}) OR c.outcome = {int(Outcome.CHALLENGE)} THEN 1"
    f" WHEN c.outcome IN ({_BROKEN}) THEN 3 ELSE 2 END"
)
FOUND_HERE: Final = (
    f"(SELECT count(*) * {_STEPS} + coalesce(max({_GRAVITY_OF}), 0)"  # noqa: S608 - numbers
    " FROM url c LEFT JOIN visit w ON w.id = c.id"
    f" WHERE c.parent = u.id AND c.outcome IN ({_ERRORS}))"
)
"""How many of the URLs found on `u` are errors and how bad the worst is; see `errors_and_worst`."""
_IN_FOLDERS: Final = (
    f"SELECT c.folder, max({_GRAVITY_OF}) FROM url c LEFT JOIN visit w ON w.id = c.id"  # noqa: S608 - numbers
    f" WHERE c.outcome IN ({_ERRORS}) AND c.folder IS NOT NULL GROUP BY c.folder"
)


def errors_and_worst(trouble: int) -> tuple[int, Verdict | None]:
    """The number of errors and the worst of them, from FOUND_HERE."""
    errors, gravity = divmod(trouble, _STEPS)
    return errors, _GRAVITY[gravity]


class WorstInFolders:
    """The worst error in each folder and all folders below it.

    Found out again when the file has changed, which takes a look at every URL.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take the reader's connection."""
        self._connection = connection
        self._version: int | None = None
        self._worst: dict[int, int] = {}

    def worst(self, folder: int) -> Verdict | None:
        """The worst verdict in a folder; None if there is no error."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._worst = self._count()
            self._version = version
        return _GRAVITY[self._worst.get(folder, 0)]

    def _count(self) -> dict[int, int]:
        worst: dict[int, int] = {}
        parents: dict[int, int | None] = {}
        for folder, gravity in self._connection.execute(_IN_FOLDERS).fetchall():
            at: int | None = folder
            while at is not None and worst.get(at, 0) < gravity:
                worst[at] = gravity
                if at not in parents:
                    row = self._connection.execute(
                        "SELECT parent FROM folder WHERE id = ?", (at,)
                    ).fetchone()
                    parents[at] = row[0] if row else None
                at = parents[at]
        return worst
