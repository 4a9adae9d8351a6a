"""Notifies people about a crawl that has ended: called by every shell and schedule."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import time

from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.comparison_field_choice import COMPARED
from gossamer.model.crawl_progress import progress_of
from gossamer.model.errors import KnownError
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_counts import DONE, ERRORS, KNOWN, count
from gossamer.model.store_batch import ProjectSummary
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channel_decision import ChannelDecision
from gossamer.notifying.channels import NotificationChannel, channel_key
from gossamer.notifying.conditions import ConditionKind, EndKind, RuleCondition
from gossamer.notifying.crawl_facts import CrawlFacts
from gossamer.notifying.fact_reading import CrawlEnd, error_counts, read_facts
from gossamer.notifying.findings import decide
from gossamer.notifying.notification_messages import CrawlDigest
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import Delivered, Send, default_outbox, deliver_due, send
from gossamer.notifying.previous_project import previous_project
from gossamer.notifying.rule_store import EnabledRules, RuleStore, enabled_rules
from gossamer.session.audit_process import audit_project
from gossamer.session.comparison_process import compare_projects, comparison_folder
from gossamer.session.crawl_failure import crawl_failure
from gossamer.session.series import series_of
from gossamer.store.notification_outbox import Outbox
from gossamer.store.reading.reader import Reader

__all__ = ["CrawlEnd", "EndKind", "Told", "deliver_waiting", "notify_about", "rules_about"]


class Told(Struct, frozen=True):
    """The result of notifying: attempted deliveries, and earlier failures."""

    deliveries: Sequence[Delivered] = ()
    problems: Sequence[Translatable] = ()

    def sentences(self) -> list[Translatable]:
        """What the user should know: why something was not delivered."""
        failed = [
            said(
                "Not delivered: {channel}: {problem}; see 'gossamer notify outbox'.",
                channel=each.channel.said,
                problem=each.problem,
            )
            for each in self.deliveries
            if each.problem is not None
        ]
        return [*self.problems, *failed]


def rules_about(project: Path) -> tuple[str, EnabledRules]:
    """The series of a project, and the rules for it: those for all crawls, and the series' own.

    KnownError if they cannot be read.
    """
    series = series_of(project, gather=False)  # at the end of each crawl
    return series.id, enabled_rules(RuleStore(), RuleStore(series))


def notify_about(
    end: CrawlEnd,
    outbox: Outbox | None = None,
    *,
    send: Send = send,
    clock: Callable[[], float] = time,
) -> Told:
    """As `tell_about`, if no loop runs: it blocks for as long as the channels take."""
    return asyncio.run(tell_about(end, outbox, send=send, clock=clock))


async def tell_about(
    end: CrawlEnd,
    outbox: Outbox | None = None,
    *,
    send: Send = send,
    clock: Callable[[], float] = time,
) -> Told:
    """Notify about a crawl as the rules require, and deliver that with all else that is due.

    Without rules, and with nothing due, this only checks two files. Never raises for a fault of the
    world: failures are in the result, and what could not be delivered waits in the outbox. If rules
    need it, the project is audited, and compared with the crawl before, which is found if `end`
    does not name it.
    """
    outbox = outbox or default_outbox()
    problems: list[Translatable] = []
    try:
        await _enqueue_about(end, outbox, clock(), problems)
    except KnownError as e:
        problems.append(e.said)
    return await _delivered(outbox, problems, send, clock)


async def tell_of_no_crawl(
    site: str,
    why: Translatable,
    outbox: Outbox | None = None,
    *,
    send: Send = send,
    clock: Callable[[], float] = time,
) -> Told:
    """Notify, by the rules for all crawls about failures, that a crawl could not begin.

    It has no project, so no series is known, nor its rules. Otherwise as `tell_about`.
    """
    outbox = outbox or default_outbox()
    problems: list[Translatable] = []
    try:
        problems += await asyncio.to_thread(_enqueue_no_crawl, site, why, outbox, clock())
    except KnownError as e:
        problems.append(e.said)
    return await _delivered(outbox, problems, send, clock)


async def tell_of_shards(
    shards: Sequence[Path],
    ending: EndKind,
    why: Translatable,
    outbox: Outbox | None = None,
    *,
    send: Send = send,
    clock: Callable[[], float] = time,
) -> Told:
    """Notify that a crawl in shards cannot go on, or waits, which has no project yet.

    Of the conditions, only those about its end and its errors can be decided. Otherwise as
    `tell_about`.
    """
    outbox = outbox or default_outbox()
    problems: list[Translatable] = []
    try:
        told = (shards, ending, why, outbox, clock())
        problems += await asyncio.to_thread(_enqueue_shards, *told)
    except KnownError as e:
        problems.append(e.said)
    return await _delivered(outbox, problems, send, clock)


async def deliver_waiting(outbox: Outbox | None = None, *, send: Send = send) -> Told:
    """Deliver what is due; called where a process of ours has nothing else to report."""
    try:
        return Told(await deliver_due(outbox or default_outbox(), send=send))
    except KnownError as e:
        return Told(problems=[e.said])


async def _delivered(
    outbox: Outbox, problems: Sequence[Translatable], send: Send, clock: Callable[[], float]
) -> Told:
    try:
        return Told(await deliver_due(outbox, send=send, clock=clock), problems)
    except KnownError as e:
        return Told(problems=[*problems, e.said])


async def _enqueue_about(
    end: CrawlEnd, outbox: Outbox, now_s: float, problems: list[Translatable]
) -> None:
    series, enabled = await asyncio.to_thread(rules_about, end.project)
    rules = enabled.rules
    problems += enabled.problems
    conditions = _decidable(rules, end.decidable)
    if not conditions:
        return
    end = await asyncio.to_thread(_settled, end)
    kinds = {each.kind for each in conditions}
    if end.ending is EndKind.FINISHED and ConditionKind.ISSUE in kinds:
        await audit_project(end.project)
    if end.before is None:
        before = await asyncio.to_thread(_before, end.project)
        end = replace(end, before=before)
    async with _compared(end, conditions, problems) as compared:
        await asyncio.to_thread(_enqueue, compared, series, rules, outbox, now_s)


def _settled(end: CrawlEnd) -> CrawlEnd:
    """A finished crawl that does not show its site has failed."""
    if end.ending is not EndKind.FINISHED or (why := crawl_failure(end.project)) is None:
        return end
    return replace(end, ending=EndKind.FAILED, why=why)


def _before(project: Path) -> Path | None:
    return previous_project(project, series_of(project))


@asynccontextmanager
async def _compared(
    end: CrawlEnd, conditions: Collection[RuleCondition], problems: list[Translatable]
) -> AsyncIterator[CrawlEnd]:
    """The end of the crawl with its comparison, if requested; why that is impossible."""
    is_wanted = any(each.kind.needs_comparison for each in conditions)
    fields = {name for each in conditions for name in each.fields}
    is_there = end.comparison is not None and fields <= set(COMPARED)
    if not is_wanted or is_there or end.before is None:
        yield end
        return
    with comparison_folder() as folder:
        path = folder / "result.comparison"
        compared = replace(end, comparison=path)
        try:
            await compare_projects(end.before, end.project, path, fields=(*{*COMPARED, *fields},))
        except KnownError as e:  # what needs no comparison is reported all the same
            problems.append(e.said)
            compared = end
        yield compared


def _enqueue(
    end: CrawlEnd,
    series: str,
    rules: Sequence[NotificationRule],
    outbox: Outbox,
    now_s: float,
) -> None:
    kinds = {each.kind for each in _decidable(rules, end.decidable)}
    facts, summary = read_facts(end, kinds)
    _, left = rules_about(end.project)  # some may have been removed while crawls were compared
    rules = [each for each in rules if each in left.rules]
    _enqueue_facts(facts, _digest(end, series, summary, now_s), rules, outbox, now_s)


def _enqueue_no_crawl(
    site: str, why: Translatable, outbox: Outbox, now_s: float
) -> Sequence[Translatable]:
    """Returns what is wrong with rules."""
    enabled = enabled_rules(RuleStore())
    decidable = frozenset({ConditionKind.ENDED})
    facts = CrawlFacts(EndKind.FAILED, run=f"{site} {now_s}", why=why, decidable=decidable)
    digest = CrawlDigest(
        *(site, "", "", now_s, now_s, EndKind.FAILED),
        urls=0,
        pages=0,
        errors=0,
        conditions=(),
    )
    _enqueue_facts(facts, digest, enabled.rules, outbox, now_s)
    return enabled.problems


def _enqueue_shards(
    shards: Sequence[Path], ending: EndKind, why: Translatable, outbox: Outbox, now_s: float
) -> Sequence[Translatable]:
    """Returns what is wrong with rules."""
    series, enabled = rules_about(shards[0])
    if not enabled.rules:
        return enabled.problems
    outcomes: Counter[Outcome] = Counter()
    for path in shards:
        with Reader(path) as reader:
            summary = reader.summary()
        outcomes.update(summary.outcomes)
    del outcomes[Outcome.OTHER_SHARD]
    run = f"{summary.created_at} {count(outcomes, DONE)}"
    decidable = frozenset({ConditionKind.ENDED, ConditionKind.ERRORS})
    ended = CrawlFacts(ending, run, why, decidable=decidable)
    facts = replace(ended, **error_counts(outcomes))
    digest = CrawlDigest(
        site=next(iter(summary.settings.roots), ""),
        project=str(shards[0].parent.absolute()),
        series=series,
        started_at=summary.created_at,
        ended_at=now_s,
        ending=ending,
        urls=count(outcomes, KNOWN),
        pages=count(outcomes, PAGES),
        errors=count(outcomes, ERRORS),
        conditions=(),
    )
    _enqueue_facts(facts, digest, enabled.rules, outbox, now_s)
    return enabled.problems


def _enqueue_facts(
    facts: CrawlFacts,
    digest: CrawlDigest,
    rules: Sequence[NotificationRule],
    outbox: Outbox,
    now_s: float,
) -> None:
    conditions = _decidable(rules, facts.decidable)
    found = {each: finding for each in conditions if (finding := decide(each, facts, now_s))}
    for channel, of_channel in _by_channel(rules).items():
        key = channel_key(channel)
        last_s = outbox.sent_at(key)
        interval_s = max(each.interval_s for each in of_channel)
        since_s, wait_s = (now_s, 0.0) if last_s is None else (last_s, interval_s)
        turn = ChannelDecision(
            *(tuple(of_channel), found, digest, key, now_s, since_s, wait_s),
            decidable=facts.decidable,
        )
        outbox.enqueue(digest.series, key, turn.decide)


def _decidable(
    rules: Sequence[NotificationRule], kinds: frozenset[ConditionKind]
) -> set[RuleCondition]:
    """The conditions of rules that are of these kinds."""
    return {each for rule in rules for each in rule.conditions if each.kind in kinds}


def _by_channel(
    rules: Sequence[NotificationRule],
) -> dict[NotificationChannel, list[NotificationRule]]:
    found: dict[NotificationChannel, list[NotificationRule]] = {}
    for rule in rules:
        for channel in rule.channels:
            found.setdefault(channel, []).append(rule)
    return found


def _digest(end: CrawlEnd, series: str, summary: ProjectSummary, now_s: float) -> CrawlDigest:
    progress = progress_of(summary)
    return CrawlDigest(
        site=next(iter(summary.settings.roots), ""),
        project=str(end.project.absolute()),
        series=series,
        started_at=summary.created_at,
        ended_at=now_s,
        ending=end.ending,
        urls=progress.known,
        pages=progress.pages,
        errors=progress.errors,
        conditions=(),
    )
