"""Runs `gossamer notify`: rules, tests, the outbox."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from time import time
from typing import Final

import msgspec

from gossamer.cli.crawl_summary import as_json
from gossamer.cli.credentials import ask_unseen
from gossamer.cli.parsed_notify_commands import (
    AddRuleCommand,
    ChannelOptions,
    DeliverCommand,
    ListRulesCommand,
    NotifyAboutCommand,
    OutboxCommand,
    RemoveRuleCommand,
    RetryCommand,
    TryRuleCommand,
)
from gossamer.cli.series_command import moment
from gossamer.cli.terminal import complain, counted, printable, remark, write_out
from gossamer.ipc import PASSWORD_VARIABLE
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import (
    Channel,
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    WebhookChannel,
    checked_channel,
)
from gossamer.notifying.conditions import EndKind, parse_condition
from gossamer.notifying.crawl_notification import (
    CrawlEnd,
    Told,
    deliver_waiting,
    notify_about,
)
from gossamer.notifying.deliveries import default_outbox, send, webhook_name
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.notification_rules import (
    NotificationRule,
    RuleStore,
    series_rules,
    store_of,
)
from gossamer.notifying.sample_message import sample_message
from gossamer.notifying.webhook_signature import new_secret
from gossamer.session.keyring import remember_text
from gossamer.session.series import series_named
from gossamer.store.outbox_file import DeliveryState, OutboxMessage

_WIDTH: Final = 10


def add_rule(command: AddRuleCommand) -> int:
    """Run `gossamer notify add` and return the exit code."""
    rule = NotificationRule(
        command.name,
        tuple(parse_condition(each, command.fields) for each in command.when),
        tuple(map(checked_channel, _channels(command.channels))),
        *(command.interval_s, command.repeats, command.language),
    ).checked()
    store = _store(command.of)
    store.ensure_free(rule.name, replaces=command.replaces)
    told = _keep_secrets(rule.channels)
    kept = store.add(rule, replaces=command.replaces)
    remark(f"Added the rule {kept.name!r} for {_place(store)}")
    for url, secret in told.items():
        remark(f"The secret for {url}, which is shown this once:")
        write_out(f"{secret}\n")
    return 0


def list_rules(command: ListRulesCommand) -> int:
    """Run `gossamer notify list` and return the exit code."""
    of_series = series_rules() if command.of is None else [_store(command.of)]
    stores = (RuleStore(), *of_series)
    found = [(_place(store), rule) for store in stores for rule in store.rules()]
    if command.json:
        write_out(as_json({"rules": [{"for": place, **_object(rule)} for place, rule in found]}))
        return 0
    for place, rule in found:
        write_out("".join(f"{printable(line)}\n" for line in _lines(place, rule)))
    if not found:
        remark("There are no rules; add one with 'gossamer notify add'.")
    return 0


def remove_rule(command: RemoveRuleCommand) -> int:
    """Run `gossamer notify remove` and return the exit code."""
    store = _existing(command.name, command.of)
    removed = store.remove(command.name)
    remark(f"Removed the rule {removed.name!r} for {_place(store)}")
    return 0


def try_rule(command: TryRuleCommand) -> int:
    """Run `gossamer notify test` and return the exit code."""
    rule = _existing(command.name, command.of).rule(command.name)
    message = sample_message(rule.name, time())
    failed = 0
    for channel in rule.channels:
        try:
            asyncio.run(send(channel, message, rule.language, time()))
        except DeliveryError as e:
            failed += 1
            complain(f"Not delivered: {channel.said}: {e.said}.")
        else:
            remark(f"Delivered: {channel.said}.")
    if failed:
        raise UsageError("The rule does not work as it is; correct it, or what it names.")
    return 0


def tell(command: NotifyAboutCommand) -> int:
    """Run `gossamer notify about` and return the exit code."""
    if command.ending not in set(EndKind):
        raise UsageError("A crawl has ended as {names}.", names=", ".join(EndKind))
    if not command.project.exists():
        raise UsageError("There is no project {path}.", path=command.project)
    ending = EndKind(command.ending)
    _report(notify_about(CrawlEnd(command.project, ending, before=command.before)))
    return 0


def show_outbox(command: OutboxCommand) -> int:
    """Run `gossamer notify outbox` and return the exit code."""
    entries = default_outbox().messages()
    if command.json:
        write_out(as_json({"messages": [_entry_object(each) for each in entries]}))
        return 0
    for each in entries:
        write_out(f"{printable(_entry_line(each))}\n")
    if not entries:
        remark("The outbox is empty.")
    return 0


def retry(command: RetryCommand) -> int:
    """Run `gossamer notify retry` and return the exit code."""
    count = default_outbox().retry(command.numbers, time())
    if command.numbers and count < len(set(command.numbers)):
        complain("Some of these messages have been delivered, or there are none of that number.")
    return _deliver()


def deliver(command: DeliverCommand) -> int:
    """Run `gossamer notify deliver` and return the exit code."""
    del command
    return _deliver()


def _deliver() -> int:
    told = asyncio.run(deliver_waiting())
    arrived = sum(each.problem is None for each in told.deliveries)
    remark(f"Delivered {counted(arrived, 'message')} of {len(told.deliveries)}")
    _report(told)
    return 0


def _report(told: Told) -> None:
    for sentence in told.sentences():
        complain(str(sentence))


def _store(of: str | None) -> RuleStore:
    return RuleStore() if of is None else RuleStore(series_named(of))


def _existing(name: str, of: str | None) -> RuleStore:
    """Where the rule is: `of` a series as typed, or wherever there is one of that name."""
    return store_of(name) if of is None else _store(of)


def _place(store: RuleStore) -> str:
    return "all crawls" if store.series is None else f"series {store.series.id[:8]}"


def _channels(options: ChannelOptions) -> Iterator[Channel]:
    if options.desktop:
        yield DesktopChannel()
    if options.email:
        if options.smtp is None or options.sender is None:
            raise UsageError("E-mails need --smtp SERVER and --from ADDRESS.")
        for address in options.email:
            yield EmailChannel(address, options.smtp, options.sender)
    for url in options.webhooks:
        yield WebhookChannel(url, options.signs)
    if options.command:
        yield CommandChannel(options.command)


def _keep_secrets(channels: Sequence[Channel]) -> dict[str, str]:
    """Put what the channels need into the keyring; the new secrets of webhooks."""
    made = {}
    asked = set()
    for channel in channels:
        if isinstance(channel, WebhookChannel) and channel.is_signed:
            made[channel.url] = new_secret()
            remember_text(webhook_name(channel), made[channel.url])
        elif isinstance(channel, EmailChannel) and channel.place.user:
            place = channel.place
            if place.keyring_name not in asked:
                asked.add(place.keyring_name)
                password = os.environ.get(PASSWORD_VARIABLE) or ask_unseen(
                    f"the password of {place.user} for {place.host}"
                )
                remember_text(place.keyring_name, password)
    return made


def _lines(place: str, rule: NotificationRule) -> Iterator[str]:
    yield f"{rule.name}  ({place})"
    for condition in rule.conditions:
        of = f" ({', '.join(condition.fields)})" if condition.fields else ""
        yield f"  {'when':{_WIDTH}}{condition.sentence}{of}"
    for channel in rule.channels:
        yield f"  {'tell':{_WIDTH}}{channel.said}"
    if rule.interval_s:
        yield f"  {'interval':{_WIDTH}}{rule.interval_s / 60:g} min"
    if rule.repeats:
        yield f"  {'repeat':{_WIDTH}}yes"


def _object(rule: NotificationRule) -> dict[str, object]:
    return {
        "name": rule.name,
        "when": [str(each) for each in rule.conditions],
        "fields": sorted({name for each in rule.conditions for name in each.fields}),
        "channels": [str(each.said) for each in rule.channels],
        "interval_s": rule.interval_s,
        "repeat": rule.repeats,
        "language": rule.language,
    }


def _entry_line(entry: OutboxMessage) -> str:
    channel = msgspec.json.decode(entry.channel, type=Channel)
    line = f"{entry.number:>4}  {moment(entry.created_at)}  {entry.state:9}  {channel.said}"
    problem = _problem(entry)
    if problem is not None:
        line += f": {problem} (tries: {entry.tries})"
    if entry.state is DeliveryState.WAITING:
        line += f"; next try {moment(entry.since + entry.wait_s)}"
    return line


def _entry_object(entry: OutboxMessage) -> dict[str, object]:
    problem = _problem(entry)
    channel = msgspec.json.decode(entry.channel, type=Channel)
    is_waiting = entry.state is DeliveryState.WAITING
    return {
        "number": entry.number,
        "id": entry.id,
        "created_at": moment(entry.created_at),
        "state": entry.state.value,
        "channel": str(channel.said),
        "tries": entry.tries,
        "problem": None if problem is None else str(problem),
        "next_try": moment(entry.since + entry.wait_s) if is_waiting else None,
    }


def _problem(entry: OutboxMessage) -> Translatable | None:
    if entry.problem:
        return msgspec.json.decode(entry.problem, type=Translatable)
    return said("the outbox was full") if entry.state is DeliveryState.GIVEN_UP else None
