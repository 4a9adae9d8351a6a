"""Finds crawls to compare and compares them, through the session."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from gossamer.export.comparison_export import REPORT_SUFFIX, export_comparison
from gossamer.export.sheet import FormatOptions
from gossamer.gui.runtime.file_checks import is_file
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import ProjectError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.series_contents import CrawlSnapshot
from gossamer.session.audit_process import audit_project
from gossamer.session.comparison_process import compare_projects, comparison_folder
from gossamer.session.default_paths import SUFFIX
from gossamer.session.known_projects import ProjectInfo, glance, listed
from gossamer.session.series import series_of
from gossamer.store.comparing.comparison_reader import ComparisonReader
from gossamer.urls.url_mapping import UrlMapping

_RESULT: Final = "result.comparison"
_MOST_BESIDE: Final = 200
"""Projects in the folder of the one shown that are looked at."""


class SessionComparisons:
    """A ComparisonPort on real projects."""

    def crawls_of(self, project: Path) -> list[CrawlSnapshot]:
        """See `ComparisonPort`."""
        found = (each for each in series_of(project).crawls() if each.project)
        there = [each for each in found if is_file(Path(each.project))]
        return sorted(there, key=lambda each: -each.created_at)

    def others(self, remembered: Sequence[Path], beside: Path | None) -> list[CrawlSnapshot]:
        """See `ComparisonPort`."""
        near = [] if beside is None else islice(beside.parent.glob(f"*{SUFFIX}"), _MOST_BESIDE)
        found = listed([*near, *remembered])
        return [_snapshot(each) for each in found if not each.trouble and each.roots]

    def look(self, project: Path) -> CrawlSnapshot:
        """See `ComparisonPort`."""
        found = glance(project.absolute())
        if found.trouble is not None:
            raise ProjectError(found.trouble)
        return _snapshot(found)

    @asynccontextmanager
    async def comparison(
        self,
        before: Path,
        after: Path,
        mapping: UrlMapping,
        on_step: Callable[[ProcessStep], None],
    ) -> AsyncIterator[Path]:
        """See `ComparisonPort`."""
        with comparison_folder() as folder:
            result = folder / _RESULT
            await compare_projects(before, after, result, mapping=mapping, on_step=on_step)
            yield result

    async def audit(self, project: Path, on_step: Callable[[ProcessStep], None]) -> None:
        """See `ComparisonPort`."""
        await audit_project(project, on_step)

    def export(
        self,
        comparison: Path,
        target: Path,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> None:
        """See `ComparisonPort`."""
        with ComparisonReader(comparison) as reader:
            options = FormatOptions(say=spoken if target.suffix == REPORT_SUFFIX else str)
            export_comparison(reader, target, options, progress=progress, cancelled=cancelled)


def _snapshot(found: ProjectInfo) -> CrawlSnapshot:
    return CrawlSnapshot(
        created_at=found.created_at,
        project=str(found.path),
        root=found.roots[0] if found.roots else "",
        state=found.state,
        urls=found.found,
    )
