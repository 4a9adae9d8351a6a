"""What can be set, in the order a person looks for it, each with one explanation."""

from dataclasses import dataclass
from typing import Final

import msgspec
from PySide6.QtCore import QObject

from gossamer.gui.look.outcome_style import kind_label
from gossamer.gui.settings import settings_fields
from gossamer.gui.settings.setting_titles import title
from gossamer.gui.settings.settings_fields import SettingField
from gossamer.gui.text.sentences import spoken
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
class SettingsSection:
    """Settings that belong together. `name` is for tests and links, `title` for people."""

    name: str
    title: str
    fields: tuple[SettingField, ...]


class SettingsForm(QObject):
    """The fields of CrawlSettings, and those of the secrets that are none of them."""

    def __init__(self) -> None:
        super().__init__()
        self._none = self.tr("none")
        self._no_limit = self.tr("No limit")
        self._per_second = self.tr(" per second")
        self.access: Final = self._access()
        self.sections: Final = (
            SettingsSection("limits", self.tr("Limits"), self._limits()),
            SettingsSection("pace", self.tr("Pace"), self._pace()),
            SettingsSection("scope", self.tr("Scope"), self._scope()),
            SettingsSection("links", self.tr("Links"), self._links()),
            SettingsSection("sitemaps", self.tr("Sitemaps"), self._sitemaps()),
            SettingsSection("requests", self.tr("Requests"), self._requests()),
            SettingsSection("access", self.tr("Access"), self.access),
            SettingsSection("reading", self.tr("Reading"), self._reading()),
        )

    def settings(self, rest: CrawlSettings) -> CrawlSettings:
        """What the fields say, with what no field covers from `rest`, checked.

        Raises UsageError with a sentence about the first thing wrong. Roots are not looked at.
        """
        values = {field.name: field.read() for field in self.of_settings()}
        return _checked(msgspec.structs.replace(rest, **values))

    def of_settings(self) -> list[SettingField]:
        """The fields of settings, without those of secrets."""
        return [
            field
            for section in self.sections
            for field in section.fields
            if field not in self.access
        ]

    def _limits(self) -> tuple[SettingField, ...]:
        return (
            settings_fields.number(
                "workers",
                title("workers"),
                self.tr("Pages fetched at the same time. Can be changed at any time."),
            ),
            settings_fields.number(
                "max_redirects",
                title("max_redirects"),
                self.tr("Redirects followed in a row."),
            ),
            settings_fields.optional(
                "max_depth",
                title("max_depth"),
                self.tr("Clicks from the start page."),
                self._no_limit,
            ),
            settings_fields.optional(
                "max_pages",
                title("max_pages"),
                self.tr("The crawl stops after this many pages."),
                self._no_limit,
            ),
            settings_fields.number(
                "max_similar",
                title("max_similar"),
                self.tr("Stop after this many look-alike pages that only link to each other."),
            ),
            settings_fields.number(
                "max_tries",
                title("max_tries"),
                self.tr("For failures that may be temporary."),
            ),
            settings_fields.decimal(
                "timeout_s",
                title("timeout_s"),
                self.tr("Seconds for one answer."),
                self.tr(" s"),
            ),
            settings_fields.decimal(
                "max_body_bytes",
                title("max_body_bytes"),
                self.tr("Of a larger page only the beginning is read."),
                " MiB",
                scale=MIB,
            ),
            settings_fields.number(
                "max_links",
                title("max_links"),
                self.tr("What a page links to beyond them is left out."),
            ),
            settings_fields.number(
                "max_url_length",
                title("max_url_length"),
                self.tr("Longer addresses are listed, not fetched."),
                self.tr(" characters"),
            ),
        )

    def _pace(self) -> tuple[SettingField, ...]:
        return (
            settings_fields.rate(
                "rate",
                title("rate"),
                self.tr(
                    "Requests to one host. One per second is kind to a site that is not yours."
                ),
                self._per_second,
                self.tr("As fast as it answers"),
            ),
            settings_fields.optional(
                "max_per_host",
                title("max_per_host"),
                self.tr("Pages fetched at the same time from one host."),
                self._no_limit,
            ),
            self._switch("guard"),
        )

    def _scope(self) -> tuple[SettingField, ...]:
        hosts = (
            (HostMatch.STRICT, self.tr("Only the host itself")),
            (HostMatch.LENIENT, self.tr("All hosts of the domain")),
        )
        return (
            settings_fields.choice(
                "host_match",
                title("host_match"),
                self.tr("Whether subdomains belong to the crawl."),
                hosts,
            ),
            settings_fields.lines(
                "include",
                title("include"),
                self.tr("Regular expressions, one on each line; empty for all."),
                self._none,
            ),
            settings_fields.lines(
                "exclude",
                title("exclude"),
                self.tr("Regular expressions, one on each line."),
                self._none,
            ),
        )

    def _links(self) -> tuple[SettingField, ...]:
        kinds = [(name, kind_label(kind)) for name, kind in KIND_NAMES.items()]
        return (
            settings_fields.several(
                "follow_kinds",
                title("follow_kinds"),
                self.tr("What these lead to is fetched and read."),
                kinds,
            ),
            settings_fields.several(
                "check_kinds",
                title("check_kinds"),
                self.tr("What these lead to is only asked whether it is there."),
                kinds,
            ),
            self._switch("follow_nofollow"),
            self._switch("check_external"),
            settings_fields.decimal(
                "external_rate",
                title("external_rate"),
                self.tr("Per external host."),
                self._per_second,
            ),
        )

    def _sitemaps(self) -> tuple[SettingField, ...]:
        return (
            self._switch("use_sitemaps"),
            settings_fields.lines(
                "sitemaps",
                title("sitemaps"),
                self.tr("Addresses of sitemaps, one on each line."),
                self._none,
            ),
        )

    def _requests(self) -> tuple[SettingField, ...]:
        return (
            settings_fields.user_agent(
                "user_agent", title("user_agent"), self.tr("Or a name from the list.")
            ),
            settings_fields.text(
                "accept_language",
                title("accept_language"),
                self.tr("Like 'de, en;q=0.5'; empty sends none."),
                self._none,
            ),
            settings_fields.headers(
                "headers",
                title("headers"),
                self.tr("Name: value, one on each line. For this site alone, kept in no file."),
                self._none,
            ),
            settings_fields.headers(
                "public_headers",
                title("public_headers"),
                self.tr("Sent to every server and kept in the project: nothing secret."),
                self._none,
            ),
            settings_fields.optional_text(
                "proxy",
                title("proxy"),
                self.tr("For every request."),
                "http://host:port, socks5://name:password@host:port",
                self._none,
            ),
            self._switch("keep_cookies"),
            self._switch("obey_robots"),
            settings_fields.servers(
                "insecure_hosts",
                title("insecure_hosts"),
                self.tr(
                    "Hosts whose certificates are not checked, in this crawl alone;"
                    " one on each line, like example.com:8443."
                ),
                self._none,
            ),
        )

    def _access(self) -> tuple[SettingField, ...]:
        return (
            settings_fields.secret(
                "user", self.tr("User"), self.tr("Basic authentication."), hidden=False
            ),
            settings_fields.secret("password", self.tr("Password"), "", hidden=True),
            settings_fields.cookies(
                "cookies",
                self.tr("Cookies"),
                self.tr("name=value, one on each line."),
                cookies_of,
            ),
            settings_fields.switch("remember", self.tr("Remember in the system's keyring"), ""),
        )

    def _reading(self) -> tuple[SettingField, ...]:
        parsers = (
            (Parser.SELECTOLAX, self.tr("selectolax (fast)")),
            (Parser.BEAUTIFULSOUP, self.tr("Beautiful Soup")),
        )
        return (
            settings_fields.optional(
                "processes",
                title("processes"),
                self.tr("Read pages in parallel."),
                self.tr("One per core"),
            ),
            settings_fields.choice("parser", title("parser"), self.tr("Reads the HTML."), parsers),
        )

    def _switch(self, name: str) -> SettingField:
        default = self.tr("on") if settings_fields.default_of(name) else self.tr("off")
        return settings_fields.switch(name, title(name), default)


def trouble_with(field: SettingField) -> str:
    """The sentence why the value of a setting's field cannot be used; "" if it can."""
    try:
        _checked(msgspec.structs.replace(settings_fields.DEFAULTS, **{field.name: field.read()}))
    except UsageError as e:
        return spoken(e.said)
    return ""


def _checked(settings: CrawlSettings) -> CrawlSettings:
    msgspec.structs.replace(settings, roots=settings.roots or ("example.com",)).checked()
    return settings
