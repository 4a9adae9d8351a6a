"""The nodes above the list of what is in flight."""

from pytestqt.qtbot import QtBot

from gossamer.gui.crawl.node_list import NodeList
from gossamer.model.messages.crawl_messages import NodeState
from gossamer.model.translatable import said


def test_each_node_has_a_line_and_without_nodes_there_is_none(qtbot: QtBot) -> None:
    lines = NodeList()
    qtbot.addWidget(lines)
    refused = said("No node of the cluster at {address} responds.", address="tcp://<b>:1")
    lines.show_nodes([NodeState("one", 2, 7, 35.26), NodeState("<two>", trouble=refused)])
    assert not lines.isHidden()
    one, two = lines.text().split("<br>")
    assert one == "one: 7 in flight, 35.3 per second"
    assert two == "No node of the cluster at tcp://&lt;b&gt;:1 responds."
    lines.show_nodes([NodeState("new")])
    assert lines.text() == "new: starting"
    lines.show_nodes([])
    assert lines.isHidden()


def test_many_nodes_leave_room_for_what_is_in_flight(qtbot: QtBot) -> None:
    lines = NodeList()
    qtbot.addWidget(lines)
    lines.show_nodes([NodeState(str(number)) for number in range(12)])
    assert lines.text().count("<br>") == 8
    assert "4 more" in lines.text()
