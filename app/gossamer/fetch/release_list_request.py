"""Requests the list of releases: one GET, no redirect, bounded in time and size.

What the server learns is our version and the address of this computer, as with any request. No
cookie, no token, no id, and nothing about crawls is sent. The environment is ignored, too: a .netrc
could add a password.
"""

import asyncio
import ssl
from typing import Final

import aiohttp

from gossamer import __version__
from gossamer.fetch.tls_contexts import trusted
from gossamer.model.errors import UpdateCheckError
from gossamer.model.releases import LARGEST_LIST, LIMIT_S

_HEADERS: Final = {
    "User-Agent": f"Gossamer/{__version__}",
    "Accept": "application/json",
    "Accept-Encoding": "identity",  # so that nothing small can become large
}
_OK: Final = 200


async def requested_releases(
    source: str, limit_s: float = LIMIT_S, tls: ssl.SSLContext | None = None
) -> bytes:
    """The list at the URL `source`, as it is; UpdateCheckError.

    `tls` replaces the system's trust.
    """
    try:
        async with (
            asyncio.timeout(limit_s),
            aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(ssl=tls or trusted()),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
            ) as session,
            session.get(source, headers=_HEADERS, allow_redirects=False) as response,
        ):
            if response.status != _OK:
                raise UpdateCheckError(
                    "The server does not list newer versions (status {status}); try again later.",
                    status=response.status,
                )
            return await _bounded(response.content)
    except TimeoutError:
        raise UpdateCheckError(
            "The server did not respond within {seconds:g} s; try again later.", seconds=limit_s
        ) from None
    except (aiohttp.ClientError, OSError, ValueError):
        raise UpdateCheckError(
            "The list of releases cannot be reached; check the network, then try again."
        ) from None


async def _bounded(content: aiohttp.StreamReader) -> bytes:
    document = bytearray()
    async for part in content.iter_any():
        document += part
        if len(document) > LARGEST_LIST:
            raise UpdateCheckError(
                "The response about newer versions is too large; try again later."
            )
    return bytes(document)
