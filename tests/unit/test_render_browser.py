"""Which browser renders, and how it is started."""

from pathlib import Path

import pytest

from gossamer.model.errors import UsageError
from gossamer.render.browser_arguments import arguments_of
from gossamer.render.browser_discovery import BrowserKind, BrowserProgram, find_browsers


def found(
    names: list[str],
    files: tuple[str, ...] = (),
    *,
    chosen: str = "",
    system: str = "linux",
    **environment: str,
) -> list[tuple[str, BrowserKind]]:
    programs = find_browsers(
        chosen,
        system=system,
        environment=environment,
        which=lambda name: f"/usr/bin/{name}" if name in names else None,
        exists=lambda path: str(path).replace("\\", "/") in files,
    )
    return [(each.path.replace("\\", "/"), each.kind) for each in programs]


def test_the_headless_shell_comes_first_and_a_browser_can_log_in() -> None:
    programs = found(["google-chrome", "chromium", "chromium-headless-shell"])
    assert programs == [
        ("/usr/bin/chromium-headless-shell", BrowserKind.HEADLESS_SHELL),
        ("/usr/bin/chromium", BrowserKind.FULL),
        ("/usr/bin/google-chrome", BrowserKind.FULL),
    ]


def test_no_browser_is_no_error() -> None:
    assert found([]) == []


def test_applications_of_macos_are_found() -> None:
    chrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    own = "/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium"
    programs = found([], (chrome, own), system="darwin", HOME="/Users/me")
    assert programs == [(chrome, BrowserKind.FULL), (own, BrowserKind.FULL)]


@pytest.mark.parametrize("chosen", ["", "msedge"])
def test_on_windows_a_sentence_says_that_no_browser_is_started(chosen: str) -> None:
    with pytest.raises(UsageError, match="On Windows, Gossamer cannot start a browser yet"):
        find_browsers(chosen, system="win32", which=lambda name: f"C:/{name}.exe")


def test_a_chosen_browser_is_the_only_one() -> None:
    assert found(["brave", "chromium"], chosen="brave") == [("/usr/bin/brave", BrowserKind.FULL)]


def test_a_chosen_browser_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="There is no browser nowhere"):
        found(["chromium"], chosen="nowhere")


SHELL = BrowserProgram("/usr/bin/chromium-headless-shell", BrowserKind.HEADLESS_SHELL)
CHROME = BrowserProgram("/usr/bin/google-chrome", BrowserKind.FULL)


def test_a_browser_has_no_network_and_no_profile_of_a_person() -> None:
    arguments = arguments_of(CHROME, "/tmp/p", 4711, is_root=False)  # noqa: S108 - not made
    assert {
        "--remote-debugging-pipe",
        "--user-data-dir=/tmp/p",
        "--proxy-server=http://127.0.0.1:4711",
        "--proxy-bypass-list=<-loopback>",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    } <= set(arguments)


def test_the_sandbox_is_left_out_for_root_alone_and_a_window_for_all() -> None:
    profile = str(Path("p"))
    usual = arguments_of(CHROME, profile, 1, is_root=False)
    assert "--no-sandbox" not in usual
    assert "--headless=new" in usual
    as_root = arguments_of(SHELL, profile, 1, is_root=True)
    assert "--no-sandbox" in as_root
    assert not any(argument.startswith("--headless") for argument in as_root)
