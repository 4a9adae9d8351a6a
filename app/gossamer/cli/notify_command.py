"""Runs `gossamer notify`: rules, tests, the outbox."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from time import time
from typing import Final

import msgspec
from msgspec.structs import replace

from gossamer.cli.crawl_summary import as_json
from gossamer.cli.notify_channels import channels_of, secrets_for
from gossamer.cli.parsed_notify_commands import (
    AddRuleCommand,
    DeliverCommand,
    EditRuleCommand,
    ListRulesCommand,
    NotifyAboutCommand,
    OutboxCommand,
    RemoveRuleCommand,
    RetryCommand,
    SwitchRuleCommand,
    TryRuleCommand,
)
from gossamer.cli.series_command import moment
from gossamer.cli.terminal import complain, counted, printable, remark, write_out
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, said, without_full_stop
from gossamer.notifying import rule_commands
from gossamer.notifying.channels import (
    NotificationChannel,
    WebhookChannel,
    checked_channel,
    secret_name,
    stored_channel,
)
from gossamer.notifying.conditions import ConditionKind, EndKind, RuleCondition, parse_condition
from gossamer.notifying.crawl_notification import (
    CrawlEnd,
    Told,
    deliver_waiting,
    notify_about,
)
from gossamer.notifying.notification_messages import Message, title_of
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import Send, default_outbox, send
from gossamer.notifying.rule_file import StoredRule
from gossamer.notifying.rule_store import RuleStore, series_rules, store_of
from gossamer.notifying.rule_trial import try_out
from gossamer.notifying.sitemap_condition import sitemap_warning
from gossamer.notifying.window_delivery import send_by_window
from gossamer.session.keyring import secrets_location
from gossamer.session.series import series_named
from gossamer.store.notification_outbox import DeliveryState, OutboxMessage

_WIDTH: Final = 10


def add_rule(command: AddRuleCommand) -> int:
    """Run `gossamer notify add` and return the exit code."""
    rule = NotificationRule(
        command.name,
        _conditions(command.when, command.fields),
        tuple(map(checked_channel, channels_of(command.channels))),
        *(command.interval_s, command.repeats, command.language),
    ).checked()
    store = _store(command.of)
    store.ensure_free(rule.name, replaces=command.replaces)
    secrets = secrets_for(rule.channels)
    kept, left = rule_commands.add_rule(store, rule, secrets, replaces=command.replaces)
    remark(f"Added the rule {kept.name!r} for {_place(store)}")
    _conclude(store, kept, secrets, left)
    return 0


def edit_rule(command: EditRuleCommand) -> int:
    """Run `gossamer notify edit` and return the exit code."""
    store = _existing(command.name, command.of)
    stored = store.stored_rule(command.name)
    before = stored.rule
    typed = {
        "name": command.new_name,
        "interval_s": command.interval_s,
        "repeats": command.repeats,
        "language": command.language,
    }
    channels = tuple(map(checked_channel, channels_of(command.channels, before.channels)))
    rule = replace(
        before,
        conditions=_edited_conditions(command, before),
        channels=channels,
        **{name: value for name, value in typed.items() if value is not None},
    ).checked()
    if rule == before and command.channels.smtp is None:
        raise UsageError("Say what to change of the rule: see 'gossamer notify edit --help'.")
    # If a mail server is named again, its password is entered again.
    known = () if command.channels.smtp else before.channels
    secrets = secrets_for(rule.channels, (*known, *_webhooks(before)))
    kept, left = rule_commands.change_rule(store, before, rule, secrets)
    if stored.is_partial and stored.fault is not None:
        complain(f"What could not be read of the rule was left out. {stored.fault}")
    remark(f"Changed the rule {kept.name!r} for {_place(store)}")
    _conclude(store, kept, secrets, left)
    return 0


def _conditions(when: Sequence[str], fields: tuple[str, ...]) -> tuple[RuleCondition, ...]:
    return tuple(parse_condition(each, fields) for each in when)


def _edited_conditions(
    command: EditRuleCommand, before: NotificationRule
) -> tuple[RuleCondition, ...]:
    """Those typed, else the former ones; `--field` alone is about all patterns of pages."""
    if command.when:
        return _conditions(command.when, command.fields)
    if not command.fields:
        return before.conditions
    if not any(each.kind is ConditionKind.PAGE for each in before.conditions):
        raise UsageError("--field is about pages: give --when page:PATTERN, too.")
    return tuple(
        replace(each, fields=command.fields) if each.kind is ConditionKind.PAGE else each
        for each in before.conditions
    )


def _webhooks(rule: NotificationRule) -> list[NotificationChannel]:
    return [each for each in rule.channels if isinstance(each, WebhookChannel)]


def _conclude(
    store: RuleStore, rule: NotificationRule, secrets: Mapping[str, str], left: Translatable | None
) -> None:
    """Show the new secrets of webhooks, and what else the user should know."""
    if secrets:
        remark(f"Its {'secret is' if len(secrets) == 1 else 'secrets are'} {secrets_location()}")
    for channel in _webhooks(rule):
        secret = secrets.get(secret_name(channel) or "")
        if secret is not None:
            remark(f"The secret for {channel.said}, which is shown this once:")
            write_out(f"{secret}\n")
    for sentence in (left, sitemap_warning(rule.conditions, store.series)):
        if sentence is not None:
            complain(str(sentence))


def switch(command: SwitchRuleCommand) -> int:
    """Run `gossamer notify enable` or `disable` and return the exit code."""
    store = _existing(command.name, command.of)
    rule, left = rule_commands.switch_rule(store, command.name, is_enabled=command.is_enabled)
    done = "Enabled" if rule.is_enabled else "Disabled"
    remark(f"{done} the rule {rule.name!r} for {_place(store)}")
    if left is not None:
        complain(str(left))
    return 0


def list_rules(command: ListRulesCommand) -> int:
    """Run `gossamer notify list` and return the exit code."""
    of_series = series_rules() if command.of is None else [_store(command.of)]
    stores = (RuleStore(), *of_series)
    found = [(_place(store), stored) for store in stores for stored in store.stored_rules()]
    if command.json:
        objects = [{"for": place, **_object(stored)} for place, stored in found]
        write_out(as_json({"rules": objects}))
        return 0
    for place, stored in found:
        write_out("".join(f"{printable(line)}\n" for line in _lines(place, stored)))
    if not found:
        remark("There are no rules; add one with 'gossamer notify add'.")
    return 0


def remove_rule(command: RemoveRuleCommand) -> int:
    """Run `gossamer notify remove` and return the exit code."""
    store = _existing(command.name, command.of)
    removed, left = rule_commands.remove_rule(store, command.name)
    remark(f"Removed the rule {removed.name!r} for {_place(store)}")
    if left is not None:
        complain(str(left))
    return 0


def try_rule(command: TryRuleCommand) -> int:
    """Run `gossamer notify test` and return the exit code."""
    stored = _existing(command.name, command.of).stored_rule(command.name)
    if stored.fault is not None:
        raise UsageError(stored.fault)
    rule = stored.rule
    trial = asyncio.run(try_out(rule))
    if command.for_window:
        write_out(f"{msgspec.json.encode(trial).decode()}\n")
        return 0
    remark(f"Sent: {trial.title}")
    for each in trial.channels:
        if each.problem is not None:
            complain(f"Not delivered: {each.channel}: {without_full_stop(str(each.problem))}.")
        else:
            response = "" if each.reply is None else f" ({each.reply})"
            remark(f"Delivered: {each.channel}{response}.")
    if trial.has_failed:
        raise UsageError("The rule does not work as it is; correct it, or what it names.")
    return 0


def tell(command: NotifyAboutCommand) -> int:
    """Run `gossamer notify about` and return the exit code."""
    if command.ending not in set(EndKind):
        raise UsageError("A crawl has ended as {names}.", names=", ".join(EndKind))
    if not command.project.exists():
        raise UsageError("There is no project {path}.", path=command.project)
    ending = EndKind(command.ending)
    end = CrawlEnd(command.project, ending, before=command.before)
    _report(notify_about(end, send=_sender(in_window=command.in_window)))
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
    return _deliver(_sender(in_window=command.in_window))


def _sender(*, in_window: bool) -> Send:
    return send_by_window if in_window else send


def _deliver(send: Send = send) -> int:
    told = asyncio.run(deliver_waiting(send=send))
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
    """The location of the rule: `of` a series as typed, or wherever there is one of that name."""
    return store_of(name) if of is None else _store(of)


def _place(store: RuleStore) -> str:
    return "all crawls" if store.series is None else f"series {store.series.id[:8]}"


def _lines(place: str, stored: StoredRule) -> Iterator[str]:
    rule = stored.rule
    yield f"{rule.name}  ({place})"
    if stored.fault is not None:
        yield f"  {'invalid':{_WIDTH}}{stored.fault}"
    for condition in rule.conditions:
        of = f" ({', '.join(condition.fields)})" if condition.fields else ""
        yield f"  {'when':{_WIDTH}}{condition.sentence}{of}"
    for channel in rule.channels:
        yield f"  {'tell':{_WIDTH}}{channel.said}"
    if rule.interval_s:
        yield f"  {'interval':{_WIDTH}}{rule.interval_s / 60:g} min"
    if rule.repeats:
        yield f"  {'repeat':{_WIDTH}}yes"
    if not rule.is_enabled:
        yield f"  {'disabled':{_WIDTH}}yes"


def _object(stored: StoredRule) -> dict[str, object]:
    rule = stored.rule
    return {
        "name": rule.name,
        "when": [str(each) for each in rule.conditions],
        "fields": sorted({name for each in rule.conditions for name in each.fields}),
        "channels": [str(each.said) for each in rule.channels],
        "interval_s": rule.interval_s,
        "repeat": rule.repeats,
        "language": rule.language,
        "enabled": rule.is_enabled,
        "invalid": None if stored.fault is None else str(stored.fault),
    }


def _entry_line(entry: OutboxMessage) -> str:
    channel = stored_channel(entry.channel)
    line = f"{entry.number:>4}  {moment(entry.created_at)}  {entry.state:9}  {channel.said}"
    message = _message(entry)
    of = f"[{', '.join(message.rules)}]  " if message.rules else ""
    line += f"  {of}{title_of(message)}"
    problem = _problem(entry)
    if problem is not None:
        line += f": {without_full_stop(str(problem))} (tries: {entry.tries})"
    if entry.state is DeliveryState.WAITING:
        line += f"; next try {moment(entry.since + entry.wait_s)}"
    return line


def _entry_object(entry: OutboxMessage) -> dict[str, object]:
    problem = _problem(entry)
    channel = stored_channel(entry.channel)
    is_waiting = entry.state is DeliveryState.WAITING
    return {
        "number": entry.number,
        "id": entry.id,
        "created_at": moment(entry.created_at),
        "state": entry.state.value,
        "channel": str(channel.said),
        "rules": list(_message(entry).rules),
        "title": title_of(_message(entry)),
        "tries": entry.tries,
        "problem": None if problem is None else str(problem),
        "next_try": moment(entry.since + entry.wait_s) if is_waiting else None,
    }


def _message(entry: OutboxMessage) -> Message:
    return msgspec.json.decode(entry.content, type=Message)


def _problem(entry: OutboxMessage) -> Translatable | None:
    if entry.problem:
        return msgspec.json.decode(entry.problem, type=Translatable)
    return said("the outbox was full") if entry.state is DeliveryState.GIVEN_UP else None
