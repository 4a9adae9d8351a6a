"""Archives of nodes: what is followed, what is collected, and in which order pages come."""

import asyncio
import errno
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from gossamer.cluster.archive_collector import ArchiveCollector
from gossamer.cluster.archive_tail import ArchiveTail, FileGrowth
from gossamer.cluster.node_archive import NodeArchive
from gossamer.cluster.node_link import NodeLink, RemoteWorker
from gossamer.cluster.node_refusal import NodeRefusedError
from gossamer.cluster.report_queue import ARCHIVE_BYTES, ReportQueue
from gossamer.ipc.channel import encoded
from gossamer.model.archive_record import ArchiveLocation, ArchiveRecord, RecordKind
from gossamer.model.messages.node_messages import (
    ArchivePiece,
    FromWorker,
    KeepReports,
    NodeReport,
    OpenWorker,
    WorkerClosed,
    WorkerOpened,
)
from gossamer.model.messages.worker_messages import Fetched, Result
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.fakes.called_node import FakeNode, Heard
from tests.fakes.virtual_loop import run_virtual

ONE, TWO = "a-20261123120000-7-00000.warc.gz", "a-20261123120000-7-00001.warc.gz"
PAGE = FromWorker(1, b"page")


def told(name: str, offset: int = 0) -> Visit:
    """A visit whose record is in a file."""
    record = ArchiveRecord(RecordKind.RESPONSE, name, offset, 4, bytes(32))
    return Visit(Outcome.PAGE, 200, archived=[record])


async def calls(queue: ReportQueue) -> list[list[NodeReport]]:
    """What calls return, until one has nothing."""
    found = []
    while reports := await queue.gathered():
        found.append(reports)
    return found


def test_what_grew_comes_before_the_page_and_in_pieces_of_a_bounded_size(tmp_path: Path) -> None:
    tail = ArchiveTail(1, tmp_path / "1" / "a.archive")
    file = tmp_path / "1" / "a.archive" / ONE
    data = bytes(range(256)) * (3 * ARCHIVE_BYTES // 256) + b"end"
    file.write_bytes(data)

    async def main() -> list[list[NodeReport]]:
        queue = ReportQueue()
        for growth in tail.grown():
            queue.add(growth)
        queue.add(PAGE)
        return await calls(queue)

    answers = asyncio.run(main())
    pieces = [each for answer in answers for each in answer]
    assert pieces.pop() == PAGE
    assert b"".join(each.data for each in pieces if isinstance(each, ArchivePiece)) == data
    sizes = [sum(len(p.data) for p in answer if isinstance(p, ArchivePiece)) for answer in answers]
    assert sizes == [ARCHIVE_BYTES] * 3 + [3]
    assert list(tail.grown()) == []
    file.unlink()
    file.symlink_to("nowhere")  # as seen while a thread removes what was sent
    (file.parent / TWO).write_bytes(b"new")
    assert [each.path.name for each in tail.grown()] == [TWO]


def test_many_small_growths_share_the_room_of_an_answer(tmp_path: Path) -> None:
    half = ARCHIVE_BYTES // 2
    (tmp_path / ONE).write_bytes(bytes(half * 3))

    async def main() -> list[list[NodeReport]]:
        queue = ReportQueue()
        for number in range(3):
            queue.add(FileGrowth(1, tmp_path / ONE, number * half, half))
            queue.add(PAGE)
        return await calls(queue)

    kinds = [[type(each) for each in answer] for answer in asyncio.run(main())]
    pair = [ArchivePiece, FromWorker]
    assert kinds == [[*pair, *pair], pair]


def test_files_that_were_sent_are_removed_when_the_next_begins(tmp_path: Path) -> None:
    tail = ArchiveTail(1, tmp_path / "a.archive")
    (tmp_path / "a.archive" / ONE).write_bytes(b"one")
    (growth,) = tail.grown()
    assert growth.read() == ArchivePiece(1, ONE, 0, b"one")
    (tmp_path / "a.archive" / TWO).write_bytes(b"two")
    (growth,) = tail.grown()
    assert growth.read().file == TWO
    assert [path.name for path in (tmp_path / "a.archive").iterdir()] == [TWO]


def test_pieces_become_the_file_that_the_node_has(tmp_path: Path) -> None:
    (tmp_path / "a.archive").mkdir()
    collector = ArchiveCollector(tmp_path / "a.archive")
    collector.write([ArchivePiece(1, ONE, 0, b"on"), ArchivePiece(1, TWO, 0, b"two")])
    collector.write([ArchivePiece(1, ONE, 2, b"e")])
    assert (tmp_path / "a.archive" / ONE).read_bytes() == b"one"
    assert (tmp_path / "a.archive" / TWO).read_bytes() == b"two"
    assert collector.settled(told(ONE)) == told(ONE)
    collector.close()
    collector.write([ArchivePiece(1, ONE, 3, b"late")])
    assert (tmp_path / "a.archive" / ONE).read_bytes() == b"one"


@pytest.mark.parametrize(
    "pieces",
    [
        [ArchivePiece(1, ONE, 5, b"gap")],
        [ArchivePiece(1, ONE, 0, b"one"), ArchivePiece(2, ONE, 0, b"two names for one file")],
        [ArchivePiece(1, ONE, 0, b"one"), ArchivePiece(1, ONE, 2, b"twice")],
    ],
)
def test_a_file_with_a_gap_is_broken_for_good(tmp_path: Path, pieces: list[ArchivePiece]) -> None:
    (tmp_path / "a.archive").mkdir()
    collector = ArchiveCollector(tmp_path / "a.archive")
    collector.write(pieces)
    collector.write([ArchivePiece(1, ONE, 3, b"more"), ArchivePiece(1, TWO, 0, b"two")])
    visit = collector.settled(told(ONE))
    assert not visit.archived
    assert visit.archive_errno
    assert collector.settled(told(TWO)) == told(TWO)
    file = tmp_path / "a.archive" / ONE
    assert not file.exists() or file.read_bytes() == b"one"


@pytest.mark.parametrize("name", ["../" + ONE, "evil.sh", "/elsewhere/" + ONE, ""])
def test_a_node_names_no_file_elsewhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.archive").mkdir()
    collector = ArchiveCollector(tmp_path / "a.archive")
    collector.write([ArchivePiece(1, name, 0, b"x")])
    assert not list(tmp_path.rglob("*.gz"))
    assert not list(tmp_path.rglob("*.sh"))
    assert collector.settled(told(name)).archive_errno == errno.EINVAL


class SlowCollector(ArchiveCollector):
    """Writes when it may."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.may_write = threading.Event()

    def write(self, pieces: Iterable[ArchivePiece]) -> None:
        self.may_write.wait()
        super().write(pieces)


def test_pages_wait_until_their_records_are_written_and_calls_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.archive").mkdir()
    collector = SlowCollector(tmp_path / "a.archive")
    heard = Heard()
    arrived = asyncio.Event()

    def receive(messages: list[Result]) -> None:
        heard.messages += messages
        arrived.set()

    class Node(FakeNode):
        keeps = 0

        async def exchange(self, number: int, commands: bytes) -> bytes:
            self.keeps += encoded([KeepReports()])[1:] in commands
            return await super().exchange(number, commands)

    async def main() -> None:
        node = Node()
        link = NodeLink("n", node.exchange, NodeArchive(f"{tmp_path}/node/a.archive", collector))
        async with asyncio.TaskGroup() as group:
            talking = group.create_task(link.converse(), name="talk")
            await test(node, link)
            talking.cancel()

    async def test(node: Node, link: NodeLink) -> None:
        worker = await link.open_worker(Result, receive, heard.closed)
        opened = node.seen[0]
        assert isinstance(opened, OpenWorker)
        assert opened.archive == f"{tmp_path}/node/1/a.archive"
        assert opened.is_collected
        await arrived.wait()
        arrived.clear()
        node.reports.append(ArchivePiece(1, ONE, 0, b"record"))
        node.reports.append(FromWorker(1, encoded([Fetched(1, told(ONE))])))
        before = node.calls
        await asyncio.sleep(2)
        assert not arrived.is_set()
        assert node.keeps == node.calls - before - 1 >= 30
        collector.may_write.set()
        await arrived.wait()
        assert (tmp_path / "a.archive" / ONE).read_bytes() == b"record"
        assert heard.messages[-1] == Fetched(1, told(ONE))
        assert worker.archive is not None

    run_virtual(main())


@pytest.mark.parametrize("is_collected", [True, False])
def test_a_node_whose_disk_is_full_is_refused_and_its_page_not_taken(
    tmp_path: Path, *, is_collected: bool
) -> None:
    (tmp_path / "a.archive").mkdir()
    collector = ArchiveCollector(tmp_path / "a.archive") if is_collected else None
    heard = Heard()
    workers: list[RemoteWorker[Result]] = []

    async def main() -> None:
        node = FakeNode()
        link = NodeLink("n", node.exchange, NodeArchive("/data/gossamer-1f/a.archive", collector))
        async with asyncio.TaskGroup() as group:
            group.create_task(link.converse(), name="talk")
            worker = await link.open_worker(Result, heard.messages.extend, heard.closed)
            workers.append(worker)
            full = Visit(Outcome.PAGE, 200, archive_errno=errno.ENOSPC)
            node.reports.append(ArchivePiece(1, ONE, 0, b"record"))
            said = [Fetched(1, told(ONE)), Fetched(2, full)]
            node.reports.append(FromWorker(1, encoded(said)))

    with pytest.raises(ExceptionGroup) as failures:
        run_virtual(main())
    refused = failures.value.exceptions[0]
    assert isinstance(refused, NodeRefusedError)
    # Its scratch folder has another name whenever it is tried again, and would be told each time.
    place = "/data" if is_collected else "/data/gossamer-1f/a.archive"
    assert str(refused) == f"The disk of the node n with {place} is full; free some space there."
    assert refused.may_pass
    assert [each.job for each in heard.messages if isinstance(each, Fetched)] == [1]
    assert heard.closings == 1
    assert [(each.is_given_up, each.is_lost) for each in workers] == [(True, False)]


def test_no_two_workers_have_a_number_or_a_folder_in_common() -> None:
    collected = NodeArchive("/s/a.archive", ArchiveCollector(Path("/nowhere/a.archive")))
    places = [collected.place(number, "n") for number in range(100)]
    assert len({each.writer for each in places}) == len({each.folder for each in places}) == 100
    left = NodeArchive("/d/a.archive").place(3, "n")
    assert left == ArchiveLocation("/d/a.archive", left.writer, "n")


def test_a_worker_that_has_gone_is_told_after_what_it_archived(tmp_path: Path) -> None:
    (tmp_path / ONE).write_bytes(b"one")
    growth = FileGrowth(1, tmp_path / ONE, 0, 3)

    async def main() -> list[list[NodeReport]]:
        queue = ReportQueue()
        for report in (WorkerOpened(1, 9), growth, PAGE, WorkerClosed(1)):
            queue.add(report)
        return await calls(queue)

    piece = ArchivePiece(1, ONE, 0, b"one")
    assert asyncio.run(main()) == [[WorkerOpened(1, 9), piece, PAGE, WorkerClosed(1)]]
