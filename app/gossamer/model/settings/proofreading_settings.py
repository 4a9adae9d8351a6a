"""Declares the settings of proofreading: spelling, the language of pages, grammar."""

from typing import Annotated, Final

from gossamer.model.settings.audit_settings import AuditSettings
from gossamer.model.settings.setting_declaration import ChangePolicy, Option, Section, Setting
from gossamer.model.settings.setting_types import Folder, Number, ServerUrl, Switch, Words

_LONGEST_WORD: Final = 20


class ProofreadingSettings(AuditSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Spelling and grammar, both off by default. A part of CrawlSettings."""

    check_spelling: Annotated[
        bool,
        Setting(
            "Check spelling",
            "With the Hunspell dictionaries on this computer; nothing is sent anywhere.",
            Section.PROOFREADING,
            Switch(),
            Option(
                "Check the spelling of pages with dictionaries of this computer.", name="--spelling"
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = False
    """Check the spelling of titles, descriptions and content with the Hunspell dictionaries on this
    computer. Nothing is sent anywhere. What is not content, `code`, `pre`, `kbd` and the like,
    elements with `translate="no"` or the class `notranslate`, and what looks like an address, a
    file name or code is not checked.
    """
    spelling_languages: Annotated[
        tuple[str, ...],
        Setting(
            "Dictionaries",
            "Such as en_GB, one per line; empty: the language that each page declares.",
            Section.PROOFREADING,
            Words("a language code", r"[A-Za-z]{2,3}([_-][A-Za-z0-9]{1,8})*"),
            Option(
                "Dictionary to check with, such as en_GB; may be repeated. Without it, the language"
                " of each page decides.",
                name="--spelling-language",
                metavar="CODE",
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="check_spelling",
        ),
    ] = ()
    """Dictionaries to check with, such as `en_GB`. The language of a page decides among them; a
    page that does not say its language is checked with the first, one in another language with
    none. Without any, every page is checked if there is a dictionary for its language.
    """
    dictionary_folder: Annotated[
        str,
        Setting(
            "Folder of dictionaries",
            "With files such as en_GB.aff and en_GB.dic. System dictionaries are found as well.",
            Section.PROOFREADING,
            Folder(),
            Option(
                "Folder with Hunspell dictionaries, besides those of the system.",
                name="--dictionaries",
                metavar="FOLDER",
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="check_spelling",
        ),
    ] = ""
    """A folder with Hunspell dictionaries (`.aff` and `.dic`). It comes before those of the system,
    of LibreOffice, in `~/Library/Spelling` and in `DICPATH`.
    """
    spelling_min_length: Annotated[
        int,
        Setting(
            "Shortest word",
            "Letters.",
            Section.PROOFREADING,
            Number(1, _LONGEST_WORD),
            Option("Words with fewer letters are not checked.", name="--spelling-min-length"),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="check_spelling",
        ),
    ] = 3
    """Words with fewer letters are not checked."""
    spelling_check_capitals: Annotated[
        bool,
        Setting(
            "Check words in capitals",
            "",
            Section.PROOFREADING,
            Switch(),
            Option("Check words in CAPITALS too.", name="--spelling-check-capitals"),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="check_spelling",
        ),
    ] = False
    """Check words in capitals too, most of which are abbreviations."""
    spelling_check_numbers: Annotated[
        bool,
        Setting(
            "Check words with digits",
            "",
            Section.PROOFREADING,
            Switch(),
            Option("Check words with digits in them too.", name="--spelling-check-numbers"),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="check_spelling",
        ),
    ] = False
    """Check words with digits in them too."""
    spelling_skip_names: Annotated[
        bool,
        Setting(
            "Skip capitalised words",
            "Most are names; in German, all nouns are capitalised.",
            Section.PROOFREADING,
            Switch(),
            Option(
                "Skip words that begin with a capital: names, mostly.", name="--spelling-skip-names"
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="check_spelling",
        ),
    ] = False
    """Skip words that begin with a capital letter: names, mostly; in German, all nouns."""
    ignored_words: Annotated[
        tuple[str, ...],
        Setting(
            "Ignored words",
            "Names and terms that are correct, one per line, in upper or lower case.",
            Section.PROOFREADING,
            Words("a word"),
            Option(
                "Word that is no spelling error, or @FILE with one per line; may be repeated.",
                name="--ignore-word",
                metavar="WORD|@FILE",
            ),
            change=ChangePolicy.AT_ONCE,
            needs="check_spelling",
        ),
    ] = ()
    """Words that are not spelling errors, in upper or lower case. They take effect at once, without
    another crawl. On the command line, `@FILE` stands for the words in a file, one per line.
    """
    find_language: Annotated[
        bool,
        Setting(
            "Find the language of every page",
            "Detected from its text; takes about 80 MB of memory per page worker.",
            Section.PROOFREADING,
            Switch(),
            Option("Find out the language of every page by its text."),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = False
    """Find out the language of every page by its text, and compare it with the `lang` attribute. It
    takes some 80 MB of memory for each page worker. Without it, that is done where spelling or
    grammar is checked and a page does not say its language, or says a wrong one.
    """
    languagetool: Annotated[
        str,
        Setting(
            "LanguageTool server",
            "Checks grammar. The texts of all pages are sent to this server; empty: no check.",
            Section.PROOFREADING,
            ServerUrl("http://localhost:8081"),
            Option(
                "Check grammar with this LanguageTool server; the texts of pages are sent to it.",
                metavar="URL",
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = ""
    """Address of a LanguageTool server that checks grammar, such as `http://localhost:8081`. The
    texts of all pages are sent to it, directly and without the proxy, and to no other. A crawl
    waits for its responses; if it fails, the crawl continues without them.
    """
    ignored_grammar_rules: Annotated[
        tuple[str, ...],
        Setting(
            "Ignored grammar rules",
            "Ids such as EN_A_VS_AN, one per line.",
            Section.PROOFREADING,
            Words("the id of a rule"),
            Option(
                "LanguageTool rule that is not reported, such as EN_A_VS_AN; may be repeated.",
                name="--ignore-grammar-rule",
                metavar="ID",
            ),
            change=ChangePolicy.AT_ONCE,
            needs="languagetool",
        ),
    ] = ()
    """Ids of LanguageTool's rules that are not reported, such as `EN_A_VS_AN`. They take effect at
    once, without another crawl.
    """

    @property
    def proofreads_pages(self) -> bool:
        """Whether pages are proofread at all."""
        return bool(self.check_spelling or self.find_language or self.languagetool)
