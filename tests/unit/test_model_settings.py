"""The declarations of settings: complete, and strict about what people type."""

from enum import Enum

import pytest
from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import (
    DECLARED,
    OF_ONE_CRAWL,
    REUSABLE,
    SETTINGS,
    CrawlSettings,
)
from gossamer.model.settings.setting_declaration import SECTION_TITLES, Reuse, Section
from gossamer.model.settings.setting_types import Choice, MadeByProgram, RecordedForm
from tests.cases import each_case

PLAIN = CrawlSettings(roots=("example.com",))


@each_case("name", SETTINGS)
def test_what_people_can_choose_is_in_the_form_or_is_an_option(name: str) -> None:
    setting = SETTINGS[name]
    typed = not isinstance(setting.values, MadeByProgram | RecordedForm)
    assert bool(setting.section or setting.option or name == "roots") == typed


def test_each_choice_has_a_label_for_each_value() -> None:
    labels = {
        name: len(setting.values.labels)
        for name, setting in SETTINGS.items()
        if isinstance(setting.values, Choice)
    }
    members = {name: len(list[Enum](DECLARED[name].type)) for name in labels}
    assert labels == members
    assert labels


def test_sentences_call_no_two_settings_the_same() -> None:
    names = [str(setting.name) for setting in SETTINGS.values()]
    assert len(set(names)) == len(names)


def test_every_section_of_the_form_has_a_title_and_a_setting() -> None:
    assert list(SECTION_TITLES) == list(Section)
    used = {setting.section for setting in SETTINGS.values()} - {None}
    assert used == set(Section) - {Section.ACCESS}


def test_profiles_have_nothing_of_one_crawl_or_of_its_addresses() -> None:
    assert set(OF_ONE_CRAWL) == {
        *("insecure_hosts", "needs_secrets", "source", "turns"),
        *("cluster", "insecure_cluster"),
    }
    addresses = {name for name, each in SETTINGS.items() if each.reuse is Reuse.SAME_ROOTS}
    assert addresses == {"roots", "headers", "sitemaps", "list_only", "login_form"}
    assert set(REUSABLE) == set(SETTINGS) - set(OF_ONE_CRAWL) - addresses


@each_case(
    ("name", "value", "sentence"),
    [
        ("max_redirects", 51, "Max redirects must be between 0 and 50."),
        ("timeout_s", 0.01, "Timeout must be between 0.1 and 3,600."),
        ("max_depth", -1, "Max depth must be between 0 and 10,000."),
        ("include", ("",), "An empty pattern matches every URL"),
        ("exclude", ("(",), 'The pattern "(" is not a regular expression'),
        ("sitemaps", ("a" * 70_000,), "is longer than 65,536 characters; shorten it."),
        ("user_agent", "a" * 70_000, "is longer than 65,536 characters; shorten it."),
        ("user_agent", "a\nb", "contains a control character; remove it."),
        ("accept_language", "de\n", "The value of the header 'Accept-Language' contains a control"),
        ("public_headers", (("Proxy-Authorization", "x"),), "is for the proxy only"),
        (
            "public_headers",
            (("HOST", "a.example"),),
            "Host differs for each server; set it as",
        ),
        ("headers", (("Content-Length", "1"),), "is set for each request"),
        ("insecure_hosts", ("a.example",), "'a.example' is not a server; write it as HOST:PORT."),
        ("check_kinds", ("picture",), "'picture' is not a link type; the types are"),
        ("roots", (), "Enter the URL of a website to crawl."),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_in_one_sentence(
    name: str, value: object, sentence: str
) -> None:
    with pytest.raises(UsageError) as caught:
        replace(PLAIN, **{name: value}).checked()
    assert sentence in str(caught.value)
