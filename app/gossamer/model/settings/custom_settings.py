"""Declares the custom searches and custom extractions of a crawl."""

from typing import Annotated

from gossamer.model.custom_definitions import (
    CustomDefinition,
    CustomExtraction,
    CustomSearch,
    all_definitions,
)
from gossamer.model.settings.archive_settings import ArchiveSettings
from gossamer.model.settings.setting_declaration import ChangePolicy, Option, Section, Setting
from gossamer.model.settings.setting_types import CustomExtractions, CustomSearches


class CustomSettings(ArchiveSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is searched in each page, and extracted from it. A part of CrawlSettings."""

    custom_searches: Annotated[
        tuple[CustomSearch, ...],
        Setting(
            "Custom searches",
            "Texts and regular expressions that are counted in each page.",
            Section.CUSTOM,
            CustomSearches(),
            Option(
                "Count a text or regular expression in each page; repeatable.",
                on_resume="From now on, count these in each page instead; repeatable.",
                name="--search",
                metavar="NAME=SEARCH",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = ()
    """Texts and regular expressions that are counted in each page, up to 100. See
    [Custom search and extraction](#custom-search-and-extraction).
    """
    custom_extractions: Annotated[
        tuple[CustomExtraction, ...],
        Setting(
            "Custom extractions",
            "What CSS selectors, XPaths and regular expressions find in each page.",
            Section.CUSTOM,
            CustomExtractions(),
            Option(
                "Extract from each page by a CSS selector, XPath or regular expression; "
                "repeatable.",
                on_resume="From now on, extract these from each page instead; repeatable.",
                name="--extract",
                metavar="NAME=EXTRACTION",
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
        ),
    ] = ()
    """What CSS selectors, XPaths and regular expressions find in each page, up to 100. See
    [Custom search and extraction](#custom-search-and-extraction).
    """

    @property
    def definitions(self) -> tuple[CustomDefinition, ...]:
        """The custom searches, then the custom extractions."""
        return all_definitions(self.custom_searches, self.custom_extractions)
