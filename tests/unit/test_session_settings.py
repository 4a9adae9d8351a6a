"""Settings as a file of their own, and changed for a crawl that has begun."""

import asyncio
import gc
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from gossamer.model.errors import ProjectError, UsageError
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.request_settings import Parser
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.session.live_settings import CHANGEABLE, with_changes
from gossamer.session.session_factory import SessionFactory
from gossamer.session.settings_file import read_changes, read_settings, settings_of, settings_text
from gossamer.store.project import create, stored_settings
from gossamer.store.writer_lock import WriterLock
from tests.cases import each_case

FULL = CrawlSettings(
    roots=("example.com", "https://ü.example/\u007f'\"\\"),
    workers=3,
    rate=0.5,
    max_depth=7,
    include=(r"/docs/\d+\.html$",),
    host_match=HostMatch.LENIENT,
    public_headers=(("Accept", "text/html"), ("X-Zeit", "12:30 Uhr")),
    parser=Parser.BEAUTIFULSOUP,
    guard=False,
    check_kinds=(),
)


def test_settings_survive_a_round_trip_through_a_file() -> None:
    assert settings_of(settings_text(FULL))[0] == FULL
    plain = CrawlSettings(roots=("a.example",))
    assert settings_of(settings_text(plain))[0] == plain


def test_headers_are_written_to_the_file_as_name_and_value() -> None:
    assert 'public_headers = ["Accept: text/html", "X-Zeit: 12:30 Uhr"]' in settings_text(FULL)
    read, named = settings_of('public_headers = ["X-A:1", "X-B: 2 "]\nheaders = ["X-C: d: e"]')
    assert read.public_headers == (("X-A", "1"), ("X-B", "2"))
    assert read.headers == (("X-C", "d: e"),)
    assert named == {"public_headers", "headers"}


def test_no_secret_is_in_the_file() -> None:
    names = SecretNames(origin="https://a.example", user="me")
    settings = msgspec.structs.replace(
        FULL,
        roots=("https://me:hunter2@a.example/",),
        headers=(("X-Unheard-Of", "hunter2"), ("Accept", "hunter2")),
        needs_secrets=(names,),
    )
    text = settings_text(settings)
    assert "hunter2" not in text
    assert "secret" not in text.replace("archive_secrets = false", "")
    assert 'roots = ["https://a.example/"]' in text
    several = msgspec.structs.replace(settings, roots=("a.example", "b.example"))
    assert "hunter2" not in settings_text(several)


def test_headers_in_a_settings_file_are_sent_to_the_site_alone(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text('headers = ["X-Unheard-Of: hunter2"]\n')
    read = read_settings(file)
    assert (read.headers, read.public_headers) == ((("X-Unheard-Of", "hunter2"),), ())
    assert read_changes(file) == {"headers": read.headers}


def test_settings_are_read_from_a_file_or_a_project(tmp_path: Path) -> None:
    file, project = tmp_path / "x.toml", tmp_path / "x.gossamer"
    file.write_text(settings_text(FULL), encoding="utf-8")
    create(project, FULL)
    assert read_settings(file) == read_settings(project) == FULL
    file.write_text("workers = 4\n")
    assert read_settings(file) == CrawlSettings(roots=(), workers=4)
    assert read_changes(file) == {"workers": 4}
    assert read_changes(project)["include"] == FULL.include
    assert "roots" not in read_changes(project)


@each_case(
    ("text", "said"),
    [
        ("workers 4", "Expected '='"),
        ("workers = 'many'", "workers must be a whole number, not a text;"),
        ("rate = 'x'", "rate must be a number, not a text;"),
        ("guard = 1", "guard must be true or false, not a whole number;"),
        ("include = 'x'", "include must be a list, not a text;"),
        ("max_depth = 1.5", "max_depth must be a whole number, not a number;"),
        ("wrokers = 4", "there is no setting wrokers;"),
        ("unset = ['wrokers']", "there is no setting wrokers;"),
        ("unset = 3", "unset must be a list of settings;"),
        ("unset = [[]]", "unset must be a list of settings;"),
        ("insecure_hosts = ['a.test:443']", "certificate exceptions are per crawl"),
        ("settings_version = 2", "newer Gossamer"),
        ("parser = 'regex'", "parser cannot be 'regex';"),
        ("headers = ['X-Pass s3cret']", "A header has no colon"),
        ("headers = 'X-Pass: s3cret'", "headers"),
        ("public_headers = [1]", "public_headers"),
    ],
)
def test_an_invalid_settings_file_is_refused_in_one_sentence(
    tmp_path: Path, text: str, said: str
) -> None:
    assert_refused(tmp_path / "x.toml", text, said)


def test_a_settings_file_that_nests_too_deep_is_refused_in_one_sentence(tmp_path: Path) -> None:
    # What other tests left is not to be finalized where the stack is full.
    gc.collect()
    gc.disable()
    try:
        assert_refused(tmp_path / "x.toml", "a = " + "[" * 5000, "settings file")
    finally:
        gc.enable()


def assert_refused(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(UsageError, match=said) as refused:
        read_settings(file)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_an_unreadable_settings_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name a settings file or a project"):
        read_settings(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not a settings file"):
        read_settings(tmp_path / "x.toml")


def test_a_running_crawl_can_change_its_pace_but_not_its_scope() -> None:
    assert with_changes(FULL, {"workers": 9, "rate": None}).workers == 9
    assert with_changes(FULL, {"roots": FULL.roots, "max_depth": 7}) == FULL, "no change"
    with pytest.raises(UsageError, match=r"Host match cannot change.*applied to the URLs"):
        with_changes(FULL, {"host_match": HostMatch.STRICT})
    with pytest.raises(UsageError, match=r"Parser cannot change.*already been parsed"):
        with_changes(FULL, {"parser": Parser.SELECTOLAX})
    assert with_changes(FULL, {"max_depth": None, "max_similar": 99}).max_depth is None
    with pytest.raises(UsageError, match="Max depth can only be raised"):
        with_changes(FULL, {"max_depth": 6})
    with pytest.raises(UsageError, match="Exclude patterns can only be added"):
        with_changes(structs.replace(FULL, exclude=("/a/",)), {"exclude": ("/b/",)})
    with pytest.raises(UsageError, match="Workers must be between"):
        with_changes(FULL, {"workers": 0})


def test_changeable_settings_are_settings() -> None:
    assert set(CrawlSettings.__struct_fields__) > CHANGEABLE


def test_changed_settings_are_saved_in_the_project(tmp_path: Path) -> None:
    path = tmp_path / "x.gossamer"
    create(path, FULL)
    session = SessionFactory().open(path)
    asyncio.run(session.change({"workers": 21}))
    assert session.settings.workers == stored_settings(path).workers == 21
    assert stored_settings(path).include == FULL.include
    lock = WriterLock(path)
    with pytest.raises(ProjectError, match="is being crawled"):
        asyncio.run(session.change({"workers": 22}))
    lock.close()
    assert stored_settings(path).workers == 21


def test_invisible_characters_are_written_as_escapes() -> None:
    settings = CrawlSettings(roots=("a.test",), exclude=("a\u202eb", "\U000e0001", "\x7f", "ü漢"))
    text = settings_text(settings)
    assert all(line.isprintable() for line in text.splitlines())
    assert '"a\\U0000202eb"' in text
    assert "ü漢" in text
    assert settings_of(text)[0].exclude == settings.exclude
