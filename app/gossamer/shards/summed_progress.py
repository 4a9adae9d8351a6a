"""Sums up the progress of all shards of a crawl."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from gossamer.model.crawl_progress import progress_by
from gossamer.model.crawl_state import PAUSES, CrawlState
from gossamer.model.messages.crawl_messages import InFlight, Progress
from gossamer.model.outcome import Outcome

_SHOWN: Final = 200


def summed(parts: Sequence[Progress], idle: Collection[int]) -> Progress:
    """The progress of the whole crawl; `idle` are the indexes of shards that wait for others.

    A URL of another shard is counted where it is fetched. The whole is paused when all shards are,
    except those with nothing to do.
    """
    outcomes: Counter[Outcome] = Counter()
    statuses: Counter[int] = Counter()
    for part in parts:
        outcomes.update({Outcome(each): number for each, number in part.outcomes.items()})
        statuses.update(part.statuses)
    outcomes.pop(Outcome.OTHER_SHARD, None)
    at_work = [part for place, part in enumerate(parts) if place not in idle] or list(parts)
    paused = [part for part in at_work if part.state in PAUSES]
    is_paused = len(paused) == len(at_work)
    in_flight: list[InFlight] = sorted(
        (each for part in parts for each in part.in_flight), key=lambda each: each.since
    )
    notices = [part for part in paused if part.notice] if is_paused else []
    return progress_by(
        outcomes,
        statuses,
        state=_state_of(at_work, is_paused=is_paused),
        seconds=max(part.seconds for part in parts),
        received_bytes=sum(part.received_bytes for part in parts),
        unchanged=sum(part.unchanged for part in parts),
        revision=sum(part.revision for part in parts),
        pages_per_second=sum(part.pages_per_second for part in parts),
        workers=sum(part.workers for part in parts),
        active=sum(part.active for part in parts),
        in_flight=in_flight[:_SHOWN],
        hosts=[host for part in parts for host in part.hosts][:12],
        notice=notices[0].notice if notices else None,
        login_url=notices[0].login_url if notices else "",
        silent_after_ms=max(
            (each.silent_after_ms for each in parts if each.silent_after_ms is not None),
            default=None,
        ),
        waits=bool(notices) and all(part.waits for part in notices),
    )


def _state_of(parts: Sequence[Progress], *, is_paused: bool) -> CrawlState:
    states = {part.state for part in parts}
    if len(states) == 1:
        return states.pop()
    if is_paused:
        return CrawlState.PAUSING
    order = (CrawlState.RUNNING, CrawlState.CANCELLING, CrawlState.PAUSING, CrawlState.PAUSED)
    return next((state for state in order if state in states), CrawlState.RUNNING)
