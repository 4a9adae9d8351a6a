"""Framed messages between the processes of one program."""

CHILD_FLAG = "--child"
"""The hidden first argument that starts the program as a child; the role's name follows."""
