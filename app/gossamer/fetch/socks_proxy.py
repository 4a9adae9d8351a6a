"""Connects through SOCKS proxies: SOCKS 5 (RFC 1928, RFC 1929), SOCKS 4 and 4a."""

import socket
from collections.abc import Mapping
from typing import Final

from gossamer.model.outcome_details import MAX_CHARACTERS, Detail, DetailCode, DetailedError, joined
from gossamer.model.secrets import HttpAuth
from gossamer.model.settings.proxy_address import ProxyAddress
from gossamer.model.text_cleaning import one_line

_SERVER_ERROR: Final = 5
_REFUSED: Final = 5
_MAY_PASS: Final = frozenset({1, 3, 4, _REFUSED, 6, 0x5B})
"""Replies about the server or the way there (RFC 1928 §6; SOCKS 4 has one for all troubles). The
others say that the proxy does not support that, or not for us."""


_REPLIES: Final[Mapping[int | None, DetailCode]] = {
    1: DetailCode.SOCKS_FAILURE,
    2: DetailCode.SOCKS_FORBIDDEN,
    3: DetailCode.NETWORK_UNREACHABLE,
    4: DetailCode.SOCKS_HOST,
    _REFUSED: DetailCode.CONNECTION_REFUSED,
    6: DetailCode.SOCKS_TTL,
    7: DetailCode.SOCKS_COMMAND,
    8: DetailCode.SOCKS_ADDRESS,
    0x5B: DetailCode.SOCKS_REJECTED,
    0x5C: DetailCode.SOCKS_SIGN_IN,
    0x5D: DetailCode.SOCKS_SIGN_IN,
}


class ProxyUnreachableError(Exception):
    """No connection to the proxy itself; the cause says why."""


class ProxyRefusedError(DetailedError):
    """The proxy would not connect to the server. `transient` as in `Visit`."""

    def __init__(self, status: int, reason: str, wanted: Detail | None = None) -> None:
        """`wanted` is the authentication it wants."""
        reason = one_line(reason, MAX_CHARACTERS)
        reply = (
            DetailCode.PROXY_STATUS_REASON(status=status, reason=reason)
            if reason
            else DetailCode.PROXY_STATUS(status=status)
        )
        super().__init__(joined(reply, wanted) or reply)
        self.transient = status // 100 == _SERVER_ERROR


class SocksReplyError(DetailedError, OSError):
    """The proxy cannot connect to this address. `transient` as in `Visit`."""

    def __init__(self, message: str, code: int | None) -> None:
        """`code` is the proxy's reply, None if it cannot be read or is a refusal.

        `message` is what python-socks makes of it.
        """
        wants_sign_in = code is None and "authentication" in message
        unread = DetailCode.SOCKS_SIGN_IN if wants_sign_in else DetailCode.SOCKS_MALFORMED
        reply = _REPLIES.get(code, unread)
        super().__init__(DetailCode.PROXY(why=reply()))
        self.refused = code == _REFUSED
        self.transient = code in _MAY_PASS


class SocksProxy:
    """A SOCKS proxy and our credentials for it."""

    def __init__(self, address: ProxyAddress, auth: HttpAuth | None) -> None:
        self._address = address
        self._auth = auth
        self._is_5 = address.scheme.startswith("socks5")
        self.family: Final = socket.AF_UNSPEC if self._is_5 else socket.AF_INET
        """The address family that it supports."""

    async def connect(self, host: str, port: int) -> socket.socket:
        """A connection to `host`, an address or a name for the proxy to look up.

        Cancelled, it leaves none. Raises ProxyUnreachableError or SocksReplyError.
        """
        import python_socks as socks  # noqa: PLC0415 - few crawls need it, all workers wait
        from python_socks.async_.asyncio import Proxy  # noqa: PLC0415 - likewise

        proxy = Proxy(
            socks.ProxyType.SOCKS5 if self._is_5 else socks.ProxyType.SOCKS4,
            self._address.host.strip("[]"),
            self._address.port,
            username=None if self._auth is None else self._auth.user,
            password=None if self._auth is None else self._auth.password,
            rdns=True,  # a name here is one that was not to be looked up
        )
        try:
            return await proxy.connect(host, port)
        except socks.ProxyConnectionError as e:
            raise ProxyUnreachableError from e.__cause__
        except OSError as e:  # in the middle of the handshake
            raise ProxyUnreachableError from e
        except socks.ProxyError as e:
            raise SocksReplyError(str(e), e.error_code) from e
