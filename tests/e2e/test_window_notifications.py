"""The process that tells of a crawl for the window has the window show what is for the desktop."""

import asyncio
from pathlib import Path

import pytest

from gossamer.notifying.channels import DesktopChannel
from gossamer.notifying.conditions import EndKind, parse_condition
from gossamer.notifying.delivery_process import notify_in_background
from gossamer.notifying.notification_rules import NotificationRule
from gossamer.notifying.outbox_delivery import default_outbox
from gossamer.notifying.rule_store import RuleStore
from gossamer.store.notification_outbox import DeliveryState
from tests.integration.crawling import crawl_all
from tests.sites import Site


def test_a_notification_comes_to_the_window_from_the_process_that_tells(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    site.page("/")
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"), soft_404_probe=False)
    rule = NotificationRule("Over", (parse_condition("ended"),), (DesktopChannel(),))
    RuleStore().add(rule)
    shown: list[tuple[str, str]] = []

    async def main() -> None:
        come = asyncio.Event()

        def show(title: str, text: str) -> None:
            shown.append((title, text))
            come.set()

        await notify_in_background(path, EndKind.FINISHED, show)
        await come.wait()

    asyncio.run(main())
    assert shown == [(f"{site.url('/')}: The crawl has finished", "The crawl has finished")]
    assert [each.state for each in default_outbox().messages()] == [DeliveryState.DELIVERED]
