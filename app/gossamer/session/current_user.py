"""Names the user as the system does."""

import getpass


def user_name() -> str:
    """The name of the user; "" if the system has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
