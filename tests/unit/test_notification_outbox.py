"""The outbox: what waits, when it is due, what is told again, and that nothing is told twice."""

import asyncio
import multiprocessing
import os
import stat
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.model.errors import ProjectError
from gossamer.model.translatable import said
from gossamer.notifying.channel_decision import ChannelDecision
from gossamer.notifying.channels import (
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    NotificationChannel,
    channel_key,
    stored_channel,
)
from gossamer.notifying.conditions import ConditionKind, parse_condition
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.delivery_retries import DELAYS_S, KEEP_S
from gossamer.notifying.findings import ConditionFinding
from gossamer.notifying.notification_messages import MAX_CRAWLS, Message
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import Delivered, deliver_due
from gossamer.store.notification_outbox import DeliveryState, Outbox
from tests.fakes.notifications import NOW, digest

DESKTOP = DesktopChannel()
KEY = channel_key(DESKTOP)
SERIES = "5e" * 16
ROBOTS = parse_condition("robots")
ERRORS = parse_condition("errors")


class Sent:
    """A channel's other end; it fails as often as it is told to."""

    def __init__(self, *failures: DeliveryError) -> None:
        self.failures = list(failures)
        self.messages: list[Message] = []
        self.tries = 0

    async def __call__(
        self, channel: NotificationChannel, message: Message, language: str, now_s: float
    ) -> None:
        del channel, language, now_s
        self.tries += 1
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        self.messages.append(message)


def turn(
    *,
    fingerprint: str = "a",
    conditions: tuple[str, ...] = ("robots",),
    now_s: float = NOW,
    repeats: bool = False,
    since_s: float | None = None,
    wait_s: float = 0.0,
    language: str = "en",
) -> ChannelDecision:
    held = tuple(parse_condition(each) for each in conditions)
    rule = NotificationRule("r", held, (DESKTOP,), repeats=repeats, language=language)
    return ChannelDecision(
        (rule,),
        {each: ConditionFinding(each, said("It holds"), (), 1, fingerprint) for each in held},
        digest(),
        KEY,
        now_s,
        now_s if since_s is None else since_s,
        wait_s,
    )


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "data" / "outbox.sqlite")


def enqueue(outbox: Outbox, *turns: ChannelDecision) -> list[bool]:
    return [outbox.enqueue(SERIES, KEY, each.decide) for each in turns]


def deliver(outbox: Outbox, sent: Sent, now_s: float = NOW) -> list[Delivered]:
    return asyncio.run(deliver_due(outbox, send=sent, clock=lambda: now_s))


def content(outbox: Outbox) -> list[Message]:
    return [msgspec.json.decode(each.content, type=Message) for each in outbox.messages()]


def test_an_outbox_that_was_never_needed_is_not_made(outbox: Outbox) -> None:
    assert deliver(outbox, Sent()) == []
    assert outbox.messages() == []
    assert outbox.retry((), NOW) == 0
    assert not outbox.exists


def test_it_is_for_its_owner_alone(outbox: Outbox) -> None:
    enqueue(outbox, turn())
    assert stat.S_IMODE(outbox.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(outbox.path.parent.stat().st_mode) == 0o700


def test_the_same_state_is_told_once_and_again_when_it_comes_back(outbox: Outbox) -> None:
    assert enqueue(outbox, turn(), turn(), turn(fingerprint="b")) == [True, False, True]
    assert enqueue(outbox, turn(conditions=())) == [False]  # it holds no more
    assert enqueue(outbox, turn(fingerprint="b")) == [True]


def test_what_cannot_be_decided_of_a_crawl_stays_told(outbox: Outbox) -> None:
    assert enqueue(outbox, turn()) == [True]
    undecided = replace(turn(), found={}, decidable=frozenset({ConditionKind.ENDED}))
    assert enqueue(outbox, undecided, turn()) == [False, False]


def test_a_rule_may_repeat(outbox: Outbox) -> None:
    assert enqueue(outbox, turn(repeats=True), turn(repeats=True)) == [True, True]


def test_only_what_is_new_is_told(outbox: Outbox) -> None:
    enqueue(outbox, turn())
    sent = Sent()
    deliver(outbox, sent)
    enqueue(outbox, turn(conditions=("robots", "errors")))
    deliver(outbox, sent)
    assert [each.condition for each in sent.messages[1].crawls[0].conditions] == ["errors:0"]


def test_what_waits_is_put_into_one_message(outbox: Outbox) -> None:
    """A flood of crawls, of which a channel hears at most every hour."""
    enqueue(outbox, *(turn(fingerprint=str(each)) for each in range(MAX_CRAWLS + 5)))
    (message,) = content(outbox)
    assert (len(message.crawls), message.omitted) == (MAX_CRAWLS, 5)
    assert len(outbox.messages()) == 1


def test_messages_in_different_languages_are_not_mixed(outbox: Outbox) -> None:
    enqueue(outbox, turn(), turn(fingerprint="b", language="zh_CN"))
    assert [each.language for each in outbox.messages()] == ["en", "zh_CN"]


@pytest.mark.parametrize("reached", [True, False])
def test_a_message_that_may_have_arrived_is_not_changed_any_more(
    outbox: Outbox, *, reached: bool
) -> None:
    """Its receiver knows it by its id. While a server is down, messages become one."""
    enqueue(outbox, turn())
    deliver(outbox, Sent(DeliveryError(said("later"), reached=reached)))
    enqueue(outbox, turn(fingerprint="b"))
    assert [len(each.crawls) for each in content(outbox)] == ([1, 1] if reached else [2])


def test_a_message_is_not_changed_while_it_is_sent_or_when_its_sender_was_killed(
    outbox: Outbox,
) -> None:
    enqueue(outbox, turn())
    (entry,) = outbox.messages()
    assert outbox.begin(entry.id, NOW, 60.0) is not None  # and no more of that process
    enqueue(outbox, turn(fingerprint="b"))
    assert [len(each.crawls) for each in content(outbox)] == [1, 1]
    assert len(deliver(outbox, Sent(), NOW)) == 1
    assert [each.problem for each in deliver(outbox, Sent(), NOW + 60)] == [None]
    assert content(outbox)[0].id == entry.id


def test_a_channel_hears_no_more_often_than_its_interval(outbox: Outbox) -> None:
    sent = Sent()
    enqueue(outbox, turn())
    deliver(outbox, sent)
    enqueue(outbox, turn(fingerprint="b", now_s=NOW + 10, since_s=NOW, wait_s=3_600))
    assert deliver(outbox, sent, NOW + 3_599) == []
    assert len(deliver(outbox, sent, NOW + 3_600)) == 1


def test_a_clock_that_goes_backwards_lets_nothing_wait_for_it(outbox: Outbox) -> None:
    enqueue(outbox, turn(now_s=NOW, since_s=NOW + 10**7, wait_s=3_600))
    assert len(deliver(outbox, Sent(), NOW)) == 1


def test_failures_are_tried_again_with_growing_delays(outbox: Outbox) -> None:
    failures = [DeliveryError(said("no")) for _ in range(len(DELAYS_S))]
    enqueue(outbox, turn())
    sent, now_s = Sent(*failures), NOW
    for delay_s in DELAYS_S:
        (result,) = deliver(outbox, sent, now_s)
        assert str(result.problem) == "no"
        assert deliver(outbox, sent, now_s + delay_s - 1) == []
        now_s += delay_s
    assert [each.problem for each in deliver(outbox, sent, now_s)] == [None]
    assert outbox.sent_at(KEY) == now_s
    assert sent.messages[0].id == content(outbox)[0].id


def test_after_days_a_message_is_given_up_but_not_before_it_was_tried(outbox: Outbox) -> None:
    """The computer may have been off."""
    enqueue(outbox, turn())
    late = NOW + KEEP_S + 1
    (result,) = deliver(outbox, Sent(DeliveryError(said("no"))), late)
    assert result.is_over
    (entry,) = outbox.messages(DeliveryState.GIVEN_UP)
    assert deliver(outbox, Sent(), late + KEEP_S) == []
    assert outbox.retry([entry.number], late) == 1
    assert [each.problem for each in deliver(outbox, Sent(), late)] == [None]


def test_what_cannot_arrive_is_given_up_at_once(outbox: Outbox) -> None:
    enqueue(outbox, turn())
    deliver(outbox, Sent(DeliveryError(said("no such user"), is_final=True)))
    assert [each.state for each in outbox.messages()] == [DeliveryState.GIVEN_UP]


def test_what_was_given_up_is_told_again_though_it_has_not_changed(outbox: Outbox) -> None:
    enqueue(outbox, turn())
    deliver(outbox, Sent(DeliveryError(said("no such recipient"), is_final=True)))
    assert enqueue(outbox, turn()) == [True]
    sent = Sent()
    deliver(outbox, sent)
    assert len(sent.messages) == 1
    assert enqueue(outbox, turn()) == [False]


def test_one_channel_that_fails_does_not_keep_others(outbox: Outbox) -> None:
    other = CommandChannel(("true",))
    enqueue(outbox, turn())
    rule = NotificationRule("r", (ROBOTS,), (other,))
    found = {ROBOTS: ConditionFinding(ROBOTS, said("x"), (), 1, "a")}
    key = channel_key(other)
    own = ChannelDecision((rule,), found, digest(), key, NOW, NOW, 0.0)
    outbox.enqueue(SERIES, key, own.decide)
    results = deliver(outbox, Sent(DeliveryError(said("no"))))
    assert sorted(each.problem is None for each in results) == [False, True]


def test_a_channel_to_which_nothing_can_be_sent_is_given_up_and_keeps_no_other(
    outbox: Outbox,
) -> None:
    """Its rule was edited in the file, and is not what any check had accepted."""
    enqueue(outbox, turn())
    wrong = EmailChannel("a@b.example", "nonsense", "c@d.example")
    rule = NotificationRule("r", (ROBOTS,), (wrong,))
    found = {ROBOTS: ConditionFinding(ROBOTS, said("x"), (), 1, "a")}
    key = channel_key(wrong)
    own = ChannelDecision((rule,), found, digest(), key, NOW, NOW, 0.0)
    outbox.enqueue(SERIES, key, own.decide)
    sent = Sent()
    results = {each.channel: each for each in deliver(outbox, sent)}
    assert results[wrong].is_over
    assert "is not a mail server" in str(results[wrong].problem)
    assert results[DESKTOP].problem is None
    assert len(sent.messages) == 1


def test_messages_to_a_channel_of_a_newer_release_wait_for_it_and_keep_no_other(
    outbox: Outbox,
) -> None:
    """Two releases may share a home directory, or somebody goes back to an older one."""
    enqueue(outbox, turn())
    key = '{"type":"newer"}'
    own = replace(turn(), channel=key)
    outbox.enqueue(SERIES, key, own.decide)
    sent = Sent()
    assert [each.channel for each in deliver(outbox, sent)] == [DESKTOP]
    (waiting,) = outbox.messages(DeliveryState.WAITING)
    assert (waiting.tries, str(stored_channel(waiting.channel).said)) == (
        0,
        "channel of a newer Gossamer",
    )


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "outbox.sqlite", waiting=20, kept=4)
    for number in range(23):
        entry = turn(fingerprint=str(number), language=f"{number}")
        outbox.enqueue(SERIES, KEY, entry.decide)
    waiting = outbox.messages(DeliveryState.WAITING)
    assert len(waiting) == 20
    assert [each.language for each in outbox.messages(DeliveryState.GIVEN_UP)] == ["0", "1", "2"]
    deliver(outbox, Sent())
    assert len(outbox.messages()) == 4


def _deliver_slowly(path: Path, log: Path, barrier: "multiprocessing.synchronize.Barrier") -> None:
    async def send(
        channel: NotificationChannel, message: Message, language: str, now_s: float
    ) -> None:
        del channel, language, now_s
        with log.open("a") as file:
            file.write(f"{message.id} {os.getpid()}\n")
        await asyncio.sleep(0.05)

    barrier.wait()
    asyncio.run(deliver_due(Outbox(path), send=send, clock=lambda: NOW))


def test_two_processes_deliver_each_message_once(outbox: Outbox, tmp_path: Path) -> None:
    languages = [str(number) for number in range(5)]
    enqueue(outbox, *(turn(fingerprint=each, language=each) for each in languages))
    log = tmp_path / "log"
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    processes = [
        context.Process(target=_deliver_slowly, args=(outbox.path, log, barrier)) for _ in range(2)
    ]
    for each in processes:
        each.start()
    for each in processes:
        each.join(60)
    ids = [line.split()[0] for line in log.read_text().splitlines()]
    assert sorted(ids) == sorted(each.id for each in outbox.messages())
    assert {each.state for each in outbox.messages()} == {DeliveryState.DELIVERED}


def test_what_another_puts_in_while_it_is_delivered_is_delivered_too(outbox: Outbox) -> None:
    enqueue(outbox, turn())

    class Busy(Sent):
        async def __call__(
            self, channel: NotificationChannel, message: Message, language: str, now_s: float
        ) -> None:
            if not self.messages:
                enqueue(outbox, turn(fingerprint="b"))
            await super().__call__(channel, message, language, now_s)

    sent = Busy()
    deliver(outbox, sent)
    assert len(sent.messages) == 2


def test_an_outbox_that_is_lost_while_it_is_delivered_is_told_in_a_sentence(
    outbox: Outbox,
) -> None:
    enqueue(outbox, turn())

    class Losing(Sent):
        async def __call__(
            self, channel: NotificationChannel, message: Message, language: str, now_s: float
        ) -> None:
            await super().__call__(channel, message, language, now_s)
            outbox.path.write_bytes(b"something else " * 1000)

    with pytest.raises(ProjectError, match="move it elsewhere"):
        deliver(outbox, Losing())


def test_a_damaged_outbox_is_told_in_a_sentence(outbox: Outbox) -> None:
    outbox.path.parent.mkdir()
    outbox.path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    with pytest.raises(ProjectError, match="move it elsewhere"):
        outbox.messages()


def test_another_version_is_left_alone(outbox: Outbox) -> None:
    enqueue(outbox, turn())
    import sqlite3  # noqa: PLC0415 - tests may

    with sqlite3.connect(outbox.path) as connection:
        connection.execute("PRAGMA user_version=2")
    connection.close()
    with pytest.raises(ProjectError, match="newer"):
        outbox.messages()
