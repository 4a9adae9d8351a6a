"""Useful questions as queries: the command line and the documentation list them."""

from difflib import get_close_matches
from typing import Final

from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.translatable import Sentence


class QueryTemplate(Struct, frozen=True):
    """A query under a name, and the question that it answers."""

    name: str
    question: Sentence
    sql: str


def _template(name: str, question: Sentence, sql: str) -> QueryTemplate:
    return QueryTemplate(name, question, sql.strip())


_ALL: Final = (
    _template(
        "broken-links",
        "Which links lead to pages that do not work, and where are they?",
        """
SELECT source, anchor, destination, status_code, outcome
FROM broken_links
ORDER BY destination, source
""",
    ),
    _template(
        "most-linked-errors",
        "Which errors have the most links to them, so that they should be fixed first?",
        """
SELECT address, status_code, inlinks, unique_inlinks
FROM response_codes
WHERE status_code >= 400
ORDER BY inlinks DESC
LIMIT 50
""",
    ),
    _template(
        "links-to-redirects",
        "Which links lead to redirects, and where should they lead instead?",
        """
SELECT l.source, l.anchor, l.destination, a.final_address, a.number_of_redirects
FROM all_urls AS a
JOIN inlinks AS l ON l.destination_id = a.url_id
WHERE a.number_of_redirects > 0 AND l.type = 'Hyperlink'
ORDER BY a.number_of_redirects DESC, l.destination
""",
    ),
    _template(
        "redirect-targets",
        "Which pages are most redirects led to?",
        """
SELECT final_address, final_status_code, count(*) AS redirects, max(number_of_redirects) AS longest
FROM all_urls
WHERE number_of_redirects > 0
GROUP BY final_address
ORDER BY redirects DESC
LIMIT 50
""",
    ),
    _template(
        "duplicate-titles",
        "Which titles do several indexable pages share?",
        """
SELECT title_1, count(*) AS pages, min(address) AS example
FROM internal_html
WHERE indexability = 'Indexable' AND title_1 <> ''
GROUP BY title_1
HAVING pages > 1
ORDER BY pages DESC
""",
    ),
    _template(
        "identical-pages",
        "Which pages have the very same content under several addresses?",
        """
SELECT hash, count(*) AS copies, group_concat(address, ' ') AS addresses
FROM internal_html
WHERE hash IS NOT NULL AND status_code = 200
GROUP BY hash
HAVING copies > 1
ORDER BY copies DESC
""",
    ),
    _template(
        "thin-pages",
        "Which indexable pages have few words?",
        """
SELECT address, word_count, title_1
FROM internal_html
WHERE indexability = 'Indexable' AND word_count < 200
ORDER BY word_count
LIMIT 100
""",
    ),
    _template(
        "missing-descriptions",
        "Which indexable pages that many pages link to have no description?",
        """
SELECT address, title_1, unique_inlinks
FROM internal_html
WHERE indexability = 'Indexable' AND coalesce(meta_description_1, '') = ''
ORDER BY unique_inlinks DESC
LIMIT 100
""",
    ),
    _template(
        "long-titles",
        "Which titles are wider than a search result shows?",
        """
SELECT address, title_1, title_1_length, title_1_pixel_width
FROM internal_html
WHERE title_1_pixel_width > 561
ORDER BY title_1_pixel_width DESC
""",
    ),
    _template(
        "few-inlinks",
        "Which indexable pages does only one page link to?",
        """
SELECT address, title_1, crawl_depth
FROM internal_html
WHERE indexability = 'Indexable' AND unique_inlinks <= 1
ORDER BY crawl_depth DESC, address
""",
    ),
    _template(
        "deep-pages",
        "How many pages are there at each crawl depth?",
        """
SELECT crawl_depth, count(*) AS pages, round(avg(response_time), 3) AS seconds,
    round(avg(unique_inlinks), 1) AS linking_pages
FROM internal_html
GROUP BY crawl_depth
ORDER BY crawl_depth
""",
    ),
    _template(
        "folders",
        "How many pages does each top-level folder have, and in which state are they?",
        """
SELECT substr(address, 1, instr(substr(address, 9), '/') + 8)
        || substr(path, 1, instr(path || '/', '/') - 1) AS folder,
    count(*) AS pages, sum(status_code >= 400) AS errors,
    round(avg(word_count)) AS words, round(avg(response_time), 3) AS seconds
FROM (SELECT *, substr(address, instr(substr(address, 9), '/') + 9) AS path FROM internal_html)
GROUP BY folder
ORDER BY pages DESC
""",
    ),
    _template(
        "missing-h1-by-folder",
        "In which folders do pages have no H1, and how many of them?",
        """
SELECT rtrim(address, replace(address, '/', '')) AS folder, count(*) AS pages,
    sum(url_id IN (SELECT url_id FROM issues WHERE issue_name = 'H1: Missing')) AS without_h1
FROM internal_html
WHERE indexability = 'Indexable'
GROUP BY folder
HAVING without_h1 > 0
ORDER BY without_h1 DESC, folder
""",
    ),
    _template(
        "status-codes",
        "How many URLs returned each status code, inside and outside the site?",
        """
SELECT status_code, status, count(*) AS urls,
    sum(url_id IN (SELECT url_id FROM external_all)) AS external
FROM response_codes
GROUP BY status_code
ORDER BY urls DESC
""",
    ),
    _template(
        "slowest-pages",
        "Which pages took the server longest?",
        """
SELECT address, response_time, size_bytes, crawl_depth
FROM internal_html
ORDER BY response_time DESC
LIMIT 50
""",
    ),
    _template(
        "heavy-images",
        "Which images are largest, and on how many pages are they?",
        """
SELECT address, size_bytes / 1024 AS kibibytes, unique_inlinks AS pages
FROM images
WHERE status_code = 200
ORDER BY size_bytes DESC
LIMIT 50
""",
    ),
    _template(
        "images-without-alt",
        "Which images have no alternative text, and where?",
        """
SELECT source, destination
FROM outlinks
WHERE type = 'Image' AND coalesce(alt_text, '') = ''
ORDER BY source
LIMIT 1000
""",
    ),
    _template(
        "anchor-texts",
        "Which anchor texts do the links to each page have?",
        """
SELECT destination, anchor, count(*) AS links, count(DISTINCT source_id) AS pages
FROM outlinks
WHERE type = 'Hyperlink'
GROUP BY destination_id, anchor
ORDER BY links DESC
LIMIT 200
""",
    ),
    _template(
        "empty-anchors",
        "Which links have no text that says where they lead?",
        """
SELECT source, destination, link_path
FROM outlinks
WHERE type = 'Hyperlink' AND anchor = '' AND link_position = 'Content'
LIMIT 1000
""",
    ),
    _template(
        "external-domains",
        "To which other hosts does the site link most?",
        """
SELECT u.host, count(*) AS links, count(DISTINCT l.source_id) AS pages
FROM external_all AS e
JOIN url AS u ON u.id = e.url_id
JOIN inlinks AS l ON l.destination_id = e.url_id
WHERE l.type = 'Hyperlink'
GROUP BY u.host
ORDER BY links DESC
LIMIT 100
""",
    ),
    _template(
        "nofollow-inside",
        "Which links inside the site say nofollow?",
        """
SELECT l.source, l.destination, l.anchor, l.rel
FROM outlinks AS l
JOIN internal AS i ON i.url_id = l.destination_id
WHERE l.type = 'Hyperlink' AND NOT l.follow
""",
    ),
    _template(
        "canonicals-elsewhere",
        "Which pages name another page as their canonical one?",
        """
SELECT address, canonical_link_element_1, unique_inlinks
FROM canonicals JOIN internal USING (url_id, address, canonical_link_element_1)
WHERE canonical_link_element_1 <> address
ORDER BY unique_inlinks DESC
""",
    ),
    _template(
        "noindex-with-links",
        "Which pages that search engines must not list have the most inlinks?",
        """
SELECT address, indexability_status, unique_inlinks
FROM internal_html
WHERE indexability = 'Non-Indexable'
ORDER BY unique_inlinks DESC
LIMIT 100
""",
    ),
    _template(
        "issues-by-page",
        "Which pages have the most issues?",
        """
SELECT address, count(*) AS issues, sum(issue_priority = 'High') AS high,
    group_concat(issue_name, '; ') AS names
FROM issues
WHERE issue_priority <> ''
GROUP BY url_id
ORDER BY high DESC, issues DESC
LIMIT 50
""",
    ),
    _template(
        "issues",
        "Which issues are there, and how many URLs does each have?",
        """
SELECT issue_name, issue_type, issue_priority, count(*) AS urls
FROM issues
GROUP BY issue_name
ORDER BY urls DESC
""",
    ),
    _template(
        "link-score-waste",
        "Which pages with little content have a high Link Score?",
        """
SELECT address, link_score, word_count, unique_inlinks
FROM internal_html
WHERE word_count < 100
ORDER BY link_score DESC
LIMIT 50
""",
    ),
    _template(
        "languages",
        "Which languages do pages declare, and how many declare another one than their text has?",
        """
SELECT language, count(*) AS pages, total(language_found <> '' AND
    substr(language, 1, 2) <> substr(language_found, 1, 2)) AS others
FROM pages
GROUP BY language
ORDER BY pages DESC
""",
    ),
    _template(
        "new-and-changed",
        "What is new or has changed since the last crawl?",
        """
SELECT since_last_crawl, address, title_1, unchanged_since
FROM internal_html
WHERE since_last_crawl IN ('New', 'Changed')
ORDER BY since_last_crawl, address
""",
    ),
    _template(
        "hreflang-errors",
        "Which versions in other languages do not return status code 200?",
        """
SELECT *
FROM hreflang_non_200
LIMIT 200
""",
    ),
)
TEMPLATES: Final = {each.name: each for each in _ALL}


def template_named(name: str) -> QueryTemplate:
    """The template with this name. UsageError, with similar names, if there is none."""
    found = TEMPLATES.get(name)
    if found is None:
        near = ", ".join(get_close_matches(name, TEMPLATES, cutoff=0.4) or TEMPLATES)
        raise UsageError("There is no template {name!r}; choose {near}.", name=name, near=near)
    return found
