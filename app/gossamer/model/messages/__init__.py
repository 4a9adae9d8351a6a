"""The messages that processes of the program exchange."""
