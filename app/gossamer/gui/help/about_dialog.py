"""The About dialog: version, licences, and the folders where user data is stored."""

from importlib import metadata
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer import __version__
from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.runtime.file_checks import is_folder
from gossamer.gui.widgets.help_context import explain

NAME: Final = "about"
_SIGN: Final = 64


class AboutDialog(QDialog):
    """The modeless About dialog; deletes itself when closed."""

    help_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        from gossamer.session.default_paths import (  # noqa: PLC0415 - the start does without
            config_folder,
            logs_folder,
            projects_folder,
        )

        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Gossamer"))
        explain(self, "window/files")
        self.licence = QPlainTextEdit(licence())
        self.licence.setReadOnly(True)
        self.licence.setAccessibleName(self.tr("Licence"))
        self.licence.hide()
        self.folders = {
            self.tr("Projects"): projects_folder(),
            self.tr("Logs"): logs_folder(),
            self.tr("Settings"): config_folder(),
        }
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_L)
        column.addLayout(self._head())
        column.addLayout(self._places())
        column.addWidget(self.licence)
        column.addWidget(close)

    def _head(self) -> QHBoxLayout:
        sign = QLabel()
        sign.setPixmap(icon("gossamer").pixmap(_SIGN, _SIGN))
        name = QLabel(f"Gossamer {__version__}")
        font = name.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        name.setFont(font)
        words = QLabel(
            self.tr("An open desktop website crawler.\nMIT License. Qt and PySide6: LGPL.")
        )
        words.setProperty("muted", True)
        head = QVBoxLayout()
        head.addWidget(name)
        head.addWidget(words)
        head.addWidget(self._links())
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE_L)
        top.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(head, 1)
        return top

    def _links(self) -> QLabel:
        """What there is to read. It opens here: none of it is on the web."""
        links = [f'<a href="help">{self.tr("Help")}</a>']
        if self.licence.toPlainText():
            links.append(f'<a href="licence">{self.tr("Licence")}</a>')
        label = QLabel(" · ".join(links))
        label.setObjectName("about-links")
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        label.linkActivated.connect(self._open)
        return label

    def _open(self, link: str) -> None:
        if link == "help":
            self.help_wanted.emit()
        else:
            self.licence.setVisible(self.licence.isHidden())

    def _places(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE_M)
        grid.setVerticalSpacing(theme.SPACE_S)
        grid.setColumnStretch(1, 1)
        for row, (name, folder) in enumerate(self.folders.items()):
            place = QLabel(str(folder))
            place.setTextFormat(Qt.TextFormat.PlainText)
            place.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            button = QPushButton(self.tr("Open folder"))
            button.setAutoDefault(False)
            button.setAccessibleName(self.tr("Open folder: {name}").format(name=name))
            button.clicked.connect(lambda _on, folder=folder: open_folder(folder))
            grid.addWidget(QLabel(name), row, 0)
            grid.addWidget(place, row, 1)
            grid.addWidget(button, row, 2)
        return grid


def licence() -> str:
    """The text of the licence, as installed with the program; "" if unknown."""
    try:
        text = metadata.distribution("gossamer-core").read_text("licenses/LICENSE")
    except metadata.PackageNotFoundError:
        return ""
    return text or ""


def open_folder(folder: Path) -> None:
    """Show a folder in the system's file manager, or what it will be in if it is not there yet."""
    while not is_folder(folder) and folder != folder.parent:
        folder = folder.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def show_about(parent: QWidget) -> AboutDialog:
    """Open it."""
    about = AboutDialog(parent)
    about.show()
    return about
