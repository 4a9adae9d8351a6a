"""Every text that a window shows or reads out: what is walked to find words of another language."""

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QTabBar, QWidget

PROPERTIES = (
    "accessibleDescription",
    "accessibleName",
    "informativeText",
    "placeholderText",
    "prefix",
    "specialValueText",
    "statusTip",
    "suffix",
    "text",
    "title",
    "toolTip",
    "whatsThis",
    "windowTitle",
)
ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
ROWS = 100
NO_PARENT = QModelIndex()


def spoken_texts(root: QWidget, rows: int = ROWS) -> Iterator[tuple[str, str]]:
    """Where a text stands, and the text, for `root` and all within, hidden parts too.

    Of each list, only the first `rows` are read.
    """
    for widget in (root, *root.findChildren(QWidget)):
        where = f"{type(widget).__name__} {widget.objectName()}".strip()
        yield from ((where, text) for text in _of_widget(widget, rows))


def _of_widget(widget: QWidget, rows: int) -> Iterator[str]:
    for name in PROPERTIES:
        value = widget.property(name)
        if isinstance(value, str) and value:
            yield value
    for action in widget.actions():
        yield from _of_action(action)
    if isinstance(widget, QTabBar):
        for i in range(widget.count()):
            yield from (widget.tabText(i), widget.tabToolTip(i))
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(i) for i in range(widget.count()))
    elif (model := _own_model(widget)) is not None:
        yield from _of_model(model, rows)


def _own_model(widget: QWidget) -> QAbstractItemModel | None:
    """The model of a view. A header has that of its table."""
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        return widget.model()
    return None


def _of_action(action: QAction) -> Iterator[str]:
    yield from (action.text(), action.toolTip(), action.statusTip())
    menu = action.menu()
    if isinstance(menu, QWidget):
        for inner in menu.actions():
            yield from _of_action(inner)


def _of_model(model: QAbstractItemModel, most: int) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(NO_PARENT)
    rows = min(most, model.rowCount(NO_PARENT))
    for column in range(columns):
        for role in ROLES:
            yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
        for row in range(rows):
            index = model.index(row, column, NO_PARENT)
            said = (model.data(index, role) for role in ROLES)
            yield from (str(each) for each in said if each)
