"""Posts to webhooks: one request, no redirect, within a time limit.

Redirects are not followed: the body is signed for the address that the user named, and for no
other. The address guard does not apply: the user may name any network.
"""

import asyncio
import ssl
from collections.abc import Mapping

import aiohttp

from gossamer.fetch.tls_contexts import trusted
from gossamer.model.network_reasons import CLOSED, network_reason
from gossamer.model.translatable import Translatable, said

_SUCCESS, _REDIRECT = 2, 3


class WebhookFailedError(Exception):
    """The request did not succeed. `status` is that of the response, if one came.

    `reached` is whether the server may have received it nevertheless.
    """

    def __init__(
        self, why: Translatable, status: int | None = None, *, reached: bool = True
    ) -> None:
        super().__init__(str(why))
        self.said = why
        self.status = status
        self.reached = reached


async def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    limit_s: float,
    tls: ssl.SSLContext | None = None,
) -> int:
    """Post `body`; returns the status of the response, WebhookFailedError unless it is a success.

    `tls` replaces the system's trust.
    """
    try:
        async with (
            asyncio.timeout(limit_s),
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=tls or trusted())) as session,
            session.post(url, data=body, headers=dict(headers), allow_redirects=False) as response,
        ):
            status = response.status
    except TimeoutError:
        raise WebhookFailedError(
            said("no response within {seconds:g} s", seconds=limit_s)
        ) from None
    except aiohttp.ClientConnectorCertificateError:
        why = said("the certificate of the server is not valid")
        raise WebhookFailedError(why, reached=False) from None
    except (aiohttp.ClientResponseError, aiohttp.ClientPayloadError):
        why = said("the response of the server is not valid HTTP")
        raise WebhookFailedError(why) from None
    except (aiohttp.ClientError, OSError, ValueError) as e:
        is_connected = not isinstance(e, aiohttp.ClientConnectorError)
        why = said("no connection: {reason}", reason=_reason(e))
        raise WebhookFailedError(why, reached=is_connected) from None
    if status // 100 == _REDIRECT:
        raise WebhookFailedError(
            said("the server redirects (status {status}); name the new address", status=status),
            status,
        )
    if status // 100 != _SUCCESS:
        raise WebhookFailedError(said("the server returned status {status}", status=status), status)
    return status


def _reason(error: Exception) -> Translatable:
    """Why there is no response. aiohttp has no error number for a connection that was closed."""
    if isinstance(error, aiohttp.ServerDisconnectedError) or (
        isinstance(error, aiohttp.ClientOSError)
        and not isinstance(error, aiohttp.ClientConnectorError)
        and error.errno is None
    ):
        return said(CLOSED)
    return network_reason(error)
