"""What the fields of secrets are called, in the settings form and in the command palette."""

from typing import NamedTuple

from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.login_texts import remember_label, remember_note

_tr = translator("SettingsForm")


class SecretText(NamedTuple):
    """The label of a field, and its hint or ""."""

    label: str
    hint: str = ""


def secret_texts() -> dict[str, SecretText]:
    """The texts by the names of the fields, in the order of the form."""
    return {
        "user": SecretText(_tr("User"), _tr("HTTP authentication. For a form, log in above.")),
        "password": SecretText(_tr("Password")),
        "digest": SecretText(_tr("Never send the password itself (Digest only)")),
        "certificate": SecretText(_tr("Certificate"), _tr("PEM or PKCS#12 file.")),
        "passphrase": SecretText(_tr("Passphrase"), _tr("Of the certificate.")),
        "cookies": SecretText(_tr("Cookies"), _tr("name=value, one per line.")),
        "remember": SecretText(remember_label(), remember_note()),
    }
