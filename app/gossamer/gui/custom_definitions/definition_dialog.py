"""The forms that edit a custom search or a custom extraction."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from msgspec.structs import replace
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from gossamer.extract.pattern_syntax import check_patterns
from gossamer.gui.custom_definitions.definition_texts import (
    condition_name,
    method_name,
    part_name,
    place_name,
)
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy, centre_labels
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.custom_definitions import (
    CustomDefinition,
    CustomExtraction,
    CustomSearch,
    ExtractedPart,
    ExtractionMethod,
    SearchCondition,
    SearchLocation,
)
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

_WIDTH: Final = 520
D = TypeVar("D", CustomSearch, CustomExtraction)
E = TypeVar("E", bound=StrEnum)


class FormDialog(QDialog):
    """Edits a named definition. OK closes it only if the definition is valid."""

    def __init__(self, name: str, others: Sequence[str], parent: QWidget | None = None) -> None:
        """`others` are the names already in use."""
        super().__init__(parent)
        self._others = {name.casefold() for name in others}
        self.message = InlineMessage()
        self.name = self._line(name)
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.add(self.tr("&Name"), self.name)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.message)
        column.addLayout(self.form)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)

    def definition(self) -> Any:  # noqa: ANN401 - each form has its own
        """The definition in the form."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise UsageError about the first error in the form, apart from the name."""
        raise NotImplementedError

    def accept(self) -> None:
        """Close if the definition is valid; show the error otherwise."""
        try:
            self._check_name(self.name.text().strip())
            self.check()
        except UsageError as e:
            self.message.show_text("error", spoken(e.said))
            return
        super().accept()

    def _check_name(self, name: str) -> None:
        if name.casefold() in self._others:
            raise UsageError("{name!r} is taken; choose another name.", name=name)

    def add(self, label: str, field: QWidget) -> None:
        """Add a labelled row."""
        self.form.addRow(buddy(label, field), field)
        centre_labels(self.form)

    def add_choice(self, label: str, choices: dict[E, str], chosen: E) -> QComboBox:
        """Add a row with a choice; the item data of the box are the members."""
        box = QComboBox()
        box.setMinimumHeight(CONTROL_HEIGHT)
        for member, name in choices.items():
            box.addItem(name, member.value)
        box.setCurrentIndex(list(choices).index(chosen))
        box.currentIndexChanged.connect(self.show_fields)
        self.add(label, box)
        return box

    def add_check(self, label: str, *, checked: bool) -> QCheckBox:
        """Add a check box."""
        box = QCheckBox(label)
        box.setChecked(checked)
        self.form.addRow("", box)
        return box

    def show_fields(self) -> None:
        """Show the fields that the choices need."""

    def _line(self, text: str) -> QLineEdit:
        line = QLineEdit(text)
        line.setMinimumHeight(CONTROL_HEIGHT)
        return line


class DefinitionDialog(FormDialog, Generic[D]):
    """Edits one custom search or extraction."""

    def __init__(self, definition: D, others: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(definition.name, others, parent)
        explain(self, "window/custom")
        self.pattern = self._line(definition.pattern)

    def definition(self) -> D:
        """The definition in the form."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise UsageError about the first error."""
        definition = self.definition()
        definition.check()
        check_patterns(_settings_with(definition))


class SearchDialog(DefinitionDialog[CustomSearch]):
    """Edits a custom search."""

    def __init__(
        self, definition: CustomSearch, others: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(definition, others, parent)
        self.setWindowTitle(self.tr("Custom search"))
        self.place = self.add_choice(
            self.tr("Search &in"),
            {each: place_name(each) for each in SearchLocation},
            definition.place,
        )
        self.selector = self._line(definition.selector)
        self.selector.setPlaceholderText("article, .product")
        self.add(self.tr("CSS &selector"), self.selector)
        self.condition = self.add_choice(
            self.tr("&Condition"),
            {each: condition_name(each) for each in SearchCondition},
            definition.condition,
        )
        self.add(self.tr("&Text"), self.pattern)
        self.regex = self.add_check(self.tr("&Regular expression"), checked=definition.regex)
        self.match_case = self.add_check(self.tr("&Match case"), checked=definition.match_case)
        self.show_fields()

    def show_fields(self) -> None:
        """Show the selector if elements are searched."""
        chosen = SearchLocation(self.place.currentData())
        self.form.setRowVisible(self.selector, chosen is SearchLocation.ELEMENT)

    def definition(self) -> CustomSearch:
        """The search in the form."""
        place = SearchLocation(self.place.currentData())
        return CustomSearch(
            name=self.name.text().strip(),
            pattern=self.pattern.text(),
            place=place,
            selector=self.selector.text().strip() if place is SearchLocation.ELEMENT else "",
            regex=self.regex.isChecked(),
            match_case=self.match_case.isChecked(),
            condition=SearchCondition(self.condition.currentData()),
        )


class ExtractionDialog(DefinitionDialog[CustomExtraction]):
    """Edits a custom extraction."""

    def __init__(
        self, definition: CustomExtraction, others: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(definition, others, parent)
        self.setWindowTitle(self.tr("Custom extraction"))
        self.method = self.add_choice(
            self.tr("Find &by"),
            {each: method_name(each) for each in ExtractionMethod},
            definition.method,
        )
        self.add(self.tr("&Pattern"), self.pattern)
        self.part = self.add_choice(
            self.tr("&Extract"), {each: part_name(each) for each in ExtractedPart}, definition.part
        )
        self.attribute = self._line(definition.attribute)
        self.attribute.setPlaceholderText("href")
        self.add(self.tr("&Attribute"), self.attribute)
        self.all_matches = self.add_check(
            self.tr("A&ll matches, not only the first"), checked=definition.all_matches
        )
        self.show_fields()

    def show_fields(self) -> None:
        """Show the attribute if one is extracted, and an example of the pattern."""
        part = ExtractedPart(self.part.currentData())
        self.form.setRowVisible(self.attribute, part is ExtractedPart.ATTRIBUTE)
        self.all_matches.setEnabled(part is not ExtractedPart.COUNT)
        self.pattern.setPlaceholderText(_EXAMPLES[ExtractionMethod(self.method.currentData())])

    def definition(self) -> CustomExtraction:
        """The extraction in the form."""
        part = ExtractedPart(self.part.currentData())
        return CustomExtraction(
            name=self.name.text().strip(),
            pattern=self.pattern.text().strip(),
            method=ExtractionMethod(self.method.currentData()),
            part=part,
            attribute=self.attribute.text().strip() if part is ExtractedPart.ATTRIBUTE else "",
            all_matches=self.all_matches.isChecked() and part is not ExtractedPart.COUNT,
        )


_EXAMPLES: Final = {
    ExtractionMethod.CSS: "span.price",
    ExtractionMethod.XPATH: "//meta[@property='og:title']/@content",
    ExtractionMethod.REGEX: r'"sku":\s*"([^"]+)"',
}


def _settings_with(definition: CustomDefinition) -> CrawlSettings:
    if isinstance(definition, CustomSearch):
        return replace(DEFAULTS, custom_searches=(definition,))
    return replace(DEFAULTS, custom_extractions=(definition,))
