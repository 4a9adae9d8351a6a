"""Finds pages that have probably moved: by redirects, by their texts, by their folders."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from gossamer.comparison.path_rewrites import PathRewrites, RewriteTrial
from gossamer.comparison.url_matching import MatchedUrls
from gossamer.model.comparison_results import MovedBy, PathRewrite
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import FORMER_PAGES, PAGES
from gossamer.model.outcome_counts import LEADING_ON
from gossamer.store.auditing.number_arrays import Flags, Ids, Numbers
from gossamer.store.comparing.compared_project import ABSENT, ComparedProject
from gossamer.urls.url_mapping import UrlMapping
from gossamer.urls.url_parsing import url_key

_MOST_HOPS: Final = 10
_FEWEST_WORDS: Final = 10
"""A shorter text identifies nothing."""
_MOST_VOTES: Final = 100_000
_AT_ONCE: Final = 20_000


def _among(outcomes: frozenset[Any]) -> Flags:
    return np.isin(np.arange(256), [int(each) for each in outcomes])


_IS_PAGE, _LEADS_ON, _IS_FORMER = map(_among, (PAGES, LEADING_ON, FORMER_PAGES))
_REDIRECTS: Final = f"SELECT source, target FROM link WHERE kind = {int(LinkKind.REDIRECT)}"  # noqa: S608 - a number
_CONTENT: Final = "v.sketch, v.title, v.h1, v.word_count"
_VISIT: Final = " JOIN visit v ON v.id = u.id"


class MovedPages(NamedTuple):
    """Pages by their ids before and after, ascending; and how each was recognised."""

    before: Ids
    after: Ids
    by: Numbers
    rewrites: tuple[PathRewrite, ...]


class MovedPageSearch:
    """Searches the new pages for moved ones; never chooses between equally likely ones."""

    def __init__(
        self,
        before: ComparedProject,
        after: ComparedProject,
        matched: MatchedUrls,
        mapping: UrlMapping,
    ) -> None:
        self._before = before
        self._after = after
        self._matched = matched
        self._mapping = mapping
        missing, new = matched.missing(), matched.new()
        self._missing = missing[_IS_PAGE[matched.before.outcome[missing]]]
        self._new = new[_IS_PAGE[matched.after.outcome[new]]]
        self._is_new: Flags = np.zeros(matched.border, np.bool_)
        self._is_new[self._new] = True
        self._to: Ids = np.zeros(len(matched.after_of), np.int64)
        """By the ids before, where each page is now; 0 if unknown."""
        self._by: Numbers = np.zeros(len(matched.after_of), np.uint8)

    def run(self) -> MovedPages:
        """Search in every way."""
        rewrites: tuple[PathRewrite, ...] = ()
        if len(self._new):
            self._follow_redirects()
            self._follow_former_pages()
        if len(self._new) and len(self._missing):
            self._compare_contents()
            rewrites = self._compare_paths()
        found = np.flatnonzero(self._to)
        return MovedPages(found, self._to[found], self._by[found], rewrites)

    def _note(self, before: Ids, after: Ids, by: MovedBy) -> None:
        """Note pairs that are compared, whose ends are free, and which no other pair contests."""
        are_compared = self._matched.before.presence[before] != ABSENT
        before, after = before[are_compared], after[are_compared]
        if by is not MovedBy.REDIRECT:  # where several may well lead to one page
            free = (self._to[before] == 0) & ~np.isin(after, self._to)
            before, after = before[free], after[free]
            uncontested = _occur_once(before) & _occur_once(after)
            before, after = before[uncontested], after[uncontested]
        self._to[before] = after
        self._by[before] = int(by)

    # ------------------------------------------------------------ redirects

    def _follow_redirects(self) -> None:
        """URLs that were pages, and now redirect to a new one."""
        matched = self._matched
        leads_to = np.zeros(matched.border, np.int64)
        for part in self._after.read(_REDIRECTS):
            sources, targets = map(np.array, zip(*part, strict=True))
            ends = np.concatenate([sources, targets])
            if not 0 < ends.min() <= ends.max() < matched.border:
                raise self._after.damaged()
            leads_to[sources] = targets
        were_pages = _IS_PAGE[matched.before.outcome[np.maximum(matched.before_of, 0)]]
        redirect_now = _LEADS_ON[matched.after.outcome] & (leads_to > 0)
        sources = np.flatnonzero((matched.before_of > 0) & were_pages & redirect_now)
        ends = leads_to[sources]
        for _ in range(_MOST_HOPS):
            ends = np.where(leads_to[ends] > 0, leads_to[ends], ends)
        arrive = self._is_new[ends] & (leads_to[ends] == 0)
        self._note(
            matched.before_of[sources[arrive]].astype(np.int64), ends[arrive], MovedBy.REDIRECT
        )

    def _follow_former_pages(self) -> None:
        """Requested URLs that nothing leads to any more, and that redirect to a new page."""
        known = -np.minimum(self._matched.after_of[self._missing], 0)
        former = (known > 0) & _IS_FORMER[self._matched.after.outcome[known]]
        ours, others = self._missing[former], known[former].tolist()
        targets = {each: url for each, (_, url) in self._after.responses(others).items() if url}
        ids = self._after.known_ids(sorted(set(targets.values())))
        ends = np.array([ids.get(targets.get(each, ""), 0) for each in others], np.int64)
        arrive = self._is_new[ends] & (ends > 0)
        self._note(ours[arrive], ends[arrive], MovedBy.REDIRECT)

    # ------------------------------------------------------------ contents

    def _compare_contents(self) -> None:
        """The same text, or the same title and H1, if no other page of either crawl has it."""
        was = self._contents(self._before, is_before=True)
        now = self._contents(self._after, is_before=False)
        for by, ours, others in zip((MovedBy.TEXT, MovedBy.HEADINGS), was, now, strict=True):
            before, after = _same(_single(ours), _single(others))
            are_apart = (self._matched.after_of[before] <= 0) & self._is_new[after]
            self._note(before[are_apart], after[are_apart], by)

    def _contents(self, project: ComparedProject, *, is_before: bool) -> tuple[Ids, Ids]:
        """Of all pages: numbers of their texts, and of their headings, each with the id."""
        matched = self._matched
        known = matched.before if is_before else matched.after
        ids = np.flatnonzero(matched.requested[not is_before] & _IS_PAGE[known.outcome])
        project.stage(ids)
        texts: list[Ids] = []
        headings: list[Ids] = []
        for rows in project.rows(f"u.id, {_CONTENT}", _VISIT):
            texts.append(_numbered(_text_number(*row) for row in rows))
            headings.append(_numbered(_heading_number(*row) for row in rows))
        return _joined(texts), _joined(headings)

    # ------------------------------------------------------------ paths

    def _compare_paths(self) -> tuple[PathRewrite, ...]:
        """Folders from which many pages have moved to another one, with the same paths below."""
        rewrites = PathRewrites()
        found = np.flatnonzero(self._to)
        self._vote(rewrites, found, self._to[found])
        self._vote(rewrites, *self._same_names())
        likely = rewrites.likely()
        return tuple(self._try(RewriteTrial(likely))) if likely else ()

    def _vote(self, rewrites: PathRewrites, before: Ids, after: Ids) -> None:
        for start in range(0, min(len(before), _MOST_VOTES), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            ours, others = before[part].tolist(), after[part].tolist()
            olds, news = self._before.urls(ours), self._after.urls(others)
            for old, new in zip(ours, others, strict=True):
                rewrites.vote(self._mapping.map(olds[old]), news[new])

    def _same_names(self) -> tuple[Ids, Ids]:
        """Missing and new pages whose last name is unique among them."""
        left = self._missing[self._to[self._missing] == 0]
        free = self._new[~np.isin(self._new, self._to)]
        ours, others = (
            _single(self._numbers(project, ids, _name_number))
            for project, ids in ((self._before, left), (self._after, free))
        )
        pairs = _same(ours, others)
        return pairs[0], pairs[1]

    def _numbers(self, project: ComparedProject, ids: Ids, number: Callable[[str], int]) -> Ids:
        """A number of each address, with its id."""
        project.stage(ids)
        parts = [
            _numbered((number(url), url_id) for url_id, url in rows)
            for rows in project.rows("u.id, u.url", "")
        ]
        return _joined(parts)

    def _try(self, trial: RewriteTrial) -> Iterator[PathRewrite]:
        """Find where each page would be; note those that exist, and return what suits many."""
        keys = self._numbers(self._after, self._new, url_key)
        keys = keys[np.argsort(keys[:, 0], kind="stable")]
        hits: list[Ids] = []
        old = np.union1d(self._missing, np.flatnonzero(self._to))
        self._before.stage(old)
        for rows in self._before.rows("u.id, u.url", ""):
            tried = [
                (url_id, number, url_key(there))
                for url_id, url in rows
                for number, there in trial.tries(self._mapping.map(url))
            ]
            if tried:
                hits.append(_hits(np.array(tried, np.int64), keys))
                for number in hits[-1][:, 1].tolist():
                    trial.note(number)
        accepted = trial.accepted()
        found = np.concatenate([np.zeros((0, 3), np.int64), *hits])
        found = np.unique(found[np.isin(found[:, 1], list(accepted))][:, [0, 2]], axis=0)
        self._note(found[:, 0], found[:, 1], MovedBy.PATH)
        if accepted:
            self._keep(trial)
        for number, pages in sorted(accepted.items(), key=lambda each: -each[1]):
            if trial.suits(number):
                rewrite = trial.rewrites[number]
                yield PathRewrite(self._mapping.unmap(rewrite.before), rewrite.after, pages)

    def _keep(self, trial: RewriteTrial) -> None:
        """Give a trial the pages that are where they were."""
        ids, _ = self._matched.pairs()
        self._before.stage(ids[_IS_PAGE[self._matched.before.outcome[ids]] & (self._to[ids] == 0)])
        for rows in self._before.rows("u.url", ""):
            for (url,) in rows:
                trial.keep(self._mapping.map(url))


def _numbered(pairs: Iterable[tuple[int, int]]) -> Ids:
    return np.array([each for each in pairs if each[0]], np.int64).reshape(-1, 2)


def _joined(parts: list[Ids]) -> Ids:
    return np.concatenate([np.zeros((0, 2), np.int64), *parts])


def _single(numbers: Ids) -> Ids:
    """Those that occur once, ascending."""
    found, places, counts = np.unique(numbers[:, 0], return_index=True, return_counts=True)
    del found
    single: Ids = numbers[places[counts == 1]]
    return single


def _occur_once(numbers: Ids) -> Flags:
    """For each number, whether it occurs once."""
    _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    once: Flags = counts[places] == 1
    return once


def _same(ours: Ids, others: Ids) -> tuple[Ids, Ids]:
    """The ids of either side that have the same number."""
    _, left, right = np.intersect1d(
        ours[:, 0], others[:, 0], assume_unique=True, return_indices=True
    )
    return ours[left, 1], others[right, 1]


def _hits(tried: Ids, keys: Ids) -> Ids:
    """Of page, rewrite and key of its new address: page, rewrite and the id found there."""
    places = np.minimum(np.searchsorted(keys[:, 0], tried[:, 2]), len(keys) - 1)
    there = keys[places, 0] == tried[:, 2]
    return np.stack([tried[there, 0], tried[there, 1], keys[places[there], 1]], axis=1)


def _text_number(
    url_id: int, sketch: bytes | None, _title: str | None, _h1: str | None, words: int | None
) -> tuple[int, int]:
    return (hash(sketch) if sketch and (words or 0) >= _FEWEST_WORDS else 0), url_id


def _heading_number(
    url_id: int, _sketch: bytes | None, title: str | None, h1: str | None, _words: int | None
) -> tuple[int, int]:
    return (hash((title, h1)) if title and h1 else 0), url_id


def _name_number(url: str) -> int:
    """Of the last name in a path; 0 if that is empty."""
    name = url.partition("?")[0].rpartition("/")[2]
    return hash(name) if name else 0
