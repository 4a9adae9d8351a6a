"""What budgets left out is queued once, whoever asks for it meanwhile."""

import asyncio
from typing import TYPE_CHECKING, cast

from gossamer.engine.left_out import LeftOut
from gossamer.engine.traps import TrapBudgets
from gossamer.model.outcome import Outcome
from gossamer.model.rows import Rank, UrlRow
from tests.fakes.virtual_loop import run_virtual

if TYPE_CHECKING:
    from gossamer.engine.admission import Admission
    from gossamer.engine.ports import Store
    from gossamer.engine.recorder import Recorder

SOURCE = UrlRow(1, "http://a.test/", Rank(0), Outcome.PAGE)
LEFT_OUT = [
    UrlRow(number, f"http://a.test/c?m={number}", Rank(0), Outcome.OVER_BUDGET, 1)
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

    async def left_out(self, after: int, limit: int) -> list[UrlRow]:
        there = [row for row in LEFT_OUT if row.id not in self.lifted[: self._committed]]
        await asyncio.sleep(0)
        return [row for row in there if row.id > after][:limit]

    async def by_id(self, ids: list[int]) -> list[UrlRow]:
        return [SOURCE] if 1 in ids else []

    def lift(self, row: UrlRow, _rank: Rank) -> None:
        self.lifted.append(row.id)


def test_two_who_queue_what_was_left_out_do_it_one_after_the_other() -> None:
    async def main() -> None:
        project = Project()
        left_out = LeftOut(
            cast("Store", project),
            cast("Admission", project),
            cast("Recorder", project),
            TrapBudgets(100),
        )
        async with asyncio.TaskGroup() as group:
            for name in ("the crawl", "the person"):
                group.create_task(left_out.reopen(), name=name)
        assert project.lifted == [row.id for row in LEFT_OUT]
        assert not left_out.busy

    run_virtual(main())
