"""Finds responses in archives that have an index: the index says where they are."""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from gossamer.archive.captured_responses import (
    CapturedResponse,
    is_as_sent,
    read_capture,
    with_body_of,
)
from gossamer.archive.record_reader import RecordError
from gossamer.archive.warc_parts import reading_archive
from gossamer.model.archive_captures import ArchivePart, CaptureKind
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.outcome_details import DetailCode, NotArchivedError
from gossamer.store.archive_index import ArchiveIndex, FoundCapture, index_path
from gossamer.store.closed_on_exit import ClosedOnExit

_OPEN_FILES: Final = 32


class IndexedResponses(ClosedOnExit):
    """The responses in archives, for one thread. A few files stay open."""

    def __init__(self, source: ArchiveSource) -> None:
        """Open the index, which must exist; ProjectError if it cannot be read."""
        self._moment = source.moment
        self._index = ArchiveIndex(index_path([Path(each) for each in source.archives]))
        self._files: OrderedDict[Path, BinaryIO] = OrderedDict()
        self._sent: dict[ArchivePart, bool] = {}
        """Which parts have bodies as they were sent."""

    def close(self) -> None:
        """Close all files."""
        self._index.close()
        for file in self._files.values():
            file.close()
        self._files.clear()

    def capture(self, url: str, *, is_head: bool) -> FoundCapture | None:
        """Where the response to a request for `url` is; None if there is none."""
        return self._index.capture(url, self._moment, of_head=is_head)

    def times(self, found: FoundCapture) -> tuple[int, int]:
        """Milliseconds to the first byte and the last one; 0 where the archive does not say."""
        return self._index.times(found)

    def response(self, url: str, *, is_head: bool) -> CapturedResponse:
        """The response to a request for `url`; NotArchivedError if there is none.

        UsageError, also while its body is read, if an archive cannot be read any more.
        """
        found = self.capture(url, is_head=is_head)
        if found is None:
            raise NotArchivedError(DetailCode.ARCHIVE_NOTHING())
        response = self._read(found)
        if found.kind is not CaptureKind.REVISIT:
            return response
        original = self._index.original(found, url)
        if original is None:
            if is_head and response.head:
                return response
            raise NotArchivedError(DetailCode.ARCHIVE_OTHER())
        return with_body_of(response, self._read(original))

    def _read(self, found: FoundCapture) -> CapturedResponse:
        path = found.part.path
        try:
            with reading_archive(path):
                file = self._opened(path)
                if found.part not in self._sent:
                    self._sent[found.part] = is_as_sent(file, found.part)
                response = read_capture(
                    file, found.part, found.offset, found.kind, is_sent=self._sent[found.part]
                )
        except RecordError as e:
            raise NotArchivedError(DetailCode.ARCHIVE_DAMAGED()) from e
        return response._replace(body=_with_usage_errors(path, response.body))

    def _opened(self, path: Path) -> BinaryIO:
        file = self._files.get(path)
        if file is None:
            if len(self._files) >= _OPEN_FILES:
                self._files.popitem(last=False)  # closed when the last response from it is read
            file = self._files[path] = path.open("rb")
        self._files.move_to_end(path)
        return file


def _with_usage_errors(path: Path, pieces: Iterator[bytes]) -> Iterator[bytes]:
    with reading_archive(path):
        yield from pieces
