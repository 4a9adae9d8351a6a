"""The system's certificates: read when they are needed, and then obeyed."""

import json
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator

import pytest

from gossamer.fetch.tls_contexts import trusted, unchecked
from gossamer.model.outcome import Outcome
from tests.integration.fetching import PAGE, TLS_FOLDER, ScriptedServer, visit

FRESH = """
import json, sys
import gossamer.fetch
from aiohttp import connector
from gossamer.fetch.tls_contexts import (trusted)
contexts = [connector._SSL_CONTEXT_VERIFIED, connector._SSL_CONTEXT_UNVERIFIED, trusted()]
json.dump([context.cert_store_stats()["x509"] for context in contexts], sys.stdout)
"""


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Nothing was read before the test, and nothing of the test's is known after it."""
    trusted.cache_clear()
    yield
    trusted.cache_clear()


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize(
    ("known", "outcome"),
    [("localhost.pem", Outcome.PAGE), ("other-host.pem", Outcome.BAD_CERTIFICATE)],
)
def test_certificates_trusted_by_the_system_are_trusted(
    monkeypatch: pytest.MonkeyPatch, known: str, outcome: Outcome
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS_FOLDER / known))
    monkeypatch.setenv("SSL_CERT_DIR", os.devnull)
    with ScriptedServer([[PAGE]], "localhost.pem") as server:
        assert visit(server.url(scheme="https")).outcome is outcome


def test_certificates_are_not_loaded_at_import() -> None:
    system = {"SSL_CERT_FILE": str(TLS_FOLDER / "localhost.pem"), "SSL_CERT_DIR": os.devnull}
    done = subprocess.run(
        [sys.executable, "-c", FRESH],
        env={**os.environ, **system},
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout) == [0, 0, 1]


def test_old_versions_of_tls_are_refused_however_python_was_compiled() -> None:
    for context in (trusted(), unchecked()):
        assert context.minimum_version is ssl.TLSVersion.TLSv1_2
