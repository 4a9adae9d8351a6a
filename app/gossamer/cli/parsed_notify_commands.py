"""Parsed commands about notifications as plain values."""

from pathlib import Path

from msgspec import Struct


class ChannelOptions(Struct, frozen=True):
    """Channels of a notification rule, as typed; `command` is a program with its arguments."""

    desktop: bool = False
    email: tuple[str, ...] = ()
    smtp: str | None = None
    sender: str | None = None
    webhooks: tuple[str, ...] = ()
    signs: bool | None = None
    command: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Kinds of channels to remove from an edited rule."""


class AddRuleCommand(Struct, frozen=True):
    """Add a notification rule: for all crawls, or `of` a series, named as typed."""

    name: str
    when: tuple[str, ...]
    fields: tuple[str, ...] = ()
    channels: ChannelOptions = ChannelOptions()
    of: str | None = None
    interval_s: float = 0.0
    repeats: bool = False
    language: str = "en"
    replaces: bool = False


class EditRuleCommand(Struct, frozen=True):
    """Change the given parts of a rule; the rest stays."""

    name: str
    new_name: str | None = None
    when: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    channels: ChannelOptions = ChannelOptions()
    of: str | None = None
    interval_s: float | None = None
    repeats: bool | None = None
    language: str | None = None


class SwitchRuleCommand(Struct, frozen=True):
    """Enable or disable a rule."""

    name: str
    of: str | None = None
    is_enabled: bool = True


class ListRulesCommand(Struct, frozen=True):
    """List the notification rules for all crawls, and those `of` a series."""

    of: str | None = None
    json: bool = False


class RemoveRuleCommand(Struct, frozen=True):
    """Remove a notification rule."""

    name: str
    of: str | None = None


class TryRuleCommand(Struct, frozen=True):
    """Send a test message through the channels of a rule.

    `for_window` prints the results in a form that the window can translate.
    """

    name: str
    of: str | None = None
    for_window: bool = False


class NotifyAboutCommand(Struct, frozen=True):
    """Notify about a crawl that ended as `ending` says, as typed, compared with `before`.

    With `in_window`, a window that reads our standard output shows what is for the desktop.
    """

    project: Path
    ending: str = "finished"
    before: Path | None = None
    in_window: bool = False


class OutboxCommand(Struct, frozen=True):
    """List the messages of the outbox."""

    json: bool = False


class DeliverCommand(Struct, frozen=True):
    """Deliver what is due; `in_window` as for `NotifyAboutCommand`."""

    in_window: bool = False


class RetryCommand(Struct, frozen=True):
    """Try the messages with these numbers at once, or all."""

    numbers: tuple[int, ...] = ()


OfNotifications = (
    AddRuleCommand
    | EditRuleCommand
    | SwitchRuleCommand
    | ListRulesCommand
    | RemoveRuleCommand
    | TryRuleCommand
    | NotifyAboutCommand
    | OutboxCommand
    | DeliverCommand
    | RetryCommand
)
