"""What can be set, in the order a person looks for it, each with one explanation."""

from dataclasses import dataclass
from typing import Final

import msgspec
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QCheckBox

from gossamer.gui import settings_fields as fields
from gossamer.gui.models.appearance import kind_label
from gossamer.gui.settings_fields import Field
from gossamer.gui.words import spoken
from gossamer.model.errors import UsageError
from gossamer.model.secrets import cookies_of
from gossamer.model.settings import (
    KIND_NAMES,
    MIB,
    CrawlSettings,
    HostMatch,
    Parser,
)


@dataclass(frozen=True, slots=True)
class Section:
    """Settings that belong together. `name` is for tests and links, `title` for people."""

    name: str
    title: str
    fields: tuple[Field, ...]


class SettingsForm(QObject):
    """The fields of CrawlSettings, and those of the secrets that are none of them."""

    def __init__(self) -> None:
        super().__init__()
        self._none = self.tr("none")
        self._no_limit = self.tr("No limit")
        self._per_second = self.tr(" per second")
        self.access: Final = self._access()
        self.sections: Final = (
            Section("limits", self.tr("Limits"), self._limits()),
            Section("pace", self.tr("Pace"), self._pace()),
            Section("scope", self.tr("Scope"), self._scope()),
            Section("links", self.tr("Links"), self._links()),
            Section("sitemaps", self.tr("Sitemaps"), self._sitemaps()),
            Section("requests", self.tr("Requests"), self._requests()),
            Section("access", self.tr("Access"), self.access),
            Section("reading", self.tr("Reading"), self._reading()),
        )

    def settings(self, rest: CrawlSettings) -> CrawlSettings:
        """What the fields say, with what no field covers from `rest`, checked.

        Raises UsageError with a sentence about the first thing wrong. Roots are not looked at.
        """
        values = {field.name: field.read() for field in self.of_settings()}
        return _checked(msgspec.structs.replace(rest, **values))

    def of_settings(self) -> list[Field]:
        """The fields of settings, without those of secrets."""
        return [
            field
            for section in self.sections
            for field in section.fields
            if field not in self.access
        ]

    def _limits(self) -> tuple[Field, ...]:
        return (
            fields.number(
                "workers",
                self.tr("Workers"),
                self.tr("Pages fetched at the same time. Can be changed at any time."),
            ),
            fields.number(
                "max_redirects",
                self.tr("Redirect limit"),
                self.tr("Redirects followed in a row."),
            ),
            fields.optional(
                "max_depth",
                self.tr("Depth limit"),
                self.tr("Clicks from the start page."),
                self._no_limit,
            ),
            fields.optional(
                "max_pages",
                self.tr("Page limit"),
                self.tr("The crawl stops after this many pages."),
                self._no_limit,
            ),
            fields.number(
                "max_similar",
                self.tr("Trap limit"),
                self.tr("Stop after this many look-alike pages that only link to each other."),
            ),
            fields.number(
                "max_tries",
                self.tr("Attempts"),
                self.tr("For failures that may be temporary."),
            ),
            fields.decimal(
                "timeout_s",
                self.tr("Timeout"),
                self.tr("Seconds for one answer."),
                self.tr(" s"),
            ),
            fields.decimal(
                "max_body_bytes",
                self.tr("Page size"),
                self.tr("Of a larger page only the beginning is read."),
                " MiB",
                scale=MIB,
            ),
            fields.number(
                "max_links",
                self.tr("Links of a page"),
                self.tr("What a page links to beyond them is left out."),
            ),
            fields.number(
                "max_url_length",
                self.tr("Address length"),
                self.tr("Longer addresses are listed, not fetched."),
                self.tr(" characters"),
            ),
        )

    def _pace(self) -> tuple[Field, ...]:
        return (
            fields.rate(
                "rate",
                self.tr("Rate"),
                self.tr(
                    "Requests to one host. One per second is kind to a site that is not yours."
                ),
                self._per_second,
                self.tr("As fast as it answers"),
            ),
            fields.optional(
                "max_per_host",
                self.tr("Per host"),
                self.tr("Pages fetched at the same time from one host."),
                self._no_limit,
            ),
            self._switch("guard", self.tr("Pause when nearly everything fails")),
        )

    def _scope(self) -> tuple[Field, ...]:
        hosts = (
            (HostMatch.STRICT, self.tr("Only the host itself")),
            (HostMatch.LENIENT, self.tr("All hosts of the domain")),
        )
        return (
            fields.choice(
                "host_match",
                self.tr("Hosts"),
                self.tr("Whether subdomains belong to the crawl."),
                hosts,
            ),
            fields.lines(
                "include",
                self.tr("Include"),
                self.tr("Regular expressions, one on each line; empty for all."),
                self._none,
            ),
            fields.lines(
                "exclude",
                self.tr("Exclude"),
                self.tr("Regular expressions, one on each line."),
                self._none,
            ),
        )

    def _links(self) -> tuple[Field, ...]:
        kinds = [(name, kind_label(kind)) for name, kind in KIND_NAMES.items()]
        return (
            fields.several(
                "follow_kinds",
                self.tr("Follow"),
                self.tr("What these lead to is fetched and read."),
                kinds,
            ),
            fields.several(
                "check_kinds",
                self.tr("Check"),
                self.tr("What these lead to is only asked whether it is there."),
                kinds,
            ),
            self._switch("follow_nofollow", self.tr("Follow links in spite of nofollow")),
            self._switch("check_external", self.tr("Check links that lead to other hosts")),
            fields.decimal(
                "external_rate",
                self.tr("External check rate"),
                self.tr("Per external host."),
                self._per_second,
            ),
        )

    def _sitemaps(self) -> tuple[Field, ...]:
        return (
            self._switch("use_sitemaps", self.tr("Read the sitemaps of the site too")),
            fields.lines(
                "sitemaps",
                self.tr("More sitemaps"),
                self.tr("Addresses of sitemaps, one on each line."),
                self._none,
            ),
        )

    def _requests(self) -> tuple[Field, ...]:
        return (
            fields.user_agent(
                "user_agent", self.tr("User agent"), self.tr("Or a name from the list.")
            ),
            fields.text(
                "accept_language",
                self.tr("Languages"),
                self.tr("Like 'de, en;q=0.5'; empty sends none."),
                self._none,
            ),
            fields.headers(
                "headers",
                self.tr("Headers"),
                self.tr("Name: value, one on each line. For this site alone, kept in no file."),
                self._none,
            ),
            fields.headers(
                "public_headers",
                self.tr("Public headers"),
                self.tr("Sent to every server and kept in the project: nothing secret."),
                self._none,
            ),
            fields.optional_text(
                "proxy",
                self.tr("Proxy"),
                self.tr("For every request."),
                "http://host:port, socks5://name:password@host:port",
                self._none,
            ),
            self._switch("keep_cookies", self.tr("Keep the cookies that servers set")),
            self._switch("obey_robots", self.tr("Obey robots.txt")),
            fields.servers(
                "insecure_hosts",
                self.tr("Certificates"),
                self.tr(
                    "Hosts whose certificates are not checked, in this crawl alone;"
                    " one on each line, like example.com:8443."
                ),
                self._none,
            ),
        )

    def _access(self) -> tuple[Field, ...]:
        return (
            fields.secret("user", self.tr("User"), self.tr("Basic authentication."), hidden=False),
            fields.secret("password", self.tr("Password"), "", hidden=True),
            fields.cookies(
                "cookies",
                self.tr("Cookies"),
                self.tr("name=value, one on each line."),
                cookies_of,
            ),
            fields.switch("remember", self.tr("Remember in the system's keyring"), ""),
        )

    def _reading(self) -> tuple[Field, ...]:
        parsers = (
            (Parser.SELECTOLAX, self.tr("selectolax (fast)")),
            (Parser.BEAUTIFULSOUP, self.tr("Beautiful Soup")),
        )
        return (
            fields.optional(
                "processes",
                self.tr("Processes"),
                self.tr("Read pages in parallel."),
                self.tr("One per core"),
            ),
            fields.choice("parser", self.tr("Parser"), self.tr("Reads the HTML."), parsers),
        )

    def _switch(self, name: str, label: str) -> Field:
        default = self.tr("on") if fields.default_of(name) else self.tr("off")
        return fields.switch(name, label, default)


def setting_titles() -> dict[str, str]:
    """What the form calls each setting, to name it elsewhere in the same words."""
    found = {}
    for field in SettingsForm().of_settings():
        box = field.widget
        found[field.name] = box.text() if isinstance(box, QCheckBox) else field.label
    return found


def trouble_with(field: Field) -> str:
    """The sentence why the value of a setting's field cannot be used; "" if it can."""
    try:
        _checked(msgspec.structs.replace(fields.DEFAULTS, **{field.name: field.read()}))
    except UsageError as e:
        return spoken(e.said)
    return ""


def _checked(settings: CrawlSettings) -> CrawlSettings:
    msgspec.structs.replace(settings, roots=settings.roots or ("example.com",)).checked()
    return settings
