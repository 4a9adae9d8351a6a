"""The crawl of shards is over when nothing is left to do, and no sooner: in every state there is.

Shards are modelled by what their files and memory have. Each step of one of them, each message,
each death and each new start is taken in every order.
"""

import os
import pickle
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl_host.shard_exchange import SendWindow
from gossamer.model.discovery_rank import Rank
from gossamer.model.messages.shard_messages import GrantPages, LinkBatch, LinksTaken, ShardReport
from gossamer.model.shards import HandedLink, PeerCounts, StaleShardError
from gossamer.shards.link_exchange import LinkExchange

LONG: Final = "GOSSAMER_SHARD_STORIES" in os.environ
"""The long form takes some minutes."""
Graph = tuple[tuple[int, tuple[int, ...]], ...]
"""By page: the shard that owns it, and the pages it links to. The root is page 0."""
BACK_AND_FORTH: Final[Graph] = ((0, (1,)), (1, (2,)), (0, (1, 3)), (1, ()))
THERE_AND_BACK: Final[Graph] = ((0, (1,)), (1, (2,)), (0, ()))
FAN: Final[Graph] = ((0, (1, 2)), (1, (3,)), (1, ()), (0, ()))
CHAIN: Final[Graph] = ((0, (1,)), (1, (2,)), (2, ()))


@dataclass
class ModelShard:
    """File and memory of one shard."""

    todo: set[int] = field(default_factory=set)
    done: set[int] = field(default_factory=set)
    handed: dict[int, list[int]] = field(default_factory=dict)
    """By shard: the pages handed over, in the order of their numbers from 1."""
    acknowledged: dict[int, int] = field(default_factory=dict)
    received: dict[int, int] = field(default_factory=dict)
    run: int = 1
    is_alive: bool = True
    window: SendWindow = field(default_factory=SendWindow)
    last: ShardReport | None = None
    incoming: list[LinkBatch | LinksTaken | GrantPages] = field(default_factory=list)
    said: list[LinkBatch | ShardReport] = field(default_factory=list)
    """On the way to the coordinator; it arrives even if the shard dies."""

    def counts(self, other: int) -> PeerCounts:
        return PeerCounts(
            len(self.handed.get(other, [])),
            self.acknowledged.get(other, 0),
            self.received.get(other, 0),
        )


class Model:
    """The whole: shards, what is on its way between them, and the coordinator."""

    def __init__(self, graph: Graph, shards: int, deaths: int) -> None:
        self.graph = graph
        self.deaths = deaths
        self.exchange = LinkExchange(shards)
        self.shards = [ModelShard() for _ in range(shards)]
        self.shards[graph[0][0]].todo.add(0)

    def steps(self) -> Iterator[tuple[str, int]]:
        """All that may happen next."""
        for number, shard in enumerate(self.shards):
            lives = shard.is_alive
            possible = {
                "hear": bool(shard.said),
                "notice": not (shard.said or lives),
                "work": lives and bool(shard.todo),
                "receive": lives and bool(shard.incoming),
                "report": lives and self._has_news(number),
                "die": lives and self.deaths > 0,
            }
            yield from ((step, number) for step, may_be in possible.items() if may_be)

    def _has_news(self, number: int) -> bool:
        is_new = self._report(number) != self.shards[number].last
        return is_new or next(self._to_send(number), None) is not None

    def take(self, step: str, number: int) -> None:
        getattr(self, step)(number)

    def work(self, number: int) -> None:
        """Fetch a page, and commit it with its links."""
        shard = self.shards[number]
        page = min(shard.todo)
        shard.todo.remove(page)
        shard.done.add(page)
        for target in self.graph[page][1]:
            owner = self.graph[target][0]
            if owner == number:
                shard.todo |= {target} - shard.done
            elif target not in (handed := shard.handed.setdefault(owner, [])):
                handed.append(target)

    def receive(self, number: int) -> None:
        """Take a message, and commit what comes of it."""
        shard = self.shards[number]
        message = shard.incoming.pop(0)
        assert not isinstance(message, GrantPages)  # there is no limit here
        if isinstance(message, LinksTaken):
            shard.window.taken(message)
            known = shard.acknowledged.get(message.receiver, 0)
            shard.acknowledged[message.receiver] = max(known, message.number)
            return
        known = shard.received.get(message.sender, 0)
        if not message.first <= known + 1 <= message.last:
            return
        shard.received[message.sender] = message.last
        for link in message.links[known + 1 - message.first :]:
            shard.todo |= {int(link.url)} - shard.done

    def report(self, number: int) -> None:
        """Say how things stand, and send what is to be sent, one link at a time."""
        shard = self.shards[number]
        shard.last = self._report(number)
        shard.said.append(shard.last)
        for batch in list(self._to_send(number)):
            shard.window.sent(batch)
            shard.said.append(batch)

    def _report(self, number: int) -> ShardReport:
        shard = self.shards[number]
        others = (other for other in range(len(self.shards)) if other != number)
        return ShardReport(shard.run, not shard.todo, {each: shard.counts(each) for each in others})

    def _to_send(self, number: int) -> Iterator[LinkBatch]:
        shard = self.shards[number]
        for other, handed in shard.handed.items():
            after = shard.window.after(other, shard.counts(other))
            if after is not None:
                links = [HandedLink(str(handed[after]), Rank(1))]
                yield LinkBatch(number, other, after + 1, links)

    def hear(self, number: int) -> None:
        message = self.shards[number].said.pop(0)
        if isinstance(message, ShardReport):
            deliveries = self.exchange.report(number, message)
        else:
            deliveries = self.exchange.batch(message)
        for delivery in deliveries:
            if self.shards[delivery.shard].is_alive:
                self.shards[delivery.shard].incoming.append(delivery.message)

    def die(self, number: int) -> None:
        shard = self.shards[number]
        self.deaths -= 1
        shard.is_alive = False
        shard.incoming.clear()

    def notice(self, number: int) -> None:
        """All that the dead process said was heard: start another one from the file."""
        shard = self.shards[number]
        self.exchange.lost(number)
        shard.window, shard.last, shard.run, shard.is_alive = (
            SendWindow(),
            None,
            shard.run + 1,
            True,
        )

    def check(self) -> None:
        if self.exchange.is_over:
            done = set().union(*(shard.done for shard in self.shards))
            assert done == reachable(self.graph)
            for number, shard in enumerate(self.shards):
                assert not shard.todo
                for other, handed in shard.handed.items():
                    assert self.shards[other].received[number] == len(handed)


def is_at_rest(steps: list[tuple[str, int]]) -> bool:
    return all(step == "die" for step, _ in steps)


def reachable(graph: Graph) -> set[int]:
    found, waiting = {0}, [0]
    while waiting:
        new = set(graph[waiting.pop()][1]) - found
        found |= new
        waiting += new
    return found


@pytest.mark.parametrize(
    ("graph", "shards", "deaths"),
    [
        (THERE_AND_BACK, 2, 0),
        (THERE_AND_BACK, 2, 1),
        *([(BACK_AND_FORTH, 2, 2), (FAN, 2, 1), (CHAIN, 3, 0)] if LONG else []),
    ],
)
def test_in_no_state_of_a_small_crawl_is_it_called_over_too_early_or_never(
    graph: Graph, shards: int, deaths: int
) -> None:
    waiting = [pickle.dumps(Model(graph, shards, deaths))]
    seen = set(waiting)
    ends = 0
    while waiting:
        state = waiting.pop()
        models: Iterator[Model] = map(pickle.loads, repeat(state))
        first = next(models)
        steps = list(first.steps())
        if is_at_rest(steps):
            assert first.exchange.is_over, "nothing happens any more, and it is not over"
            ends += 1
        for (step, number), model in zip(steps, chain([first], models), strict=False):
            model.take(step, number)
            model.check()
            after = pickle.dumps(model)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert ends


def random_graph(chance: random.Random, shards: int) -> Graph:
    pages = range(chance.randint(1, 12))
    return tuple(
        (chance.randrange(shards), tuple(chance.choices(pages, k=chance.randint(0, 3))))
        for _ in pages
    )


@given(seed=st.integers(0, 2**64), shards=st.integers(1, 5), deaths=st.integers(0, 8))
def test_crawls_by_chance_with_many_deaths_end_when_all_is_done(
    seed: int, shards: int, deaths: int
) -> None:
    chance = random.Random(seed)
    model = Model(random_graph(chance, shards), shards, deaths)
    while not is_at_rest(steps := list(model.steps())):
        model.take(*chance.choice(steps))
        model.check()
    assert model.exchange.is_over


def test_a_file_that_was_put_back_to_an_older_copy_is_refused() -> None:
    exchange = LinkExchange(2)
    exchange.report(0, ShardReport(1, False, {1: PeerCounts(5, 3, 0)}))
    with pytest.raises(StaleShardError, match="Shard 2 is older"):
        exchange.report(1, ShardReport(1, False, {0: PeerCounts(0, 0, 2)}))


def test_a_shard_that_is_lost_while_the_others_finish_is_told_to_finish_when_it_is_back() -> None:
    exchange = LinkExchange(2)
    exchange.report(0, ShardReport(1, True, {}))
    exchange.report(1, ShardReport(1, True, {}))
    over = [exchange.is_over]
    exchange.report(0, ShardReport(1, False, {}))  # it commits that it has finished
    exchange.ended(0)
    exchange.lost(1)
    over.append(exchange.is_over)
    exchange.report(1, ShardReport(2, False, {}))
    over.append(exchange.is_over)
    exchange.report(1, ShardReport(2, True, {0: PeerCounts(1, 0, 0)}))
    over.append(exchange.is_over)
    assert exchange.to_start == [0]
    exchange.report(0, ShardReport(2, False, {1: PeerCounts(0, 0, 1)}))
    over.append(exchange.is_over)
    exchange.ended(0)
    over.append(exchange.is_over)
    assert over == [True, False, False, False, False, True]
