"""Detects regular expressions that can backtrack for exponential time (ReDoS).

It can if the expression is *exponentially ambiguous*: if in some loop the same text leads from
a place back to that place in two ways. The test for it is a classic (Weber and Seidl, "On the
degree of ambiguity of finite automata", 1991): build the automaton of the expression's
characters (Glushkov), walk two copies of it side by side over the same text, and see whether
they can part and meet again.

What is approximated: repetitions of up to MAX_COUNTED times count as none, longer ones as
endless; back references and look-arounds match nothing. Texts are ASCII, as URLs are.
"""

import re
from collections import Counter
from importlib import import_module
from typing import Any, TypeAlias

from msgspec import Struct, field

MAX_COUNTED = 8
MAX_STEPS = 1_000_000
"""Work done on one pattern, some tenths of a second; one that needs more is let through."""

_ALPHABET = 128
_ALL = (1 << _ALPHABET) - 1

# The tree that `re` itself compiles. Private, but its shape has not changed since Python 2.
_parse = import_module("re._parser").parse

Graph: TypeAlias = dict[Any, set[Any]]


def is_explosive(pattern: str) -> bool:
    """Whether some text makes a search for the valid `pattern` take exponential time."""
    automaton = _Automaton()
    tree = _parse(pattern)
    whole = automaton.sequence(tree, tree.state.flags)
    if automaton.size > MAX_STEPS:
        return False
    return any(
        automaton.is_ambiguous(loop) for loop in automaton.loops() if not loop <= set(whole.last)
    )


class _Part(Struct, frozen=True):
    """A part of the expression: in how many ways it can be empty, begin and end at which places.

    Ways without a character between are counted, because they are ways to try as well; two of
    them say as much as many.
    """

    empty: int = 1
    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)


class _Automaton:
    """The places (characters) of an expression, and which can follow which in how many ways."""

    def __init__(self) -> None:
        self._masks: list[int] = []
        self._follow: list[Counter[int]] = []

    # ------------------------------------------------------------ building

    def sequence(self, items: Any, flags: int) -> _Part:  # noqa: ANN401 - a tree of `re`
        """The items of a parsed expression one after the other."""
        whole = _Part()
        for operation, argument in items:
            part = self._item(str(operation), argument, flags)
            self._connect(whole, part)
            whole = _Part(
                min(whole.empty * part.empty, 2),
                whole.first + _times(part.first, whole.empty),
                _times(whole.last, part.empty) + part.last,
            )
        return whole

    def _item(
        self,
        operation: str,
        argument: Any,  # noqa: ANN401 - a tree of `re`
        flags: int,
    ) -> _Part:
        match operation:
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeat(argument, flags)
            case "SUBPATTERN" | "ATOMIC_GROUP":
                _, added, removed, items = (
                    argument if operation == "SUBPATTERN" else (0, 0, 0, argument)
                )
                return self.sequence(items, (flags | added) & ~removed)
            case "BRANCH":
                return _either([self.sequence(items, flags) for items in argument[1]])
            case "GROUPREF_EXISTS":
                return _either([self.sequence(items or [], flags) for items in argument[1:]])
            case "GROUPREF":
                return _Part()
            case _:
                return self._place(_mask(operation, argument, flags))

    def _repeat(self, argument: Any, flags: int) -> _Part:  # noqa: ANN401 - a tree of `re`
        least, most, items = argument
        part = self.sequence(items, flags)
        if most > MAX_COUNTED:
            self._connect(part, part)
        return _Part(min(part.empty + (least == 0), 2), part.first, part.last)

    def _place(self, mask: int) -> _Part:
        place = len(self._masks)
        self._masks.append(mask)
        self._follow.append(Counter())
        return _Part(0, Counter([place]), Counter([place]))

    def _connect(self, before: _Part, after: _Part) -> None:
        for place, ways in before.last.items():
            for follower, more in after.first.items():
                self._follow[place][follower] += min(ways * more, 2)

    # ------------------------------------------------------------ judging

    @property
    def size(self) -> int:
        """How many steps it takes to find the loops."""
        return len(self._follow) * sum(map(len, self._follow))

    def loops(self) -> list[set[int]]:
        """The sets of places that can be reached from each other."""
        graph: Graph = {place: set(after) for place, after in enumerate(self._follow)}
        reached = {place: _reachable(graph, place) for place in graph}
        loops = {
            frozenset(other for other in reached[place] if place in reached[other])
            for place in graph
        }
        return [set(loop) for loop in loops if loop]

    def is_ambiguous(self, loop: set[int]) -> bool:
        """Whether one text leads around this loop in two ways."""
        follow = {place: self._follow[place].keys() & loop for place in loop}
        if any(self._follow[place][after] > 1 for place in loop for after in follow[place]):
            return True
        forth, back = self._pairs(follow)
        for place in loop:
            meeting = (place, place)
            between = _reachable(forth, meeting) & _reachable(back, meeting)
            if any(one != other for one, other in between):
                return True
        return False

    def _pairs(self, follow: dict[int, set[int]]) -> tuple[Graph, Graph]:
        """Where two walks over the same text can be, onwards and backwards, once together."""
        forth: Graph = {}
        back: Graph = {}
        pending = [(place, place) for place in follow]
        steps = 0
        while pending and steps < MAX_STEPS:
            pair = pending.pop()
            if pair in forth:
                continue
            steps += len(follow[pair[0]]) * len(follow[pair[1]])
            forth[pair] = {
                (one, other)
                for one in follow[pair[0]]
                for other in follow[pair[1]]
                if self._masks[one] & self._masks[other]
            }
            for after in forth[pair]:
                back.setdefault(after, set()).add(pair)
            pending.extend(forth[pair])
        return forth, back


def _reachable(graph: Graph, start: Any) -> set[Any]:  # noqa: ANN401 - a node of any graph
    """The nodes that one step or more lead to."""
    reached: set[Any] = set()
    pending = [start]
    while pending:
        after = graph.get(pending.pop(), set()) - reached
        reached |= after
        pending.extend(after)
    return reached


def _either(parts: list[_Part]) -> _Part:
    first: Counter[int] = Counter()
    last: Counter[int] = Counter()
    for part in parts:
        first += part.first
        last += part.last
    return _Part(min(sum(part.empty for part in parts), 2), first, last)


def _times(places: Counter[int], ways: int) -> Counter[int]:
    return Counter({place: count * ways for place, count in places.items()}) if ways else Counter()


# ---------------------------------------------------------------- characters


def _mask(operation: str, argument: Any, flags: int) -> int:  # noqa: ANN401 - a tree of `re`
    """The ASCII characters that one place matches, as bits; 0 for anchors and look-arounds."""
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
