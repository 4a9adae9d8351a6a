"""A crawl as the stages of the site audit see it: columns of numbers that they share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple, Self, TypeAlias

import numpy as np

from gossamer.audit.link_tallies import LinkTallies, tally_links
from gossamer.model.link_kinds import LinkKind
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.audit_status import read_content_stamp
from gossamer.store.auditing.audited_project import AuditedProject
from gossamer.store.auditing.link_arrays import LinkArrays, read_links
from gossamer.store.auditing.number_arrays import (
    Flags,
    Ids,
    Numbers,
    distinct,
    ids_where,
    pair_keys,
)
from gossamer.store.auditing.url_arrays import UrlArrays
from gossamer.store.bulk_insert import Value

UNMEASURED: Final = -1
"""The value in a column of `AuditedCrawl.measured` where there is none."""


class Finding(NamedTuple):
    """The URLs for which a rule holds: their ids, ascending, and any measured values."""

    rule: str
    """Group and name as declared, such as "Hreflang: Missing Return Links"."""
    ids: Ids
    values: Sequence[Value] = ()


def found(rule: str, flags: Flags, values: Numbers | None = None) -> Finding:
    """The URLs whose flag is set; `values` has one for each URL of the crawl."""
    ids = ids_where(flags)
    return Finding(rule, ids, () if values is None else values[ids].tolist())


def measured(rule: str, values: Mapping[int, Value]) -> Finding:
    """The URLs that have a value."""
    ids = sorted(values)
    return Finding(rule, np.array(ids, np.int64), [values[url_id] for url_id in ids])


class AuditedCrawl:
    """All URLs and links of a crawl, read on first access.

    So a stage costs no more time than what it uses.

    A context manager: it keeps the links in a temporary file.
    """

    def __init__(self, file: AuditedProject, progress: Callable[[int, int], None]) -> None:
        """`progress` receives how many links have been read, of about how many."""
        self.file: Final = file
        self._progress = progress
        with file.reading() as connection:
            self.content_stamp = read_content_stamp(connection)
        self.urls: Final = UrlArrays(file.snapshot)
        self.measured: Final[dict[str, Numbers]] = {}
        """Columns of `url_audit` that stages have filled, with a number for each URL."""
        self._measured_before: Final[dict[str, Numbers]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if "links" in vars(self):
            self.links.close()

    @cached_property
    def links(self) -> LinkArrays:
        """All links between these URLs."""
        columns = LinkArrays(self.file.folder)
        try:
            with self.file.snapshot() as connection:
                read_links(connection, columns, len(self.urls), self._progress)
        except BaseException:
            columns.close()
            raise
        return columns

    @cached_property
    def tallies(self) -> LinkTallies:
        """The link counts of each URL."""
        return tally_links(self.urls, self.links, self.file.check_cancelled)

    def measured_of(self, name: str) -> Numbers:
        """A column of `url_audit`: of an earlier stage, or of an earlier audit."""
        if name in self.measured:
            return self.measured[name]
        if name not in self._measured_before:
            self._measured_before[name] = self._read_measured(name)
        return self._measured_before[name]

    def _read_measured(self, name: str) -> Numbers:
        column = np.full(len(self.urls), UNMEASURED, np.int32)
        sql = f"SELECT id, {name} FROM url_audit WHERE {name} IS NOT NULL AND id < ?"  # noqa: S608 - our own names
        pairs = self.pairs(sql, len(self.urls))
        column[pairs[:, 0]] = pairs[:, 1]
        return column

    def pairs(self, sql: str, *values: Value) -> Numbers:
        """The rows of a query for two whole numbers."""
        with self.file.reading() as connection:
            rows = chain.from_iterable(connection.execute(sql, values))
            return np.fromiter(rows, np.int64).reshape(-1, 2)

    def links_of(self, *kinds: LinkKind) -> Numbers:
        """The links of rare kinds."""
        numbers = [int(kind) for kind in kinds]
        return self.links.where(lambda block: np.isin(block["kind"], numbers))

    def onward(self, kind: LinkKind, *, to_itself: bool = False) -> Ids:
        """The target of each URL's first link of a kind; 0 for none.

        A link to itself counts if `to_itself`. A canonical that is no web address names none.
        """
        links = self.links_of(kind)
        if kind is LinkKind.CANONICAL:
            links = links[self.urls.is_web[links["target"]]]
        if not to_itself:
            sources, targets = links["source"], links["target"]
            links = links[sources != targets]
        onward = np.zeros(len(self.urls), np.int64)
        onward[links["source"][::-1]] = links["target"][::-1]  # of several, the first one
        return onward

    def flags(self, ids: Numbers | list[int]) -> Flags:
        """The column in which these ids are set."""
        flags = np.zeros(len(self.urls), np.bool_)
        flags[np.asarray(ids, np.int64)] = True
        return flags

    def texts(self, ids: Numbers) -> dict[int, str]:
        """Pooled texts by id."""
        wanted = [text_id for text_id in distinct(ids).tolist() if text_id]
        rows = self.file.rows_of("SELECT id, value FROM text WHERE id IN ({marks})", wanted)
        return {int(str(text_id)): str(value) for text_id, value in rows}


Stage: TypeAlias = Callable[[AuditedCrawl, CrawlSettings], Iterable[Finding]]
"""Decides some rules; findings come one by one, including those without URLs."""


def distinct_pairs(links: Numbers) -> Ids:
    """The distinct pairs of source and target."""
    return distinct(pair_keys(links["source"], links["target"]))
