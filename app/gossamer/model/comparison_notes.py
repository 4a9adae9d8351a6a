"""What a user should know before believing a comparison: sentences."""

from collections.abc import Iterator
from typing import Final

from gossamer.model.comparison_results import ComparedSide, ComparisonSummary
from gossamer.model.number_format import number
from gossamer.model.settings.crawl_settings import SETTINGS
from gossamer.model.translatable import Sentence, Translatable, enumerated, said

_UNFINISHED: Final[tuple[Sentence, Sentence]] = (
    "The crawl before is not finished: {waiting} URLs were still waiting; they are not compared.",
    "The crawl after is not finished: {waiting} URLs were still waiting; they are not compared.",
)
_NOT_AUDITED: Final[tuple[Sentence, Sentence]] = (
    "The issues before are not up to date; audit that project, then compare again.",
    "The issues after are not up to date; audit that project, then compare again.",
)
_UNSEEN: Final[tuple[Sentence, Sentence]] = (
    "The last audit before is older than {urls} URLs: their issues of the whole crawl are unknown.",
    "The last audit after is older than {urls} URLs: their issues of the whole crawl are unknown.",
)


def comparison_notes(summary: ComparisonSummary) -> list[Translatable]:
    """What makes the result doubtful: unfinished crawls, old audits, other settings or sites."""
    return [*_of_sides(summary), *_of_both(summary)]


def rewrite_hints(summary: ComparisonSummary) -> list[Translatable]:
    """How to compare folders that have probably moved with their former ones."""
    return [
        said(
            "{pages} pages moved from {before} to {after}. To compare them, map the addresses: "
            "--map {before}={after}",
            pages=number(each.pages),
            before=each.before,
            after=each.after,
        )
        for each in summary.rewrites
    ]


def _of_sides(summary: ComparisonSummary) -> Iterator[Translatable]:
    for side, unfinished, not_audited, unseen in zip(
        (summary.before, summary.after), _UNFINISHED, _NOT_AUDITED, _UNSEEN, strict=True
    ):
        if not side.is_finished and side.urls:
            yield said(unfinished, waiting=number(side.pending))
        if not side.is_audited:
            yield said(not_audited)
        if side.unseen:
            yield said(unseen, urls=number(side.unseen))


def _of_both(summary: ComparisonSummary) -> Iterator[Translatable]:
    before, after = summary.before, summary.after
    if before.path == after.path:
        yield said("Both sides are the same project.")
    elif before.created_at > after.created_at:
        yield said("The project named first is the later one: what is new here was there before.")
    if summary.settings:
        names = [SETTINGS[each.name].name for each in summary.settings]
        yield said(
            "The crawls have different settings, which can explain differences: {settings}.",
            settings=enumerated(names),
        )
    if summary.mapping and not summary.mapped:
        yield said("No address of the earlier crawl begins with a mapped prefix.")
    if summary.name_other_copy:
        yield said(
            "{number} pages have their canonical on the other copy of the site. That is no"
            " difference here; but their issues are those of canonicalised pages.",
            number=number(summary.name_other_copy),
        )
    if _have_nothing_in_common(summary, before, after):
        yield said(
            "The crawls have no address in common; map the hosts of one crawl to those "
            "of the other."
        )


def _have_nothing_in_common(
    summary: ComparisonSummary, before: ComparedSide, after: ComparedSide
) -> bool:
    has_both = bool(before.urls and after.urls)
    return has_both and summary.new == after.urls and summary.missing == before.urls
