"""Example pages that keep visitors out: their faults show where rendered pages are checked."""

from typing import Final

from gossamer.demo.workshop.example_page import ExamplePage

_PICTURE: Final = "/assets/web-0.svg"
_NAMELESS: Final = f"""
<p><a href="/visit/"><img src="{_PICTURE}" alt="" width="24" height="24"></a>
<img src="{_PICTURE}" width="24" height="24"> <button type="button"></button>
<input type="button"> <input type="image" src="{_PICTURE}"> <input type="text">
<select><option>Silk</option></select></p>
<p><img src="{_PICTURE}" alt="A plan" usemap="#plan" width="24" height="24"></p>
<map name="plan"><area shape="rect" coords="0,0,9,9" href="/visit/"></map>
<div role="button" tabindex="0"></div> <div role="textbox" tabindex="0"></div>
<div role="switch" aria-checked="true" tabindex="0"></div>
<div role="meter" aria-valuenow="4"></div> <div role="progressbar"></div>
<div role="tooltip"></div> <div role="dialog"><p>A dialog</p></div>
<div role="tablist"><div role="tab" tabindex="0"></div></div>
<div role="tree"><div role="treeitem" tabindex="0"></div></div>
<div role="img"></div> <svg role="img" width="9" height="9"></svg>
<details><summary></summary><p>Nothing told.</p></details>
<object type="text/html" data="/visit/" width="40" height="40"></object>
<iframe src="/workshop/answers/scripts.html" width="200" height="80"></iframe>
"""
_ROLES: Final = """
<div role="button" aria-checked="true" tabindex="0">A button that is checked</div>
<article role="banana">A role that is none</article>
<p><input type="checkbox" id="c" aria-checked="true"><label for="c">Checked or not</label></p>
<div role="directory">An old role</div>
<div aria-hidden="true"><a href="/visit/">Hidden, and yet in the way</a></div>
<span aria-label="A part that takes no name"></span>
<div role="slider" tabindex="0" aria-label="Silk"></div>
<div role="list"><div role="heading" aria-level="2">No item</div></div>
<div role="option" aria-selected="false">Alone</div>
<p><span role="text">Silk <a href="/visit/">and a link</a></span></p>
<p aria-labeled="x">Misspelt</p> <p aria-live="loud">No such value</p>
<button type="button"><a href="/visit/">A link in a button</a></button>
<h2 role="presentation" tabindex="0">No heading, it says</h2>
<aside role="radio" aria-checked="true" tabindex="0">An aside that is a radio button</aside>
"""
_STRUCTURE: Final = """
<h2>Silk</h2> <h4>Two levels below</h4> <h3></h3>
<ul><div>No item of the list</div></ul> <div><li>An item of no list</li></div>
<dl><p>No term</p></dl> <div><dt>A term of no list</dt></div>
<main><p>A main part in the main part</p></main>
<nav aria-label="Rooms"><p>North</p></nav> <nav aria-label="Rooms"><p>South</p></nav>
<div><header role="banner">Another banner</header></div>
<div><footer role="contentinfo">Another footer</footer></div>
<table><caption>Webs</caption><tr><th scope="left">Orb</th><th></th></tr>
<tr><td headers="gone">Silk</td><td>1</td></tr></table>
<table summary="Looms"><caption>Looms</caption><tr><th>Loom</th></tr><tr><td>1</td></tr></table>
"""
_FORM: Final = """
<form><p><input type="text" title="Only a title">
<label>Name <input type="text" name="n" autocomplete="nothing"></label>
<label>City <input type="text" name="c" tabindex="5"></label></p></form>
<p><button type="button" accesskey="s">Send</button>
<button type="button" accesskey="s">Save</button>
<button type="button" aria-label="Something else">Weave the web</button></p>
"""
_SIGHT: Final = f"""
<p style="color:#999;background:#fff">A text too faint to be read.</p>
<p>A sentence long enough to have <a href="/visit/" style="color:#222;text-decoration:none">a link
that looks like text</a> in the middle of it.</p>
<p style="letter-spacing:1px !important">Letters that nobody can set apart.</p>
<p><blink>Blinking</blink> <marquee>Moving</marquee> <span lang="zz-zz">No language</span></p>
<p><a href="/visit/" style="display:inline-block;width:9px;height:9px;font-size:8px">a</a><a
href="/collections/" style="display:inline-block;width:9px;height:9px;font-size:8px">b</a></p>
<p><a href="/visit/"><img src="{_PICTURE}" alt="Visit us" width="30" height="30"> Visit us</a></p>
"""
_BARE: Final = """<!doctype html>
<html>
<head><meta name="viewport" content="width=device-width, user-scalable=no, maximum-scale=1">
<link rel="stylesheet" href="/assets/museum.css"></head>
<body><p>This page says neither its title nor its language, has no heading and no landmark, and
cannot be enlarged.</p></body>
</html>"""
_SKIP: Final = '<a href="#nowhere" style="position:absolute;left:-999px">Skip to content</a>'
_PHONE: Final = """
<p style="min-width:900px">A text that is wider than a phone, and smaller than the print
below a contract. Whoever wants to read it must zoom in, and then scroll from one side to the other
with each line; most visitors leave before that, and nobody learns what the museum has to say.</p>
<p><a href="/visit/" style="display:block;line-height:9px">a</a>
<a href="/shop/" style="display:block;line-height:9px">b</a></p>
<div style="position:fixed;inset:0 0 20% 0;background:#222;color:#fff">Take our newsletter!</div>
"""


def _rules(*names: str) -> tuple[str, ...]:
    return tuple(f"Accessibility: {name}" for name in names)


ACCESS_PAGES: Final = (
    ExamplePage(
        path="access/names.html",
        name="Things without a name",
        fault="Of these things, a screen reader cannot say what they are.",
        rules=_rules(
            "Active <area> Elements Must Have Alternative Text",
            "ARIA Commands Must Have an Accessible Name",
            "ARIA Dialogs Should Have an Accessible Name",
            "ARIA Input Fields Must Have an Accessible Name",
            "ARIA Meters Must Have an Accessible Name",
            "ARIA Progress Bars Must Have an Accessible Name",
            "ARIA Tabs Must Have an Accessible Name",
            "ARIA Toggle Fields Must Have an Accessible Name",
            "ARIA Tooltips Must Have an Accessible Name",
            "ARIA Tree Items Should Have an Accessible Name",
            "Buttons Must Have Discernible Text",
            "Frames Must Have an Accessible Name",
            "Images Must Have Alternative Text",
            "Input Buttons Must Have Discernible Text",
            "Image Buttons Must Have Alternative Text",
            "Form Elements Must Have Labels",
            "Links Must Have Discernible Text",
            "<object> Elements Must Have Alternative Text",
            'Elements With role="img" Must Have Alternative Text',
            "Select Elements Must Have an Accessible Name",
            "Summary Elements Must Have Discernible Text",
            "<svg> Images Must Have Alternative Text",
            "Touch Targets Must Be 24 Pixels Large or Have Enough Space",
        ),
        body=_NAMELESS,
    ),
    ExamplePage(
        path="access/roles.html",
        name="Roles that do not fit",
        fault="Elements claim to be something else, and do not keep the promise.",
        rules=_rules(
            "Elements Must Only Use Supported ARIA Attributes",
            "ARIA Role Should Be Appropriate for the Element",
            "ARIA Attributes Must Be Used as Specified for the Role",
            "Deprecated ARIA Roles Must Not Be Used",
            "ARIA Hidden Elements Must Not Be Focusable",
            "Elements Must Only Use Permitted ARIA Attributes",
            "Required ARIA Attributes Must Be Provided",
            "Certain ARIA Roles Must Contain Particular Children",
            "Certain ARIA Roles Must Be Contained by Particular Parents",
            "ARIA Roles Must Be Valid",
            'role="text" Should Have No Focusable Descendants',
            "ARIA Attributes Must Have Valid Names",
            "ARIA Attributes Must Have Valid Values",
            "Interactive Controls Must Not Be Nested",
            "Presentational Elements Should Be Consistently Ignored",
        ),
        body=_ROLES,
    ),
    ExamplePage(
        path="access/structure.html",
        name="A page without order",
        fault="Headings, lists, landmarks and tables are not what they look like.",
        rules=_rules(
            "<dl> Elements Must Only Contain <dt> and <dd> Groups",
            "<dt> and <dd> Elements Must Be Contained by a <dl>",
            "Headings Should Not Be Empty",
            "Table Headers Should Not Be Empty",
            "Heading Levels Should Only Increase By One",
            "Banner Landmark Should Be at Top Level",
            "Contentinfo Landmark Should Be at Top Level",
            "Main Landmark Should Be at Top Level",
            "Document Should Not Have More Than One Banner Landmark",
            "Document Should Not Have More Than One Contentinfo Landmark",
            "Document Should Not Have More Than One Main Landmark",
            "Landmarks Should Be Unique",
            "<ul> and <ol> Must Only Contain <li> Elements",
            "<li> Elements Must Be Contained in a <ul> or <ol>",
            "scope Attribute Should Be Used Correctly",
            "Tables Should Not Have the Same Summary and Caption",
            "headers Attributes Must Refer to Cells of the Same Table",
        ),
        body=_STRUCTURE,
    ),
    ExamplePage(
        path="access/forms.html",
        name="A form that does not explain itself",
        fault="Labels are missing or misleading, and a key is taken twice.",
        rules=_rules(
            "accesskey Values Should Be Unique",
            "autocomplete Attribute Must Be Used Correctly",
            "Visible Text Must Be Part of the Accessible Name",
            "Form Elements Should Have a Visible Label",
            "Elements Should Not Have a tabindex Greater Than Zero",
        ),
        body=_FORM,
    ),
    ExamplePage(
        path="access/sight.html",
        name="A page for sharp eyes",
        fault="A faint text, tiny links, and things that move.",
        rules=_rules(
            "Inline Text Spacing Must Be Adjustable",
            "<blink> Elements Must Not Be Used",
            "Elements Must Meet Minimum Color Contrast Ratio",
            "Elements Must Meet Enhanced Color Contrast Ratio",
            "Alternative Text Should Not Be Repeated as Text",
            "Links Must Be Distinguishable Without Relying on Color",
            "<marquee> Elements Must Not Be Used",
            "Touch Targets Must Be 24 Pixels Large or Have Enough Space",
            "lang Attributes Must Have a Valid Value",
        ),
        body=_SIGHT,
    ),
    ExamplePage(
        path="access/bare.html",
        name="A page without a frame",
        fault="It has no title, no language, no heading, no landmark, and cannot be enlarged.",
        rules=_rules(
            "Documents Must Have a <title> Element",
            "<html> Element Must Have A lang Attribute",
            "Document Should Have One Main Landmark",
            "Zooming and Scaling Must Not Be Disabled",
            "Page Should Contain a Level-One Heading",
            "All Page Content Should Be Contained by Landmarks",
        ),
        edit=lambda _: _BARE,
    ),
    ExamplePage(
        path="access/language.html",
        name="A page in no language",
        fault="No language has this code. After a day, the page loads itself anew.",
        rules=_rules(
            "<html> Element Must Have a Valid lang Attribute",
            "Delayed Refresh Must Not Be Used",
        ),
        lang="zz-zz",
        head='<meta http-equiv="refresh" content="90000">',
    ),
    ExamplePage(
        path="access/languages.html",
        name="A page in two languages",
        fault="It is said to be in two languages, and loads itself anew before it is read.",
        rules=_rules(
            "lang and xml:lang Must Have the Same Base Language",
            "Delayed Refresh Under 20 Hours Must Not Be Used",
        ),
        head='<meta http-equiv="refresh" content="90">',
        edit=lambda page: page.replace('<html lang="en"', '<html lang="en" xml:lang="de"'),
    ),
    ExamplePage(
        path="access/hidden.html",
        name="A page that is hidden",
        fault="All of it is hidden from screen readers.",
        rules=_rules(
            'aria-hidden="true" Must Not Be Present on the <body>',
            "ARIA Hidden Elements Must Not Be Focusable",
            "Document Should Have One Main Landmark",
            "Page Should Contain a Level-One Heading",
        ),
        edit=lambda page: page.replace("<body", '<body aria-hidden="true"'),
    ),
    ExamplePage(
        path="access/skip.html",
        name="A skip link to nowhere",
        fault="The link that skips the menu leads nowhere, and the text cannot grow large.",
        rules=_rules(
            "Users Should Be Able to Zoom the Text Up to 500%",
            "All Page Content Should Be Contained by Landmarks",
            "Skip Link Target Should Exist and Be Focusable",
        ),
        edit=lambda page: page.replace("<header", f"{_SKIP}<header", 1).replace(
            "initial-scale=1", "initial-scale=1, maximum-scale=3"
        ),
    ),
)
PHONE_PAGE: Final = ExamplePage(
    path="access/phone.html",
    name="A page that no phone can show",
    fault="Text and links are tiny, the content is wider than the screen, and a banner hides it.",
    rules=(
        "Mobile: Target Size",
        "Mobile: Content Not Sized Correctly",
        "Mobile: Illegible Font Size",
        "Mobile: Intrusive Overlay",
    ),
    head="<style>* { font-size: 8px !important }</style>",
    body=_PHONE,
)
"""Its faults show where pages are rendered as on a phone."""
