"""The window lists notification rules that are not valid any more, to be corrected or removed."""

from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.notifications.notifications_dialog import NotificationsDialog
from gossamer.gui.notifications.rule_form import RuleForm
from gossamer.gui.notifications.rule_interfaces import ListedRule, StoredRules
from gossamer.gui.shell.notification_rule_controller import NotificationRuleController
from gossamer.model.errors import UsageError
from gossamer.notifying.channels import DesktopChannel
from gossamer.notifying.conditions import ConditionKind, RuleCondition
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.rule_paths import rules_path
from gossamer.notifying.rule_store import RuleStore
from tests.gui.conftest import Play
from tests.gui.stage import Stage, until


@pytest.fixture
def _invalid_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    conditions = (
        RuleCondition(ConditionKind.ERRORS, "many"),
        RuleCondition(ConditionKind.PAGE, "/shop/([a-z]{2,3})*$"),
    )
    bad = NotificationRule("Bad", conditions, (DesktopChannel(),))
    rules_path().parent.mkdir(parents=True)
    text = msgspec.json.encode({"version": 1, "rules": [bad, {"name": "Worse"}]})
    rules_path().write_bytes(text)


@pytest.mark.usefixtures("_invalid_rules")
def test_an_invalid_rule_is_listed_with_its_fault_corrected_and_removed(play: Play) -> None:
    stored = RuleStore().stored_rules

    async def scene(stage: Stage) -> None:
        parts, tasks = stage.window.parts, stage.tasks
        NotificationRuleController(parts, stage.crawl, tasks, StoredRules).show()
        dialog = stage.window.findChild(NotificationsDialog)
        assert dialog is not None
        rules = dialog.rules
        await until(lambda: rules.topLevelItemCount() == 2)
        shown = [rules.topLevelItem(row) for row in range(2)]
        assert [item.text(2).partition(":")[0] for item in shown if item] == [
            "Invalid, notifies nobody"
        ] * 2
        assert not dialog.test.isEnabled()
        dialog.toggle.click()
        await until(lambda: [each.rule.is_enabled for each in stored()] == [False, True])
        await until(lambda: dialog.toggle.text() == "&Enable")
        dialog.toggle.click()
        await until(lambda: all(each.rule.is_enabled for each in stored()))
        await until(lambda: dialog.toggle.text() == "&Disable")
        assert all(each.fault for each in stored())
        dialog.change.click()
        form = dialog.findChild(RuleForm)
        assert form is not None
        assert "'many' is not a number" in form.message.text()
        form.conditions.pages.rows[0].pattern.setText("/shop/")
        form.keep.click()
        await until(dialog.test.isEnabled)
        assert [str(each) for each in RuleStore().rule("bad").conditions] == ["page:/shop/"]
        rules.setCurrentIndex(rules.model().index(1, 0))
        dialog.remove.click()
        dialog.confirm.answer("Remove").click()
        await until(lambda: rules.topLevelItemCount() == 1)
        assert [each.name for each in RuleStore().rules()] == ["Bad"]

    play(scene)


def test_fields_that_this_version_does_not_know_stay_until_a_person_takes_them_away(
    qtbot: QtBot,
) -> None:
    condition = RuleCondition(ConditionKind.PAGE, ".", ("made_up", "title"))
    rule = NotificationRule("Mine", (condition,), (DesktopChannel(),))
    form = RuleForm(None, ListedRule(rule, None))
    qtbot.addWidget(form)
    chooser = form.conditions.pages.rows[0].fields
    assert chooser.text() == "Title, made_up"
    with pytest.raises(UsageError, match="There is no field 'made_up' to compare"):
        form.conditions.conditions()
    chooser.fields["made_up"].setChecked(False)
    assert [each.fields for each in form.conditions.conditions()] == [("title",)]
