"""Makes the TLS contexts of connections: trusted certificates and client certificates.

The trusted ones are loaded when the first https server is requested: aiohttp reads all of the
system's when it is imported, twice over, which is a fifth of the start of a page worker. Here it is
imported with none to be found.
"""

import os
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from gossamer.model.client_certificate import ClientCertificate


@contextmanager
def _none_to_be_found() -> Iterator[None]:
    """Point OpenSSL's default paths (SSL_CTX_set_default_verify_paths(3)) nowhere for a moment."""
    names = ("SSL_CERT_FILE", "SSL_CERT_DIR")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, os.devnull))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


with _none_to_be_found():
    import aiohttp.connector  # noqa: F401 - this import is what it is about


@cache
def trusted() -> ssl.SSLContext:
    """TLS for servers whose certificates the system trusts, the same each time.

    The first call reads files for some 20 ms.
    """
    return checking_context()


@cache
def unchecked() -> ssl.SSLContext:
    """TLS for servers whose certificate has a known flaw, the same each time."""
    return _unchecked(checking_context())


def checking_context(cafile: Path | None = None) -> ssl.SSLContext:
    """TLS that checks certificates as browsers do, with each version of Python alike.

    It trusts the system's authorities, or those of a file alone.

    Since 3.13, Python refuses those that lack what RFC 5280 wants of authorities, as many of
    private ones do, and takes an intermediate one for a root. Versions before TLS 1.2, which RFC
    8996 forbids, are left to OpenSSL where a distribution has compiled it so, as Debian has.
    """
    context = ssl.create_default_context(cafile=cafile)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.verify_flags &= ~(ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN)
    context.set_alpn_protocols(("http/1.1",))
    return context


def _unchecked(context: ssl.SSLContext) -> ssl.SSLContext:
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class ClientCertificates:
    """TLS for servers that get a client certificate. Each is for its origin alone."""

    def __init__(self, certificates: Mapping[str, ClientCertificate]) -> None:
        """`certificates` are by origin; each is read when its server is first connected to."""
        self._certificates = certificates
        self._contexts: dict[tuple[str, bool], ssl.SSLContext] = {}

    def context(self, origin: str, *, verifies: bool = True) -> ssl.SSLContext | None:
        """None for an origin without one. With `verifies`, the server's certificate is checked.

        UsageError if the certificate cannot be used.
        """
        certificate = self._certificates.get(origin)
        if certificate is None:
            return None
        context = self._contexts.get((origin, verifies))
        if context is None:
            context = checking_context() if verifies else _unchecked(checking_context())
            certificate.load_into(context)
            self._contexts[origin, verifies] = context
        return context


NO_CLIENT_CERTIFICATES: Final = ClientCertificates({})
