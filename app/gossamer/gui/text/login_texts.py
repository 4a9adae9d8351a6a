"""Describes a login and where it is stored, in the language of the window."""

from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.model.secrets import Secrets
from gossamer.session.keyring import chosen_file

_tr = translator("LoginDialog")


def counted(cookies: int, stored_values: int) -> str:
    """Numbers of cookies and stored values; of what there is, if there is anything."""
    told, stored = _tr("%Ln cookie(s)", cookies), _tr("%Ln stored value(s)", stored_values)
    if cookies and not stored_values:
        return told
    if stored_values and not cookies:
        return stored
    return _tr("{cookies} and {stored}").format(cookies=told, stored=stored)


def login_words(login: Secrets) -> str:
    """Whom there is a login for, and its contents; "" without one."""
    lines = [
        _tr("Logged in to {site}: {found}.").format(
            site=site,
            found=counted(len(each.login.cookie_names), len(each.login.stored_keys)),
        )
        for site, each in login.origins.items()
        if each.login
    ]
    return "\n".join(lines)


def remember_label() -> str:
    """The label of the choice to store secrets."""
    if chosen_file() is None:
        return _tr("Remember in the system keyring")
    return _tr("Remember in the secrets file")


def remember_note() -> str:
    """Which file that is; "" for the keyring."""
    file = chosen_file()
    if file is None:
        return ""
    return _tr("{path}, which only you can read.").format(path=formatting.clean(str(file)))
