"""What is said when a Dask scheduler cannot be spoken with."""

import asyncio
from collections.abc import Generator
from pathlib import Path

import dask
import pytest

from gossamer.cluster import scheduler_client as module
from gossamer.cluster.scheduler_client import connected, name_of
from gossamer.model.errors import CrawlHostError
from tests.fakes.virtual_loop import run_virtual

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


class ConnectingClient:
    """A client whose scheduler does not reply."""

    made: "list[ConnectingClient]" = []  # noqa: RUF012 - the only test with it has one

    def __init__(self, *_: object, **__: object) -> None:
        self.is_closed = False
        self.made.append(self)

    def __await__(self) -> Generator[object, None, None]:
        yield from asyncio.Event().wait().__await__()

    async def close(self) -> None:
        self.is_closed = True


def test_a_client_is_closed_that_is_cancelled_while_it_connects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "Client", ConnectingClient)

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            connecting = group.create_task(connected("tcp://127.0.0.1:9"))
            await asyncio.sleep(1.0)
            connecting.cancel()

    run_virtual(main())
    assert [each.is_closed for each in ConnectingClient.made] == [True]
