"""Framed messages between the processes of one program."""
