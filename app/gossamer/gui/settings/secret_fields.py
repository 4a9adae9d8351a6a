"""The input widgets of secrets in the settings form, which are not settings."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QLineEdit

from gossamer.gui.settings.path_button import PathButton
from gossamer.gui.settings.settings_fields import SettingField, text_edit, text_line, typed_lines
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.secret_texts import secret_texts
from gossamer.model.secrets import cookies_of

_tr = translator("SettingsForm")


def access_fields() -> tuple[SettingField, ...]:
    """The fields of the secrets, which are not settings."""
    user, password = QLineEdit(), QLineEdit()
    certificate, passphrase = QLineEdit(), QLineEdit()
    for hidden in (password, passphrase):
        hidden.setEchoMode(QLineEdit.EchoMode.Password)
    cookies = text_edit()
    return (
        _secret("user", user),
        _secret("password", password),
        _box("digest"),
        replace(
            _secret("certificate", certificate),
            beside=PathButton(certificate, _tr("Certificates (*.pem *.crt *.p12 *.pfx)")),
        ),
        _secret("passphrase", passphrase),
        SettingField(
            "cookies",
            *secret_texts()["cookies"],
            cookies,
            lambda: cookies_of("\n".join(typed_lines(cookies))),
            lambda pairs: cookies.setPlainText("\n".join(map("=".join, pairs))),
            (cookies.textChanged,),
            "",
        ),
        _box("remember"),
    )


def _box(name: str) -> SettingField:
    """A check box about the secrets."""
    label, hint = secret_texts()[name]
    box = QCheckBox(label)
    return SettingField(name, "", hint, box, box.isChecked, box.setChecked, (box.toggled,), "")


def _secret(name: str, line: QLineEdit) -> SettingField:
    text_line(line)
    label, hint = secret_texts()[name]
    return SettingField(name, label, hint, line, line.text, line.setText, (line.textChanged,), "")
