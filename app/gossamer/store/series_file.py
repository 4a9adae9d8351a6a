"""The file of a series: what is kept of a site across crawls. See docs/series.md."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from gossamer.model.errors import DiskError, ProjectError, UsageError
from gossamer.model.portable_filters import PortableFilter, SavedFilter
from gossamer.model.series_contents import CrawlSnapshot, Note, NoteSubject
from gossamer.model.translatable import Translatable, system_reason
from gossamer.store.bulk_insert import marks
from gossamer.store.locking.folder_lock import locked_folder
from gossamer.store.series_tables import opened_series, series_damaged
from gossamer.store.shared_database import remove_beside

_T = TypeVar("_T")
_SEGMENTS: Final = "segments"
QUERIES: Final = "queries"
"""Queries in SQL, newest first: no reason to keep a series whose crawls are gone."""
_CRAWL: Final = CrawlSnapshot.__struct_fields__
_CRAWL_COLUMNS: Final = ", ".join(_CRAWL)
_NOTE: Final = "text, subject, about, author, created_at, id"


class Series:
    """The file of one series. Each call opens and closes it; several processes may write it.

    What a call has written is on the disk when it returns, all of it or nothing. Every method
    raises ProjectError, in one sentence, where the file cannot be read or written.
    """

    def __init__(self, path: Path, repaired: Translatable | None = None) -> None:
        """Take the file, which exists; see `make_series_file`."""
        self.path = path
        self.repaired = repaired
        """What to tell the user, if the file had to be made again."""

    @property
    def id(self) -> str:
        """The id of the series, 32 hexadecimal digits."""
        return self.path.stem

    # ------------------------------------------------------------ crawls

    def crawls(self) -> list[CrawlSnapshot]:
        """The crawls of the series, the first one first."""
        rows = self._rows(f"SELECT {_CRAWL_COLUMNS} FROM crawl ORDER BY created_at")  # noqa: S608 - our own words
        return self._made(rows, _CRAWL, CrawlSnapshot)

    def record(self, snapshot: CrawlSnapshot, issues: Mapping[int, int]) -> bool:
        """Keep the figures of a crawl and its issues, rule → URLs; whether anything was new.

        What was there of the crawl is replaced. Another crawl loses the place of its file to it.
        """
        values = msgspec.structs.astuple(snapshot)
        kept = {rule: urls for rule, urls in issues.items() if urls}
        if self._has(values, kept):
            return False
        with self._transaction() as connection:
            connection.execute(
                "UPDATE crawl SET project = '' WHERE project = ? AND created_at <> ?",
                (snapshot.project, snapshot.created_at),
            )
            connection.execute(
                f"INSERT OR REPLACE INTO crawl ({_CRAWL_COLUMNS})"  # noqa: S608 - our own words
                f" VALUES ({', '.join('?' * len(_CRAWL))})",
                values,
            )
            connection.execute(
                "DELETE FROM crawl_issue WHERE created_at = ?", (snapshot.created_at,)
            )
            connection.executemany(
                "INSERT INTO crawl_issue (rule, created_at, urls) VALUES (?, ?, ?)",
                [(rule, snapshot.created_at, urls) for rule, urls in kept.items()],
            )
        return True

    def clear_location(self, created_at: float, project: str) -> bool:
        """Note that the file of a crawl is not at `project` any more; whether it was there."""
        with self._transaction() as connection:
            row = connection.execute(
                "UPDATE crawl SET project = '' WHERE created_at = ? AND project = ?",
                (created_at, project),
            )
            return row.rowcount > 0

    def remove_crawl(self, created_at: float) -> None:
        """Forget a crawl and its figures; its notes stay."""
        with self._transaction() as connection:
            for table in ("crawl_issue", "crawl"):
                connection.execute(f"DELETE FROM {table} WHERE created_at = ?", (created_at,))  # noqa: S608 - our own names

    def issues(self, created_at: float) -> dict[int, int]:
        """The issues of one crawl: rule → URLs."""
        return dict(
            self._rows("SELECT rule, urls FROM crawl_issue WHERE created_at = ?", (created_at,))
        )

    def issues_of_crawls(self) -> dict[float, dict[int, int]]:
        """The issues of all crawls that have any: `created_at` → rule → URLs."""
        found: dict[float, dict[int, int]] = {}
        for created_at, rule, urls in self._rows(
            "SELECT created_at, rule, urls FROM crawl_issue ORDER BY rule, created_at"
        ):
            found.setdefault(created_at, {})[rule] = urls
        return found

    def rules(self) -> list[int]:
        """The rules that held for any URL of any crawl."""
        return [rule for (rule,) in self._rows("SELECT DISTINCT rule FROM crawl_issue")]

    def issue_trend(self, rules: Collection[int]) -> dict[float, int]:
        """URLs with these issues, once for each: `created_at` of the crawl → URLs; no zeros."""
        return dict(
            self._rows(
                "SELECT created_at, sum(urls) FROM crawl_issue"  # noqa: S608 - marks only
                f" WHERE rule IN ({marks(len(rules))}) GROUP BY created_at",
                tuple(rules),
            )
        )

    def _has(self, crawl: Sequence[Any], issues: Mapping[int, int]) -> bool:
        rows = self._rows(
            f"SELECT {_CRAWL_COLUMNS} FROM crawl WHERE created_at = ?",  # noqa: S608 - our own words
            (crawl[0],),
        )
        return rows == [tuple(crawl)] and self.issues(crawl[0]) == issues

    # ------------------------------------------------------------ notes

    def notes(self, subject: NoteSubject | None = None, about: str | None = None) -> list[Note]:
        """The notes, the oldest first; with `subject` and `about`, those about that alone."""
        conditions = {"subject": subject, "about": about}
        asked = {name: str(value) for name, value in conditions.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in asked) or "1"
        rows = self._rows(
            f"SELECT {_NOTE} FROM note WHERE {where} ORDER BY id",  # noqa: S608 - our own words
            tuple(asked.values()),
        )
        return self._made(rows, _NOTE.split(", "), Note)

    def add_note(self, note: Note) -> Note:
        """Keep a note; as it is kept, with its id. UsageError if it cannot be."""
        kept = note.checked()
        with self._transaction() as connection:
            row = connection.execute(
                "INSERT INTO note (created_at, author, subject, about, text)"
                " VALUES (?, ?, ?, ?, ?)",
                (kept.created_at, kept.author, kept.subject, kept.about, kept.text),
            )
        return msgspec.structs.replace(kept, id=row.lastrowid or 0)

    def change_note(self, note: Note) -> None:
        """Give the note of this id another text. UsageError if it cannot be, or is not there."""
        with self._transaction() as connection:
            row = connection.execute(
                "UPDATE note SET text = ? WHERE id = ?", (note.checked().text, note.id)
            )
            if not row.rowcount:
                raise UsageError("There is no note with the number {id}.", id=note.id)

    def remove_note(self, note_id: int) -> None:
        """Remove a note; UsageError if there is none with this id."""
        with self._transaction() as connection:
            if not connection.execute("DELETE FROM note WHERE id = ?", (note_id,)).rowcount:
                raise UsageError("There is no note with the number {id}.", id=note_id)

    # ------------------------------------------------------------ filters, segments, settings

    def saved_filters(self) -> list[SavedFilter]:
        """The saved filters, by name."""
        rows = self._rows("SELECT name, tab, filter FROM saved_filter ORDER BY name")
        try:
            return [
                SavedFilter(
                    name=name, tab=tab, filter_=msgspec.json.decode(text, type=PortableFilter)
                )
                for name, tab, text in rows
            ]
        except (ValueError, TypeError) as e:
            raise series_damaged(self.path) from e

    def save_filter(self, saved: SavedFilter) -> SavedFilter:
        """Keep a filter; one of this name, in whatever case, is replaced. As it is kept."""
        kept = saved.checked()
        text = msgspec.json.encode(kept.filter_).decode()
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO saved_filter (name, tab, filter) VALUES (?, ?, ?)",
                (kept.name, kept.tab, text),
            )
        return kept

    def remove_filter(self, name: str) -> None:
        """Remove a saved filter; UsageError if there is none of this name."""
        with self._transaction() as connection:
            if not connection.execute("DELETE FROM saved_filter WHERE name = ?", (name,)).rowcount:
                raise UsageError("There is no saved filter named {name!r}.", name=name)

    def segments(self) -> tuple[str, ...] | None:
        """The segments that the next crawl begins with; None where they were never changed."""
        return self.setting(_SEGMENTS, tuple[str, ...])

    def set_segments(self, segments: Sequence[str]) -> None:
        """Have the next crawl begin with these, as their setting has them."""
        self.set_setting(_SEGMENTS, list(segments))

    def setting(self, name: str, kind: type[_T]) -> _T | None:
        """What was set under this name, a value of that kind; None if nothing was.

        ProjectError if another kind of value stands there.
        """
        with opened_series(self.path) as connection:
            return self._setting_in(connection, name, kind)

    def _setting_in(self, connection: sqlite3.Connection, name: str, kind: type[_T]) -> _T | None:
        rows = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchall()
        try:
            return msgspec.json.decode(rows[0][0], type=kind) if rows else None
        except (ValueError, TypeError) as e:
            raise ProjectError(
                "The value of {name} in the series file {path} cannot be used; set it again.",
                path=self.path,
                name=name,
            ) from e

    def setting_names(self) -> list[str]:
        """What is set."""
        return [name for (name,) in self._rows("SELECT name FROM setting ORDER BY name")]

    def set_setting(self, name: str, value: object) -> None:
        """Set a value, of a kind that msgspec can encode, under a name; None removes it."""
        with self._transaction() as connection:
            _set_in(connection, name, value)

    def change_setting(
        self, name: str, kind: type[_T], change: Callable[[_T | None], object]
    ) -> None:
        """Set what `change` makes of what was set, if anything was; nobody else does meanwhile."""
        with self._transaction() as connection:
            _set_in(connection, name, change(self._setting_in(connection, name, kind)))

    @property
    def is_gathered(self) -> bool:
        """Whether the projects of the series were looked for since the file was made."""
        return bool(self._rows("SELECT gathered FROM series WHERE id = 1")[0][0])

    def note_gathered(self) -> None:
        """Note that they were."""
        with self._transaction() as connection:
            connection.execute("UPDATE series SET gathered = 1")

    # ------------------------------------------------------------ the file

    def remove(self) -> None:
        """Remove the file with all that is kept in it; nothing if there is none."""
        with _not_replaced(self.path):
            try:
                self.path.unlink(missing_ok=True)
                remove_beside(self.path)
            except OSError as e:
                raise ProjectError(
                    "{path} cannot be removed ({reason}); check its folder.",
                    path=self.path,
                    reason=system_reason(e),
                ) from e

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with opened_series(self.path) as connection:
            return connection.execute(sql, values).fetchall()

    def _made(
        self, rows: Sequence[Sequence[Any]], names: Sequence[str], kind: type[msgspec.Struct]
    ) -> list[Any]:
        """Rows as values of this kind, checked: somebody else may have written them."""
        try:
            found = [dict(zip(names, row, strict=True)) for row in rows]
            return msgspec.convert(found, list[kind], strict=False)  # type: ignore[valid-type]  # made here
        except msgspec.ValidationError as e:
            raise series_damaged(self.path) from e

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Inside, a transaction. All of it is in the file afterwards, or nothing.

        Nobody puts another file in its place meanwhile.
        """
        with _not_replaced(self.path), opened_series(self.path) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def _set_in(connection: sqlite3.Connection, name: str, value: object) -> None:
    connection.execute("DELETE FROM setting WHERE name = ?", (name,))
    if value is not None:
        connection.execute(
            "INSERT INTO setting (name, value) VALUES (?, ?)",
            (name, msgspec.json.encode(value).decode()),
        )


@contextmanager
def _not_replaced(path: Path) -> Iterator[None]:
    """Inside, nobody repairs the file; ProjectError if somebody does so for too long."""
    with ExitStack() as held:
        try:
            held.enter_context(locked_folder(path.parent, shared=True))
        except TimeoutError as e:
            raise DiskError(
                "{path} is open in another program; close it there, then try again.", path=path
            ) from e
        except OSError:  # a folder in which nothing can be made: SQLite says it better
            pass
        yield
