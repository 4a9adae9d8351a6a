"""Tells what the settings of passwords and cookies are about, and forgets what the keyring has."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.secrets import SecretNames
from gossamer.model.translatable import enumerated


class SecretsNote(QWidget):
    """What secrets are for and which are missing. `forget_wanted` asks for the keyring's to go."""

    forget_wanted = Signal()

    def __init__(self, needs: Sequence[SecretNames], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        sentences = [
            self.tr(
                "Credentials and private headers are sent only to the start URLs' servers and are "
                "never written to a file."
            )
        ]
        if needs:
            missing = spoken(enumerated([needed.said for needed in needs]))
            sentences.insert(0, self.tr("This crawl needs {what}.").format(what=missing))
        note = QLabel("\n".join(sentences))
        note.setTextFormat(Qt.TextFormat.PlainText)
        note.setWordWrap(True)
        button = QPushButton(self.tr("Forget credentials"))
        button.setObjectName("forget-secrets")
        button.setAccessibleDescription(
            self.tr("Removes the credentials for this site from the system keyring.")
        )
        button.setAutoDefault(False)
        button.clicked.connect(self.forget_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(note)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
