"""Installs the language of the window and its number and date formats.

Texts are translated when a widget is made: for another language, the window is rebuilt, which is
harmless, because a window owns no crawl.
"""

from typing import Final, Literal, get_args

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from gossamer.gui.text.local_formatting import use_locale
from gossamer.model.program_resources import resource_path

Language = Literal["system", "en", "zh_CN"]

NAMES: Final[dict[Language, str]] = {"en": "English", "zh_CN": "简体中文"}
"""Each language by its own name, by which its speakers find it in any language."""


def is_language(text: str) -> bool:
    """Whether `text` is one of the words of Language."""
    return text in get_args(Language)


def use(choice: Language) -> None:
    """Use this language for everything made from now on. Needs a QApplication.

    "system" is the first of the system's languages with a translation, else English. Dates and
    numbers follow the system if its language is the one chosen.
    """
    app = QApplication.instance()
    if app is None:
        raise TypeError("a language needs a QApplication")
    for old in app.findChildren(QTranslator):
        app.removeTranslator(old)
        old.deleteLater()
    locale = locale_for(choice, QLocale.system())
    use_locale(locale)
    ours = str(resource_path("translations"))
    for name, folder, language in (
        # English texts are in the code, except for plural forms.
        ("gossamer", ours, QLocale(QLocale.Language.English)),
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), locale),
        ("gossamer", ours, locale),
    ):
        translator = QTranslator(app)
        if translator.load(language, name, "_", folder):
            app.installTranslator(translator)
        else:
            translator.deleteLater()


def locale_for(choice: Language, system: QLocale) -> QLocale:
    """The locale of numbers and dates for this language on a system with that locale.

    The C locale, which has no separators, is taken for English.
    """
    if system.language() is QLocale.Language.C:
        system = QLocale(QLocale.Language.English)
    if choice == "system":
        return system
    chosen = QLocale(choice)
    same = (system.language(), system.script()) == (chosen.language(), chosen.script())
    return system if same else chosen
