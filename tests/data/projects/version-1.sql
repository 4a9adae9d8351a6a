BEGIN TRANSACTION;
CREATE TABLE archive_file (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    node TEXT,
    folder TEXT
);
INSERT INTO "archive_file" VALUES(1,'a-20261123120000-1-00000.warc.gz',NULL,NULL);
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
INSERT INTO "archive_record" VALUES(1,800,400,2,2,NULL,X'0000000000000000000000000000000000000000000000000000000000000000',300);
CREATE TABLE audit_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    page_thresholds TEXT,
    stage_thresholds TEXT,
    content_stamp INTEGER NOT NULL DEFAULT 0,
    complete INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "audit_state" VALUES(1,'{"rules":1,"title_max_length":60,"title_min_length":30,"title_max_pixels":561,"title_min_pixels":200,"description_max_length":155,"description_min_length":70,"description_max_pixels":985,"description_min_pixels":400,"h1_max_length":70,"h2_max_length":70,"url_max_length":115,"alt_max_length":100,"image_max_kib":100,"content_min_words":200,"duplicate_min_percent":90,"crawl_depth_max":4,"internal_outlinks_max":1000,"external_outlinks_max":100,"document_max_mib":2,"reading_ease_difficult":50,"reading_ease_very_difficult":30,"audit_meta_keywords":false,"ignored_words":[],"ignored_grammar_rules":[]}',NULL,0,0);
CREATE TABLE budget (
    key TEXT PRIMARY KEY,
    spent INTEGER NOT NULL
) WITHOUT ROWID;
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
INSERT INTO "certificate" VALUES('https://example.com',1000000000.0,900000000.0,1100000000.0,'example.com','Example CA','example.com www.example.com','abababababababababababababababababababababababababababababababab',NULL);
CREATE TABLE custom_count (
    definition INTEGER PRIMARY KEY,
    found INTEGER NOT NULL,
    missing INTEGER NOT NULL,
    failed INTEGER NOT NULL
);
CREATE TABLE custom_value (
    definition INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    position INTEGER NOT NULL,
    value,
    failure INTEGER,
    PRIMARY KEY (definition, id, position)
) WITHOUT ROWID;
CREATE TABLE extreme (
    kind INTEGER NOT NULL,
    value INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (kind, value, id)
) WITHOUT ROWID;
INSERT INTO "extreme" VALUES(0,7,1);
INSERT INTO "extreme" VALUES(0,7,2);
INSERT INTO "extreme" VALUES(1,100,1);
INSERT INTO "extreme" VALUES(1,100,2);
CREATE TABLE folder (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES folder (id),
    name TEXT NOT NULL,
    urls INTEGER NOT NULL DEFAULT 0,
    errors INTEGER NOT NULL DEFAULT 0,
    direct INTEGER NOT NULL DEFAULT 0,
    UNIQUE (parent, name)
);
INSERT INTO "folder" VALUES(1,NULL,'https://example.com',6,1,5);
INSERT INTO "folder" VALUES(2,1,'about',1,0,1);
CREATE TABLE folder_url (
    folder INTEGER NOT NULL REFERENCES folder (id),
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (folder, id)
) WITHOUT ROWID;
INSERT INTO "folder_url" VALUES(1,1);
INSERT INTO "folder_url" VALUES(1,3);
INSERT INTO "folder_url" VALUES(1,4);
INSERT INTO "folder_url" VALUES(1,5);
INSERT INTO "folder_url" VALUES(1,6);
INSERT INTO "folder_url" VALUES(2,2);
CREATE TABLE ignored_issue (
    rule INTEGER NOT NULL,
    pattern TEXT NOT NULL,
    id INTEGER REFERENCES url (id),
    reason TEXT NOT NULL,
    author TEXT NOT NULL,
    ignored_at REAL NOT NULL,
    PRIMARY KEY (rule, pattern)
) WITHOUT ROWID;
CREATE TABLE inlink (
    target INTEGER NOT NULL REFERENCES url (id),
    source INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (target, source)
) WITHOUT ROWID;
INSERT INTO "inlink" VALUES(1,1);
INSERT INTO "inlink" VALUES(1,2);
INSERT INTO "inlink" VALUES(1,6);
INSERT INTO "inlink" VALUES(2,1);
INSERT INTO "inlink" VALUES(2,2);
INSERT INTO "inlink" VALUES(3,1);
INSERT INTO "inlink" VALUES(4,1);
INSERT INTO "inlink" VALUES(5,1);
CREATE TABLE inlink_count (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    links INTEGER NOT NULL,
    sources INTEGER NOT NULL,
    others INTEGER NOT NULL
);
INSERT INTO "inlink_count" VALUES(1,1,1,2);
INSERT INTO "inlink_count" VALUES(2,2,2,0);
INSERT INTO "inlink_count" VALUES(3,1,1,0);
INSERT INTO "inlink_count" VALUES(4,1,1,0);
INSERT INTO "inlink_count" VALUES(5,1,1,0);
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
CREATE TABLE link (
    source INTEGER NOT NULL REFERENCES url (id),
    position INTEGER NOT NULL,
    target INTEGER NOT NULL REFERENCES url (id),
    kind INTEGER NOT NULL,
    action INTEGER NOT NULL,
    traits INTEGER NOT NULL,
    text INTEGER REFERENCES text (id),
    rel INTEGER REFERENCES text (id),
    element INTEGER REFERENCES text (id),
    fragment INTEGER REFERENCES text (id),
    path INTEGER REFERENCES text (id),
    window INTEGER REFERENCES text (id),
    PRIMARY KEY (source, position)
) WITHOUT ROWID;
INSERT INTO "link" VALUES(1,0,2,1,1,0,9,5,6,NULL,NULL,NULL);
INSERT INTO "link" VALUES(1,1,3,5,3,0,10,NULL,7,8,NULL,NULL);
INSERT INTO "link" VALUES(1,2,1,8,3,0,NULL,NULL,4,NULL,NULL,NULL);
INSERT INTO "link" VALUES(1,3,4,1,1,0,11,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "link" VALUES(1,4,5,1,1,0,12,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "link" VALUES(2,0,1,1,1,0,13,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "link" VALUES(2,1,2,1,1,0,14,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "link" VALUES(6,0,1,4,1,0,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE loop_owed (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    after INTEGER NOT NULL
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
CREATE TABLE owed (
    depth INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (depth, id)
) WITHOUT ROWID;
CREATE TABLE page_text (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    place INTEGER NOT NULL
);
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
INSERT INTO "project" VALUES(1,'Gossamer',1700000000.0,'5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e','{"roots":[],"workers":10,"max_redirects":10,"max_depth":null,"max_pages":null,"max_similar":1000,"max_tries":4,"timeout_s":30.0,"max_body_bytes":10485760,"max_links":20000,"max_url_length":8192,"rate":null,"max_per_host":null,"guard":true,"host_match":"strict","include":[],"exclude":["/private/"],"follow_kinds":["anchor","area","frame","canonical"],"check_kinds":["image","script","stylesheet","alternate","pagination","icon","media","css","amp"],"follow_nofollow":false,"follow_sign_out":false,"check_external":false,"external_rate":2.0,"use_sitemaps":false,"sitemaps":[],"user_agent":"Gossamer/0.1 (website crawler)","accept_language":"","headers":[],"public_headers":[],"proxy":null,"login_form":null,"keep_cookies":true,"obey_robots":true,"soft_404_probe":true,"llms_txt":true,"insecure_hosts":[],"processes":null,"parser":"selectolax","full_text_search":false,"cluster":"","insecure_cluster":false,"title_max_length":60,"title_min_length":30,"title_max_pixels":561,"title_min_pixels":200,"description_max_length":155,"description_min_length":70,"description_max_pixels":985,"description_min_pixels":400,"h1_max_length":70,"h2_max_length":70,"url_max_length":115,"alt_max_length":100,"image_max_kib":100,"content_min_words":200,"duplicate_min_percent":90,"crawl_depth_max":4,"internal_outlinks_max":1000,"external_outlinks_max":100,"document_max_mib":2,"reading_ease_difficult":50,"reading_ease_very_difficult":30,"audit_meta_keywords":false,"segments":[],"content_exclude":["nav","footer"],"check_spelling":false,"spelling_languages":[],"dictionary_folder":"","spelling_min_length":3,"spelling_check_capitals":false,"spelling_check_numbers":false,"spelling_skip_names":false,"ignored_words":[],"find_language":false,"languagetool":"","ignored_grammar_rules":[],"render":"off","device":"desktop","viewport":"","render_wait":"virtual","ajax_timeout_s":5.0,"render_timeout_s":20.0,"render_tabs":null,"screenshots":false,"lab_metrics":false,"flatten_shadow_dom":true,"flatten_frames":true,"hash_routes":false,"accessibility":"off","browser":"","archive":false,"archive_content":"html","archive_types":[],"archive_max_bytes":10485760,"archive_dom":true,"archive_secrets":false,"archive_on_nodes":"collect","custom_searches":[],"custom_extractions":[],"conditional_requests":true,"check_former_pages":true,"lastmod_first":false,"adaptive_interval":false,"min_interval_h":24,"max_interval_h":720,"list_only":false,"needs_secrets":[],"turns":[],"source":null}','paused',NULL,NULL,0,12.5,7,8);
CREATE TABLE rendering (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    render_outcome INTEGER,
    render_reason INTEGER,
    rendered_url TEXT,
    html_title TEXT,
    html_h1 TEXT,
    html_description TEXT,
    html_canonical TEXT,
    html_robots TEXT,
    html_word_count INTEGER,
    rendered_links INTEGER,
    page_requests INTEGER,
    blocked_requests INTEGER,
    failed_requests INTEGER,
    console_errors INTEGER,
    console_warnings INTEGER,
    dialogs INTEGER,
    load_ms INTEGER,
    render_ms INTEGER,
    accessibility INTEGER,
    violations INTEGER,
    violations_20_a INTEGER,
    violations_20_aa INTEGER,
    violations_20_aaa INTEGER,
    violations_21_a INTEGER,
    violations_21_aa INTEGER,
    violations_22_aa INTEGER,
    violations_of_practice INTEGER,
    fcp_ms INTEGER,
    lcp_ms INTEGER,
    cls REAL,
    tbt_ms INTEGER,
    dom_elements INTEGER,
    page_bytes INTEGER,
    script_bytes INTEGER,
    style_bytes INTEGER,
    image_bytes INTEGER,
    font_bytes INTEGER,
    third_party_requests INTEGER,
    third_party_bytes INTEGER,
    small_targets INTEGER,
    content_width INTEGER,
    small_text_percent INTEGER,
    covered_percent INTEGER
);
INSERT INTO "rendering" VALUES(2,1,NULL,NULL,'Loading…',NULL,NULL,NULL,NULL,NULL,1,1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE rendering_detail (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    details BLOB NOT NULL
);
INSERT INTO "rendering_detail" VALUES(2,X'01789C9B3A71D68E8C929282622B7DFDD48AC4DC829C54BDE4FC5CFD44BDACE265C1C945990525674E3030301C5870886102100000EEC41449');
CREATE TABLE risky_url (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    words TEXT NOT NULL
);
CREATE TABLE robots (
    origin TEXT PRIMARY KEY,
    status INTEGER,
    text TEXT NOT NULL,
    detail TEXT,
    fetched_at REAL NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL
);
INSERT INTO "robots" VALUES('https://example.com',200,'User-agent: *
Disallow:
',NULL,1000000000.0,'','');
CREATE TABLE root (
    position INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    crc INTEGER NOT NULL
);
INSERT INTO "root" VALUES(0,'https://example.com',4280900827);
CREATE TABLE screenshot (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    jpeg BLOB NOT NULL
);
INSERT INTO "screenshot" VALUES(2,X'6E6F74207265616C6C792061204A504547');
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
INSERT INTO "site_check" VALUES('https://example.com',1,'https://example.com/none',1,200,'https://example.com/',NULL,1000000000.0,'',0,'Nothing here',2,NULL,NULL,'','','');
INSERT INTO "site_check" VALUES('https://example.com',3,'https://example.com/llms.txt',NULL,NULL,'',NULL,0.0,'',0,NULL,NULL,NULL,NULL,'','','');
CREATE TABLE status_count (
    status INTEGER PRIMARY KEY,
    urls INTEGER NOT NULL,
    received_bytes INTEGER NOT NULL,
    unchanged INTEGER NOT NULL
);
INSERT INTO "status_count" VALUES(200,2,100,0);
INSERT INTO "status_count" VALUES(301,1,0,0);
INSERT INTO "status_count" VALUES(404,1,0,0);
CREATE TABLE text (
    id INTEGER PRIMARY KEY,
    value TEXT NOT NULL
);
INSERT INTO "text" VALUES(1,'Content-Type: text/html
Last-Modified;
');
INSERT INTO "text" VALUES(2,'text/html');
INSERT INTO "text" VALUES(3,'utf-8');
INSERT INTO "text" VALUES(4,'link');
INSERT INTO "text" VALUES(5,'me');
INSERT INTO "text" VALUES(6,'a');
INSERT INTO "text" VALUES(7,'img src');
INSERT INTO "text" VALUES(8,'#top');
INSERT INTO "text" VALUES(9,'About us');
INSERT INTO "text" VALUES(10,'a picture');
INSERT INTO "text" VALUES(11,'/gone');
INSERT INTO "text" VALUES(12,'/later');
INSERT INTO "text" VALUES(13,'/');
INSERT INTO "text" VALUES(14,'/about/us');
CREATE TABLE text_block (
    id INTEGER PRIMARY KEY,
    stamp INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    texts BLOB NOT NULL
);
CREATE TABLE time_count (
    elapsed_ms INTEGER PRIMARY KEY,
    urls INTEGER NOT NULL
);
INSERT INTO "time_count" VALUES(0,1);
INSERT INTO "time_count" VALUES(2,1);
INSERT INTO "time_count" VALUES(7,2);
CREATE TABLE type_count (
    content_type INTEGER PRIMARY KEY REFERENCES text (id),
    urls INTEGER NOT NULL
);
INSERT INTO "type_count" VALUES(2,2);
CREATE TABLE unindexed_source (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES url (id)
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
INSERT INTO "url" VALUES(1,'https://example.com/',1747841236,1,1,0,0,0,0,NULL,1,NULL);
INSERT INTO "url" VALUES(2,'https://example.com/about/us',361432008,1,1,1,0,0,0,1,2,NULL);
INSERT INTO "url" VALUES(3,'https://example.com/picture.png',3204812288,0,0,1,0,0,0,1,1,NULL);
INSERT INTO "url" VALUES(4,'https://example.com/gone',2099880414,1,8,1,0,0,0,1,1,NULL);
INSERT INTO "url" VALUES(5,'https://example.com/later',2342603115,0,0,1,0,0,0,1,1,NULL);
INSERT INTO "url" VALUES(6,'https://example.com/old',3837719721,1,3,0,0,0,0,NULL,1,NULL);
INSERT INTO "url" VALUES(7,'mailto:me@example.com',1077436237,3,45,1,0,0,0,1,NULL,NULL);
INSERT INTO "url" VALUES(8,'https://example.com/private/',2089573900,3,42,1,0,0,0,1,NULL,NULL);
CREATE TABLE url_audit (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    link_score INTEGER,
    internal_outlinks INTEGER,
    unique_outlinks INTEGER,
    external_outlinks INTEGER,
    unique_external_outlinks INTEGER,
    unique_js_inlinks INTEGER,
    unique_js_outlinks INTEGER,
    unique_external_js_outlinks INTEGER,
    near_duplicate_match INTEGER,
    near_duplicates INTEGER,
    near_duplicate_id INTEGER,
    duplicate_id INTEGER
);
CREATE TABLE url_count (
    outcome INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    urls INTEGER NOT NULL,
    PRIMARY KEY (outcome, depth)
) WITHOUT ROWID;
INSERT INTO "url_count" VALUES(0,1,2);
INSERT INTO "url_count" VALUES(1,0,1);
INSERT INTO "url_count" VALUES(1,1,1);
INSERT INTO "url_count" VALUES(3,0,1);
INSERT INTO "url_count" VALUES(8,1,1);
INSERT INTO "url_count" VALUES(42,1,1);
INSERT INTO "url_count" VALUES(45,1,1);
CREATE TABLE url_key (
    key INTEGER NOT NULL,
    id INTEGER NOT NULL REFERENCES url (id),
    PRIMARY KEY (key, id)
) WITHOUT ROWID;
INSERT INTO "url_key" VALUES(-7230297371465643932,6);
INSERT INTO "url_key" VALUES(-1077003712196843692,2);
INSERT INTO "url_key" VALUES(-801911084272789732,3);
INSERT INTO "url_key" VALUES(1493557592560457051,1);
INSERT INTO "url_key" VALUES(2014032401266849305,5);
INSERT INTO "url_key" VALUES(5033611934481282372,4);
INSERT INTO "url_key" VALUES(7565244238899831194,7);
INSERT INTO "url_key" VALUES(9205091393810043196,8);
CREATE TABLE visit (
    id INTEGER PRIMARY KEY REFERENCES url (id),
    status INTEGER,
    reason TEXT NOT NULL,
    warnings INTEGER REFERENCES text (id),
    redirect_kind INTEGER,
    robots_header INTEGER REFERENCES text (id),
    content_type INTEGER REFERENCES text (id),
    charset INTEGER REFERENCES text (id),
    size_bytes INTEGER,
    raw_bytes INTEGER NOT NULL,
    resource_bytes INTEGER,
    ttfb_ms INTEGER,
    elapsed_ms INTEGER,
    fetched_at REAL NOT NULL,
    detail TEXT,
    content_type_header INTEGER REFERENCES text (id),
    http_version INTEGER REFERENCES text (id),
    cookies INTEGER REFERENCES text (id),
    says_new INTEGER,
    phrases_hash INTEGER,
    freshness INTEGER,
    unchanged_since REAL,
    redirect TEXT,
    last_modified TEXT,
    tries INTEGER NOT NULL,
    outlinks INTEGER NOT NULL,
    title TEXT,
    h1 TEXT,
    description TEXT,
    canonical TEXT,
    robots INTEGER REFERENCES text (id),
    language INTEGER REFERENCES text (id),
    word_count INTEGER,
    content_hash BLOB,
    title_pixels INTEGER,
    title_2 TEXT,
    description_pixels INTEGER,
    description_2 TEXT,
    keywords TEXT,
    h1_2 TEXT,
    h2 TEXT,
    h2_2 TEXT,
    heading_levels TEXT,
    heading_texts TEXT,
    canonical_header TEXT,
    next_url TEXT,
    prev_url TEXT,
    next_header TEXT,
    prev_header TEXT,
    amp_url TEXT,
    mobile_url TEXT,
    refresh INTEGER REFERENCES text (id),
    viewport INTEGER REFERENCES text (id),
    sentence_count INTEGER,
    syllable_count INTEGER,
    text_length INTEGER,
    markup INTEGER,
    content INTEGER,
    javascript INTEGER,
    directives INTEGER,
    structured_types INTEGER REFERENCES text (id),
    structured_type_count INTEGER,
    structured_faults INTEGER REFERENCES text (id),
    sketch BLOB,
    anchor_ids BLOB,
    language_found INTEGER REFERENCES text (id),
    dictionary INTEGER REFERENCES text (id),
    grammar_language INTEGER REFERENCES text (id),
    text_errors TEXT,
    crawler_robots INTEGER REFERENCES text (id),
    violated_rules INTEGER REFERENCES text (id),
    header_names INTEGER REFERENCES text (id),
    header_values TEXT NOT NULL,
    content_stamp INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "visit" VALUES(1,200,'OK',NULL,NULL,NULL,2,3,100,50,NULL,0,7,1000000000.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1994-11-06T08:49:37Z',1,3,'Wëlcome 欢迎',NULL,NULL,NULL,NULL,NULL,3,X'30313233343536373839616263646566',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'06 Nov 1994 08:49:37',1);
INSERT INTO "visit" VALUES(2,200,'OK',NULL,NULL,NULL,2,3,100,50,NULL,0,7,1000000000.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1994-11-06T08:49:37Z',1,2,'',NULL,NULL,NULL,NULL,NULL,3,X'30313233343536373839616263646566',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'06 Nov 1994 08:49:37',2);
INSERT INTO "visit" VALUES(4,404,'',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,0,0,1000000000.0,'["cut",[10]]',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',4);
INSERT INTO "visit" VALUES(6,301,'',NULL,1,NULL,NULL,NULL,NULL,0,NULL,0,2,1000000000.0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'https://example.com/',NULL,1,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'',3);
CREATE INDEX url_parent ON url (parent);
CREATE INDEX url_queued ON url (host) WHERE state = 0;
CREATE INDEX visit_warnings ON visit (warnings) WHERE warnings IS NOT NULL;
CREATE INDEX link_redirect ON link (target) WHERE kind = 4;
CREATE INDEX link_sitemap ON link (target) WHERE kind = 19;
CREATE INDEX ignored_issue_url ON ignored_issue (rule, id);
CREATE INDEX archive_record_page ON archive_record (id);
CREATE INDEX archive_record_url ON archive_record (url) WHERE url IS NOT NULL;
COMMIT;
