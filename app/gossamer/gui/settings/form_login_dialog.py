"""Shows the login form of a site for the user to fill in."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled, listed
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy, centre_labels, wrap_text
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.html_forms import FieldType, FormField, PageForm
from gossamer.model.login_form import FormStep, step_of
from gossamer.urls.url_folders import display_url

_WIDTH: Final = 520
_LONGEST_LABEL: Final = 40
"""Characters that are shown of what a page calls a field."""


class FormLoginDialog(QDialog):
    """Reads the form of a page, shows its fields, and sends them.

    `read_wanted` asks for the form of the typed page, `submit_wanted` to send it: the form, the
    step to record, and the typed values by field name.
    """

    read_wanted = Signal(str)
    submit_wanted = Signal(object, object, object)

    def __init__(self, url: str, parent: QWidget | None = None) -> None:
        """`url` is the suggested page of the form."""
        super().__init__(parent)
        self.setObjectName("form-login-dialog")
        explain(self, "window/login")
        self.setWindowTitle(self.tr("Log in with a form"))
        self.url = QLineEdit(url)
        self.url.setMinimumHeight(CONTROL_HEIGHT)
        self.url.setPlaceholderText("https://example.com/login")
        self.read_button = QPushButton(self.tr("Read form"))
        self.read_button.clicked.connect(self._read)
        self.url.returnPressed.connect(self._read)
        self.forms = QComboBox()
        self.forms.setAccessibleName(self.tr("Forms of the page"))
        # No wider than the dialog, whatever the page calls its fields.
        self.forms.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.forms.activated.connect(lambda index: self._show_form(self._found[index]))
        self.message = InlineMessage()
        self.note = QLabel(
            self.tr(
                "Enter the page with the login form. It is recorded without what you type; tokens "
                "are taken from the page each time. For codes by phone, captchas and single "
                "sign-on, use Log in… instead."
            )
        )
        wrap_text(self.note)
        self._fields = QWidget()
        self._typed: dict[str, QLineEdit] = {}
        self._choices: dict[str, QCheckBox] = {}
        self._buttons: QComboBox | None = None
        self._found: Sequence[PageForm] = ()
        self._form: PageForm | None = None
        kinds = QDialogButtonBox.StandardButton
        self._box = QDialogButtonBox(kinds.Cancel)
        self.submit_button = self._box.addButton(
            self.tr("Log in"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.submit_button.setProperty("primary", True)
        self.submit_button.clicked.connect(self._submit)
        self._box.rejected.connect(self.reject)
        self._lay_out()
        self._show_busy(is_busy=False)

    def show_forms(self, forms: Sequence[PageForm]) -> None:
        """Show the forms of the page, the likeliest first."""
        self._found = forms
        self.forms.clear()
        self.forms.addItems([_described(form) for form in forms])
        self.forms.setVisible(len(forms) > 1)
        self._show_form(forms[0])
        self._show_busy(is_busy=False)

    def show_next(self, form: PageForm) -> None:
        """Show the next form of the login."""
        self.forms.hide()
        self._show_form(form)
        self.note.setText(self.tr("The site asks for more."))
        self._show_busy(is_busy=False)

    def show_error(self, sentence: str) -> None:
        """Show why the form could not be read, or why the login failed."""
        self._complain(sentence)
        self._show_busy(is_busy=False)
        self._focus_wrong()

    def field(self, name: str) -> QLineEdit:
        """The input of the field `name`."""
        return self._typed[name]

    def _show_form(self, form: PageForm) -> None:
        self._form = form
        self._typed, self._choices = {}, {}
        fields = QWidget()
        layout = QFormLayout(fields)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(theme.SPACE_S)
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name in step_of(form).asked:
            field = next(each for each in form.fields if each.name == name)
            self._typed[name] = edit = QLineEdit()
            edit.setMinimumHeight(CONTROL_HEIGHT)
            edit.setObjectName(f"form-field-{name}")
            if field.type is FieldType.PASSWORD:
                edit.setEchoMode(QLineEdit.EchoMode.Password)
            layout.addRow(buddy(_label(field).replace("&", "&&"), edit), edit)
            edit.setAccessibleName(_label(field))
        for field in form.fields:
            if field.type is FieldType.CHOICE and field.name not in self._choices:
                box = QCheckBox(_label(field).replace("&", "&&"))
                self._choices[field.name] = box
                box.setChecked(field.is_on)
                layout.addRow("", box)
        self._buttons = _buttons_of(form)
        if self._buttons is not None:
            layout.addRow(buddy(self.tr("Button"), self._buttons), self._buttons)
        centre_labels(layout)
        self._column.replaceWidget(self._fields, fields)
        self._fields.deleteLater()
        self._fields = fields
        self.note.setText(self._note(form))
        self.message.hide()
        first = next(iter(self._typed.values()), None)
        if first is not None:
            first.setFocus()
        self._grow()

    def _complain(self, sentence: str) -> None:
        self.message.show_text("error", sentence, stays=True)
        self._grow()

    def _grow(self) -> None:
        """Grow to fit the contents: a dialog with wrapped texts does not do so itself."""
        self._column.activate()
        height = self._column.totalHeightForWidth(self.width())
        self.resize(self.width(), max(self.height(), height))

    def _focus_wrong(self) -> None:
        """Focus the password, which is wrong most often, or the page."""
        secret = QLineEdit.EchoMode.Password
        hidden = (edit for edit in self._typed.values() if edit.echoMode() is secret)
        edit = next(hidden, next(iter(self._typed.values()), self.url))
        edit.setFocus()
        edit.selectAll()

    def _note(self, form: PageForm) -> str:
        action = formatting.clean(display_url(form.action))
        lines = [self.tr("Sent to {address}.").format(address=action)]
        if fresh := step_of(form).fresh:
            taken = self.tr("Taken from the page each time: {fields}.")
            lines.append(taken.format(fields=formatting.clean(listed(fresh))))
        return "\n".join(lines)

    def _read(self) -> None:
        if self.url.text().strip() and self.read_button.isEnabled():
            self._show_busy(is_busy=True)
            self.read_wanted.emit(self.url.text().strip())

    def _submit(self) -> None:
        form = self._form
        if form is None:
            return
        typed = {name: edit.text() for name, edit in self._typed.items() if edit.text()}
        step = self._step(form, typed)
        if not step.asked:
            self._complain(self.tr("Fill in the form first."))
            return
        self._show_busy(is_busy=True)
        self.submit_wanted.emit(form, step, typed)

    def _step(self, form: PageForm, typed: Mapping[str, str]) -> FormStep:
        """The step to record: the filled-in fields, and what differs from the page."""
        values = {each.name: each for each in form.fields if each.type is FieldType.CHOICE}
        fixed = {
            name: values[name].value if box.isChecked() else ""
            for name, box in self._choices.items()
            if box.isChecked() != values[name].is_on
        }
        button = "" if self._buttons is None else str(self._buttons.currentData())
        return step_of(form, fixed, button).only(typed)

    def _show_busy(self, *, is_busy: bool) -> None:
        if is_busy:
            self.message.hide()
        self.read_button.setEnabled(not is_busy)
        self.submit_button.setEnabled(not is_busy and self._form is not None)
        self._fields.setEnabled(not is_busy)
        (self.read_button if self._form is None else self.submit_button).setDefault(True)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE_S)
        top.addWidget(buddy(self.tr("&Page"), self.url))
        top.addWidget(self.url, 1)
        top.addWidget(self.read_button)
        self.forms.hide()
        self.submit_button.setAutoDefault(False)
        self.read_button.setAutoDefault(False)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(theme.SPACE_M)
        self._column.addLayout(top)
        for widget in (self.forms, self.note, self._fields, self.message, self._box):
            self._column.addWidget(widget)
        self.setMinimumWidth(_WIDTH)


def _label(field: FormField) -> str:
    """What the page calls a field, shortened."""
    return formatting.clean(field.label.rstrip(" :*") or field.name, _LONGEST_LABEL)


def _buttons_of(form: PageForm) -> QComboBox | None:
    """The choice of the button that sends the form, if there are several."""
    labels: dict[str, str] = {}
    for each in form.buttons:
        if each.name:
            labels.setdefault(each.name, each.label or each.name)
    if len(labels) <= 1:
        return None
    box = QComboBox()
    for name, label in labels.items():
        box.addItem(formatting.clean(label, _LONGEST_LABEL), name)
    return box


def _described(form: PageForm) -> str:
    """The entry of a form in the list of forms."""
    fields = listed(_label(field) for field in form.typed)
    return formatting.clean(labelled(display_url(form.action), fields))
