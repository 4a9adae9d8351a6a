"""The input widgets of secrets in the settings form, which are not settings."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QLineEdit

from gossamer.gui.settings.path_button import PathButton
from gossamer.gui.settings.settings_fields import SettingField, text_edit, text_line, typed_lines
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.login_texts import remember_label, remember_note
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
        _secret("user", _tr("User"), _tr("HTTP authentication. For a form, log in above."), user),
        _secret("password", _tr("Password"), "", password),
        _box("digest", _tr("Never send the password itself (Digest only)")),
        replace(
            _secret("certificate", _tr("Certificate"), _tr("PEM or PKCS#12 file."), certificate),
            beside=PathButton(certificate, _tr("Certificates (*.pem *.crt *.p12 *.pfx)")),
        ),
        _secret("passphrase", _tr("Passphrase"), _tr("Of the certificate."), passphrase),
        SettingField(
            "cookies",
            _tr("Cookies"),
            _tr("name=value, one per line."),
            cookies,
            lambda: cookies_of("\n".join(typed_lines(cookies))),
            lambda pairs: cookies.setPlainText("\n".join(map("=".join, pairs))),
            (cookies.textChanged,),
            "",
        ),
        _box("remember", remember_label(), remember_note()),
    )


def _box(name: str, text: str, hint: str = "") -> SettingField:
    """A check box about the secrets."""
    box = QCheckBox(text)
    return SettingField(name, "", hint, box, box.isChecked, box.setChecked, (box.toggled,), "")


def _secret(name: str, label: str, hint: str, line: QLineEdit) -> SettingField:
    text_line(line)
    return SettingField(name, label, hint, line, line.text, line.setText, (line.textChanged,), "")
