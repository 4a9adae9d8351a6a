"""Runs `gossamer redirects`: crawls if need be, checks each pair, reports the results."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import structs

from gossamer.audit.redirect_check import CheckedRedirect, check_redirects
from gossamer.cli import EXIT_GATE, EXIT_INTERRUPTED
from gossamer.cli.crawl_command import crawl_for_audit
from gossamer.cli.crawl_summary import as_json
from gossamer.cli.export_command import wanted_exports, write_exports
from gossamer.cli.fail_on import FailThreshold, parse_bound
from gossamer.cli.interrupt_signals import noting_interrupt
from gossamer.cli.parsed_commands import RedirectsCommand
from gossamer.cli.redirects_text import redirects_object, redirects_text
from gossamer.cli.terminal import complain, listed, remark, write_out
from gossamer.cli.url_list_input import checked_lines, typed_text
from gossamer.export.redirect_check_sheet import check_sheet_output, write_redirect_checks
from gossamer.export.row_counter import ExportCancelled, RowCounter
from gossamer.model.errors import BugError, OutputError, UsageError
from gossamer.model.number_format import number
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.session.redirect_table_files import parsed_table, refuse_workbook
from gossamer.store.project import check, stored_settings
from gossamer.store.reading.reader import Reader
from gossamer.urls.expected_redirects import ExpectedRedirect, addresses_of

_GATES: Final[Mapping[str, Callable[[CheckedRedirect], bool]]] = {
    "wrong": lambda each: not each.is_right,
    "chains": lambda each: each.is_chain,
    "temporary": lambda each: each.is_temporary,
}
"""What `--fail-on` counts."""


class _Found(NamedTuple):
    project: Path
    redirects: Sequence[CheckedRedirect]


def check_pairs(command: RedirectsCommand) -> int:
    """Run `gossamer redirects` and return the exit code."""
    bounds = [_bound(text) for text in command.fail_on]
    _check_outputs(command)
    expected = _expected(command)
    crawl = command.crawl
    if crawl is None:
        project, code = _project(command), 0
        exports = wanted_exports(command.exports, project, stored_settings(project))
    else:
        settings = structs.replace(crawl.settings, roots=addresses_of(expected))
        exports = wanted_exports(command.exports, crawl.output, settings)
        project, code = crawl_for_audit(structs.replace(crawl, settings=settings))
    if code:
        return code
    with Reader(project) as reader:
        found = _Found(project, list(check_redirects(reader, expected)))
    if not _written(command, found):
        return EXIT_INTERRUPTED
    if exports and write_exports(project, exports, quiet=command.quiet):
        return EXIT_INTERRUPTED
    return _gated(bounds, found.redirects)


def _expected(command: RedirectsCommand) -> tuple[ExpectedRedirect, ...]:
    """The pairs of the table; UsageError for the first invalid line."""
    refuse_workbook(command.table)
    table = parsed_table(command.table, typed_text(command.table), command.base)
    checked_lines(command.table, table.wrong)
    return table.expected


def _project(command: RedirectsCommand) -> Path:
    if command.project is None:
        raise BugError("redirects of neither a project nor a crawl")
    check(command.project)
    return command.project


def _check_outputs(command: RedirectsCommand) -> None:
    """UsageError or OutputError if a table could not be written in the end."""
    for out in command.outputs:
        check_sheet_output(out)
        for other in (command.project, Path(command.table)):
            if other is not None and other.exists() and out.exists() and out.samefile(other):
                raise OutputError("{path} is what is read; choose another name.", path=out)
    if len({out.resolve() for out in command.outputs}) < len(command.outputs):
        raise UsageError("Two outputs are written to one file; specify two files.")


def _written(command: RedirectsCommand, found: _Found) -> bool:
    """Write and print the results; False if that was interrupted."""
    with noting_interrupt() as interrupted:
        for out in command.outputs:
            try:
                write_redirect_checks(found.redirects, out, RowCounter(None, interrupted))
            except ExportCancelled:
                complain(f"The export was cancelled; {out} was not written.")
                return False
            if not command.quiet:
                remark(f"Saved {out}.")
    if command.json:
        write_out(as_json(redirects_object(found.project, found.redirects)))
    else:
        write_out(redirects_text(found.project, found.redirects))
    return True


def _bound(text: str) -> FailThreshold:
    bound = parse_bound(text, DEFAULTS, _GATES.__contains__)
    if bound is None or bound.rule is not None:
        raise UsageError(f"--fail-on takes {listed(list(_GATES), 'or')}, not {text!r}.")
    return bound


def _gated(bounds: Sequence[FailThreshold], redirects: Sequence[CheckedRedirect]) -> int:
    """The exit code after `bounds` are applied; says what exceeds them."""
    counts = Counter(name for each in redirects for name, counts in _GATES.items() if counts(each))
    exceeded = [bound for bound in bounds if counts[bound.name] > bound.most]
    for bound in exceeded:
        found, allowed = number(counts[bound.name]), number(bound.most)
        complain(f"--fail-on {bound.name}: {found} found, {allowed} allowed.")
    return EXIT_GATE if exceeded else 0
