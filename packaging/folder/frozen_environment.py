"""Before anything else in the frozen program: what it leaves to the programs that it starts.

PyInstaller's start program points LD_LIBRARY_PATH to the libraries of the folder and starts
itself again. The loader has read it by now. A browser, a timer or a user's own command that we
start must not be given those libraries: they would load ours in place of their own, and crash. Our
own child processes are started as the first one was.

PyInstaller runs this as a runtime hook, outside the package: it imports the standard library only.
"""

import os
import ssl
import sys
from collections.abc import Callable, Iterable, MutableMapping

SEARCH_PATH = "LD_LIBRARY_PATH"
BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora and its relatives
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # macOS, BSD
)
"""Where systems keep the certificates they trust."""


def restore_environment(environment: MutableMapping[str, str]) -> None:
    """Take out what PyInstaller put in, and put back what it set aside."""
    for name in [name for name in environment if name.startswith("_PYI_")]:
        del environment[name]
    if (before := environment.pop(f"{SEARCH_PATH}_ORIG", None)) is not None:
        environment[SEARCH_PATH] = before
    else:
        environment.pop(SEARCH_PATH, None)


def trust_system(
    environment: MutableMapping[str, str],
    known: Iterable[str | None],
    exists: Callable[[str], bool],
) -> None:
    """Name the system's certificates, where OpenSSL does not look for them by itself.

    Its places, `known`, are those of the system that the folder was made on.
    """
    if "SSL_CERT_FILE" in environment or any(place and exists(place) for place in known):
        return
    found = next((bundle for bundle in BUNDLES if exists(bundle)), None)
    if found is not None:
        environment["SSL_CERT_FILE"] = found


if getattr(sys, "frozen", False) and sys.platform != "win32":
    restore_environment(os.environ)
    places = ssl.get_default_verify_paths()
    trust_system(os.environ, (places.cafile,), os.path.exists)
