"""Rules of axe about ARIA: roles, attributes and names."""

from typing import Final

from gossamer.audit.rules.axe_rule_declaration import (
    CONFUSED_FOCUS,
    NO_NAME,
    UNCLEAR_FIELDS,
    WRONG_ARIA,
    axe_rule,
)

AXE_RULES: Final = (
    axe_rule(
        "aria-allowed-attr",
        name="Elements Must Only Use Supported ARIA Attributes",
        meaning="An element has an ARIA attribute that its role does not support.",
        reason=WRONG_ARIA,
        remedy="Remove the attribute, or give the element a role that supports it.",
    ),
    axe_rule(
        "aria-allowed-role",
        name="ARIA Role Should Be Appropriate for the Element",
        meaning="An element has a role that HTML does not allow for it.",
        reason=WRONG_ARIA,
        remedy="Remove the role, or use an element that may have it.",
    ),
    axe_rule(
        "aria-braille-equivalent",
        name="Braille Attributes Must Have a Non-Braille Equivalent",
        meaning="An element has a label or role description for Braille displays alone.",
        reason=WRONG_ARIA,
        remedy="Add an aria-label or aria-roledescription that says the same.",
    ),
    axe_rule(
        "aria-command-name",
        name="ARIA Commands Must Have an Accessible Name",
        meaning="An element with the role button, link or menuitem has no name.",
        reason=NO_NAME,
        remedy="Give it a text, or name it with aria-label or aria-labelledby.",
    ),
    axe_rule(
        "aria-conditional-attr",
        name="ARIA Attributes Must Be Used as Specified for the Role",
        meaning=(
            "An element has an ARIA attribute that its role allows in other cases only, such as "
            "aria-checked on a native checkbox."
        ),
        reason=WRONG_ARIA,
        remedy="Remove the attribute; set the native state, such as checked, instead.",
    ),
    axe_rule(
        "aria-deprecated-role",
        name="Deprecated ARIA Roles Must Not Be Used",
        meaning="An element has a role that newer versions of ARIA no longer recommend.",
        reason=WRONG_ARIA,
        remedy="Replace the role with the one that the ARIA specification recommends today.",
    ),
    axe_rule(
        "aria-dialog-name",
        name="ARIA Dialogs Should Have an Accessible Name",
        meaning="An element with the role dialog or alertdialog has no name.",
        reason=NO_NAME,
        remedy="Refer to the dialog's heading with aria-labelledby, or add an aria-label.",
    ),
    axe_rule(
        "aria-hidden-body",
        name='aria-hidden="true" Must Not Be Present on the <body>',
        meaning=(
            'The <body> element has aria-hidden="true", which hides the whole page from screen '
            "readers."
        ),
        reason=WRONG_ARIA,
        remedy="Remove aria-hidden from <body>, also in the script that sets it for dialogs.",
    ),
    axe_rule(
        "aria-hidden-focus",
        name="ARIA Hidden Elements Must Not Be Focusable",
        meaning='Something that can be focused is inside an element with aria-hidden="true".',
        reason=CONFUSED_FOCUS,
        remedy=(
            'Take hidden elements out of the tab order with tabindex="-1", disabled or inert, or '
            "show them to all."
        ),
    ),
    axe_rule(
        "aria-input-field-name",
        name="ARIA Input Fields Must Have an Accessible Name",
        meaning=(
            "An element with the role of an input field, such as combobox, listbox or textbox, "
            "has no name."
        ),
        reason=UNCLEAR_FIELDS,
        remedy="Name it with aria-label, or refer to its visible label with aria-labelledby.",
    ),
    axe_rule(
        "aria-meter-name",
        name="ARIA Meters Must Have an Accessible Name",
        meaning="An element with the role meter has no name.",
        reason=NO_NAME,
        remedy="Say in an aria-label what is measured.",
    ),
    axe_rule(
        "aria-progressbar-name",
        name="ARIA Progress Bars Must Have an Accessible Name",
        meaning="An element with the role progressbar has no name.",
        reason=NO_NAME,
        remedy="Say in an aria-label what is in progress.",
    ),
    axe_rule(
        "aria-prohibited-attr",
        name="Elements Must Only Use Permitted ARIA Attributes",
        meaning=(
            "An element has an ARIA attribute that is prohibited for its role, such as "
            "aria-label on a plain <div> or <span>."
        ),
        reason=WRONG_ARIA,
        remedy="Remove the attribute, or give the element a role that may have a name.",
    ),
    axe_rule(
        "aria-required-attr",
        name="Required ARIA Attributes Must Be Provided",
        meaning=(
            "An element lacks an attribute that its role requires, such as aria-checked for a "
            "checkbox."
        ),
        reason=WRONG_ARIA,
        remedy="Add the required attribute and keep it up to date by script.",
    ),
    axe_rule(
        "aria-required-children",
        name="Certain ARIA Roles Must Contain Particular Children",
        meaning=(
            "An element's role requires children with certain roles, such as option in a "
            "listbox, and it has none or others."
        ),
        reason=WRONG_ARIA,
        remedy="Give the children the required roles, or use native elements such as <select>.",
    ),
    axe_rule(
        "aria-required-parent",
        name="Certain ARIA Roles Must Be Contained by Particular Parents",
        meaning=(
            "An element's role, such as tab or option, requires a parent with a certain role, "
            "which is missing."
        ),
        reason=WRONG_ARIA,
        remedy="Put the element into a parent with the required role, such as tablist.",
    ),
    axe_rule(
        "aria-roles",
        name="ARIA Roles Must Be Valid",
        meaning="An element has a role that does not exist, or one that must not be used in pages.",
        reason=WRONG_ARIA,
        remedy="Correct the value of the role attribute, or remove it.",
    ),
    axe_rule(
        "aria-tab-name",
        name="ARIA Tabs Must Have an Accessible Name",
        meaning="An element with the role tab has no name.",
        reason=NO_NAME,
        remedy="Give the tab a text, or name it with aria-label.",
    ),
    axe_rule(
        "aria-text",
        name='role="text" Should Have No Focusable Descendants',
        meaning='An element with role="text" contains a link, button or field.',
        reason=CONFUSED_FOCUS,
        remedy='Remove role="text", or move what can be focused out of the element.',
    ),
    axe_rule(
        "aria-toggle-field-name",
        name="ARIA Toggle Fields Must Have an Accessible Name",
        meaning="An element with the role checkbox, radio, switch or menuitemcheckbox has no name.",
        reason=NO_NAME,
        remedy="Give it a text, or name it with aria-label or aria-labelledby.",
    ),
    axe_rule(
        "aria-tooltip-name",
        name="ARIA Tooltips Must Have an Accessible Name",
        meaning="An element with the role tooltip has no name.",
        reason=NO_NAME,
        remedy="Put the text of the tooltip into the element, or name it with aria-label.",
    ),
    axe_rule(
        "aria-treeitem-name",
        name="ARIA Tree Items Should Have an Accessible Name",
        meaning="An element with the role treeitem has no name.",
        reason=NO_NAME,
        remedy="Give the item a text, or name it with aria-label.",
    ),
    axe_rule(
        "aria-valid-attr-value",
        name="ARIA Attributes Must Have Valid Values",
        meaning=(
            "An ARIA attribute has a value that it cannot have, or names an id that is not in "
            "the page."
        ),
        reason=WRONG_ARIA,
        remedy="Correct the value; check that each id that is referred to exists.",
    ),
    axe_rule(
        "aria-valid-attr",
        name="ARIA Attributes Must Have Valid Names",
        meaning="An element has an attribute that begins with aria- and does not exist.",
        reason=WRONG_ARIA,
        remedy="Correct the spelling of the attribute, or remove it.",
    ),
)
