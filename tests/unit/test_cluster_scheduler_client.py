"""What is said when a Dask scheduler cannot be spoken with."""

import asyncio
from pathlib import Path

import dask
import pytest

from gossamer.cluster.scheduler_client import connected, name_of
from gossamer.model.errors import CrawlHostError

NOWHERE = "tls://127.0.0.1:9"


def refusal(certificate: str | None) -> str:
    """What is said of a cluster with TLS where Dask is configured so."""
    names = ("ca-file", "client.cert", "client.key")
    with (
        dask.config.set({f"distributed.comm.tls.{name}": certificate for name in names}),
        pytest.raises(CrawlHostError) as refused,
    ):
        asyncio.run(connected(NOWHERE))
    return str(refused.value)


def test_a_cluster_with_tls_needs_certificates() -> None:
    assert "names none" in refusal(None)


def test_certificates_that_cannot_be_used_are_told_from_a_scheduler_that_is_gone(
    tmp_path: Path,
) -> None:
    odd = tmp_path / "odd.pem"
    assert "cannot be used (FileNotFoundError" in refusal(str(odd))
    odd.write_text("no certificate")
    assert "cannot be used (SSLError" in refusal(str(odd))


@pytest.mark.parametrize(
    ("name", "at", "said"),
    [
        ("berlin", "tcp://10.0.0.5:1", "berlin"),
        (None, "tcp://10.0.0.5:1", "tcp://10.0.0.5:1"),
        (0, "tcp://127.0.0.1:1", "#1"),
        (2, "tls://10.0.0.5:1", "10.0.0.5 #3"),
    ],
)
def test_a_node_is_called_as_people_call_its_worker(name: object, at: str, said: str) -> None:
    assert name_of({"name": name}, at) == said
