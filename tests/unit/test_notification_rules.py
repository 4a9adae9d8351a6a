"""Rules are added, changed, switched off and removed with all that hangs on them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import keyring
import msgspec
import pytest
from msgspec.structs import replace

from gossamer.cli.main import run_cli
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import (
    CommandChannel,
    EmailChannel,
    NotificationChannel,
    WebhookChannel,
    channel_key,
    secret_name,
)
from gossamer.notifying.conditions import ConditionKind, RuleCondition, parse_condition
from gossamer.notifying.notification_messages import Message, ToldCondition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_commands import add_rule, change_rule, remove_rule, switch_rule
from gossamer.notifying.rule_paths import rules_path
from gossamer.notifying.rule_store import RuleStore
from gossamer.session.keyring import remember_text
from gossamer.session.series import series_of
from gossamer.store.notification_outbox import DeliveryState, OutboxMessage
from tests.fakes.finished_crawl import finished_crawl
from tests.fakes.keyring_backend import LockedKeyring, MemoryKeyring
from tests.fakes.notifications import NOW, digest

PROGRAM = CommandChannel((sys.executable, "-c", "pass"))
HOOK = "https://hooks.example/x"
SERIES = "5e" * 16


@pytest.fixture(autouse=True)
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    """A keyring, rules and an outbox of the test's own."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    before = keyring.get_keyring()
    kept = MemoryKeyring()
    keyring.set_keyring(kept)
    yield kept
    keyring.set_keyring(before)


def rule(name: str, *conditions: str, to: NotificationChannel = PROGRAM) -> NotificationRule:
    return NotificationRule(name, tuple(map(parse_condition, conditions)), (to,))


def add(rule: NotificationRule, secret: str = "") -> None:
    names = [secret_name(each) for each in rule.channels]
    add_rule(RuleStore(), rule, {each: secret for each in names if each})


def secrets(ring: MemoryKeyring) -> set[str]:
    return set(ring.entries.values())


def put(
    *conditions: str, to: NotificationChannel = PROGRAM, reached: bool = False, series: str = ""
) -> None:
    """A message that waits for a channel."""
    told = tuple(ToldCondition(each, said("It holds")) for each in conditions)
    crawl = replace(digest(), series=series, conditions=told)
    name = f"{len(default_outbox().messages())}"
    content = msgspec.json.encode(Message(name, NOW, (crawl,))).decode()
    key = channel_key(to)
    message = OutboxMessage(
        *(name, key, "en", content, NOW, DeliveryState.WAITING, 0, NOW, 0.0, "", 0)
    )
    default_outbox().enqueue(series, key, lambda *_: (dict.fromkeys(conditions, "x"), message))
    if reached:
        default_outbox().begin(name, NOW, 60.0)


def waiting() -> list[list[str]]:
    """The conditions of each message in the outbox."""
    decoded = [
        msgspec.json.decode(each.content, type=Message) for each in default_outbox().messages()
    ]
    return [
        [told.condition for crawl in each.crawls for told in crawl.conditions] for each in decoded
    ]


def told(to: NotificationChannel, series: str = "") -> dict[str, str]:
    found: dict[str, str] = {}

    def look(before: "object", _: object) -> tuple[dict[str, str], None]:
        assert isinstance(before, dict)
        found.update(before)
        return before, None

    default_outbox().enqueue(series, channel_key(to), look)
    return found


def change(
    name: str, to: NotificationRule, secrets: Mapping[str, str]
) -> tuple[NotificationRule, Translatable | None]:
    return change_rule(RuleStore(), RuleStore().rule(name), to, secrets)


def test_a_rule_that_somebody_else_has_changed_is_not_overwritten() -> None:
    add(rule("one", "sitemap"))
    seen = RuleStore().rule("one")
    change("one", rule("one", "robots"), {})
    with pytest.raises(UsageError, match="changed meanwhile"):
        change_rule(RuleStore(), seen, rule("one", "ended"), {})
    assert RuleStore().rule("one") == rule("one", "robots")


def test_two_processes_that_add_rules_at_once_lose_none(tmp_path: Path) -> None:
    """Rules for all crawls, in a file, and those of a series, in its own."""
    project = finished_crawl(tmp_path / "a.gossamer")
    series = series_of(project)
    both = [
        subprocess.Popen([sys.executable, "-c", ADD_RULES, str(project), name], env=os.environ)
        for name in "ab"
    ]
    assert [each.wait() for each in both] == [0, 0]
    expected = [f"{name} {number}" for name in "ab" for number in range(10)]
    assert [each.name for each in RuleStore().rules()] == expected
    assert [each.name for each in RuleStore(series).rules()] == expected


ADD_RULES = """
import sys
from pathlib import Path
from gossamer.notifying.channels import DesktopChannel
from gossamer.notifying.conditions import parse_condition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.rule_store import RuleStore
from gossamer.notifying.rule_commands import add_rule
from gossamer.session.series import series_of

stores = RuleStore(), RuleStore(series_of(Path(sys.argv[1])))
for number in range(10):
    for store in stores:
        name = f"{sys.argv[2]} {number}"
        rule = NotificationRule(name, (parse_condition("ended"),), (DesktopChannel(),))
        add_rule(store, rule, {})
"""


def test_two_rules_for_one_address_have_a_secret_each(ring: MemoryKeyring) -> None:
    add(rule("one", "sitemap", to=WebhookChannel(HOOK, "1")), "first")
    add(rule("two", "sitemap", to=WebhookChannel(HOOK, "2")), "second")
    assert secrets(ring) == {"first", "second"}
    remove_rule(RuleStore(), "one")
    assert secrets(ring) == {"second"}
    # Another address, or no signature any more, needs no secret of the one before.
    change("two", rule("two", "sitemap", to=WebhookChannel(HOOK)), {})
    assert secrets(ring) == set()


def test_a_secret_stays_as_long_as_some_rule_needs_it(ring: MemoryKeyring) -> None:
    shared = WebhookChannel(HOOK, "1")
    add(rule("one", "sitemap", to=shared), "secret")
    add(rule("two", "robots", to=shared), "secret")
    switch_rule(RuleStore(), "two", is_enabled=False)
    remove_rule(RuleStore(), "one")
    assert secrets(ring) == {"secret"}
    remove_rule(RuleStore(), "two")
    assert secrets(ring) == set()


def test_a_series_that_is_forgotten_takes_its_rules_with_it(
    ring: MemoryKeyring, tmp_path: Path
) -> None:
    series = series_of(finished_crawl(tmp_path / "a.gossamer"))
    hook = WebhookChannel(HOOK, "1")
    add_rule(RuleStore(series), rule("one", "sitemap", to=hook), {"webhook 1": "secret"})
    put("sitemap", to=hook, series=series.id)
    assert (secrets(ring), waiting()) == ({"secret"}, [["sitemap"]])
    assert run_cli(["series", "forget", series.id, "--all"], lambda _: 1) == 0
    assert (secrets(ring), waiting(), series.path.exists()) == (set(), [], False)


def test_a_rule_that_cannot_be_kept_leaves_no_secret(ring: MemoryKeyring) -> None:
    add(rule("one", "sitemap", to=WebhookChannel(HOOK, "1")), "first")
    changed = rule("two", "sitemap", to=WebhookChannel(HOOK, "3"))
    add(rule("two", "sitemap"))
    with pytest.raises(UsageError, match="already"):
        change("one", changed, {"webhook 3": "third"})
    assert secrets(ring) == {"first"}
    assert [each.name for each in RuleStore().rules()] == ["one", "two"]


def test_where_the_keyring_is_locked_a_rule_is_removed_and_that_is_told() -> None:
    add(rule("one", "sitemap", to=WebhookChannel(HOOK, "1")), "first")
    keyring.set_keyring(LockedKeyring())  # type: ignore[no-untyped-call] # keyring does not annotate it
    _, left = remove_rule(RuleStore(), "one")
    assert "keyring" in str(left)
    assert RuleStore().rules() == ()


def test_a_rule_is_changed_in_its_place_and_may_get_another_name() -> None:
    for name in ("One", "Two"):
        add(rule(name, "sitemap"))
    changed = rule("ONE", "robots")
    kept, _ = change("one", changed, {})
    assert kept == changed
    change("one", rule("Three", "robots"), {})
    assert [each.name for each in RuleStore().rules()] == ["Three", "Two"]


def edit(*rules: object) -> None:
    """Put rules into the file as somebody, or an earlier release, could have."""
    text = {"version": 1, "rules": [msgspec.to_builtins(each) for each in rules]}
    rules_path().parent.mkdir(parents=True, exist_ok=True)
    rules_path().write_text(json.dumps(text), encoding="utf-8")


SLOW = RuleCondition(ConditionKind.PAGE, "/shop/([a-z]{2,3})*$")
"""A pattern that an earlier release accepted."""


@pytest.mark.parametrize("is_partial", [False, True])
def test_an_invalid_rule_leaves_the_others_and_is_listed_and_removed(
    ring: MemoryKeyring, capsys: pytest.CaptureFixture[str], *, is_partial: bool
) -> None:
    hook = WebhookChannel(HOOK, "1")
    remember_text("webhook 1", "secret")
    slow = replace(rule("Bad", "robots", to=hook), conditions=(SLOW,))
    bad = json.loads(msgspec.json.encode(slow))
    if is_partial:
        bad["conditions"].append({"kind": "weather", "argument": "", "fields": []})
    edit(bad, rule("good", "sitemap"), rule("other", "sitemap"))
    put("page:" + SLOW.argument, to=hook)
    assert [each.name for each in RuleStore().rules()] == ["good", "other"]
    assert run_cli(["notify", "list"], lambda _: 1) == 0
    listed = capsys.readouterr().out
    assert ("weather" if is_partial else "pattern") in listed
    assert "A page has changed: /shop/" in listed
    assert run_cli(["notify", "remove", "other"], lambda _: 1) == 0
    assert json.loads(rules_path().read_bytes())["rules"][0] == bad
    assert (secrets(ring), len(waiting())) == ({"secret"}, 1)
    assert run_cli(["notify", "test", "bad"], lambda _: 1) == 2
    assert run_cli(["notify", "disable", "bad"], lambda _: 1) == 0
    assert json.loads(rules_path().read_bytes())["rules"][0] == bad | {"is_enabled": False}
    assert [each.problem for each in RuleStore().stored_rules()] == [None, None]
    assert waiting() == []
    assert run_cli(["notify", "remove", "bad"], lambda _: 1) == 0
    assert [each.rule.name for each in RuleStore().stored_rules()] == ["good"]
    assert (secrets(ring), waiting()) == (set(), [])


def test_an_invalid_rule_is_corrected_or_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    edit(replace(rule("bad", "robots"), conditions=(SLOW,)), {"name": "worse", "channels": [{}]})
    assert run_cli(["notify", "edit", "bad", "--when", "page:/shop/"], lambda _: 1) == 0
    assert run_cli(["notify", "edit", "worse", "--when", "robots"], lambda _: 1) == 2
    whole = ["notify", "edit", "worse", "--when", "robots", "--", sys.executable]
    assert run_cli(whole, lambda _: 1) == 0
    assert "left out" in capsys.readouterr().err
    assert [each.fault for each in RuleStore().stored_rules()] == [None, None]
    edit({"name": "worse", "channels": [{}]})
    add = ["notify", "add", "worse", "--replace", "--when", "robots", "--", sys.executable]
    assert run_cli(add, lambda _: 1) == 0
    assert [each.fault for each in RuleStore().stored_rules()] == [None]


def test_rules_that_cannot_be_told_apart_are_refused_with_the_reason(tmp_path: Path) -> None:
    edit({"conditions": []})
    with pytest.raises(UsageError, match="missing required field `name`"):
        RuleStore().rules()
    series = series_of(finished_crawl(tmp_path / "a.gossamer"))
    series.set_setting("notification_rules", {"version": 1, "rules": 5})
    with pytest.raises(UsageError, match=f"series forget {series.id[:8]} --all"):
        RuleStore(series).rules()


def test_a_rule_that_was_edited_into_nonsense_is_listed_with_its_fault(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = rule("a", "errors:5")
    wrong = [
        replace(kept, conditions=(RuleCondition(ConditionKind.ERRORS, "many"),)),
        replace(kept, channels=(CommandChannel(()),)),
        replace(kept, channels=(WebhookChannel("http://["),)),
        replace(kept, channels=(EmailChannel("a@b.example", "nonsense", "c@d.example"),)),
        replace(kept, interval_s=-1.0),
    ]
    for each in wrong:
        edit(each)
        (stored,) = RuleStore().stored_rules()
        assert RuleStore().rules() == ()
        assert stored.fault is not None
        assert run_cli(["notify", "list"], lambda _: 1) == 0
        assert f"invalid   {stored.fault}" in capsys.readouterr().out


def test_a_removed_rule_leaves_nothing_in_the_outbox() -> None:
    other = WebhookChannel(HOOK)
    add(rule("gone", "sitemap"))
    add(rule("stays", "robots", to=other))
    put("sitemap")
    put("sitemap", reached=True)
    put("robots", to=other)
    remove_rule(RuleStore(), "gone")
    assert waiting() == [["robots"]]
    assert told(PROGRAM) == {}
    assert told(other) == {"robots": "x"}


@pytest.mark.parametrize("how", ["removed", "off", "changed"])
def test_of_what_waits_for_a_shared_channel_only_the_rule_s_part_goes(how: str) -> None:
    add(rule("one", "robots", "sitemap"))
    add(rule("two", "sitemap"))
    put("robots")
    put("robots", "sitemap")
    put("robots", "sitemap", reached=True)  # may have arrived: it is not changed any more
    if how == "removed":
        remove_rule(RuleStore(), "one")
    elif how == "off":
        switch_rule(RuleStore(), "one", is_enabled=False)
    else:
        change("one", rule("one", "sitemap"), {})
    assert waiting() == [["sitemap"], ["robots", "sitemap"]]
    assert told(PROGRAM) == {"sitemap": "x"}


def test_what_was_delivered_stays_as_long_as_the_channel_has_a_rule() -> None:
    add(rule("one", "sitemap"))
    put("sitemap")
    default_outbox().note_delivered("0", channel_key(PROGRAM), NOW)
    switch_rule(RuleStore(), "one", is_enabled=False)
    assert len(default_outbox().messages()) == 1
    assert default_outbox().sent_at(channel_key(PROGRAM)) == NOW
    remove_rule(RuleStore(), "one")
    assert default_outbox().messages() == []
    assert default_outbox().sent_at(channel_key(PROGRAM)) is None


def test_a_message_that_arrives_as_its_rule_is_removed_is_not_remembered() -> None:
    add(rule("one", "sitemap"))
    put("sitemap", reached=True)
    remove_rule(RuleStore(), "one")
    default_outbox().note_delivered("0", channel_key(PROGRAM), NOW)
    assert default_outbox().sent_at(channel_key(PROGRAM)) is None
