"""Inter-process communication: framed messages between processes of the program."""

from enum import StrEnum
from typing import Final

PROTOCOL_VERSION: Final = 1
"""Of the handshake and of all messages between our processes. A release whose
`gossamer.model.messages` differ from those of the release before raises it, once: when the program
is updated while it runs, a new child does not understand an old parent. 1 is that of the first
release, until which it stays."""
CHILD_FLAG: Final = "--child"
"""The hidden first argument that starts the program as a child; the role's name follows."""
PASSWORD_VARIABLE: Final = "GOSSAMER_PASSWORD"  # noqa: S105 - where one is, not what it is
"""The environment variable with the password, which no child has."""
PASSPHRASE_VARIABLE: Final = "GOSSAMER_PASSPHRASE"  # noqa: S105 - likewise
"""That with the passphrase of a client certificate, likewise."""
SECRET_VARIABLES: Final = (PASSWORD_VARIABLE, PASSPHRASE_VARIABLE)


class ChildRole(StrEnum):
    """The role of a child process: the name under which it is started."""

    HOST = "host"
    PAGE_WORKER = "page-worker"
    LOCAL_CLUSTER = "local-cluster"
    PATTERNS = "patterns"
    INSPECTOR = "inspector"
    LOGIN_WINDOW = "login-window"
    LOGIN_FORM = "login-form"
    AUDIT = "audit"
    COMPARISON = "comparison"
    SQL_QUERY = "sql-query"
    SEARCH_INDEX = "search-index"
    DEMO_SITE = "demo-site"
