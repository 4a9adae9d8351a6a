"""What budgets left out is queued once, whoever asks for it meanwhile."""

import asyncio
from typing import TYPE_CHECKING, cast

from gossamer.engine.over_budget_urls import OverBudgetUrls
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.traps.budget_keys import budget_detail
from gossamer.engine.traps.trap_budgets import TrapBudgets
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import UrlRow
from tests.fakes.virtual_loop import run_virtual

if TYPE_CHECKING:
    from gossamer.engine.batch_recorder import Recorder
    from gossamer.engine.interfaces import Store
    from gossamer.engine.url_outcomes import Reconsideration

KEY = "http://a.test/c?"
SOURCE = UrlRow(1, "http://a.test/", Rank(0), Outcome.PAGE)
LEFT_OUT = [
    UrlRow(
        number, f"http://a.test/c?m={number}", Rank(0), Outcome.OVER_BUDGET, 1, budget_detail(KEY)
    )
    for number in range(2, 6)
]


class Project:
    """A project file, and what is to be committed to it next."""

    has_left_out = True

    def __init__(self) -> None:
        self.undisturbed = asyncio.Lock()
        self.lifted: list[int] = []
        self._committed = 0

    async def commit(self) -> None:
        lifted = len(self.lifted)
        await asyncio.sleep(0)
        self._committed = lifted

    async def left_out(self, before: int, limit: int) -> list[UrlRow]:
        there = [row for row in LEFT_OUT if row.id not in self.lifted[: self._committed]]
        await asyncio.sleep(0)
        return [row for row in reversed(there) if row.id < before][:limit]

    async def by_id(self, ids: list[int]) -> list[UrlRow]:
        return [SOURCE] if 1 in ids else []

    def queue_left_out(self, row: UrlRow, _rank: Rank) -> None:
        self.lifted.append(row.id)


def looked_through(traps: TrapBudgets, times: int) -> list[int]:
    """What is queued when so many look through what was left out at once."""

    async def main() -> list[int]:
        project = Project()
        left_out = OverBudgetUrls(
            cast("Store", project),
            PendingBatch(last_id=5),
            cast("Reconsideration", project),
            cast("Recorder", project),
            traps,
            rows_per_read=10_000,
        )
        async with asyncio.TaskGroup() as group:
            for number in range(times):
                group.create_task(left_out.reopen(), name=f"look {number}")
        assert not left_out.busy
        return project.lifted

    return run_virtual(main())


def test_concurrent_releases_of_urls_over_budget_run_one_after_the_other() -> None:
    assert looked_through(TrapBudgets(100), 2) == [5, 4, 3, 2]


def test_urls_without_room_in_the_budget_stay_out() -> None:
    traps = TrapBudgets(3)
    traps.restore({KEY: 1})
    assert looked_through(traps, 2) == [5, 4]
    assert traps.take_changes() == {KEY: 3}
    assert not traps.has_repaid
