"""The interfaces through which the export dialog exports and audits, and their implementation."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from gossamer.export.archive_exports import ensure_archive
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportResult, Preview, preview
from gossamer.export.view_bundles import Request
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.store.reading.reader import Reader


class Exporter(Protocol):
    """Exports a project, on any thread. Raises what `gossamer.export.exporter.export` raises."""

    def write(
        self,
        project: Path,
        request: Request,
        *,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> ExportResult:
        """Write what is requested; a cancelled export leaves no file."""

    def preview(
        self, project: Path, selection: ExportSelection, rows: int, *, cancelled: Callable[[], bool]
    ) -> Preview:
        """Read the first `rows` rows of what is selected."""

    def ensure_archive(self, project: Path) -> None:
        """Raise a KnownError if a project has no archive or cannot be read."""

    def is_audited(self, project: Path) -> bool:
        """Whether the audit of a project is up to date."""

    async def audit(self, on_step: Callable[[ProcessStep], None]) -> None:
        """Bring the audit of the project shown up to date, and wait until it ends or fails."""

    def cancel_audit(self) -> None:
        """End the audit."""


class Auditing(Protocol):
    """Runs the audit of the project shown; `AuditController` does."""

    async def complete(self, on_step: Callable[[ProcessStep], None]) -> None:
        """See `Exporter.audit`."""

    def cancel(self) -> None:
        """End the audit."""


class ProjectExporter:
    """Exports project files, and has them audited."""

    def __init__(self, auditing: Auditing) -> None:
        self._auditing = auditing

    def write(
        self,
        project: Path,
        request: Request,
        *,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> ExportResult:
        """See `Exporter`."""
        request.check(project)
        return request.write(project, progress, cancelled)

    def preview(
        self, project: Path, selection: ExportSelection, rows: int, *, cancelled: Callable[[], bool]
    ) -> Preview:
        """See `Exporter`."""
        return preview(project, selection, rows, cancelled=cancelled)

    def ensure_archive(self, project: Path) -> None:
        """See `Exporter`."""
        ensure_archive(project)

    def is_audited(self, project: Path) -> bool:
        """See `Exporter`."""
        with Reader(project) as reader:
            return reader.audit_state().is_current

    async def audit(self, on_step: Callable[[ProcessStep], None]) -> None:
        """See `Exporter`."""
        await self._auditing.complete(on_step)

    def cancel_audit(self) -> None:
        """See `Exporter`."""
        self._auditing.cancel()
