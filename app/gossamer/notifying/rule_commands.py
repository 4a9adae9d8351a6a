"""Adds, changes, switches and removes notification rules, with all that depends on them.

A secret is in the keyring as long as a rule needs it, a message in the outbox as long as a rule
requires it. One process at a time changes rules, those of series too: so none overwrites what
another has changed meanwhile, or removes a secret that another has just begun to need.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from gossamer.model.errors import KnownError, UsageError
from gossamer.model.translatable import Translatable, said, system_reason
from gossamer.notifying.channels import secret_name
from gossamer.notifying.needed_messages import NeededMessages, Rules
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_paths import rules_path
from gossamer.notifying.rule_store import RuleStore, all_rules
from gossamer.session.keyring import remember_text
from gossamer.store.atomic_files import make_private
from gossamer.store.locking.folder_lock import locked_folder

Changed = tuple[NotificationRule, Translatable | None]
"""A rule as it is stored, or was; and what could not be cleaned up after it, if anything."""


def add_rule(
    store: RuleStore,
    rule: NotificationRule,
    secrets: Mapping[str, str],
    *,
    replaces: bool = False,
) -> Changed:
    """Store a rule and its secrets, by their names in the keyring. KnownError if nothing is stored.

    If it `replaces` one of its name, that is removed with everything it had.
    """
    checked = rule.checked()
    with _alone():
        store.ensure_free(checked.name, replaces=replaces)
        before = store.stored_rule(checked.name).rule if store.has(checked.name) else None
        kept = _kept_with(secrets, lambda: store.add(checked, replaces=replaces))
        return kept, None if before is None else _tidy(before)


def change_rule(
    store: RuleStore, seen: NotificationRule, rule: NotificationRule, secrets: Mapping[str, str]
) -> Changed:
    """Replace a rule that was read before. KnownError; then that stays as it is.

    UsageError if it has been changed meanwhile.
    """
    with _alone():
        before = store.rule(seen.name)
        if before != seen:
            raise UsageError(
                "The rule {name!r} has been changed meanwhile; look at it, and try again.",
                name=seen.name,
            )
        kept = _kept_with(secrets, lambda: store.change(seen.name, rule))
        return kept, _tidy(before)


def switch_rule(store: RuleStore, name: str, *, is_enabled: bool) -> Changed:
    """Enable or disable a rule: if disabled, what waits for it is dropped."""
    with _alone():
        before = store.rule(name)
        return store.switch(name, is_enabled=is_enabled), _tidy(before)


def remove_rule(store: RuleStore, name: str) -> Changed:
    """Remove a rule, its secrets, and its messages in the outbox."""
    with _alone():
        removed = store.remove(name)
        return removed, _tidy(removed)


@contextmanager
def _alone() -> Iterator[None]:
    """Inside, no other process changes rules; UsageError if one does so for too long."""
    with ExitStack() as held:
        try:
            make_private(rules_path().parent)
            held.enter_context(locked_folder(rules_path().parent, name=_LOCK))
        except OSError as e:  # TimeoutError among them
            raise UsageError(
                "{path} cannot be read or written ({reason}); check its folder.",
                path=rules_path(),
                reason=system_reason(e),
            ) from e
        yield


_LOCK: Final = ".notifications.lock"


def _kept_with(
    secrets: Mapping[str, str], keep: Callable[[], NotificationRule]
) -> NotificationRule:
    """Put secrets into the keyring, then store the rule that needs them; both or neither."""
    try:
        for name, secret in secrets.items():
            remember_text(name, secret)
        return keep()
    except BaseException:
        with suppress(KnownError):  # what is reported is why it could not be stored
            _forget_unneeded(secrets, all_rules())
        raise


def _tidy(before: NotificationRule) -> Translatable | None:
    """Remove what only a removed or changed rule needed; returns why that failed."""
    try:
        rules = all_rules()
        default_outbox().keep_wanted(NeededMessages(rules))
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
