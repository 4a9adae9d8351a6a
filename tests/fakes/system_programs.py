"""systemctl, crontab, launchctl and schtasks as strict as the real ones, in memory."""

import os
import plistlib
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from gossamer.scheduling.timers.system_timer import ProgramResult


def refused(reason: str) -> ProgramResult:
    return ProgramResult(1, b"", reason.encode() + b"\n")


DONE = ProgramResult(0, b"", b"")


class FakeSystemctl:
    """A user's systemd: it knows units only after daemon-reload, and only those in its folder."""

    def __init__(self, config: Path) -> None:
        self.folder = config / "systemd" / "user"
        self.config = config
        self.known: set[str] = set()
        self.enabled: set[str] = set()
        self.active: set[str] = set()
        self.refuses = ""
        """The word that it fails on."""
        self.lingers = "yes"

    def __call__(self, words: Sequence[str], data: bytes) -> ProgramResult:  # noqa: C901 - a branch for each verb
        assert not data
        if words[0] == "loginctl":
            assert words[1:4] == ["show-user", "--property=Linger", "--value"]
            # Without a user, it shows the properties of logind itself, none of which is that.
            is_known = list(words[4:]) == [str(os.getuid())]
            return ProgramResult(0, f"{self.lingers}\n".encode() if is_known else b"", b"")
        assert list(words[:2]) == ["systemctl", "--user"]
        verb, *arguments = words[2:]
        if verb == self.refuses:
            return refused("Failed to connect to bus: No medium found")
        if verb == "show-environment":
            return ProgramResult(0, f"HOME=/x\nXDG_CONFIG_HOME={self.config}\n".encode(), b"")
        if verb == "daemon-reload":
            self.known = {path.name for path in self.folder.iterdir()}
            return DONE
        now = "--now" in arguments
        (unit,) = [each for each in arguments if each != "--now"]
        if unit not in self.known:
            return refused(f"Failed to {verb} unit: Unit file {unit} does not exist.")
        assert unit.endswith(".timer"), "the service is started by its timer"
        if verb == "enable":
            self.enabled.add(unit)
        elif verb == "restart":
            self.active.add(unit)
        elif verb == "disable":
            assert now
            self.enabled.discard(unit)
            self.active.discard(unit)
        else:
            raise AssertionError(verb)
        return DONE


class FakeCrontab:
    """crontab(1) of one user."""

    def __init__(self, text: bytes | None = None) -> None:
        self.text = text
        self.refuses = False

    def __call__(self, words: Sequence[str], data: bytes) -> ProgramResult:
        if self.refuses:
            return refused("You (jo) are not allowed to use this program (crontab)")
        if list(words) == ["crontab", "-l"]:
            assert not data
            return (
                refused("no crontab for jo")
                if self.text is None
                else ProgramResult(0, self.text, b"")
            )
        assert list(words) == ["crontab", "-"]
        assert not data or data.endswith(b"\n"), "cron takes no line without its end"
        self.text = data
        return DONE


class FakeLaunchctl:
    """launchd of one user: it loads what is a property list, and nothing twice."""

    def __init__(self) -> None:
        self.loaded: dict[str, Path] = {}

    def __call__(self, words: Sequence[str], data: bytes) -> ProgramResult:
        assert not data
        program, verb, *arguments = words
        assert program == "launchctl"
        if verb == "bootstrap":
            domain, path = arguments
            label = plistlib.loads(Path(path).read_bytes())["Label"]
            assert Path(path).name == f"{label}.plist"
            if f"{domain}/{label}" in self.loaded:
                return refused("Bootstrap failed: 5: Input/output error")
            self.loaded[f"{domain}/{label}"] = Path(path)
            return DONE
        assert verb == "bootout"
        (label,) = arguments
        if self.loaded.pop(label, None) is None:
            return ProgramResult(3, b"", b"Boot-out failed: 3: No such process\n")
        return DONE


class FakeSchtasks:
    """schtasks.exe: it keeps the definitions that it is given as files."""

    def __init__(self) -> None:
        self.tasks: dict[str, bytes] = {}

    def __call__(self, words: Sequence[str], data: bytes) -> ProgramResult:
        assert not data
        assert words[0] == "schtasks"
        named = words[words.index("/TN") + 1]
        if words[1] == "/Create":
            definition = Path(words[words.index("/XML") + 1]).read_bytes()
            ET.fromstring(definition.decode("utf-16"))  # noqa: S314 - our own
            if named in self.tasks and "/F" not in words:
                return refused("WARNING: The task name already exists.")
            self.tasks[named] = definition
            return DONE
        if named not in self.tasks:
            return refused("ERROR: The system cannot find the file specified.")
        if words[1] == "/Delete":
            assert "/F" in words, "it would ask"
            del self.tasks[named]
            return DONE
        assert words[1:3] == ["/Query", "/XML"]
        return ProgramResult(0, self.tasks[named], b"")


FakeProgram = Callable[[Sequence[str], bytes], ProgramResult]
