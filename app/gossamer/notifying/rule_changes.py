"""Adds, changes, switches and removes notification rules, with all that hangs on them.

A secret is in the keyring as long as a rule needs it, a message in the outbox as long as a rule
wants it told.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from msgspec.structs import replace

from gossamer.model.errors import KnownError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import secret_name
from gossamer.notifying.deliveries import default_outbox
from gossamer.notifying.notification_rules import NotificationRule, RuleStore, all_rules
from gossamer.notifying.wanted_messages import Rules, WantedMessages
from gossamer.session.keyring import remember_text

Changed = tuple[NotificationRule, Translatable | None]
"""A rule as it is kept, or was; what could not be tidied up after it, if anything."""


def add_rule(
    store: RuleStore,
    rule: NotificationRule,
    secrets: Mapping[str, str],
    *,
    replaces: bool = False,
) -> Changed:
    """Keep a rule and its secrets, by their names in the keyring. KnownError; then nothing is kept.

    If it `replaces` one of its name, that is gone with all that it had.
    """
    checked = rule.checked()
    store.ensure_free(checked.name, replaces=replaces)
    before = store.rule(checked.name) if store.has(checked.name) else None
    kept = _kept_with(secrets, lambda: store.add(checked, replaces=replaces))
    return kept, None if before is None else _tidy(before)


def change_rule(
    store: RuleStore, name: str, rule: NotificationRule, secrets: Mapping[str, str]
) -> Changed:
    """Keep a rule in the place of that of the name. KnownError; then that stays as it was."""
    before = store.rule(name)
    kept = _kept_with(secrets, lambda: store.change(name, rule))
    return kept, _tidy(before)


def switch_rule(store: RuleStore, name: str, *, is_enabled: bool) -> Changed:
    """Have a rule tell people, or nobody any more: then what waits for it is forgotten."""
    before = store.rule(name)
    return store.change(name, replace(before, is_enabled=is_enabled)), _tidy(before)


def remove_rule(store: RuleStore, name: str) -> Changed:
    """Remove a rule, its secrets, and what the outbox has of it."""
    removed = store.remove(name)
    return removed, _tidy(removed)


def _kept_with(
    secrets: Mapping[str, str], keep: Callable[[], NotificationRule]
) -> NotificationRule:
    """Put secrets into the keyring, then keep the rule that needs them; both or neither."""
    try:
        for name, secret in secrets.items():
            remember_text(name, secret)
        return keep()
    except BaseException:
        with suppress(KnownError):  # what is told is why it could not be kept
            _forget_unneeded(secrets, all_rules())
        raise


def _tidy(before: NotificationRule) -> Translatable | None:
    """Remove what only a rule needed that is gone or changed; why that could not be."""
    try:
        rules = all_rules()
        default_outbox().keep_wanted(WantedMessages(rules))
        _forget_unneeded(_names([before]), rules)
    except KnownError as e:
        return said("What the rule has left behind could not be removed. {reason}", reason=e.said)
    return None


def _forget_unneeded(names: Iterable[str], rules: Rules) -> None:
    for name in sorted(set(names) - _names(rule for _, rule in rules)):
        remember_text(name, "")


def _names(rules: Iterable[NotificationRule]) -> set[str]:
    """The entries of the keyring that rules need."""
    names = (secret_name(channel) for rule in rules for channel in rule.channels)
    return {name for name in names if name is not None}
