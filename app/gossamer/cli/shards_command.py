"""Runs crawls that are divided among shards, and `gossamer merge`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import structs

from gossamer.cli import EXIT_INTERRUPTED
from gossamer.cli.crawl_command import (
    check_new,
    conclude,
    gated,
    secrets_for,
    wanted,
)
from gossamer.cli.crawl_end_notification import (
    long_wait_of_shards,
    tell_of_broken_off_shards,
    tell_of_crawl,
)
from gossamer.cli.crawl_summary import addresses
from gossamer.cli.credentials import complete, remember
from gossamer.cli.fail_on import bounds_of
from gossamer.cli.foreground_audit import ensure_audited
from gossamer.cli.foreground_crawl import RunResult, crawl_to_end
from gossamer.cli.interrupt_signals import noting_interrupt
from gossamer.cli.parsed_commands import (
    CrawlCommand,
    CrawlShardsCommand,
    ResumeCommand,
    ResumeShardsCommand,
)
from gossamer.cli.parsed_shard_commands import MergeCommand
from gossamer.cli.progress_display import display
from gossamer.cli.project_commands import progress_bar
from gossamer.cli.suggested_commands import resume_command
from gossamer.cli.terminal import complain, remark
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.number_format import number
from gossamer.model.outcome import UrlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.cluster_use import ensure_usable
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.default_paths import new_project_path
from gossamer.session.session_factory import checked_settings
from gossamer.session.snapshot_recorder import record_or_log
from gossamer.shards.shard_folder import create_shards, folder_beside, merged_beside, shards_in
from gossamer.shards.shard_merging import merge_shards
from gossamer.shards.sharded_crawl import ShardedCrawl
from gossamer.store.merging.project_merge import MergeCancelled
from gossamer.store.reading.reader import Reader
from gossamer.urls.series_id import site_series_id
from gossamer.urls.url_parsing import parse_root

_WHERE: Final = frozenset({"cluster", "insecure_cluster"})
"""What no project has, and each run may choose."""


def crawl_in_shards(request: CrawlShardsCommand, hosts: CrawlHostPool | None) -> int:
    """Run `gossamer crawl --shards` and return the exit code."""
    command = request.crawl
    wanted(command.exports, command.output, command.settings)
    bounds_of(command.fail_on, command.settings)
    if command.output is not None:
        check_new(command.output)
    settings, secrets, bound = secrets_for(command.credentials, command.settings)
    settings, kept = checked_settings(settings, secrets, bound)
    ensure_usable(settings, kept)
    if request.on_nodes:
        _ensure_nodes(settings, is_divided=request.shards > 0)
    merged = command.output or new_project_path(parse_root(settings.roots[0]))
    series = "" if command.begins_series else site_series_id(settings.roots)
    paths = create_shards(folder_beside(merged), settings, request.shards, series)
    crawl = ShardedCrawl(paths, hosts or CrawlHostPool())
    crawl.shards[0].add_secrets(kept)
    again = _choose_nodes(crawl, settings, command, on_nodes=request.on_nodes)
    return _crawl(crawl, merged, command, again)


def _ensure_nodes(settings: CrawlSettings, *, is_divided: bool) -> None:
    """Raise UsageError if there are no shards, or no nodes to crawl them."""
    if not (is_divided and settings.cluster):
        raise UsageError(
            "--shards-on-nodes needs shards and nodes; add {missing}.",
            missing="--cluster" if is_divided else "--shards",
        )


def _choose_nodes(
    crawl: ShardedCrawl,
    settings: CrawlSettings,
    command: CrawlCommand | ResumeCommand,
    *,
    on_nodes: bool,
) -> str:
    """Have the shards fetch on the cluster of this run, or be crawled there.

    Returns the command that continues them this way.
    """
    choice = settings.cluster_choice
    crawl.choose_cluster(choice)
    if on_nodes:
        crawl.crawl_on_nodes(choice)
    folder, values = crawl.shards[0].path.parent, command.credentials.login_values
    return resume_command(folder, choice, on_nodes=on_nodes, login_values=values)


def resume_shards(request: ResumeShardsCommand, hosts: CrawlHostPool | None) -> int:
    """Run `gossamer resume` on the folder of the shards of a crawl; return the exit code."""
    command = request.resume
    changes = dict(command.changes)
    where = {name: changes.pop(name) for name in _WHERE & changes.keys()}
    if changes or command.settings_file is not None:
        raise UsageError("The settings of a crawl in shards cannot be changed; crawl again.")
    if request.on_nodes and not command.project.is_dir():
        raise UsageError("--shards-on-nodes needs the folder of a crawl's shards; name that.")
    merged = merged_beside(command.project)
    crawl = ShardedCrawl(shards_in(command.project), hosts or CrawlHostPool())
    if merged.exists():
        raise UsageError(_merged_already(merged, command.project, crawl.state))
    _, secrets, bound = secrets_for(command.credentials, crawl.settings)
    crawl.shards[0].give(secrets)
    crawl.shards[0].add_secrets(bound)
    chosen: CrawlSettings = structs.replace(crawl.settings, **where)
    if request.on_nodes:
        _ensure_nodes(chosen, is_divided=True)
    again = _choose_nodes(crawl, chosen, command, on_nodes=request.on_nodes)
    return _crawl(crawl, merged, command, again)


def _merged_already(merged: Path, folder: Path, state: CrawlState) -> str:
    """What to do if the merged project of a folder of shards exists before its end."""
    with Reader(merged) as reader:
        is_finished = reader.summary().state is CrawlState.FINISHED
    if state is CrawlState.FINISHED and is_finished:
        return f"This crawl has finished, and is merged in {merged}."
    return (
        f"{merged} is in the way, where the shards are merged at the end. Go on with that:"
        f" {resume_command(merged)} - or move or delete it, and resume {folder} again."
    )


def _crawl(
    crawl: ShardedCrawl, merged: Path, command: CrawlCommand | ResumeCommand, again: str
) -> int:
    """Crawl to the end, merge, and report as after any other crawl; `again` continues it."""
    options, settings = command.output_options, crawl.settings
    exports = wanted(command.exports, merged, settings)
    bounds = bounds_of(command.fail_on, settings)
    folder = crawl.shards[0].path.parent
    if not options.quiet:
        roots = addresses(settings)
        others = f" and {number(len(roots) - 1)} more" if len(roots) > 1 else ""
        remark(f"Crawling {roots[0]}{others} in {len(crawl.shards)} shards into {folder}")
    ending, paths = _crawled(crawl, command), [shard.path for shard in crawl.shards]
    if not ending.is_finished:
        code = _broken_off(ending, again)
        tell_of_broken_off_shards(paths, ending)
        return code
    try:
        if not _merged(paths, merged, quiet=options.quiet):
            complain(f"Merge them with: {resume_command(folder)}")
            return EXIT_INTERRUPTED
        record_or_log(merged)
        code = conclude(merged, ending, exports, options, again)
    finally:
        if merged.exists():
            tell_of_crawl(merged, ending)
    return gated(code, merged, bounds, quiet=options.quiet)


def _crawled(crawl: ShardedCrawl, command: CrawlCommand | ResumeCommand) -> RunResult:
    if crawl.state is CrawlState.FINISHED:
        return RunResult()
    complete(crawl.shards[0], command.credentials)
    remember(crawl.shards[0], command.credentials)
    crawl.share_secrets()
    with display(quiet=command.output_options.quiet) as shown:
        wait = long_wait_of_shards([shard.path for shard in crawl.shards])
        return asyncio.run(crawl_to_end(crawl, shown, long_wait=wait))


def _broken_off(ending: RunResult, again: str) -> int:
    """Explain why a crawl did not finish, and how to continue it; returns the exit code."""
    if ending.trouble is not None:
        complain(str(ending.trouble.sentence))
        complain(f"Resume with: {again}")
        return ending.trouble.exit_code
    how = f"{ending.notice} Resume" if ending.notice else "Interrupted; resume"
    complain(f"{how} with: {again}")
    return EXIT_INTERRUPTED


def merge_crawl(command: MergeCommand) -> int:
    """Run `gossamer merge` and return the exit code."""
    check_new(command.output)
    paths = list(command.shards)
    if len(paths) == 1 and paths[0].is_dir():
        paths = shards_in(paths[0])
    if not _merged(paths, command.output, quiet=command.quiet):
        return EXIT_INTERRUPTED
    with Reader(command.output) as reader:
        summary = reader.summary()
    remark(f"Merged into {command.output}")
    if summary.state is not CrawlState.FINISHED:
        waiting = sum(n for each, n in summary.outcomes.items() if each.state is UrlState.QUEUED)
        remark(f"This crawl has not finished: {number(waiting)} URLs are queued.")
        remark(f"Resume it on this machine alone with: {resume_command(command.output)}")
        folder = paths[0].parent
        remark(f"Resume it in its shards with: {resume_command(folder)}")
    return 0


def _merged(paths: Sequence[Path], output: Path, *, quiet: bool) -> bool:
    """Make one project of the shards, and audit it as a whole; False if interrupted."""
    with noting_interrupt() as interrupted, progress_bar("merge") as show:
        try:
            merge_shards(paths, output, show, interrupted)
        except MergeCancelled:
            complain(f"The merge was cancelled; {output} was not written.")
            return False
    return ensure_audited(output, quiet=quiet)
