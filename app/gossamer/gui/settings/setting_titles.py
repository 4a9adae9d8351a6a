"""What each setting is called, in the settings dialog and wherever else it is named."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP

_TITLES: Final[dict[str, str]] = {
    "workers": QT_TRANSLATE_NOOP("SettingsForm", "Workers"),
    "max_redirects": QT_TRANSLATE_NOOP("SettingsForm", "Redirect limit"),
    "max_depth": QT_TRANSLATE_NOOP("SettingsForm", "Depth limit"),
    "max_pages": QT_TRANSLATE_NOOP("SettingsForm", "Page limit"),
    "max_similar": QT_TRANSLATE_NOOP("SettingsForm", "Trap limit"),
    "max_tries": QT_TRANSLATE_NOOP("SettingsForm", "Attempts"),
    "timeout_s": QT_TRANSLATE_NOOP("SettingsForm", "Timeout"),
    "max_body_bytes": QT_TRANSLATE_NOOP("SettingsForm", "Page size"),
    "max_links": QT_TRANSLATE_NOOP("SettingsForm", "Links of a page"),
    "max_url_length": QT_TRANSLATE_NOOP("SettingsForm", "Address length"),
    "rate": QT_TRANSLATE_NOOP("SettingsForm", "Rate"),
    "max_per_host": QT_TRANSLATE_NOOP("SettingsForm", "Per host"),
    "guard": QT_TRANSLATE_NOOP("SettingsForm", "Pause when nearly everything fails"),
    "host_match": QT_TRANSLATE_NOOP("SettingsForm", "Hosts"),
    "include": QT_TRANSLATE_NOOP("SettingsForm", "Include"),
    "exclude": QT_TRANSLATE_NOOP("SettingsForm", "Exclude"),
    "follow_kinds": QT_TRANSLATE_NOOP("SettingsForm", "Follow"),
    "check_kinds": QT_TRANSLATE_NOOP("SettingsForm", "Check"),
    "follow_nofollow": QT_TRANSLATE_NOOP("SettingsForm", "Follow links in spite of nofollow"),
    "check_external": QT_TRANSLATE_NOOP("SettingsForm", "Check links that lead to other hosts"),
    "external_rate": QT_TRANSLATE_NOOP("SettingsForm", "External check rate"),
    "use_sitemaps": QT_TRANSLATE_NOOP("SettingsForm", "Read the sitemaps of the site too"),
    "sitemaps": QT_TRANSLATE_NOOP("SettingsForm", "More sitemaps"),
    "user_agent": QT_TRANSLATE_NOOP("SettingsForm", "User agent"),
    "accept_language": QT_TRANSLATE_NOOP("SettingsForm", "Languages"),
    "headers": QT_TRANSLATE_NOOP("SettingsForm", "Headers"),
    "public_headers": QT_TRANSLATE_NOOP("SettingsForm", "Public headers"),
    "proxy": QT_TRANSLATE_NOOP("SettingsForm", "Proxy"),
    "keep_cookies": QT_TRANSLATE_NOOP("SettingsForm", "Keep the cookies that servers set"),
    "obey_robots": QT_TRANSLATE_NOOP("SettingsForm", "Obey robots.txt"),
    "insecure_hosts": QT_TRANSLATE_NOOP("SettingsForm", "Certificates"),
    "processes": QT_TRANSLATE_NOOP("SettingsForm", "Processes"),
    "parser": QT_TRANSLATE_NOOP("SettingsForm", "Parser"),
}
"""By the names of settings, in the order in which a person looks for them."""


def title(name: str) -> str:
    """What the setting called `name` is called by people, translated."""
    return QCoreApplication.translate("SettingsForm", _TITLES[name])


def setting_titles() -> dict[str, str]:
    """All of them."""
    return {name: title(name) for name in _TITLES}
