"""Example pages about other versions of a page: in other languages, AMP, for small screens."""

from typing import Final

from gossamer.demo.workshop.example_page import HERE, NOINDEX, ORIGIN, ExamplePage, canonical


def _versions(**paths: str) -> str:
    return "\n".join(
        f'<link rel="alternate" hreflang="{language.replace("_", "-")}" href="{HERE}{path}">'
        for language, path in paths.items()
    )


LANGUAGES: Final = (
    ExamplePage(
        path="languages/one-way.html",
        name="A translation that does not answer",
        fault="The page names a German version, which does not name this page in return. It names "
        "no version for everybody else, and a language that does not exist.",
        rules=("Hreflang: Missing Return Links", "Hreflang: Incorrect Language & Region Codes"),
        head=_versions(
            en="languages/one-way.html", de="languages/alone.html", en_UK="languages/one-way.html"
        ),
    ),
    ExamplePage(
        path="languages/alone.html",
        name="A page that forgets itself",
        fault="The page names other versions, but not itself.",
        rules=("Hreflang: Missing Self Reference",),
        head=_versions(x_default="languages/many.html"),
        lang="de",
    ),
    ExamplePage(
        path="languages/many.html",
        name="Two versions for one language",
        fault="The page names two versions for English, one of which does not exist, and a German "
        "one that no page links to.",
        rules=(
            "Hreflang: Multiple Entries",
            "Hreflang: Non-200 Hreflang URLs",
            "Hreflang: Unlinked Hreflang URLs",
        ),
        head=_versions(
            x_default="languages/many.html", en="languages/many.html", de="languages/unlinked.html"
        )
        + _versions(en="languages/torn-out.html"),
    ),
    ExamplePage(
        path="languages/unlinked.html",
        name="The German version",
        fault="Only the head of another page leads here.",
        listed=False,
        lang="de",
    ),
    ExamplePage(
        path="languages/english.html",
        name="Versions that do not agree",
        fault="This page calls itself English. The one below calls it Welsh.",
        rules=(
            "Hreflang: Inconsistent Language & Region Return Links",
            "Hreflang: Non-Canonical Return Links",
            "Hreflang: Noindex Return Links",
        ),
        head=_versions(
            en="languages/english.html",
            cy="languages/welsh.html",
            fr="languages/copied.html",
            it="languages/quiet.html",
            x_default="languages/english.html",
        ),
    ),
    ExamplePage(
        path="languages/welsh.html",
        name="The Welsh version",
        fault="This page calls the English version Irish. The two should agree.",
        rules=("Hreflang: Contains Hreflang",),
        head=_versions(
            cy="languages/welsh.html",
            ga="languages/english.html",
            x_default="languages/english.html",
        ),
        lang="cy",
    ),
    ExamplePage(
        path="languages/copied.html",
        name="The French version",
        fault="This version names a canonical that is another page, so it takes itself out of "
        "the group of versions.",
        rules=("Hreflang: Not Using Canonical",),
        head=_versions(
            fr="languages/copied.html",
            en="languages/english.html",
            x_default="languages/english.html",
        )
        + canonical("languages/one-way.html"),
        lang="fr",
    ),
    ExamplePage(
        path="languages/quiet.html",
        name="The Italian version",
        fault="This version is not to be indexed, so nobody who searches in Italian finds it.",
        rules=("Hreflang: Noindex Return Links",),
        head=_versions(
            it="languages/quiet.html",
            en="languages/english.html",
            x_default="languages/english.html",
        )
        + NOINDEX,
        lang="it",
    ),
    ExamplePage(
        path="languages/outside.html",
        name="Versions outside the head",
        fault="The versions are named in the body, where search engines do not look.",
        rules=("Hreflang: Outside <head>",),
        body=_versions(en="languages/outside.html", x_default="languages/outside.html"),
    ),
)


def _amp(html: str) -> str:
    return html.replace("<html ", "<html amp ", 1)


AMP: Final = (
    ExamplePage(
        path="amp/article.html",
        name="An article and its AMP version",
        fault="The AMP version that this page names was taken down with its folder.",
        rules=("AMP: Non-200 Response",),
        head=f'<link rel="amphtml" href="{ORIGIN}/collections/dust/">',
    ),
    ExamplePage(
        path="amp/stranger.html",
        name="An AMP page that nobody knows",
        fault="This AMP page names the article as its canonical, which does not name it in return.",
        rules=("AMP: Missing Non-AMP Return Link", "AMP: Non-Indexable"),
        head=canonical("amp/article.html"),
        edit=_amp,
    ),
    ExamplePage(
        path="amp/second.html",
        name="A second article",
        fault="The AMP version of this page does not name it as its canonical.",
        rules=("AMP: Missing Canonical to Non-AMP",),
        head=f'<link rel="amphtml" href="{HERE}amp/second-amp.html">',
    ),
    ExamplePage(
        path="amp/second-amp.html",
        name="An AMP page without canonical",
        fault="This AMP page should name the article that it belongs to as its canonical.",
        rules=("AMP: Missing Canonical to Non-AMP", "AMP: Indexable"),
        edit=_amp,
    ),
    ExamplePage(
        path="amp/hidden.html",
        name="An AMP page with a hidden canonical",
        fault="The canonical of this AMP page is not to be indexed.",
        rules=("AMP: Non-Indexable Canonical",),
        head=canonical("directives/noindex.html"),
        edit=_amp,
    ),
    ExamplePage(
        path="mobile/desk.html",
        name="A page for large screens alone",
        fault="The page does not fit small screens, and names another one that is to.",
        rules=("Mobile: Mobile Alternate Link",),
        head='<link rel="alternate" media="only screen and (max-width: 640px)" '
        f'href="{HERE}links/here.html">',
    ),
)
VERSION_PAGES: Final = (*LANGUAGES, *AMP)
