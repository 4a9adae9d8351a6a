"""Detects regular expressions that can backtrack for exponential time (ReDoS).

It can if the expression is *exponentially ambiguous*: if in some loop the same text leads from
a place back to that place in two ways. The test for it is a classic (Weber and Seidl, "On the
degree of ambiguity of finite automata", 1991): build the automaton of the expression's
characters (Glushkov), walk two copies of it side by side over the same text, and see whether
they can part and meet again.

What is approximated: counted repetitions, also within each other, are written out up to MAX_COUNTED
times, and longer ones are endless. A back reference matches any character, or nothing where its
group may. Anchors and look-arounds always hold, but what stands before them may have to be tried
again; a look-around is an expression of its own. Texts are ASCII, as URLs are.
"""

import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any, TypeAlias

from msgspec import Struct, field

MAX_COUNTED = 8
MAX_STEPS = 300_000
"""Work done on one pattern, some tenths of a second, besides 10 µs for each of its characters."""

_ALPHABET = 128
_ALL = (1 << _ALPHABET) - 1

# The tree that `re` itself compiles. Private, but its shape has not changed since Python 2.
_parse = import_module("re._parser").parse
_MAXREPEAT = import_module("re._constants").MAXREPEAT

Graph: TypeAlias = dict[Any, set[Any]]


class TooComplexPatternError(Exception):
    """It would take more than MAX_STEPS to tell whether a pattern is explosive."""


class SearchCost(Struct, frozen=True):
    """How the time of a search can grow with the length of the text.

    Exponentially, or else by this power at most: a factor for each place to begin at, and for each
    loop, of which all lengths may have to be tried.
    """

    is_exponential: bool
    degree: int


def search_cost(pattern: str) -> SearchCost:
    """How the time of a search for the valid `pattern` can grow.

    TooComplexPatternError where that takes too long to tell.
    """
    automaton = _Automaton()
    tree = _parse(pattern)
    whole = automaton.sequence(tree, tree.state.flags)
    ends = automaton.ends(whole)
    loops = [loop for loop in automaton.loops() if not loop <= ends]
    return SearchCost(any(map(automaton.is_ambiguous, loops)), len(loops) + 1)


def without_idle_start(pattern: str) -> str:
    """The valid `pattern` without a `.*` that it begins with, which decides nothing of a search.

    A search begins at any place anyway, and would try each of them from each of them.
    """
    if not pattern.startswith(".*") or pattern[2:3] in {"?", "+"}:
        return pattern
    ((operation, _), *_rest) = _parse(pattern)
    return pattern[2:] if str(operation) == "MAX_REPEAT" else pattern


class _Part(Struct, frozen=True):
    """A part of the expression: in how many ways it can be empty, begin and end at which places.

    Ways without a character between are counted, because they are ways to try as well; two of
    them say as much as many. `checks` is whether it has an anchor or a look-around, at which what
    was matched before may fail.
    """

    empty: int = 1
    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)
    checks: bool = False

    def optional(self) -> "_Part":
        """The same, or nothing."""
        return _Part(min(self.empty + 1, 2), self.first, self.last, self.checks)


class _Automaton:
    """The places (characters) of an expression, and which can follow which in how many ways."""

    def __init__(self) -> None:
        self._masks: list[int] = []
        self._follow: list[Counter[int]] = []
        self._checked: set[int] = set()
        """Places that something follows which may fail without a character."""
        self._ends: set[int] = set()
        """Places at the ends of look-arounds."""
        self._may_be_empty: dict[int, bool] = {}
        """By the numbers of groups."""
        self._times = 1
        """How often the current place is written out."""
        self._steps = 0

    # ------------------------------------------------------------ building

    def sequence(self, items: Any, flags: int) -> _Part:  # noqa: ANN401 - a tree of `re`
        """The items of a parsed expression one after the other."""
        whole = _Part()
        for operation, argument in items:
            whole = self._joined(whole, self._item(str(operation), argument, flags))
        return whole

    def _joined(self, whole: _Part, part: _Part) -> _Part:
        """One part and then another."""
        if part.checks:
            self._checked.update(whole.last)
        for place, ways in whole.last.items():
            self._follow_by(place, ways, part)
        if whole.empty:
            self._count(len(whole.first) + len(part.first))
        if part.empty:
            self._count(len(whole.last) + len(part.last))
        return _Part(
            min(whole.empty * part.empty, 2),
            whole.first + _times(part.first, whole.empty) if whole.empty else whole.first,
            _times(whole.last, part.empty) + part.last if part.empty else part.last,
            whole.checks or part.checks,
        )

    def _item(
        self,
        operation: str,
        argument: Any,  # noqa: ANN401 - a tree of `re`
        flags: int,
    ) -> _Part:
        match operation:
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(argument, flags)
            case "SUBPATTERN":
                return self._group(argument, flags)
            case "ATOMIC_GROUP":
                return self.sequence(argument, flags)
            case "BRANCH" | "GROUPREF_EXISTS":
                ways = argument[1] if operation == "BRANCH" else argument[1:]
                return self._either([self.sequence(items or [], flags) for items in ways])
            case _:
                return self._single(operation, argument, flags)

    def _either(self, parts: list[_Part]) -> _Part:
        """One of the parts."""
        first: Counter[int] = Counter()
        last: Counter[int] = Counter()
        for part in parts:
            self._count(len(part.first) + len(part.last))
            first.update(part.first)
            last.update(part.last)
        checks = any(part.checks for part in parts)
        return _Part(min(sum(part.empty for part in parts), 2), first, last, checks)

    def _single(
        self,
        operation: str,
        argument: Any,  # noqa: ANN401 - a tree of `re`
        flags: int,
    ) -> _Part:
        """What has no parts in a row with the rest."""
        if operation == "GROUPREF":
            place = self._place(_ALL)
            return place.optional() if self._may_be_empty.get(argument, True) else place
        if operation in {"ASSERT", "ASSERT_NOT"}:
            self._ends.update(self.sequence(argument[1], flags).last)
        elif operation != "AT":
            return self._place(_mask(operation, argument, flags))
        return _Part(checks=True)

    def _group(self, argument: Any, flags: int) -> _Part:  # noqa: ANN401 - a tree of `re`
        number, added, removed, items = argument
        part = self.sequence(items, (flags | added) & ~removed)
        if number is not None:
            self._may_be_empty[number] = part.empty > 0
        return part

    def _repeat(self, argument: Any, flags: int) -> _Part:  # noqa: ANN401 - a tree of `re`
        least, most, items = argument
        outside, self._times = self._times, self._times * most
        if self._times > MAX_COUNTED:
            self._times = 1
            part = self.sequence(items, flags)
            self._connect(part, part)
            if part.empty and most != _MAXREPEAT:
                self._connect(part, part)  # each of so many times may be the one that is empty
            whole = part if least else part.optional()
        else:
            whole = _Part()
            for turn in reversed(range(most)):
                whole = self._joined(self.sequence(items, flags), whole)
                whole = whole if turn < least else whole.optional()
        self._times = outside
        return whole

    def _place(self, mask: int) -> _Part:
        place = len(self._masks)
        self._masks.append(mask)
        self._follow.append(Counter())
        return _Part(0, Counter([place]), Counter([place]))

    def _connect(self, before: _Part, after: _Part) -> None:
        if after.checks:
            self._checked.update(before.last)
        for place, ways in before.last.items():
            self._follow_by(place, ways, after)

    def _follow_by(self, place: int, ways: int, after: _Part) -> None:
        self._count(len(after.first))
        for follower, more in after.first.items():
            self._follow[place][follower] += min(ways * more, 2)

    def _count(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise TooComplexPatternError

    # ------------------------------------------------------------ judging

    def ends(self, whole: _Part) -> set[int]:
        """The places behind which nothing can fail: the ways before need not be tried."""
        return (self._ends | set(whole.last)) - self._checked

    def loops(self) -> Iterator[set[int]]:
        """The sets of places that can be reached from each other."""
        graph: Graph = {place: set(after) for place, after in enumerate(self._follow)}
        for loop in _components(graph):
            if len(loop) > 1 or loop <= graph[next(iter(loop))]:
                yield loop

    def is_ambiguous(self, loop: set[int]) -> bool:
        """Whether one text leads around this loop in two ways."""
        follow = {place: self._follow[place].keys() & loop for place in loop}
        if any(self._follow[place][after] > 1 for place in loop for after in follow[place]):
            return True
        # Two walks that part and meet again are in one component with those that never parted.
        return any(
            any(one == other for one, other in pairs) and any(one != other for one, other in pairs)
            for pairs in _components(self._pairs(follow))
            if len(pairs) > 1
        )

    def _pairs(self, follow: dict[int, set[int]]) -> Graph:
        """Where two walks over the same text can go, once together."""
        forth: Graph = {}
        pending = [(place, place) for place in follow]
        while pending:
            pair = pending.pop()
            if pair in forth:
                continue
            self._count(1 + len(follow[pair[0]]) * len(follow[pair[1]]))
            forth[pair] = {
                (one, other)
                for one in follow[pair[0]]
                for other in follow[pair[1]]
                if self._masks[one] & self._masks[other]
            }
            pending.extend(forth[pair])
        return forth


def _components(graph: Graph) -> Iterator[set[Any]]:
    """The sets of nodes that can be reached from each other: each node is in one (Kosaraju)."""
    back: Graph = {node: set() for node in graph}
    for node, after in graph.items():
        for follower in after:
            back[follower].add(node)
    seen: set[Any] = set()
    for node in reversed(_postorder(graph)):
        if node not in seen:
            component = _reachable(back, node, seen)
            seen |= component
            yield component


def _postorder(graph: Graph) -> list[Any]:
    """The nodes, each behind those that it leads to, as far as these do not lead back."""
    order: list[Any] = []
    seen: set[Any] = set()
    for start in graph:
        path = [] if start in seen else [(start, iter(graph[start]))]
        seen.add(start)
        while path:
            node, after = path[-1]
            follower = next((each for each in after if each not in seen), None)
            if follower is None:
                order.append(node)
                path.pop()
            else:
                seen.add(follower)
                path.append((follower, iter(graph[follower])))
    return order


def _reachable(graph: Graph, start: Any, without: set[Any]) -> set[Any]:  # noqa: ANN401 - a node of any graph
    """The nodes that `start` leads to, itself included, but for those that are left out."""
    reached = {start}
    pending = [start]
    while pending:
        after = graph[pending.pop()] - without - reached
        reached |= after
        pending.extend(after)
    return reached


def _times(places: Counter[int], ways: int) -> Counter[int]:
    return Counter({place: count * ways for place, count in places.items()}) if ways else Counter()


# ---------------------------------------------------------------- characters


def _mask(operation: str, argument: Any, flags: int) -> int:  # noqa: ANN401 - a tree of `re`
    """The ASCII characters that one place matches, as bits."""
    match operation:
        case "LITERAL":
            return _either_case(_bit(argument), flags)
        case "NOT_LITERAL":
            return _ALL & ~_either_case(_bit(argument), flags)
        case "ANY":
            return _ALL
        case "IN":
            negated = any(str(kind) == "NEGATE" for kind, _ in argument)
            mask = 0
            for kind, value in argument:
                mask |= _class_mask(str(kind), value)
            mask = _either_case(mask, flags)
            return _ALL & ~mask if negated else mask
        case _:
            return 0


def _class_mask(kind: str, value: Any) -> int:  # noqa: ANN401 - a tree of `re`
    match kind:
        case "LITERAL":
            return _bit(value)
        case "RANGE":
            return sum(1 << code for code in range(value[0], min(value[1] + 1, _ALPHABET)))
        case "CATEGORY":
            return _CATEGORIES.get(str(value).removeprefix("CATEGORY_"), _ALL)
        case _:
            return 0


def _bit(code: int) -> int:
    return 1 << code if code < _ALPHABET else 0


def _either_case(mask: int, flags: int) -> int:
    if flags & re.IGNORECASE:
        for upper, lower in zip(range(0x41, 0x5B), range(0x61, 0x7B), strict=True):
            if mask & (1 << upper | 1 << lower):
                mask |= 1 << upper | 1 << lower
    return mask


def _matching(pattern: str) -> int:
    return sum(1 << code for code in range(_ALPHABET) if re.fullmatch(pattern, chr(code)))


_CATEGORIES = {
    "DIGIT": _matching(r"\d"),
    "NOT_DIGIT": _matching(r"\D"),
    "SPACE": _matching(r"\s"),
    "NOT_SPACE": _matching(r"\S"),
    "WORD": _matching(r"\w"),
    "NOT_WORD": _matching(r"\W"),
}
