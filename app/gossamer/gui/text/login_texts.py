"""Describes the contents of a login, in the language of the window."""

from gossamer.gui.text.local_formatting import translator
from gossamer.model.secrets import Secrets

_tr = translator("LoginDialog")


def counted(cookies: int, stored_values: int) -> str:
    """Numbers of cookies and stored values."""
    parts = [_tr("%Ln cookie(s)", cookies), _tr("%Ln stored value(s)", stored_values)]
    return _tr("{cookies} and {stored}").format(cookies=parts[0], stored=parts[1])


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
