"""Stores notification rules: those for all crawls in a file, those of a series in its own."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, system_reason
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.rule_file import (
    StoredRule,
    is_of_newer_version,
    read_rules,
    rule_file,
    rule_key,
)
from gossamer.notifying.rule_paths import RULES_SETTING, rules_path
from gossamer.session.series import Series, all_series
from gossamer.store.atomic_files import make_private, write_aside

MAX_RULES: Final = 100


class RuleStore:
    """The rules for all crawls, or those of one series."""

    def __init__(self, series: Series | None = None) -> None:
        """Without a series, those for all crawls."""
        self._series = series

    def stored_rules(self) -> tuple[StoredRule, ...]:
        """All rules, by name, also invalid ones. UsageError, ProjectError if unreadable."""
        text = self._text()
        if text is None:
            return ()
        try:
            if is_of_newer_version(text):
                raise UsageError(
                    "{path} was made by a newer Gossamer; update Gossamer.", path=self._place
                )
            return read_rules(text)
        except msgspec.MsgspecError as e:
            raise self._unreadable(e) from e

    def rules(self) -> tuple[NotificationRule, ...]:
        """The valid rules, by name. UsageError, ProjectError if they cannot be read."""
        return tuple(each.rule for each in self.stored_rules() if each.fault is None)

    def _unreadable(self, error: msgspec.MsgspecError) -> UsageError:
        if self._series is not None:  # no file to correct by hand
            return UsageError(
                "The notification rules of the series {id} cannot be read ({reason}); "
                "'gossamer series forget {id} --all' removes them with the series.",
                id=self._series.id[:8],
                reason=str(error),
            )
        return UsageError(
            "The notification rules in {path} cannot be read ({reason}); correct them, or remove "
            "the file and add them again.",
            path=self._place,
            reason=str(error),
        )

    def ensure_free(self, name: str, *, replaces: bool) -> None:
        """UsageError if there is a rule of that name which is not to be replaced."""
        if not replaces and self.has(name):
            raise UsageError(
                "There is a rule {name!r} already; choose another name, or use --replace.",
                name=name,
            )

    def add(self, rule: NotificationRule, *, replaces: bool = False) -> NotificationRule:
        """Store a rule; returns it as stored. UsageError if it is invalid, or its name is taken."""
        kept = StoredRule(rule.checked())
        self.ensure_free(kept.rule.name, replaces=replaces)
        others = self._others(kept.rule.name)
        if len(others) >= MAX_RULES:
            raise UsageError("There are {count} rules; remove some first.", count=MAX_RULES)
        self._store((*others, kept))
        return kept.rule

    def change(self, name: str, rule: NotificationRule) -> NotificationRule:
        """Replace the rule of that name, which may change; returns it as stored.

        UsageError if it is invalid, or another rule has its name.
        """
        kept, before = StoredRule(rule.checked()), self.stored_rule(name)
        self.ensure_free(kept.rule.name, replaces=kept.key == before.key)
        self._store((*self._others(name), kept))
        return kept.rule

    def remove(self, name: str) -> NotificationRule:
        """Remove the rule of that name, and return it. UsageError if there is none."""
        found = self.stored_rule(name)
        self._store(self._others(name))
        return found.rule

    def switch(self, name: str, *, is_enabled: bool) -> NotificationRule:
        """Enable or disable the rule of that name, and return it; an invalid one stays so."""
        switched = self.stored_rule(name).switched(is_enabled=is_enabled)
        self._store((*self._others(name), switched))
        return switched.rule

    def rule(self, name: str) -> NotificationRule:
        """The rule of that name, whatever its case; if it is invalid, what can be read of it.

        UsageError if there is none.
        """
        return self.stored_rule(name).rule

    def stored_rule(self, name: str) -> StoredRule:
        """The same as it is stored. UsageError if there is none."""
        stored = self.stored_rules()
        for each in stored:
            if each.key == rule_key(name):
                return each
        raise _no_rule(name, [each.rule for each in stored])

    def has(self, name: str) -> bool:
        """Whether there is a rule of that name, whatever its case."""
        return any(each.key == rule_key(name) for each in self.stored_rules())

    def _others(self, name: str) -> tuple[StoredRule, ...]:
        return tuple(each for each in self.stored_rules() if each.key != rule_key(name))

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

    def _store(self, rules: tuple[StoredRule, ...]) -> None:
        stored = rule_file(rules)
        if self._series is not None:
            self._series.set_setting(RULES_SETTING, stored if rules else None)
            return
        try:
            make_private(self._place.parent)
            write_aside(self._place, msgspec.json.format(msgspec.json.encode(stored)), replace=True)
        except OSError as e:
            raise _unusable(self._place, e) from e


class EnabledRules(Struct, frozen=True):
    """The rules that notify, and what a user should know of those that are invalid."""

    rules: tuple[NotificationRule, ...]
    problems: tuple[Translatable, ...] = ()


def enabled_rules(*stores: RuleStore) -> EnabledRules:
    """Those of these stores. UsageError, ProjectError if they cannot be read."""
    stored = [each for store in stores for each in store.stored_rules()]
    return EnabledRules(
        tuple(each.rule for each in stored if each.fault is None and each.rule.is_enabled),
        tuple(each.problem for each in stored if each.problem is not None),
    )


def series_rules() -> list[RuleStore]:
    """The rules of each series that has any. ProjectError if a series cannot be read."""
    return [RuleStore(each) for each in all_series() if RULES_SETTING in each.setting_names()]


def all_rules() -> list[tuple[str | None, NotificationRule]]:
    """Every rule, with the id of its series; None for those for all crawls. KnownError.

    Of invalid ones, what could be read: they may be corrected.
    """
    return [
        (store.series.id if store.series else None, each.rule)
        for store in (RuleStore(), *series_rules())
        for each in store.stored_rules()
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
        raise _no_rule(name, (rule for _, rule in all_rules()))
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


def _unusable(path: Path, error: OSError) -> UsageError:
    return UsageError(
        "{path} cannot be read or written ({reason}); check its folder.",
        path=path,
        reason=system_reason(error),
    )
