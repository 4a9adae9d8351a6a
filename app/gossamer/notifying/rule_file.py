"""Reads and writes stored notification rules, each on its own: an invalid one leaves the others."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import NotificationChannel
from gossamer.notifying.conditions import RuleCondition
from gossamer.notifying.notification_rules import NotificationRule

RULES_VERSION: Final = 1
_CONDITION: Final = msgspec.json.Decoder(RuleCondition)
_CHANNEL: Final[msgspec.json.Decoder[NotificationChannel]] = msgspec.json.Decoder(
    NotificationChannel
)
_Part = TypeVar("_Part", RuleCondition, NotificationChannel)


class RuleFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a store, as JSON."""

    version: int = RULES_VERSION
    rules: tuple[Raw, ...] = ()


class StoredRule(Struct, frozen=True):
    """A rule as it is stored. `fault` is why it cannot be used, None if it can.

    A release may check rules more strictly, and somebody may have edited them. `rule` is in the
    usual form if it is valid. If `is_partial`, it has only what could be read.
    """

    rule: NotificationRule
    fault: Translatable | None = None
    is_partial: bool = False
    text: Raw | None = None
    """What to write again of a rule that is invalid."""

    @property
    def key(self) -> str:
        """Distinguishes it from the others of its store."""
        return rule_key(self.rule.name)

    def switched(self, *, is_enabled: bool) -> "StoredRule":
        """It enabled or disabled; what cannot be read of it stays as it is."""
        text = self.text
        if text is not None:
            parts = msgspec.json.decode(text, type=dict[str, Raw])
            parts["is_enabled"] = Raw(msgspec.json.encode(is_enabled))
            text = Raw(msgspec.json.encode(parts))
        return replace(self, rule=replace(self.rule, is_enabled=is_enabled), text=text)

    @property
    def problem(self) -> Translatable | None:
        """What a user should know of it when crawls end: that it notifies nobody."""
        if self.fault is None or not self.rule.is_enabled:
            return None
        return said(
            "The notification rule {name!r} is invalid and notifies nobody; change or remove it. "
            "{reason}",
            name=self.rule.name,
            reason=self.fault,
        )


class _ReadableParts(Struct, frozen=True):
    name: str
    conditions: tuple[Raw, ...] = ()
    channels: tuple[Raw, ...] = ()
    is_enabled: bool = True


class _Version(Struct, frozen=True):
    version: int


def rule_key(name: str) -> str:
    """A name as names are compared, whatever its case."""
    return name.strip().casefold()


def is_of_newer_version(text: bytes) -> bool:
    """Whether rules are in a form that this release does not know; MsgspecError."""
    return msgspec.json.decode(text, type=_Version).version > RULES_VERSION


def read_rules(text: bytes) -> tuple[StoredRule, ...]:
    """The rules of a store; MsgspecError if it has no rules with names."""
    return tuple(map(_read, msgspec.json.decode(text, type=RuleFile).rules))


def _read(text: Raw) -> StoredRule:
    try:
        rule = msgspec.json.decode(text, type=NotificationRule)
    except msgspec.ValidationError as e:
        fault = said("It cannot be read ({reason}).", reason=str(e))
        return StoredRule(_readable_part(text), fault, is_partial=True, text=text)
    try:
        return StoredRule(rule.checked())
    except UsageError as e:
        return StoredRule(rule, e.said, text=text)


def _readable_part(text: Raw) -> NotificationRule:
    """What it still needs, such as secrets, is kept for it."""
    parts = msgspec.json.decode(text, type=_ReadableParts)
    return NotificationRule(
        parts.name,
        tuple(_readable(parts.conditions, _CONDITION)),
        tuple(_readable(parts.channels, _CHANNEL)),
        is_enabled=parts.is_enabled,
    )


def _readable(parts: Iterable[Raw], decoder: msgspec.json.Decoder[_Part]) -> Iterator[_Part]:
    for each in parts:
        with suppress(msgspec.ValidationError):
            yield decoder.decode(each)


def rule_file(rules: Iterable[StoredRule]) -> RuleFile:
    """What to store, by name; those that are invalid as they are."""
    ordered = sorted(rules, key=lambda each: each.key)
    return RuleFile(
        rules=tuple(each.text or Raw(msgspec.json.encode(each.rule)) for each in ordered)
    )
