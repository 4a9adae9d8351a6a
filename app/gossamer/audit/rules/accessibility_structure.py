"""Rules of axe about structure: landmarks, headings, lists, tables, frames, the document."""

from typing import Final

from gossamer.audit.rules.axe_rule_declaration import (
    BROKEN_LISTS,
    BROKEN_TABLES,
    NO_KEYBOARD,
    NO_ZOOM,
    READ_TWICE,
    REPEATED_BLOCKS,
    SUDDEN_CHANGE,
    UNCLEAR_FRAMES,
    UNCLEAR_HEADINGS,
    UNCLEAR_LANDMARKS,
    UNTITLED,
    WRONG_LANGUAGE,
    axe_rule,
)

AXE_RULES: Final = (
    axe_rule(
        "bypass",
        name="Page Must Have Means to Bypass Repeated Blocks",
        meaning="The page has no heading, landmark or skip link that leads past menus and headers.",
        reason=REPEATED_BLOCKS,
        remedy="Put the main content into <main>, or begin the page with a link to it.",
    ),
    axe_rule(
        "definition-list",
        name="<dl> Elements Must Only Contain <dt> and <dd> Groups",
        meaning=(
            "A <dl> directly contains something else than <dt>, <dd> and <div>, or has them in a "
            "wrong order."
        ),
        reason=BROKEN_LISTS,
        remedy="Let each <dt> be followed by its <dd>, and move everything else out of the list.",
    ),
    axe_rule(
        "dlitem",
        name="<dt> and <dd> Elements Must Be Contained by a <dl>",
        meaning="A <dt> or <dd> is not in a <dl>.",
        reason=BROKEN_LISTS,
        remedy="Put terms and descriptions into a <dl>, or use other elements.",
    ),
    axe_rule(
        "document-title",
        name="Documents Must Have a <title> Element",
        meaning="The page has no <title>, or an empty one.",
        reason=UNTITLED,
        remedy="Describe the page in a few words in its <title>.",
    ),
    axe_rule(
        "empty-heading",
        name="Headings Should Not Be Empty",
        meaning="A heading has no text that screen readers can read.",
        reason=UNCLEAR_HEADINGS,
        remedy="Give the heading a text, or remove it.",
    ),
    axe_rule(
        "empty-table-header",
        name="Table Headers Should Not Be Empty",
        meaning="A header cell of a table has no text.",
        reason=BROKEN_TABLES,
        remedy="Give the <th> a text; use <td> for a corner cell that is empty on purpose.",
    ),
    axe_rule(
        "frame-focusable-content",
        name='Frames With Focusable Content Must Not Have tabindex="-1"',
        meaning='A frame with tabindex="-1" contains links, buttons or fields.',
        reason=NO_KEYBOARD,
        remedy="Remove tabindex from the frame.",
    ),
    axe_rule(
        "frame-title-unique",
        name="Frames Must Have a Unique Title",
        meaning="Several frames of the page have the same title.",
        reason=UNCLEAR_FRAMES,
        remedy="Give each frame a title that says what it holds.",
    ),
    axe_rule(
        "frame-title",
        name="Frames Must Have an Accessible Name",
        meaning="An <iframe> or <frame> has no title.",
        reason=UNCLEAR_FRAMES,
        remedy="Say in the title attribute what the frame holds.",
    ),
    axe_rule(
        "html-lang-valid",
        name="<html> Element Must Have a Valid lang Attribute",
        meaning="The lang attribute of the <html> element is not a known language.",
        reason=WRONG_LANGUAGE,
        remedy="Use a code such as en, de or zh-CN.",
    ),
    axe_rule(
        "html-xml-lang-mismatch",
        name="lang and xml:lang Must Have the Same Base Language",
        meaning="The <html> element names different languages in lang and xml:lang.",
        reason=WRONG_LANGUAGE,
        remedy="Set both to the same language, or remove xml:lang.",
    ),
    axe_rule(
        "landmark-banner-is-top-level",
        name="Banner Landmark Should Be at Top Level",
        meaning="The page's header is inside another landmark.",
        reason=UNCLEAR_LANDMARKS,
        remedy='Move the <header> or role="banner" out of it, to the level of <main>.',
    ),
    axe_rule(
        "landmark-contentinfo-is-top-level",
        name="Contentinfo Landmark Should Be at Top Level",
        meaning="The page's footer is inside another landmark.",
        reason=UNCLEAR_LANDMARKS,
        remedy='Move the <footer> or role="contentinfo" out of it, to the level of <main>.',
    ),
    axe_rule(
        "landmark-main-is-top-level",
        name="Main Landmark Should Be at Top Level",
        meaning="The main content is inside another landmark.",
        reason=UNCLEAR_LANDMARKS,
        remedy="Move <main> out of it.",
    ),
    axe_rule(
        "landmark-no-duplicate-banner",
        name="Document Should Not Have More Than One Banner Landmark",
        meaning="The page has several headers of the whole page.",
        reason=UNCLEAR_LANDMARKS,
        remedy="Keep one, and put the others into <article> or <section>.",
    ),
    axe_rule(
        "landmark-no-duplicate-contentinfo",
        name="Document Should Not Have More Than One Contentinfo Landmark",
        meaning="The page has several footers of the whole page.",
        reason=UNCLEAR_LANDMARKS,
        remedy="Keep one, and put the others into <article> or <section>.",
    ),
    axe_rule(
        "landmark-no-duplicate-main",
        name="Document Should Not Have More Than One Main Landmark",
        meaning="The page has several <main> elements that are visible at the same time.",
        reason=UNCLEAR_LANDMARKS,
        remedy="Keep one <main> for the content that makes this page different.",
    ),
    axe_rule(
        "landmark-one-main",
        name="Document Should Have One Main Landmark",
        meaning='The page has no <main> element and no role="main".',
        reason=UNCLEAR_LANDMARKS,
        remedy="Put the main content into <main>.",
    ),
    axe_rule(
        "landmark-unique",
        name="Landmarks Should Be Unique",
        meaning=(
            "Several landmarks have the same role and the same name, such as two <nav> elements "
            "without labels."
        ),
        reason=UNCLEAR_LANDMARKS,
        remedy="Distinguish them with aria-label or aria-labelledby.",
    ),
    axe_rule(
        "list",
        name="<ul> and <ol> Must Only Contain <li> Elements",
        meaning=(
            "A <ul> or <ol> directly contains something else than <li>, <script> and <template>."
        ),
        reason=BROKEN_LISTS,
        remedy="Put all content of the list into <li> elements.",
    ),
    axe_rule(
        "listitem",
        name="<li> Elements Must Be Contained in a <ul> or <ol>",
        meaning="An <li> is not in a list, or in one whose role has been changed.",
        reason=BROKEN_LISTS,
        remedy="Put the items into a <ul> or <ol>.",
    ),
    axe_rule(
        "meta-refresh-no-exceptions",
        name="Delayed Refresh Must Not Be Used",
        meaning=(
            'A <meta http-equiv="refresh"> reloads or leaves the page after some time, however '
            "long."
        ),
        reason=SUDDEN_CHANGE,
        remedy="Remove it; let visitors reload by a button, or redirect on the server.",
    ),
    axe_rule(
        "meta-refresh",
        name="Delayed Refresh Under 20 Hours Must Not Be Used",
        meaning=(
            'A <meta http-equiv="refresh"> reloads or leaves the page after less than 20 hours.'
        ),
        reason=SUDDEN_CHANGE,
        remedy="Remove it; let visitors reload by a button, or redirect on the server.",
    ),
    axe_rule(
        "meta-viewport-large",
        name="Users Should Be Able to Zoom the Text Up to 500%",
        meaning="The viewport of the page limits zooming to less than 500%.",
        reason=NO_ZOOM,
        remedy='Remove maximum-scale and user-scalable from <meta name="viewport">.',
    ),
    axe_rule(
        "meta-viewport",
        name="Zooming and Scaling Must Not Be Disabled",
        meaning="The viewport of the page prevents zooming, or limits it to less than 200%.",
        reason=NO_ZOOM,
        remedy='Remove maximum-scale and user-scalable=no from <meta name="viewport">.',
    ),
    axe_rule(
        "page-has-heading-one",
        name="Page Should Contain a Level-One Heading",
        meaning='The page has no visible <h1>, and no heading with aria-level="1".',
        reason=UNCLEAR_HEADINGS,
        remedy="Begin the main content with an <h1>.",
    ),
    axe_rule(
        "region",
        name="All Page Content Should Be Contained by Landmarks",
        meaning="Part of the page is in no landmark, such as <header>, <nav>, <main> or <footer>.",
        reason=UNCLEAR_LANDMARKS,
        remedy="Put all visible content into landmarks.",
    ),
    axe_rule(
        "scope-attr-valid",
        name="scope Attribute Should Be Used Correctly",
        meaning=(
            "A scope attribute is on something else than a <th>, or has a value that does not "
            "exist."
        ),
        reason=BROKEN_TABLES,
        remedy="Use scope on <th> alone, with row, col, rowgroup or colgroup.",
    ),
    axe_rule(
        "skip-link",
        name="Skip Link Target Should Exist and Be Focusable",
        meaning=(
            "The link to the main content leads to an id that is not in the page, or is hidden."
        ),
        reason=REPEATED_BLOCKS,
        remedy="Correct the id, or make its target visible.",
    ),
    axe_rule(
        "table-duplicate-name",
        name="Tables Should Not Have the Same Summary and Caption",
        meaning="The caption and the summary attribute of a table say the same.",
        reason=READ_TWICE,
        remedy="Remove the summary, or let it say what the caption does not.",
    ),
    axe_rule(
        "td-headers-attr",
        name="headers Attributes Must Refer to Cells of the Same Table",
        meaning="The headers attribute of a cell names ids that are not header cells of its table.",
        reason=BROKEN_TABLES,
        remedy="Correct the ids, or use scope on the header cells instead.",
    ),
    axe_rule(
        "th-has-data-cells",
        name="Table Headers Must Refer to Data Cells",
        meaning="A header cell of a table belongs to no data cell.",
        reason=BROKEN_TABLES,
        remedy="Use <td> for cells that are not headers, or complete the table.",
    ),
    axe_rule(
        "valid-lang",
        name="lang Attributes Must Have a Valid Value",
        meaning="The lang attribute of an element inside the page is not a known language.",
        reason=WRONG_LANGUAGE,
        remedy="Use a code such as en, de or zh-CN.",
    ),
)
