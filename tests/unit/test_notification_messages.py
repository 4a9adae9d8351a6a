"""How messages are written: short, one line where one is wanted, and nothing in them is code."""

import email
import email.policy
import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable, said
from gossamer.notifying.channels import (
    CommandChannel,
    EmailChannel,
    MailServer,
    WebhookChannel,
    checked_channel,
    parse_server,
)
from gossamer.notifying.desktop_delivery import command_for
from gossamer.notifying.email_delivery import email_of
from gossamer.notifying.message_language import translator
from gossamer.notifying.notification_messages import (
    ToldCondition,
    brief_text_of,
    html_of,
    json_of,
    text_of,
    title_of,
)
from tests.cases import each_case
from tests.fakes.notifications import NASTY, digest, message, told

MAIL = EmailChannel("who@example.com", "smtps://me@mail.example", "me@mail.example")


def test_a_message_tells_site_condition_items_and_how_many_more() -> None:
    text = text_of(
        message(digest(told("Pages have changed", "/a (Title 1)", "/b (New)", count=12)))
    )
    assert "https://a.example/\n\nPages have changed: 12\n  /a (Title 1)\n  /b (New)\n" in text
    assert "… and 10 more" in text
    assert "URLs: 1,234, pages: 56, errors: 7. Project: /projects/a.gossamer" in text


def test_the_title_names_the_site_and_the_first_condition() -> None:
    one = message(digest(told("robots.txt has changed")))
    assert title_of(one) == "https://a.example/: robots.txt has changed"
    two = message(digest(told("First"), told("Second")), digest(site="https://b.example/"))
    assert title_of(two) == "https://a.example/ (+1): First (and 2 more)"


def test_the_json_is_the_documented_one() -> None:
    sent = json.loads(json_of(message(digest(told("It holds", "/a")))))
    assert sent.keys() == {
        *("version", "id", "created_at", "program", "title", "crawls", "omitted_crawls")
    }
    (crawl,) = sent["crawls"]
    assert crawl["conditions"] == [
        {"condition": "page:.", "text": "It holds", "count": 1, "items": ["/a"]}
    ]
    assert sent["created_at"] == "2027-01-15T08:00:00Z"
    page = Path(__file__).parents[2].joinpath("docs", "notifications.md").read_text("utf-8")
    for name in (*sent, *crawl, *crawl["conditions"][0]):
        assert f"`{name}`" in page


def test_no_title_of_a_page_becomes_a_header() -> None:
    nasty = message(digest(told(NASTY, NASTY), site=f"https://a.example/{NASTY}"))
    sent = email.message_from_bytes(email_of(MAIL, nasty).as_bytes(), policy=email.policy.default)
    assert set(sent.keys()) == {
        *("Subject", "From", "To", "Date", "Message-ID", "Auto-Submitted"),
        *("MIME-Version", "Content-Type"),
    }
    assert sent["To"] == "who@example.com"
    assert "Bcc: all@example.com" in sent["Subject"]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.tags.add(tag)


def test_nothing_in_the_html_comes_from_pages() -> None:
    nasty = message(digest(told("x", NASTY, "<img src=https://evil.example>"), site=NASTY))
    parser = _Tags()
    parser.feed(html_of(nasty))
    assert parser.tags == {"html", "head", "meta", "title", "body", "h2", "h3", "ul", "li", "p"}


def test_an_e_mail_has_both_forms_and_any_language() -> None:
    sent = email.message_from_bytes(
        email_of(MAIL, message(digest(told("Заголовок изменился", "/страница")))).as_bytes(),
        policy=email.policy.default,
    )
    plain, rich = sent.get_body(("plain",)), sent.get_body(("html",))
    assert plain is not None
    assert rich is not None
    assert "/страница" in plain.get_content()
    assert "/страница" in rich.get_content()
    assert sent["Subject"].endswith("Заголовок изменился")


def test_a_huge_digest_stays_small_on_the_desktop() -> None:
    many = message(*(digest(*(told("x" * 300) for _ in range(20))) for _ in range(20)))
    assert len(brief_text_of(many)) <= 400
    assert len(title_of(many)) <= 240


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_texts_are_no_code_of_the_system(platform: str) -> None:
    evil = '" & (do shell script "touch x") & "$(calc)'
    command, variables = command_for(platform, evil, evil)
    scripts = [word for word in command if evil in word]
    assert scripts == ([evil, evil] if platform == "darwin" else [])
    # A toast is XML, in which the texts are nothing but text.
    toasts = [ET.fromstring(toast) for toast in variables.values()]  # noqa: S314 - our own documents
    assert [[text.text for text in toast.iter("text")] for toast in toasts] == (
        [] if platform == "darwin" else [[evil, evil]]
    )


@each_case(
    ("text", "server"),
    [
        ("smtps://me@mail.example", MailServer("mail.example", 465, "me", is_tls=True)),
        ("smtp://mail.example", MailServer("mail.example", 587)),
        ("smtp://a%40b.example@mail.example:25", MailServer("mail.example", 25, "a@b.example")),
        ("smtp+plain://localhost", MailServer("localhost", 25, is_plain=True)),
        ("smtp://[::1]:2525", MailServer("::1", 2525)),
    ],
)
def test_mail_servers_are_addresses(text: str, server: MailServer) -> None:
    assert parse_server(text) == server


@each_case(
    "text",
    [
        *("", "mail.example", "smtp://", "http://mail.example", "smtp://mail.example/folder"),
        *("smtp://me:secret@mail.example", "smtp+plain://mail.example", "smtp://a:99999"),
        *("smtp://me:secret@mail.example:abc", "smtp://me:a/secret@mail.example"),
        *("smtp://me:a@secret@[mail.example", "me:secret@mail.example"),
    ],
)
def test_what_is_no_mail_server_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_server(text)
    assert "secret" not in str(raised.value)


@each_case(
    "channel",
    [
        EmailChannel("who", "smtps://mail.example", "me@a.example"),
        EmailChannel("who@a.example\nBcc: x@y", "smtps://mail.example", "me@a.example"),
        EmailChannel("a@b.example,c@d.example", "smtps://mail.example", "me@a.example"),
        EmailChannel("who@a.example", "smtps://mail.example", "Me <me@a.example>"),
        *(
            EmailChannel(f"who@{host}", "smtps://mail.example", "me@a.example")
            for host in ("a..example", ".", "a.example.", "\udcff.example")
        ),
        *(
            EmailChannel("who@a.example", "smtps://mail.example", f"{local}@a.example")
            for local in ("a..b", ".a", "a.", "é", "=?utf-8?q?a?=")
        ),
        *(WebhookChannel(url) for url in ("", "ftp://a.example", "https://", "https://a b")),
        WebhookChannel("https://a.example/\r\nX: y"),
        CommandChannel(()),
        CommandChannel(("a\0b",)),
        CommandChannel(("",)),
        CommandChannel(("echo", "\udcff")),
    ],
)
def test_channels_that_lead_nowhere_are_refused(channel: object) -> None:
    with pytest.raises(UsageError):
        checked_channel(channel)  # type: ignore[arg-type]  # one of them each


@pytest.mark.parametrize(
    "address", ["who+x@a.example", "a.b@localhost", "me@münchen.example", "o'x@a-b.example"]
)
def test_an_address_that_is_taken_can_be_written_to(address: str) -> None:
    channel = EmailChannel(address, "smtps://mail.example", address)
    assert checked_channel(channel) == channel
    assert b"To: " in email_of(channel, message(digest(told("It holds")))).as_bytes()


def test_what_a_message_lists_is_in_the_language_of_its_reader() -> None:
    page = said("{url} ({what})", url="https://a.example/", what=Translatable("New"))
    whole = message(digest(ToldCondition("page:.", said("Pages have changed"), (page,), 1)))
    chinese = {"{url} ({what})": "{url} 【{what}】", "New": "新增"}
    assert "  https://a.example/ 【新增】\n" in text_of(whole, lambda text: chinese.get(text, text))
    assert b'"items":["https://a.example/ (New)"]' in json_of(whole)


def test_english_needs_no_translation_and_unknown_texts_stay() -> None:
    assert translator("en")("robots.txt has changed") == "robots.txt has changed"
    assert translator("zh_CN")("No such text of ours") == "No such text of ours"
    assert translator("xx")("robots.txt has changed") == "robots.txt has changed"
