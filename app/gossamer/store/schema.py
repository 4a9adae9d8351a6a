"""The schema of a project file, version 1. docs/project-file.md explains each column.

The columns for responses and links are generated from the declarations of their fields.
"""

from gossamer.model.link_kinds import LinkKind
from gossamer.store.field_sql import AUDIT_COLUMNS, LINK_TEXTS, RENDERING_COLUMNS, VISIT_COLUMNS

APPLICATION_ID = 0x476F7373
"""b"Goss", so that `file` and we know a project file."""
VERSION = 1

_VISIT = "\n    ".join(f"{each.definition}," for each in VISIT_COLUMNS)
_LINK = "\n    ".join(f"{each.definition}," for each in LINK_TEXTS)
_AUDIT = ",\n    ".join(each.definition for each in AUDIT_COLUMNS)
_RENDERING = ",\n    ".join(each.definition for each in RENDERING_COLUMNS)
TABLES = f"""
CREATE TABLE project (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    program TEXT NOT NULL,
    created_at REAL NOT NULL,
    series TEXT NOT NULL,
    settings TEXT NOT NULL,
    state TEXT NOT NULL,
    base_path TEXT,
    base_created_at REAL,
    base_position INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    content_stamp INTEGER NOT NULL DEFAULT 0,
    indexed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE root (
    position INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    crc INTEGER NOT NULL
);
CREATE TABLE folder (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES folder (id),
    name TEXT NOT NULL,
    urls INTEGER NOT NULL DEFAULT 0,
    errors INTEGER NOT NULL DEFAULT 0,
    direct INTEGER NOT NULL DEFAULT 0,
    UNIQUE (parent, name)
);
CREATE TABLE url (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    crc INTEGER NOT NULL,
    state INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL,
    as_file INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    parent INTEGER REFERENCES url (id),
    folder INTEGER REFERENCES folder (id),
    detail INTEGER REFERENCES text (id),
    host TEXT GENERATED ALWAYS AS (
        substr(
            substr(url, 1, 7 + instr(substr(url, 9), '/')),
            max(
                instr(url, '//') + 2,
                1 + instr(substr(url, 1, 7 + instr(substr(url, 9), '/')), '@')
            )
        )
    ) VIRTUAL
);
CREATE INDEX url_parent ON url (parent);
CREATE INDEX url_queued ON url (host) WHERE state = 0;
CREATE TABLE url_key (
    key INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (key, id)
) WITHOUT ROWID;
CREATE TABLE folder_url (
    folder INTEGER NOT NULL REFERENCES folder (id),
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (folder, id)
) WITHOUT ROWID;
CREATE TABLE url_count (
    outcome INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    urls INTEGER NOT NULL,
    PRIMARY KEY (outcome, depth)
) WITHOUT ROWID;
CREATE TABLE status_count (
    status INTEGER PRIMARY KEY,
    urls INTEGER NOT NULL,
    received_bytes INTEGER NOT NULL,
    unchanged INTEGER NOT NULL
);
CREATE TABLE time_count (
    elapsed_ms INTEGER PRIMARY KEY,
    urls INTEGER NOT NULL
);
CREATE TABLE type_count (
    content_type INTEGER PRIMARY KEY REFERENCES text (id),
    urls INTEGER NOT NULL
);
CREATE TABLE extreme (
    kind INTEGER NOT NULL,
    value INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (kind, value, id)
) WITHOUT ROWID;
CREATE TABLE text (
    id INTEGER PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE visit (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    {_VISIT}
    header_names INTEGER REFERENCES text (id),
    header_values TEXT NOT NULL,
    content_stamp INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX visit_warnings ON visit (warnings) WHERE warnings IS NOT NULL;
CREATE TABLE link (
    source INTEGER NOT NULL REFERENCES url (id),
    position INTEGER NOT NULL,
    target INTEGER NOT NULL REFERENCES url (id),
    kind INTEGER NOT NULL,
    action INTEGER NOT NULL,
    traits INTEGER NOT NULL,
    {_LINK}
    PRIMARY KEY (source, position)
) WITHOUT ROWID;
CREATE INDEX link_redirect ON link (target) WHERE kind = {int(LinkKind.REDIRECT)};
CREATE INDEX link_sitemap ON link (target) WHERE kind = {int(LinkKind.SITEMAP)};
CREATE TABLE inlink (
    target INTEGER NOT NULL REFERENCES url (id),
    source INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (target, source)
) WITHOUT ROWID;
CREATE TABLE inlink_count (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    links INTEGER NOT NULL,
    sources INTEGER NOT NULL,
    others INTEGER NOT NULL
);
CREATE TABLE unindexed_source (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES url (id)
);
CREATE TABLE issue (
    rule INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    value,
    PRIMARY KEY (rule, id)
) WITHOUT ROWID;
CREATE TABLE issue_count (
    rule INTEGER PRIMARY KEY,
    urls INTEGER NOT NULL,
    live INTEGER NOT NULL
);
CREATE TABLE ignored_issue (
    rule INTEGER NOT NULL,
    pattern TEXT NOT NULL,
    id INTEGER REFERENCES url (id),
    reason TEXT NOT NULL,
    author TEXT NOT NULL,
    ignored_at REAL NOT NULL,
    PRIMARY KEY (rule, pattern)
) WITHOUT ROWID;
CREATE INDEX ignored_issue_url ON ignored_issue (rule, id);
CREATE TABLE audit_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    page_thresholds TEXT,
    stage_thresholds TEXT,
    content_stamp INTEGER NOT NULL DEFAULT 0,
    complete INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE url_audit (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    {_AUDIT}
);
CREATE TABLE rendering (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    {_RENDERING}
);
CREATE TABLE rendering_detail (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    details BLOB NOT NULL
);
CREATE TABLE screenshot (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    jpeg BLOB NOT NULL
);
CREATE TABLE custom_value (
    definition INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    position INTEGER NOT NULL,
    value,
    failure INTEGER,
    PRIMARY KEY (definition, id, position)
) WITHOUT ROWID;
CREATE TABLE custom_count (
    definition INTEGER PRIMARY KEY,
    found INTEGER NOT NULL,
    missing INTEGER NOT NULL,
    failed INTEGER NOT NULL
);
CREATE TABLE text_block (
    id INTEGER PRIMARY KEY,
    stamp INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    texts BLOB NOT NULL
);
CREATE TABLE page_text (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    place INTEGER NOT NULL
);
CREATE TABLE archive_file (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    node TEXT,
    folder TEXT
);
CREATE TABLE archive_record (
    file INTEGER NOT NULL REFERENCES archive_file (id),
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    id INTEGER REFERENCES url (id),
    url TEXT,
    digest BLOB NOT NULL,
    payload_offset INTEGER,
    PRIMARY KEY (file, offset)
) WITHOUT ROWID;
CREATE INDEX archive_record_page ON archive_record (id);
CREATE INDEX archive_record_url ON archive_record (url) WHERE url IS NOT NULL;
CREATE TABLE owed (
    depth INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (depth, id)
) WITHOUT ROWID;
CREATE TABLE loop_owed (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    after INTEGER NOT NULL
);
CREATE TABLE budget (
    key TEXT PRIMARY KEY,
    spent INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE robots (
    origin TEXT PRIMARY KEY,
    status INTEGER,
    text TEXT NOT NULL,
    detail TEXT,
    fetched_at REAL NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL
);
CREATE TABLE site_check (
    origin TEXT NOT NULL,
    kind INTEGER NOT NULL,
    url TEXT NOT NULL,
    outcome INTEGER,
    status INTEGER,
    final_url TEXT NOT NULL,
    detail TEXT,
    fetched_at REAL NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    title TEXT,
    word_count INTEGER,
    content_hash BLOB,
    sketch BLOB,
    text TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    PRIMARY KEY (origin, kind)
);
CREATE TABLE risky_url (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    words TEXT NOT NULL
);
CREATE TABLE shard (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    crawl TEXT NOT NULL,
    number INTEGER NOT NULL,
    shards INTEGER NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE shard_peer (
    shard INTEGER PRIMARY KEY,
    sent INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    received INTEGER NOT NULL
);
CREATE TABLE outgoing_link (
    shard INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL,
    as_file INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    act TEXT,
    page INTEGER REFERENCES url (id),
    handed_as INTEGER NOT NULL,
    spread INTEGER NOT NULL,
    is_new INTEGER NOT NULL,
    is_alike INTEGER NOT NULL,
    PRIMARY KEY (shard, number)
) WITHOUT ROWID;
CREATE TABLE over_budget (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    depth INTEGER NOT NULL
);
CREATE TABLE certificate (
    origin TEXT PRIMARY KEY,
    seen_at REAL NOT NULL,
    not_before REAL NOT NULL,
    not_after REAL NOT NULL,
    subject TEXT NOT NULL,
    issuer TEXT NOT NULL,
    host_names TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    detail TEXT
);
"""
