"""The settings form: a field for every setting that people type, in the sections of the form."""

from dataclasses import dataclass
from typing import Final

import msgspec

from gossamer.gui.settings.settings_fields import SettingField, access_fields, setting_field
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS, CrawlSettings
from gossamer.model.settings.setting_declaration import SECTION_TITLES, Section
from gossamer.model.translatable import Translatable


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """Settings that belong together. `name` is for tests and links, `title` for people."""

    name: str
    title: str
    fields: tuple[SettingField, ...]


class SettingsForm:
    """The fields of CrawlSettings, and those of the secrets that are none of them."""

    def __init__(self) -> None:
        self.access: Final = access_fields()
        self.sections: Final = tuple(
            SettingsSection(section.value, spoken(Translatable(title)), self._fields(section))
            for section, title in SECTION_TITLES.items()
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

    def _fields(self, section: Section) -> tuple[SettingField, ...]:
        if section is Section.ACCESS:
            return self.access
        return tuple(
            setting_field(name) for name, setting in SETTINGS.items() if setting.section is section
        )


def why_unusable(field: SettingField) -> str:
    """The sentence why the value of a setting's field cannot be used; "" if it can."""
    try:
        _checked(msgspec.structs.replace(DEFAULTS, **{field.name: field.read()}))
    except UsageError as e:
        return spoken(e.said)
    return ""


def _checked(settings: CrawlSettings) -> CrawlSettings:
    msgspec.structs.replace(settings, roots=settings.roots or ("example.com",)).checked()
    return settings
