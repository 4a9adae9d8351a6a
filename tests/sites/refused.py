"""A port at which nobody listens, and that nobody else gets as long as it is needed."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def refusing_port(host: str = "127.0.0.1") -> Iterator[int]:
    """A TCP port that refuses every connection.

    It is bound for as long: a port that was closed may be the next that the system gives to
    another test. OSError where there is no such address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as bound:
        bound.bind((host, 0))
        port: int = bound.getsockname()[1]
        yield port
