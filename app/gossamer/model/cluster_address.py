"""Where a crawl's nodes are: the address of a Dask scheduler, or a cluster on this machine."""

from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.text_cleaning import one_line

LOCAL: Final = "local:"
MOST_LOCAL_NODES: Final = 64
_SCHEMES: Final = ("tcp", "tls")


class ClusterChoice(Struct, frozen=True):
    """Where a run of a crawl fetches: as typed, "" for this machine without a cluster."""

    address: str = ""
    is_insecure: bool = False
    """Whether secrets may go there over connections that others can read."""


NO_CLUSTER: Final = ClusterChoice()


class ClusterAddress(NamedTuple):
    """A scheduler's address, such as "tls://10.0.0.5:8786", or a number of nodes to start here."""

    scheduler: str = ""
    local_nodes: int = 0

    @property
    def is_private(self) -> bool:
        """Whether nobody else can listen to the scheduler: it is on this machine, or uses TLS."""
        return bool(self.local_nodes) or is_private(self.scheduler)


def is_private(address: str) -> bool:
    """Whether nobody else can listen to a connection to such a Dask address."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme == "tls" or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def parse_cluster(text: str) -> ClusterAddress:
    """The meaning of `tcp://HOST:PORT`, `tls://HOST:PORT` or `local:N`. UsageError for others."""
    if text.startswith(LOCAL):
        number = text.removeprefix(LOCAL)
        if number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= MOST_LOCAL_NODES:
            return ClusterAddress(local_nodes=int(number))
    elif (address := _scheduler_address(text)) is not None:
        return ClusterAddress(scheduler=address)
    raise UsageError(
        '"{text}" is not a cluster; enter tcp://HOST:PORT or tls://HOST:PORT of a Dask '
        "scheduler, local:N for N nodes on this machine, up to {most}, or a name from "
        "clusters.toml.",
        text=one_line(text, 80),
        most=MOST_LOCAL_NODES,
    )


def _scheduler_address(text: str) -> str | None:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    is_bare = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if parts.scheme not in _SCHEMES or not host or not port or not is_bare:
        return None
    return f"{parts.scheme}://[{host}]:{port}" if ":" in host else f"{parts.scheme}://{host}:{port}"
