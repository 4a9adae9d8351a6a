"""How fields of a URL or link are declared: label, type, storage, group, columns.

    title: Annotated[str | None, Field("Title", export="Title 1", doc="the first `<title>`")] = None

Everything about a field is made from its declaration: the columns of the project file with their
checks, what is read and written, tables, sorting, details, exports, documentation.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import cache
from itertools import chain
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, Final, Generic, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct, defstruct
from msgspec.structs import fields as struct_fields

from gossamer.model.translatable import Sentence

T = TypeVar("T")

LARGEST: Final = 2**53
"""The largest number of a URL: every program can read it exactly."""


class FieldKind(Enum):
    """How a value is shown and exported."""

    TEXT = auto()
    SNIPPET = auto()
    """A text that search engines show, so its length matters."""
    ADDRESS = auto()
    NUMBER = auto()
    DECIMAL = auto()
    """A number with a fraction."""
    PERCENT = auto()
    PIXELS = auto()
    POSITION = auto()
    """A number that is stored from 0 and shown from 1."""
    SIZE = auto()
    """In bytes."""
    DURATION = auto()
    """In milliseconds; exported in seconds."""
    MOMENT = auto()
    """Unix time in seconds."""
    DATE = auto()
    """A moment as a text in ISO 8601, in UTC."""
    STATUS = auto()
    """An HTTP status; a missing one is worth a mark."""
    CODE = auto()
    """A number that counts nothing."""
    NAMED = auto()
    """A member of an enum, or several: shown by their labels."""
    HEADINGS = auto()
    """The levels of headings, such as `1223`."""
    LINES = auto()
    """Several texts, one a line."""
    AXE_RULES = auto()
    """Ids of rules of axe-core, comma-separated."""
    HASH = auto()


class FieldGroup(Enum):
    """Fields that the details show together, in this order."""

    PAGE = auto()
    PLACE = auto()
    """Its position among the other URLs."""
    RESPONSE = auto()
    RENDERING = auto()
    """What a browser made of it."""


class ColumnSet(Enum):
    """Columns that people look at together; a table can show just these."""

    ESSENTIALS = auto()
    SEO = auto()
    TECHNICAL = auto()


class Field(Struct, frozen=True):
    """The declaration of a field. Its texts are English; the window translates them.

    A field with a `label` is a column of tables, unless `in_table` is off: named `column` (by
    default the field's own name) in stored orders and layouts, `width` average characters wide;
    `note` says what the label leaves open. `sets` are the column sets it is in. The details have
    those with a `group`. `export` is its heading in exported files; without one it is not exported.

    The value is kept in the project file, in a column of the field's name, which `doc` describes;
    it is filled from what a page worker reports under that name, or under `filled`. A `pooled` text
    is stored once however many URLs have it. `always` says that every response has a value, `most`
    is the largest number. A field is read by `sql` instead, if that is given: an expression over
    the aliases of `store.field_sql`. Texts are sorted `folded`, without regard to case, or as they
    are. A field with a `facet` is one that rows can be filtered by, in the window and on the
    command line, under that name; there, `unknown` stands for no value, and the `example` shows how
    a value is written. A comparison of two crawls looks at the fields that are `compared`, and at
    others on request.
    """

    label: Sentence = ""
    note: Sentence = ""
    export: str = ""
    doc: Sentence = ""
    sql: str = ""
    filled: str = ""
    column: str = ""
    facet: str = ""
    unknown: int | str | None = None
    example: str = ""
    compared: bool = False
    width: int = 12
    kind: FieldKind | None = None
    group: FieldGroup | None = None
    sets: tuple[ColumnSet, ...] = ()
    in_table: bool = True
    pooled: bool = False
    always: bool = False
    folded: bool = False
    most: int = LARGEST


class Derived(Generic[T]):
    """A field that is computed from other fields of a record on access."""

    def __init__(self, make: Callable[..., T], *of: str, field: Field) -> None:
        """`make` computes the value from those of the fields `of`."""
        get = attrgetter(*of)
        self.make = make
        self.of = of
        self.field = field
        self.value: Callable[[Any], T] = (
            (lambda record: make(*get(record)))
            if len(of) > 1
            else (lambda record: make(get(record)))
        )
        """Returns the value for a record."""

    def __get__(self, record: Any, owner: type) -> T:  # noqa: ANN401 - a record of any kind
        return self.value(record)


class DeclaredField(Struct, frozen=True):
    """A declared field: its name in the record, its type without None, its declaration."""

    name: str
    type: Any
    field: Field
    made: Derived[Any] | None = None

    @property
    def column(self) -> str:
        """Its name in orders and layouts."""
        return self.field.column or self.name

    @property
    def is_column(self) -> bool:
        """Whether tables have it."""
        return bool(self.field.label) and self.field.in_table

    @property
    def is_stored(self) -> bool:
        """Whether the project file has a column of this name for it."""
        return bool(self.field.doc)

    @property
    def kind(self) -> FieldKind:
        """How it is shown."""
        return self.field.kind or _KINDS.get(self.type, FieldKind.NAMED)

    @property
    def of(self) -> Callable[[Any], Any]:
        """Returns its value for a record."""
        return attrgetter(self.name) if self.made is None else self.made.value


_KINDS: Final = {
    str: FieldKind.TEXT,
    int: FieldKind.NUMBER,
    float: FieldKind.MOMENT,
    bytes: FieldKind.HASH,
}


@cache
def _hints(record: type) -> Mapping[str, Any]:
    return get_type_hints(record, include_extras=True)


@cache
def declared_fields(record: type) -> tuple[DeclaredField, ...]:
    """The fields of a Struct that have a declaration, in order; then those derived from them."""
    found = []
    for name, hint in _hints(record).items():
        declarations = [x for x in getattr(hint, "__metadata__", ()) if isinstance(x, Field)]
        found += [DeclaredField(name, _bare(hint), each) for each in declarations]
    for name, value in chain.from_iterable(vars(each).items() for each in record.__mro__):
        if isinstance(value, Derived):
            made_of = get_type_hints(value.make)["return"]
            found.append(DeclaredField(name, _bare(made_of), value.field, value))
    return tuple(found)


def joined(*structs: type[Struct]) -> type[Struct]:
    """A Struct with the declared fields of several, all of which have defaults."""
    fields: list[tuple[str, Any, Any]] = []
    for struct in structs:
        hints = _hints(struct)
        defaults = {each.name: each.default for each in struct_fields(struct)}
        fields += [
            (each.name, hints[each.name], defaults[each.name]) for each in declared_fields(struct)
        ]
    name = "_".join(each.__name__ for each in structs)
    return defstruct(name, fields, frozen=True, array_like=True)


def with_first(
    fields: tuple[DeclaredField, ...], first: tuple[str, ...]
) -> tuple[DeclaredField, ...]:
    """The fields with these names first, then the others in declaration order."""
    places = {name: place for place, name in enumerate(first)}
    return tuple(sorted(fields, key=lambda each: places.get(each.name, len(places))))


def _bare(hint: Any) -> Any:  # noqa: ANN401 - a type, of any kind
    """A type without annotations, and without None."""
    if get_origin(hint) is Annotated:
        return _bare(hint.__origin__)
    options = [each for each in get_args(hint) if each is not NoneType]
    if NoneType in get_args(hint) and len(options) == 1:
        return _bare(options[0])
    return hint
