"""Framed messages between the processes of one program."""

CHILD_FLAG = "--child"
"""The hidden first argument that starts the program as a child; the role's name follows."""
PASSWORD_VARIABLE = "GOSSAMER_PASSWORD"  # noqa: S105 - where one is, not what it is
"""The environment variable with the password, which no child has."""
