"""A name server that answers as hostile and broken ones do."""

import asyncio
import socket
from typing import Final

from aiohttp.abc import AbstractResolver, ResolveResult

HERE: Final = "127.0.0.1"


class HostileNames(AbstractResolver):
    """Answers of all kinds by the first label of the name; any other is an address of ours."""

    def __init__(self) -> None:
        self.rebound = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        label = host.encode("idna").decode().partition(".")[0]  # refuses labels of 64 characters
        match label:
            case "nxdomain":
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            case "servfail":
                raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
            case "silent":
                await asyncio.Event().wait()
            case "empty":
                return []
            case "rebinding":
                self.rebound += 1  # once for the root, once for its page
        addresses = {
            "ipv6": ["::1"],
            "ipv6-dead": ["2001:db8::1"],
            "one-dead": ["127.0.0.2", HERE],
            "private": ["10.0.0.1"],
            "mapped": ["::ffff:192.168.0.1"],
            "metadata": ["169.254.169.254"],
            "mixed": ["10.0.0.1", HERE],
            "rebinding": [HERE if self.rebound <= 2 else "192.168.0.1"],
        }.get(label, [HERE])
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing to close."""
