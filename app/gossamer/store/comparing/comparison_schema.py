"""The schema of a comparison file, version 1. docs/comparison-file.md explains each column."""

from typing import Any, Final

from msgspec import convert

from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.store.bulk_insert import Value
from gossamer.store.field_sql import storage_of

COMPARISON_ID: Final = 0x476F7343
"""b"GosC", so that `file` and we know a comparison file."""
COMPARISON_VERSION: Final = 1
COMPARISON_TABLES: Final = """
CREATE TABLE comparison (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    program TEXT NOT NULL,
    summary TEXT NOT NULL
);
CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    before_url TEXT,
    before_id INTEGER,
    after_id INTEGER,
    change INTEGER NOT NULL,
    before_set INTEGER,
    after_set INTEGER,
    fate INTEGER,
    fate_status INTEGER,
    fate_url TEXT,
    status INTEGER,
    reason TEXT,
    moved INTEGER REFERENCES page (id),
    moved_by INTEGER
);
CREATE TABLE field_change (
    page INTEGER NOT NULL REFERENCES page (id),
    field TEXT NOT NULL,
    before,
    after,
    PRIMARY KEY (page, field)
) WITHOUT ROWID;
CREATE TABLE address (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    before_outcome INTEGER,
    before_status INTEGER,
    after_outcome INTEGER,
    after_status INTEGER
);
CREATE TABLE link_change (
    page INTEGER NOT NULL REFERENCES page (id),
    target INTEGER NOT NULL REFERENCES address (id),
    gained INTEGER NOT NULL,
    PRIMARY KEY (page, gained, target)
) WITHOUT ROWID;
CREATE TABLE broken_link (
    id INTEGER PRIMARY KEY,
    move INTEGER NOT NULL,
    source INTEGER NOT NULL REFERENCES address (id),
    target INTEGER NOT NULL REFERENCES address (id)
);
CREATE TABLE site_file (
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    before_status INTEGER,
    after_status INTEGER,
    before_text TEXT NOT NULL,
    after_text TEXT NOT NULL,
    before_urls INTEGER,
    after_urls INTEGER,
    PRIMARY KEY (kind, url)
) WITHOUT ROWID;
CREATE TABLE issue_change (
    rule INTEGER NOT NULL,
    page INTEGER NOT NULL REFERENCES page (id),
    move INTEGER NOT NULL,
    PRIMARY KEY (rule, page)
) WITHOUT ROWID;
CREATE TABLE filter (
    section TEXT NOT NULL,
    value NOT NULL,
    before INTEGER NOT NULL,
    after INTEGER NOT NULL,
    added INTEGER NOT NULL,
    new INTEGER NOT NULL,
    began INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    missing INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    unknown_before INTEGER NOT NULL,
    PRIMARY KEY (section, value)
) WITHOUT ROWID;
CREATE TABLE filter_set (
    id INTEGER NOT NULL,
    section TEXT NOT NULL,
    value NOT NULL,
    PRIMARY KEY (section, value, id)
) WITHOUT ROWID;
CREATE TABLE folder (
    address TEXT PRIMARY KEY,
    parent TEXT NOT NULL,
    level INTEGER NOT NULL,
    before INTEGER NOT NULL,
    after INTEGER NOT NULL
) WITHOUT ROWID;
"""
INDEXES: Final = """
CREATE INDEX page_change ON page (change);
CREATE INDEX field_change_field ON field_change (field, page);
CREATE INDEX issue_change_page ON issue_change (page, rule, move);
CREATE INDEX page_moved ON page (moved) WHERE moved IS NOT NULL;
CREATE INDEX folder_parent ON folder (parent);
"""
"""Made when all rows are there."""


def stored_value(each: DeclaredField, value: Any) -> Value:  # noqa: ANN401 - of any field
    """A value of a field as a comparison file has it."""
    if value is None:
        return None
    encode = storage_of(each).encode
    stored: Value = value if encode is None else encode(value)
    return stored


def value_from(each: DeclaredField, stored: Any) -> Any:  # noqa: ANN401 - of any field
    """The reverse; ValueError for what is no value of the field."""
    if stored is None:
        return None
    decode = storage_of(each).decode
    return decode(stored) if decode is not None else convert(stored, each.type)
