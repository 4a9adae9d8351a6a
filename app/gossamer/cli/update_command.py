"""Runs `gossamer updates`: checks whether there is a newer version."""

import asyncio

import msgspec

from gossamer.cli.crawl_summary import as_json
from gossamer.cli.parsed_commands import UpdatesCommand
from gossamer.cli.terminal import printable, write_out
from gossamer.session.update_check import check_for_updates
from gossamer.session.update_report import UpdateReport


def show_updates(command: UpdatesCommand) -> int:
    """Run the command and return the exit code; UpdateCheckError."""
    report = asyncio.run(check_for_updates())
    if command.json:
        write_out(as_json(msgspec.to_builtins(report)))
    else:
        write_out(f"{printable(_sentence(report))}\n")
    return 0


def _sentence(report: UpdateReport) -> str:
    if not report.is_newer:
        return f"Gossamer {report.version} is the latest version."
    return f"Gossamer {report.latest} is available (this is {report.version}): {report.page}"
