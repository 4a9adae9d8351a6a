"""The outbox: messages waiting for delivery, the state of others, and what was notified.

An SQLite file of our own, version 1, for its owner alone. Several processes may use it; each method
is one transaction, of which all is on the disk when it returns, or nothing.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from gossamer.model.errors import DAMAGED, ProjectError
from gossamer.store.atomic_files import make_private
from gossamer.store.database import MalformedContentError, opened, translated, translated_reading
from gossamer.store.shared_database import DatabaseKind, make_database

OUTBOX_ID: Final = 0x476F4F75
"""b"GoOu", so that `file` and we know an outbox."""
OUTBOX_VERSION: Final = 1
MAX_WAITING: Final = 1_000
"""Messages; of more, the oldest are given up."""
MAX_KEPT: Final = 200
"""Messages that were delivered or given up, and are still shown."""
MAX_TOLD: Final = 20_000

_TABLES: Final = """
CREATE TABLE message (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    language TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at REAL NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    since REAL NOT NULL,
    wait_s REAL NOT NULL,
    reached INTEGER NOT NULL DEFAULT 0,
    problem TEXT NOT NULL DEFAULT ''
);
CREATE INDEX message_state ON message (state, number);
CREATE TABLE channel (
    channel TEXT PRIMARY KEY,
    sent_at REAL NOT NULL
);
CREATE TABLE told (
    series TEXT NOT NULL,
    channel TEXT NOT NULL,
    condition TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (series, channel, condition)
);
"""
_KIND: Final = DatabaseKind(OUTBOX_ID, OUTBOX_VERSION, _TABLES)
_COLUMNS: Final = (
    "id, channel, language, content, created_at, state, tries, since, wait_s, problem, number"
)


ToldFingerprints: TypeAlias = Mapping[str, str]
"""What was told: condition → fingerprint."""
Decide: TypeAlias = (
    "Callable[[ToldFingerprints, OutboxMessage | None],"
    " tuple[ToldFingerprints, OutboxMessage | None]]"
)


class DeliveryState(StrEnum):
    """The delivery state of a message. Stored in `message.state`."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"


_BEGIN: Final = (
    "UPDATE message SET tries = tries + 1, reached = 1, since = ?, wait_s = ?"  # noqa: S608 - our own words
    f" WHERE id = ? AND state = '{DeliveryState.WAITING}' RETURNING {_COLUMNS}"
)
_REVISE: Final = "UPDATE message SET content = ? WHERE id = ? AND NOT reached"


class OutboxMessage(Struct, frozen=True):
    """A message: its channel and content, as JSON, and the state of its delivery.

    It is due `wait_s` after `since`. `problem` is what went wrong last, as JSON.
    """

    id: str
    channel: str
    language: str
    content: str
    created_at: float
    state: DeliveryState
    tries: int
    since: float
    wait_s: float
    problem: str
    number: int

    def is_due(self, now_s: float) -> bool:
        """Whether to try it now. After the clock was set back, nothing waits longer for that."""
        return not 0 <= now_s - self.since < self.wait_s


class MessageFilter(Protocol):
    """Decides what is still wanted of the outbox."""

    def knows(self, channel: str) -> bool:
        """Whether there is such a channel."""

    def has_told(self, series: str, channel: str, condition: str) -> bool:
        """Whether what a channel was told of a condition of a series is worth knowing."""

    def content(self, message: OutboxMessage) -> str | None:
        """What is to be left of a message; None for nothing."""


class Outbox:
    """The outbox at a path; made when first needed.

    Every method raises ProjectError, in one sentence, where the file cannot be read or written.
    """

    def __init__(self, path: Path, *, waiting: int = MAX_WAITING, kept: int = MAX_KEPT) -> None:
        """Take the path, and how many messages may wait and are kept; nothing is read yet."""
        self.path = path
        self._limits = waiting, kept

    @property
    def exists(self) -> bool:
        """Whether anything was ever put into it."""
        return self.path.exists()

    def messages(self, state: DeliveryState | None = None) -> list[OutboxMessage]:
        """The messages, the oldest first; those in a state, if it is given."""
        if not self.exists:
            return []
        where, values = ("state = ?", (state,)) if state else ("1", ())
        with self._opened() as connection, translated_reading(self.path):
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM message WHERE {where} ORDER BY number",  # noqa: S608 - our own words
                values,
            )
            return [_message(row) for row in rows]

    def sent_at(self, channel: str) -> float | None:
        """When a message to a channel was delivered last; None if none was."""
        if not self.exists:
            return None
        with self._opened() as connection:
            row = connection.execute(
                "SELECT sent_at FROM channel WHERE channel = ?", (channel,)
            ).fetchone()
            return None if row is None else float(row[0])

    def enqueue(self, series: str, channel: str, decide: "Decide") -> bool:
        """Add what `decide` says to what waits for a channel; whether there is anything.

        It is told what the channel was told last of the series, and the message that waits for it
        and has not reached it, which may be added to. What it says was told takes the place of
        that.
        """
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT condition, fingerprint FROM told WHERE series = ? AND channel = ?",
                (series, channel),
            )
            told, message = decide(dict(rows.fetchall()), _untried(connection, channel))
            connection.execute(
                "DELETE FROM told WHERE series = ? AND channel = ?", (series, channel)
            )
            connection.executemany(
                "INSERT INTO told (series, channel, condition, fingerprint) VALUES (?, ?, ?, ?)",
                [(series, channel, condition, print_) for condition, print_ in told.items()],
            )
            _keep_latest(connection, "told", MAX_TOLD)
            if message is not None:
                _write(connection, message)
                _bound(connection, *self._limits)
            return message is not None

    def begin(self, message_id: str, now_s: float, wait_s: float) -> OutboxMessage | None:
        """Note that a waiting message is being tried; as it is then, None if it waits no more.

        Until something else is noted it is tried again after `wait_s`.
        """
        with self._transaction() as connection:
            row = connection.execute(_BEGIN, (now_s, wait_s, message_id)).fetchone()
            return None if row is None else _message(row)

    def note_delivered(self, message_id: str, channel: str, now_s: float) -> None:
        """A message has arrived."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE message SET state = ?, problem = '' WHERE id = ?",
                (DeliveryState.DELIVERED, message_id),
            )
            # Of a rule that was removed meanwhile nothing is kept.
            connection.execute(
                "INSERT OR REPLACE INTO channel (channel, sent_at)"
                " SELECT ?, ? WHERE EXISTS (SELECT 1 FROM message WHERE id = ?)",
                (channel, now_s, message_id),
            )
            _keep_latest(connection, "channel", MAX_WAITING)
            _bound(connection, *self._limits)

    def note_failed(self, message_id: str, problem: str, *, is_over: bool, reached: bool) -> None:
        """A message could not be delivered; if `is_over`, it is given up.

        Then its channel counts as told of nothing. One that has not `reached` anybody may be added
        to again.
        """
        state = DeliveryState.GIVEN_UP if is_over else DeliveryState.WAITING
        with self._transaction() as connection:
            connection.execute(
                "UPDATE message SET state = ?, problem = ?, reached = ? WHERE id = ?",
                (state, problem, reached, message_id),
            )
            if is_over:
                connection.execute(
                    "DELETE FROM told WHERE channel = (SELECT channel FROM message WHERE id = ?)",
                    (message_id,),
                )
            _bound(connection, *self._limits)

    def retry(self, numbers: Sequence[int], now_s: float) -> int:
        """Have messages tried at once that wait or were given up, all without numbers; how many."""
        if not self.exists:
            return 0
        with self._transaction() as connection:
            rows = connection.execute("SELECT number, state FROM message").fetchall()
            chosen = [
                (DeliveryState.WAITING, now_s, number)
                for number, state in rows
                if state != DeliveryState.DELIVERED and (not numbers or number in numbers)
            ]
            connection.executemany(
                "UPDATE message SET state = ?, since = ?, wait_s = 0 WHERE number = ?", chosen
            )
            return len(chosen)

    def keep_wanted(self, wanted: MessageFilter) -> None:
        """Remove what is not wanted any more; a message that may have arrived only as a whole."""
        if not self.exists:
            return
        with self._transaction() as connection:
            for row in connection.execute(f"SELECT {_COLUMNS} FROM message").fetchall():  # noqa: S608 - our own words
                message = _message(row)
                content = wanted.content(message)
                if content is None:
                    connection.execute("DELETE FROM message WHERE id = ?", (message.id,))
                elif content != message.content:
                    connection.execute(_REVISE, (content, message.id))
            told = connection.execute("SELECT rowid, series, channel, condition FROM told")
            connection.executemany(
                "DELETE FROM told WHERE rowid = ?",
                [(row,) for row, *what in told.fetchall() if not wanted.has_told(*what)],
            )
            channels = connection.execute("SELECT channel FROM channel")
            connection.executemany(
                "DELETE FROM channel WHERE channel = ?",
                [each for each in channels.fetchall() if not wanted.knows(*each)],
            )

    # ------------------------------------------------------------ the file

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with translated(self.path), closing(self._connection()) as connection:
                yield connection
        except ProjectError as e:
            if e.said.template != DAMAGED:
                raise
            raise ProjectError(
                "The outbox {path} is damaged; move it elsewhere, and Gossamer creates a new one.",
                path=self.path,
            ) from e

    def _connection(self) -> sqlite3.Connection:
        connection = opened(self.path, "mode=rw")
        try:
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        (kind,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if kind != OUTBOX_ID:
            raise MalformedContentError
        if version != OUTBOX_VERSION:
            raise ProjectError(
                "{path} was made by a newer Gossamer; update Gossamer to use it.", path=self.path
            )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if not self.exists:
            self._make()
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _make(self) -> None:
        try:
            make_private(self.path.parent)
            make_database(self.path, _KIND)
        except (OSError, sqlite3.Error) as e:
            raise ProjectError(
                "The outbox {path} cannot be written ({reason}); check its folder.",
                path=self.path,
                reason=str(e),
            ) from e


def _untried(connection: sqlite3.Connection, channel: str) -> OutboxMessage | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM message WHERE channel = ? AND state = ? AND NOT reached",  # noqa: S608 - our own words
        (channel, DeliveryState.WAITING),
    ).fetchone()
    return None if row is None else _message(row)


def _write(connection: sqlite3.Connection, message: OutboxMessage) -> None:
    """Add a message, or replace that of its id."""
    connection.execute(
        "INSERT INTO message (id, channel, language, content, created_at, state, since, wait_s)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET content = excluded.content",
        (
            *(message.id, message.channel, message.language, message.content),
            *(message.created_at, DeliveryState.WAITING, message.since, message.wait_s),
        ),
    )


def _bound(connection: sqlite3.Connection, waiting: int, kept: int) -> None:
    """Give up the oldest of too many that wait; forget the oldest of too many others."""
    connection.execute(
        "UPDATE message SET state = ? WHERE state = ? AND number NOT IN"
        " (SELECT number FROM message WHERE state = ? ORDER BY number DESC LIMIT ?)",
        (DeliveryState.GIVEN_UP, *[DeliveryState.WAITING] * 2, waiting),
    )
    connection.execute(
        "DELETE FROM message WHERE state <> ? AND number NOT IN"
        " (SELECT number FROM message WHERE state <> ? ORDER BY number DESC LIMIT ?)",
        (*[DeliveryState.WAITING] * 2, kept),
    )


def _keep_latest(connection: sqlite3.Connection, table: str, limit: int) -> None:
    connection.execute(
        f"DELETE FROM {table} WHERE rowid NOT IN"  # noqa: S608 - our own name
        f" (SELECT rowid FROM {table} ORDER BY rowid DESC LIMIT ?)",
        (limit,),
    )


def _message(row: Sequence[object]) -> OutboxMessage:
    fields = dict(zip(_COLUMNS.split(", "), row, strict=True))
    fields["state"] = DeliveryState(str(fields["state"]))
    return OutboxMessage(**fields)  # type: ignore[arg-type]  # the columns are its fields
