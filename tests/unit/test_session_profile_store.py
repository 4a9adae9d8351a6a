"""Profiles of a user's own, and the defaults: files that are made, read, renamed, refused."""

import stat
import sys
from pathlib import Path

import msgspec
import pytest

from gossamer.model.errors import KnownError, OutputError, UsageError
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.built_in_profiles import CHANGES
from gossamer.model.settings.crawl_settings import REUSABLE, CrawlSettings
from gossamer.session.profile_store import DEFAULTS, ProfileStore

PLAIN = CrawlSettings(roots=())
FULL = CrawlSettings(
    roots=("https://jo:hunter2@a.test/",),
    workers=3,
    rate=0.5,
    exclude=("/old/",),
    user_agent="Mine/1",
    headers=(("Authorization", "hunter2"),),
    public_headers=(("X-A", "b"),),
    proxy="http://jo:hunter2@proxy.test:3128",
    insecure_hosts=("a.test:443",),
    sitemaps=("https://a.test/s.xml",),
    list_only=True,
    needs_secrets=(SecretNames(origin="https://a.test", user="jo"),),
)


@pytest.fixture
def kept(tmp_path: Path) -> ProfileStore:
    return ProfileStore(tmp_path)


def all_of(settings: CrawlSettings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in CrawlSettings.__struct_fields__}


def test_a_saved_profile_is_read_back_unchanged(kept: ProfileStore) -> None:
    assert kept.names() == []
    assert kept.save("My shop", {"rate": None, "workers": 3, "exclude": ("/a/",)}) == "My shop"
    assert kept.save("blog", all_of(PLAIN)) == "blog"
    assert kept.names() == ["blog", "My shop"]
    assert kept.changes("My shop") == {"rate": None, "workers": 3, "exclude": ("/a/",)}
    assert kept.changes("blog") == {name: getattr(PLAIN, name) for name in REUSABLE}


def test_profiles_hold_no_addresses_secrets_or_trusted_servers(
    kept: ProfileStore, tmp_path: Path
) -> None:
    kept.save("mine", all_of(FULL))
    kept.save_defaults(FULL)
    texts = [path.read_text() for path in tmp_path.rglob("*.toml")]
    assert len(texts) == 2
    for text in texts:
        for word in ("hunter2", "a.test", "Authorization", "insecure", "jo"):
            assert word not in text, word
    changes = kept.changes("mine")
    assert set(changes) == set(REUSABLE)
    assert changes["proxy"] == "http://proxy.test:3128"
    assert kept.defaults() == msgspec.structs.replace(PLAIN, **changes)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not know these modes")
def test_profile_files_are_readable_by_their_owner_only(kept: ProfileStore, tmp_path: Path) -> None:
    kept.save("mine", {"rate": 1.0})
    [file] = tmp_path.rglob("*.toml")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_new_crawls_begin_with_the_defaults_once_there_are_any(kept: ProfileStore) -> None:
    assert kept.defaults() == PLAIN
    kept.save_defaults(msgspec.structs.replace(PLAIN, rate=2.0, max_depth=3))
    kept.save_defaults(msgspec.structs.replace(PLAIN, rate=3.0))
    assert kept.defaults() == msgspec.structs.replace(PLAIN, rate=3.0)
    assert kept.changes(DEFAULTS)["rate"] == 3.0
    kept.delete(DEFAULTS)
    assert kept.defaults() == PLAIN
    kept.delete(DEFAULTS)


def test_built_in_profiles_are_there_and_stay(kept: ProfileStore) -> None:
    for name, changes in CHANGES.items():
        assert kept.changes(name) == changes
        with pytest.raises(UsageError, match="is built in"):
            kept.save(name.upper(), {"rate": 1.0})
        with pytest.raises(UsageError, match="is built in"):
            kept.delete(name)
        with pytest.raises(UsageError, match="is built in"):
            kept.rename(name, "other")


@pytest.mark.parametrize(
    "name", ["", "  ", "a/b", "..", "-x", "con", "a\nb", "x" * 61, ".hidden", "a:b", "Defaults"]
)
def test_profile_names_that_are_no_file_names_are_refused(kept: ProfileStore, name: str) -> None:
    with pytest.raises(UsageError, match="profile name") as refused:
        kept.save(name, {"rate": 1.0})
    assert "\n" not in str(refused.value)
    assert kept.names() == []


def test_an_existing_profile_is_only_overwritten_on_request(kept: ProfileStore) -> None:
    kept.save("Mine", {"rate": 1.0})
    with pytest.raises(UsageError, match="A profile named Mine already exists"):
        kept.save("mine", {"rate": 2.0})
    assert kept.save("mine", {"rate": 2.0}, overwrite=True) == "Mine"
    assert kept.names() == ["Mine"]
    assert kept.changes("MINE") == {"rate": 2.0}


def test_a_profile_is_renamed(kept: ProfileStore) -> None:
    kept.save("one", {"rate": 1.0})
    kept.save("two", {"rate": 2.0})
    with pytest.raises(UsageError, match="A profile named two already exists"):
        kept.rename("one", "Two")
    assert kept.rename("one", "One") == "One"
    assert kept.rename("One", "三") == "三"
    assert kept.changes("三") == {"rate": 1.0}
    kept.delete("三")
    assert kept.names() == ["two"]
    with pytest.raises(UsageError, match=r"no profile named '三'; .*, links, two\."):
        kept.changes("三")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("workers = 'many'", "workers"),
        ("workers = 0", "Workers must be between"),
        ("rate = [", "is not a settings file"),
        ("settings_version = 9", "newer Gossamer"),
        ("unset = ['workers']", "workers"),
        ("unset = 3", "is not a settings file"),
        ("insecure_hosts = ['a.test:443']", "per crawl"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(
    kept: ProfileStore, tmp_path: Path, text: str, said: str
) -> None:
    kept.save("mine", {"rate": 1.0})
    (tmp_path / "profiles" / "mine.toml").write_text(text)
    with pytest.raises(KnownError, match=said) as refused:
        kept.changes("mine")
    assert "mine.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_hand_written_profile_has_no_addresses(kept: ProfileStore, tmp_path: Path) -> None:
    kept.save("mine", {"rate": 1.0})
    (tmp_path / "profiles" / "mine.toml").write_text('roots = ["a.test"]\nlist_only = true\n')
    assert kept.changes("mine") == {}


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "profiles").write_text("a file")
    kept = ProfileStore(tmp_path)
    for act in (kept.names, lambda: kept.save("mine", {"rate": 1.0})):
        with pytest.raises((UsageError, OutputError), match="The profile folder"):
            act()
