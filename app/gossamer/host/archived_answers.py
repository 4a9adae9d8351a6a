"""Finds the answers to jobs in archives: the index says where they are, the archives have them."""

from collections import OrderedDict
from pathlib import Path
from typing import BinaryIO, Final

from msgspec.structs import replace

from gossamer.archive.captured_answers import CapturedAnswer, read_capture, with_body_of
from gossamer.archive.record_reading import RecordError
from gossamer.host.worker_job_loop import JobRunner
from gossamer.model.archive_captures import CaptureKind
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch, Fetched, FetchKind
from gossamer.model.outcome_details import DetailCode, NotArchivedError
from gossamer.store.archive_index import ArchiveIndex, FoundCapture, index_path
from gossamer.store.closed_on_exit import ClosedOnExit

_OPEN_FILES: Final = 32


class ArchivedAnswers(ClosedOnExit):
    """The answers in archives, for one thread. Files stay open, but not more than a few."""

    def __init__(self, source: ArchiveSource) -> None:
        """Open the index, which is there; ProjectError if it cannot be read."""
        self._moment = source.moment
        self._index = ArchiveIndex(index_path([Path(each) for each in source.archives]))
        self._files: OrderedDict[Path, BinaryIO] = OrderedDict()

    def close(self) -> None:
        """Close all files."""
        self._index.close()
        for file in self._files.values():
            file.close()
        self._files.clear()

    def time_of(self, url: str, *, is_head: bool) -> float | None:
        """When the answer for `url` was given, in Unix time; None if there is none."""
        found = self._index.capture(url, self._moment, of_head=is_head)
        return None if found is None else found.time

    def answer(self, url: str, *, is_head: bool) -> CapturedAnswer:
        """The answer to a request for `url`; NotArchivedError if there is none."""
        found = self._index.capture(url, self._moment, of_head=is_head)
        if found is None:
            raise NotArchivedError(DetailCode.ARCHIVE_NOTHING())
        answer = self._read(found)
        if found.kind is not CaptureKind.REVISIT:
            return answer
        original = self._index.original(found, url)
        if original is None:
            if is_head and answer.head:
                return answer
            raise NotArchivedError(DetailCode.ARCHIVE_OTHER())
        return with_body_of(answer, self._read(original))

    def _read(self, found: FoundCapture) -> CapturedAnswer:
        try:
            return read_capture(self._opened(found.part.path), found.part, found.offset, found.kind)
        except (OSError, RecordError) as e:
            raise NotArchivedError(DetailCode.ARCHIVE_DAMAGED()) from e

    def _opened(self, path: Path) -> BinaryIO:
        file = self._files.get(path)
        if file is None:
            if len(self._files) >= _OPEN_FILES:
                self._files.popitem(last=False)  # closed when the last answer from it is read
            file = self._files[path] = path.open("rb")
        self._files.move_to_end(path)
        return file


class ArchiveJobRunner:
    """Runs jobs whose answers come from an archive: they have its times, and are never better."""

    def __init__(self, runner: JobRunner, answers: ArchivedAnswers) -> None:
        """Take who runs them, and where their times are."""
        self._runner = runner
        self._answers = answers

    async def run(self, job: Fetch) -> Fetched:
        """Do a job; asked again, the archive would say the same."""
        fetched = await self._runner.run(job)
        is_head = job.kind is FetchKind.CHECK
        time = self._answers.time_of(job.url, is_head=is_head)
        visit = fetched.visit
        answered: dict[str, object] = {
            "transient": False,
            "retry_after_s": None,
            "ttfb_ms": 0,
            "elapsed_ms": 0,
        }
        if time is not None:
            answered["fetched_at"] = time
        return replace(fetched, visit=replace(visit, **answered))

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Go on by these."""
        self._runner.reconfigure(configure)

    async def drop(self) -> None:
        """Return when no request is under way."""
        await self._runner.drop()
