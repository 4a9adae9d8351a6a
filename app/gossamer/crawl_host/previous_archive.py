"""The archive of the previous crawl: unchanged records are copied into that of a recrawl."""

from pathlib import Path

from msgspec.structs import replace

from gossamer.archive.archive_files import ArchiveFiles
from gossamer.archive.record_copies import RecordCopies, referred_record
from gossamer.archive.warc_reader import ArchiveReadError
from gossamer.model.archive_record import ArchiveRecord, ReferredRecord, archive_folder
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.store.locking.file_identity import file_of


class PreviousArchive:
    """Copies from the archive of a previous project, for one thread."""

    def __init__(self, previous: Path, target: Path, settings: CrawlSettings) -> None:
        """Copy from the project `previous` to the folder `target`."""
        self._folder = archive_folder(file_of(previous))
        self._copies = RecordCopies(ArchiveFiles(target, settings.user_agent))

    def close(self) -> None:
        """End the file being written."""
        self._copies.close()

    def referred(self, record: ArchiveRecord | None, url: str) -> ReferredRecord | None:
        """How a 304 for `url` refers to what `record` has; None if that could not be copied."""
        return None if record is None else referred_record(self._folder, record, url)

    def taken_over(self, visit: Visit, record: ArchiveRecord | None, url: str) -> Visit | None:
        """The visit of `url`, with its record copied; None if that cannot be read any more.

        If the disk rejects it, the visit says so.
        """
        if record is None:
            return None
        try:
            copied = self._copies.copy(self._folder, record, url)
        except ArchiveReadError:
            return None
        except OSError as e:
            return replace(visit, archive_errno=e.errno or -1)
        return replace(visit, archived=[copied])


def keeps_alike(before: CrawlSettings, settings: CrawlSettings) -> bool:
    """Whether archives by both settings keep the same of an unchanged response."""
    kept = (before.archive, before.archive_content, before.archive_types)
    wanted = (settings.archive, settings.archive_content, settings.archive_types)
    limits = (before.archive_max_bytes, before.archive_secrets)
    return kept == wanted and limits == (settings.archive_max_bytes, settings.archive_secrets)
