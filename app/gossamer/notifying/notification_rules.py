"""Notification rules: conditions and channels. Some are for all crawls, others for one series."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import system_reason
from gossamer.notifying.channels import Channel, checked_channel
from gossamer.notifying.conditions import RuleCondition
from gossamer.notifying.rule_paths import RULES_SETTING, rules_path
from gossamer.session.series import Series, all_series
from gossamer.store.atomic_files import make_private, write_aside

RULES_VERSION: Final = 1
MAX_RULES: Final = 100
MAX_NAME: Final = 100
MAX_INTERVAL_S: Final = 30 * 86_400


class NotificationRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Notifies the channels if one of the conditions holds, with all that hold in one message.

    A channel gets no two messages within `interval_s`; what comes earlier waits. Unless `repeats`,
    what was reported and has not changed is not repeated. `language` is "en" or "zh_CN". A disabled
    rule notifies nobody.
    """

    name: str
    conditions: tuple[RuleCondition, ...]
    channels: tuple[Channel, ...]
    interval_s: float = 0.0
    repeats: bool = False
    language: str = "en"
    is_enabled: bool = True

    def checked(self) -> "NotificationRule":
        """Itself, in the usual form; UsageError if it notifies nobody."""
        name = one_line(self.name, MAX_NAME + 1)
        if not name or len(name) > MAX_NAME:
            raise UsageError("Give the rule a name of at most {count} characters.", count=MAX_NAME)
        if not self.conditions:
            raise UsageError("Say when to notify: --when CONDITION.")
        if not self.channels:
            raise UsageError(
                "Say how to notify: --desktop, --email, --webhook or a program.",
            )
        if not 0 <= self.interval_s <= MAX_INTERVAL_S:
            raise UsageError("The interval of a rule is at most 30 days.")
        if self.language not in LANGUAGES:
            raise UsageError("Messages are in {names}.", names=", ".join(LANGUAGES))
        return replace(
            self,
            name=name,
            conditions=tuple(dict.fromkeys(each.checked() for each in self.conditions)),
            channels=tuple(dict.fromkeys(checked_channel(each) for each in self.channels)),
        )


LANGUAGES: Final = ("en", "zh_CN")


class _StoredRules(Struct, frozen=True, forbid_unknown_fields=True):
    version: int = RULES_VERSION
    rules: tuple[NotificationRule, ...] = ()


class _Version(Struct, frozen=True):
    version: int


class RuleStore:
    """The rules for all crawls, or those of one series."""

    def __init__(self, series: Series | None = None) -> None:
        """Without a series, those for all crawls."""
        self._series = series

    def rules(self) -> tuple[NotificationRule, ...]:
        """The rules, by name. UsageError, ProjectError if they cannot be read."""
        text = self._text()
        if text is None:
            return ()
        try:
            if msgspec.json.decode(text, type=_Version).version > RULES_VERSION:
                raise UsageError(
                    "{path} was made by a newer Gossamer; update Gossamer.", path=self._place
                )
            rules = msgspec.json.decode(text, type=_StoredRules).rules
        except msgspec.MsgspecError as e:
            raise self._unreadable() from e
        try:
            return tuple(each.checked() for each in rules)  # somebody may have edited them
        except UsageError as e:
            raise self._unreadable() from e

    def _unreadable(self) -> UsageError:
        return UsageError(
            "The notification rules in {path} cannot be read; correct them, or remove them "
            "and add them again.",
            path=self._place,
        )

    def ensure_free(self, name: str, *, replaces: bool) -> None:
        """UsageError if there is a rule of that name which is not to be replaced."""
        if not replaces and any(_folded(each) == name.casefold() for each in self.rules()):
            raise UsageError(
                "There is a rule {name!r} already; choose another name, or use --replace.",
                name=name,
            )

    def add(self, rule: NotificationRule, *, replaces: bool = False) -> NotificationRule:
        """Store a rule; returns it as stored. UsageError if it is invalid, or its name is taken."""
        kept = rule.checked()
        self.ensure_free(kept.name, replaces=replaces)
        others = [each for each in self.rules() if _folded(each) != _folded(kept)]
        if len(others) >= MAX_RULES:
            raise UsageError("There are {count} rules; remove some first.", count=MAX_RULES)
        self._store((*others, kept))
        return kept

    def change(self, name: str, rule: NotificationRule) -> NotificationRule:
        """Replace the rule of that name, which may change; returns it as stored.

        UsageError if it is invalid, or another rule has its name.
        """
        kept, before = rule.checked(), self.rule(name)
        self.ensure_free(kept.name, replaces=_folded(kept) == _folded(before))
        self._store((*(each for each in self.rules() if each != before), kept))
        return kept

    def remove(self, name: str) -> NotificationRule:
        """Remove the rule of that name, and return it. UsageError if there is none."""
        found = self.rule(name)
        self._store(tuple(each for each in self.rules() if each != found))
        return found

    def rule(self, name: str) -> NotificationRule:
        """The rule of that name, whatever its case. UsageError if there is none."""
        for each in self.rules():
            if _folded(each) == name.strip().casefold():
                return each
        raise _no_rule(name, self.rules())

    def has(self, name: str) -> bool:
        """Whether there is a rule of that name, whatever its case."""
        return any(_folded(each) == name.strip().casefold() for each in self.rules())

    @property
    def series(self) -> Series | None:
        """The series of the rules; None for those for all crawls."""
        return self._series

    @property
    def _place(self) -> Path:
        return rules_path() if self._series is None else self._series.path

    def _text(self) -> bytes | None:
        if self._series is not None:
            stored = self._series.setting(RULES_SETTING, msgspec.Raw)
            return None if stored is None else bytes(stored)
        try:
            return self._place.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as e:
            raise _unusable(self._place, e) from e

    def _store(self, rules: tuple[NotificationRule, ...]) -> None:
        stored = _StoredRules(rules=tuple(sorted(rules, key=_folded)))
        if self._series is not None:
            self._series.set_setting(RULES_SETTING, stored if rules else None)
            return
        try:
            make_private(self._place.parent)
            write_aside(self._place, msgspec.json.format(msgspec.json.encode(stored)), replace=True)
        except OSError as e:
            raise _unusable(self._place, e) from e


def series_rules() -> list[RuleStore]:
    """The rules of each series that has any. ProjectError if a series cannot be read."""
    return [RuleStore(each) for each in all_series() if RULES_SETTING in each.setting_names()]


def all_rules() -> list[tuple[str | None, NotificationRule]]:
    """Every rule, with the id of its series; None for those for all crawls. KnownError."""
    return [
        (store.series.id if store.series else None, each)
        for store in (RuleStore(), *series_rules())
        for each in store.rules()
    ]


def store_of(name: str) -> RuleStore:
    """The store of the rule of that name: of those for all crawls, else of the one series.

    UsageError if there is none, or several series have one.
    """
    everywhere = RuleStore()
    if everywhere.has(name):
        return everywhere
    stores = series_rules()
    found = [each for each in stores if each.has(name)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise _no_rule(name, [each for store in (everywhere, *stores) for each in store.rules()])
    raise UsageError(
        "Several series have a rule {name!r}; say which: {choices}.",
        name=name,
        choices=", ".join(f"--for {each.series.id[:8]}" for each in found if each.series),
    )


def _no_rule(name: str, others: Iterable[NotificationRule]) -> UsageError:
    names = ", ".join(dict.fromkeys(each.name for each in others))
    if not names:
        return UsageError("There is no rule {name!r}, and there are no other rules.", name=name)
    return UsageError("There is no rule {name!r}; there are {names}.", name=name, names=names)


def _folded(rule: NotificationRule) -> str:
    return rule.name.casefold()


def _unusable(path: Path, error: OSError) -> UsageError:
    return UsageError(
        "{path} cannot be read or written ({reason}); check its folder.",
        path=path,
        reason=system_reason(error),
    )
