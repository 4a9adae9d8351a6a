"""Default paths of projects, logs and configuration files."""

import os
import re
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_config_path, user_log_path

from gossamer.ipc.log_file import rotate, tidy
from gossamer.model.errors import ProjectError
from gossamer.model.file_names import file_name, is_text
from gossamer.model.translatable import system_reason
from gossamer.store.atomic_files import is_made_aside, make_private
from gossamer.store.data_folder import data_folder
from gossamer.store.locking.file_identity import file_of

_NAME = "gossamer"
SUFFIX = ".gossamer"


def config_folder() -> Path:
    """The folder of the user's choices: defaults, profiles, the window's appearance."""
    return user_config_path(_NAME, appauthor=False)


def projects_folder() -> Path:
    """The folder of crawls without a chosen file. It may not exist yet."""
    return data_folder() / "projects"


def outbox_path() -> Path:
    """The file of notifications that wait for delivery. It may not exist yet."""
    return data_folder() / "outbox.sqlite"


def new_project_path(root: str) -> Path:
    """A free path for a new project on `root`, a serialised URL, in the data folder.

    Raises ProjectError if the folder cannot be made.
    """
    host = re.sub(r"[^a-z0-9.-]+", "-", root.partition("://")[2].partition("/")[0]).strip("-.")
    return free_project_path(projects_folder(), host or "crawl", datetime.now().astimezone())


def free_project_path(folder: Path, name: str, time: datetime) -> Path:
    """A free path in `folder`, which is made if necessary, for a project begun at that local time.

    Raises ProjectError if the folder cannot be made.
    """
    ensure_projects_folder(folder)
    begun = f"{time:%Y-%m-%d %H.%M.%S}"
    path = folder / file_name(name, f" {begun}{SUFFIX}")
    number = 2
    while path.exists():
        path = folder / file_name(name, f" {begun} ({number}){SUFFIX}")
        number += 1
    return path


def ensure_projects_folder(folder: Path) -> None:
    """Make a folder for projects, if there is none; ProjectError."""
    try:
        make_private(folder)
    except OSError as e:
        raise ProjectError(
            "The project folder {folder} cannot be created ({reason}); create it yourself, or "
            "save the project elsewhere.",
            folder=folder,
            reason=system_reason(e),
        ) from e


def log_path(project: Path) -> Path:
    """The log of the crawls of `project`; its folder exists. OSError if it cannot be made.

    A project that will replace another has that one's log.
    """
    folder = user_log_path(_NAME, appauthor=False)
    make_private(folder)
    # Projects of the same name in two folders have a log each.
    file = file_of(project)
    if is_made_aside(file):
        file = file.parent.with_name(file.name)
    place = blake2b(os.fsencode(file), digest_size=4).hexdigest()
    return folder / file_name(file.stem, f"-{place}.log")


def crawl_log(project: Path) -> Path:
    """The log of the crawls of `project`, ready to be written; the null device if impossible."""
    try:
        log = log_path(project).absolute()
    except OSError:
        return Path(os.devnull)
    if not is_text(str(log)):  # then it cannot be passed to its processes
        return Path(os.devnull)
    rotate(log)
    tidy(log.parent)
    return log


def schedule_log(name: str) -> Path:
    """The log of the schedule of that name; its folder exists. OSError if it cannot be made."""
    folder = user_log_path(_NAME, appauthor=False)
    make_private(folder)
    return folder / file_name(f"schedule-{name}", ".log")


def notification_log() -> Path:
    """The log of deliveries; its folder exists. OSError if it cannot be made."""
    return program_log().with_name("notifications.log")


def program_log() -> Path:
    """The log of the command line itself; its folder exists. OSError if it cannot be made."""
    folder = logs_folder()
    make_private(folder)
    return folder / "command-line.log"


def logs_folder() -> Path:
    """Where logs are, once there are any."""
    return user_log_path(_NAME, appauthor=False)
