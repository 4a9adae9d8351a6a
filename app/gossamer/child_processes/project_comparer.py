"""The comparison process: compares two projects, and ends."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.comparison.project_comparison import (
    ComparisonOptions,
    ComparisonProgress,
    compare,
)
from gossamer.ipc.single_task_process import TaskDefinition, serve_task
from gossamer.model.messages.comparison_messages import StartComparison
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.translatable import Sentence
from gossamer.store.comparing.compared_project import ComparisonCancelled
from gossamer.urls.url_mapping import MappedPrefix, UrlMapping


def _compare(
    start: StartComparison,
    report: Callable[[ProcessStep], None],
    is_cancelled: Callable[[], bool],
) -> None:
    def tell(progress: ComparisonProgress) -> None:
        report(ProcessStep(*progress))

    mapping = UrlMapping(MappedPrefix(*each) for each in start.mapping)
    bases = {number: rule.basis for number, rule in RULES.items()}
    options = ComparisonOptions(mapping, start.fields, start.filter_, bases)
    paths = Path(start.before), Path(start.after), Path(start.result)
    compare(*paths, options, tell, is_cancelled)


_UNFORESEEN: Final[Sentence] = (
    "The comparison failed unexpectedly; see the log for details, and please report it."
)
COMPARISON: Final = TaskDefinition(
    StartComparison,
    _compare,
    ComparisonCancelled,
    _UNFORESEEN,
)


async def main(log: str) -> int:
    """Serve the process that started this one; write to the file `log`."""
    return await serve_task(COMPARISON, log)
