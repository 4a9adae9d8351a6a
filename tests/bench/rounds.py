"""Contestants take turns, so that what else the machine does hits all of them alike."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.bench.report import say

C = TypeVar("C")
R = TypeVar("R")


def order_of(contestants: Sequence[C], number: int) -> list[C]:
    """Who runs when in the round of that number: each round begins with another one."""
    start = number % len(contestants)
    return [*contestants[start:], *contestants[:start]]


def in_turn(
    contestants: Sequence[C], rounds: int, run: Callable[[C], R], *, name: Callable[[C], str] = str
) -> dict[str, list[R]]:
    """Run each contestant once per round; its results in the order of the rounds, by name."""
    results: dict[str, list[R]] = {name(contestant): [] for contestant in contestants}
    for number in range(rounds):
        for contestant in order_of(contestants, number):
            result = run(contestant)
            results[name(contestant)].append(result)
            say(f"  round {number + 1} of {rounds}: {name(contestant)}: {result}")
    return results
