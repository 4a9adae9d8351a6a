/* What app/gossamer/extract/lexbor_backend.py finds in a parsed page, found in a sixth of the time.
 *
 * A page has a thousand elements, of which one in ten matters. To look at each of them takes Python
 * longer than it takes lexbor to parse the page. Here all that the page says is gathered in one
 * walk, without the interpreter's lock, and handed over at once, as MessagePack of what
 * app/gossamer/extract/parsed_elements.py describes.
 *
 * The tree is lexbor's, made and owned by selectolax, and only read. The structures below are those
 * that selectolax publishes in its lexbor.pxd; app/gossamer/extract/native_dom_walk.py uses them only with releases
 * that they were compared with.
 *
 * No byte of a page is trusted: nothing recurses, what is looked at for the texts of links has a
 * bound, and every length is checked. A page that is not UTF-8 throughout, or more than memory
 * holds, is left to Python: NULL is returned.
 */

#include <stdlib.h>

#include "characters.h"
#include "formatting.h"
#include "messagepack.h"
#include "phrases.h"
#include "tree.h"

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* Counted up, here and in app/gossamer/extract/native_dom_walk.py, when arguments or results change. */
enum { INTERFACE = 10 };

/* What tags are to a walk; app/gossamer/extract/native_dom_walk.py has the same order. */
enum role {
    FOUND = 1 << 0,
    BREAKS = 1 << 1,
    UNREAD = 1 << 2,
    UNSEEN = 1 << 3,
    WITH_TEXT = 1 << 4,
    IS_TITLE = 1 << 5,
    IS_STYLE = 1 << 6,
    IS_META = 1 << 7,
    IS_IMG = 1 << 8,
    IS_NOSCRIPT = 1 << 9,
    IS_SVG = 1 << 10,
    IS_HEAD = 1 << 11,
    IS_A = 1 << 12,
    IS_HEADING = 1 << 13,
};

/* The roles of a tag that lexbor has no number for. */
typedef struct {
    const char *name;
    size_t roles;
} named_roles;

typedef struct {
    const uint16_t *roles; /* by the number of a tag */
    size_t tags;
    const named_roles *unnumbered;
    size_t unnumbered_tags;
    characters characters;
    uintptr_t style, href, rel; /* numbers of attributes' names */
    size_t max_elements, max_titles, max_parents, max_text_nodes, max_page_text_nodes;
    size_t node_text; /* bytes of text that count as a node */
    size_t max_text; /* bytes of a text that are read */
    size_t max_line; /* bytes of a text that is made one line here */
} wanted;

/* app/gossamer/extract/native_dom_walk.py writes these as words, one after the other. */
_Static_assert(sizeof(size_t) == sizeof(void *), "a size is a word");
_Static_assert(sizeof(uintptr_t) == sizeof(void *), "a number of lexbor's is a word");
_Static_assert(sizeof(named_roles) == 2 * sizeof(void *), "named_roles has two words");
_Static_assert(offsetof(wanted, characters) == 4 * sizeof(void *), "four words come first");
_Static_assert(offsetof(wanted, style) == 6 * sizeof(void *), "characters has two words");
_Static_assert(sizeof(wanted) == 17 * sizeof(void *), "wanted has 17 words");

/* What becomes an array. */
typedef struct {
    buffer values;
    size_t count;
} column;

typedef struct {
    const functions *lexbor;
    const wanted *wanted;
    column elements, ends, hrefs, fragment_indexes, fragments, texts, uncleaned; /* see NativeElements in native_walk.py */
    buffer *out; /* where is written to */
    size_t titles;
    size_t room; /* what may still be looked at for texts; a page of usual size has plenty */
} walk;

/* LinkPlace in app/gossamer/model/page_flags.py. */
enum place { PLACE_HEAD = 1, PLACE_CONTENT = 4 };

static const string NOTHING = {NULL, 0};
enum { DELETE = 0x7F };

/* The number of a name that lexbor does not know is an address: such tags are told by name. */
static unsigned roles_by_name(const walk *walk, const node *element)
{
    const wanted *wanted = walk->wanted;
    string name;
    name.data = walk->lexbor->element_name(element, &name.length);
    for (size_t i = 0; name.data != NULL && i < wanted->unnumbered_tags; i++)
        if (equals(name, wanted->unnumbered[i].name))
            return (unsigned)wanted->unnumbered[i].roles;
    return 0;
}

static unsigned roles_of(const walk *walk, const node *at)
{
    if (at->type != ELEMENT)
        return 0;
    if (at->name < walk->wanted->tags)
        return walk->wanted->roles[at->name];
    return walk->wanted->unnumbered_tags > 0 ? roles_by_name(walk, at) : 0;
}

/* The node after `at` in document order, of those below `top`; NULL at their end. */
static const node *following(const node *at, const node *top, bool into)
{
    if (into && at->first_child != NULL)
        return at->first_child;
    while (at != top && at->next == NULL)
        at = at->parent;
    return at == top ? NULL : at->next;
}

static string data_of(const node *at)
{
    return ((const character_data *)at)->data;
}

static string value_of(const attribute *attribute)
{
    return attribute->value != NULL ? *attribute->value : NOTHING;
}

static string name_of(const walk *walk, const attribute *attribute)
{
    string name;
    name.data = walk->lexbor->attribute_name(attribute, &name.length);
    return name;
}

static const attribute *attribute_named(const walk *walk, const node *element, const char *name)
{
    const attribute *at = walk->lexbor->first_attribute(element);
    while (at != NULL && !equals(name_of(walk, at), name))
        at = at->next;
    return at;
}

static string value_named(const walk *walk, const node *element, const char *name)
{
    const attribute *found = attribute_named(walk, element, name);
    return found != NULL ? value_of(found) : NOTHING;
}

/* Whether so much more may be looked at. */
static bool spend(walk *walk, size_t nodes)
{
    bool is_enough = walk->room > nodes;
    walk->room = is_enough ? walk->room - nodes : 0;
    return is_enough;
}

static void put_attributes(walk *walk, const node *element)
{
    const attribute *first = walk->lexbor->first_attribute(element);
    size_t count = 0, put = 0;
    bool is_linking = false;
    for (const attribute *at = first; at != NULL; at = at->next) {
        count++;
        is_linking = is_linking || at->node.name == walk->wanted->href;
    }
    bool is_short = count <= MAX_SHORT_MAP;
    size_t began = walk->out->length;
    more(walk->out, is_short ? 1 : HEADER);
    for (const attribute *at = first; at != NULL; at = at->next) {
        string name = name_of(walk, at);
        /* In drawings and formulas it is another spelling of href, elsewhere it does not link. */
        if (!is_linking && equals(name, "xlink:href"))
            continue;
        put++;
        put_string(walk->out, name);
        if (value_of(at).data != NULL)
            put_string(walk->out, value_of(at));
        else
            put_byte(walk->out, NIL);
    }
    if (!is_short)
        end(walk->out, began, MAP, put);
    else if (!walk->out->failed)
        walk->out->data[began] = (unsigned char)(SHORT_MAP | put);
}

/* As much of `data` as is read of the text begun there. */
static string readable(walk *walk, size_t began, string data)
{
    size_t put = put_since(walk->out, began).length, most = walk->wanted->max_text;
    size_t left = put < most ? most - put : 0;
    if (data.length > left) {
        while (left > 0 && (data.data[left] & 0xC0) == 0x80)
            left--;
        data.length = left;
    }
    return spend(walk, data.length / walk->wanted->node_text) ? data : NOTHING;
}

/* The text of all that is in `element`, as far as it is read. */
static void put_all_text(walk *walk, size_t began, const node *element)
{
    for (const node *at = following(element, element, true); at != NULL && spend(walk, 1);
         at = following(at, element, true))
        if (at->type == TEXT)
            put_bytes(walk->out, readable(walk, began, data_of(at)));
}

static string alternative_text(walk *walk, const node *img)
{
    for (const attribute *at = walk->lexbor->first_attribute(img); at != NULL && spend(walk, 1);
         at = at->next)
        if (equals(name_of(walk, at), "alt"))
            return value_of(at);
    return NOTHING;
}

/* What an image or the title of a drawing says in place of text; whether it says something. */
static bool put_alternative(walk *walk, size_t began, const node *alternative)
{
    if (roles_of(walk, alternative) & IS_IMG)
        put_bytes(walk->out, readable(walk, began, alternative_text(walk, alternative)));
    else
        put_all_text(walk, began, alternative);
    keep(walk->out, began, stripped(&walk->wanted->characters, put_since(walk->out, began)));
    return put_since(walk->out, began).length > 0;
}

/* Join the pieces put since `began`, which NUL parts: no text has it (HTML Standard §13.2.5). */
static void join_pieces(buffer *out, size_t began, bool with_spaces)
{
    if (out->failed)
        return;
    unsigned char *whole = out->data + began + HEADER;
    size_t length = put_since(out, began).length, kept = 0;
    for (size_t i = 0; i < length; i++)
        if (whole[i] != '\0')
            whole[kept++] = whole[i];
        else if (with_spaces)
            whole[kept++] = ' ';
    out->length = began + HEADER + kept;
}

/* Write what a link or heading says where it says nothing in words: what the first does, of the
 * images and drawings among its first `nodes` nodes, that says something. */
static void put_first_alternative(walk *walk, size_t began, const node *element, size_t nodes)
{
    const node *at = following(element, element, true);
    for (; nodes > 0; nodes--, at = following(at, element, true))
        if (roles_of(walk, at) & (IS_IMG | IS_TITLE) && put_alternative(walk, began, at))
            return;
}

/* Say of the text put since `began` that it is that of an image: ALT_MARK stands before it. */
static void put_alternative_mark(buffer *out, size_t began)
{
    string text = put_since(out, began);
    put_byte(out, 0);
    if (out->failed)
        return;
    unsigned char *start = out->data + began + HEADER;
    memmove(start + 1, start, text.length);
    start[0] = '\0';
}

/* Begin a string that is the text of a link or heading, for `end_string`. */
static size_t begin_read_text(walk *walk, const node *element)
{
    size_t began = begin(walk->out), pieces = 0, nodes = 0;
    bool has_breaks = false, has_alternative = false;
    for (const node *at = following(element, element, true);
         at != NULL && nodes + 1 < walk->wanted->max_text_nodes && spend(walk, 1);
         at = following(at, element, true)) {
        unsigned roles = roles_of(walk, at);
        nodes++;
        has_breaks = has_breaks || roles & BREAKS;
        has_alternative = has_alternative || roles & (IS_IMG | IS_TITLE);
        if (at->type != TEXT || (at->parent != element && roles_of(walk, at->parent) & UNREAD))
            continue;
        if (pieces++ > 0)
            put_byte(walk->out, '\0');
        put_bytes(walk->out, readable(walk, began, data_of(at)));
    }
    if (pieces > 1)
        join_pieces(walk->out, began, has_breaks);
    if (stripped(&walk->wanted->characters, put_since(walk->out, began)).length == 0) {
        keep(walk->out, began, NOTHING);
        if (has_alternative)
            put_first_alternative(walk, began, element, nodes);
        if (roles_of(walk, element) & IS_HEADING && put_since(walk->out, began).length > 0)
            put_alternative_mark(walk->out, began);
    }
    return began;
}

/* Have the text begun there as app/gossamer/model/text_cleaning.py has it in one line; false where that does more
 * than to collapse and trim white space. */
static bool make_one_line(walk *walk, size_t began)
{
    string whole = put_since(walk->out, began);
    if (whole.length > walk->wanted->max_line)
        return false;
    for (size_t i = 0; i < whole.length; i++)
        if ((whole.data[i] < ' ' && !is_html_space(whole.data[i])) || whole.data[i] == DELETE)
            return false;
    unsigned char *line = walk->out->data + began + HEADER;
    size_t kept = 0;
    for (size_t i = 0; i < whole.length; i++)
        if (!is_html_space(line[i]))
            line[kept++] = line[i];
        else if (kept == 0 || line[kept - 1] != ' ')
            line[kept++] = ' ';
    keep(walk->out, began, stripped(&walk->wanted->characters, (string){line, kept}));
    return true;
}

static bool is_refresh_in_noscript(const walk *walk, const node *meta)
{
    if (!equals_in_any_case(value_named(walk, meta, "http-equiv"), "refresh"))
        return false;
    const node *above = meta->parent;
    for (size_t i = 0; i < walk->wanted->max_parents && above != NULL; i++) {
        if (roles_of(walk, above) & IS_NOSCRIPT)
            return true;
        above = above->parent;
    }
    return above != NULL && roles_of(walk, above) & IS_NOSCRIPT;
}

static void put_text_of(walk *walk, const node *element)
{
    static const string in_noscript = {(const unsigned char *)"noscript", 8};
    unsigned roles = roles_of(walk, element);
    if (roles & WITH_TEXT) {
        end_string(walk->out, begin_read_text(walk, element));
    } else if (roles & IS_STYLE) {
        size_t began = begin(walk->out);
        for (const node *at = element->first_child; at != NULL; at = at->next) /* HTML §4.2.6 */
            if (at->type == TEXT)
                put_bytes(walk->out, data_of(at));
        end_string(walk->out, began);
    } else {
        bool is_said = roles & IS_META && is_refresh_in_noscript(walk, element);
        put_string(walk->out, is_said ? in_noscript : NOTHING);
    }
}

/* Whether a `title`, the next of them, is one of the page, not the tool tip of a drawing. */
static bool is_title_of_page(walk *walk, const node *title)
{
    if (walk->titles++ >= walk->wanted->max_titles)
        return false;
    for (const node *above = title->parent; above != NULL; above = above->parent)
        if (roles_of(walk, above) & (IS_SVG | IS_HEAD))
            return roles_of(walk, above) & IS_HEAD;
    return true;
}

/* Whether "url" stands in the style of `element`. */
static bool is_styled(const walk *walk, const node *element)
{
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL; at = at->next)
        if (at->node.name == walk->wanted->style && has_url(value_of(at)))
            return true;
    return false;
}

static bool counts(walk *walk, const node *at)
{
    unsigned roles = roles_of(walk, at);
    if (at->type != ELEMENT || (roles & IS_TITLE && !is_title_of_page(walk, at)))
        return false;
    return roles & FOUND || is_styled(walk, at);
}

/* Write to the next place of this column. */
static void write_to(walk *walk, column *column)
{
    walk->out = &column->values;
    column->count++;
}

/* Where a link goes that says nothing else: `<a>` with href, and without rel and style, which
 * are for app/gossamer/extract/links.py. NULL for others, and where a space before the "#" would end up in
 * the URL. */
static const attribute *plain_href(const walk *walk, const node *element)
{
    const wanted *wanted = walk->wanted;
    const attribute *href = NULL;
    if (!(roles_of(walk, element) & IS_A))
        return NULL;
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL; at = at->next) {
        if (at->node.name == wanted->rel || at->node.name == wanted->style)
            return NULL;
        if (at->node.name == wanted->href && equals(name_of(walk, at), "href"))
            href = at;
    }
    if (href == NULL || value_of(href).length == 0)
        return NULL;
    string value = value_of(href);
    const unsigned char *hash = memchr(value.data, '#', value.length);
    return hash != NULL && hash > value.data && hash[-1] <= ' ' ? NULL : href;
}

static void put_plain_link(walk *walk, const node *element, string href)
{
    const unsigned char *hash = memchr(href.data, '#', href.length);
    if (hash != NULL) {
        string fragment = {hash, href.length - (size_t)(hash - href.data)};
        href.length = hash > href.data ? (size_t)(hash - href.data) : 1;
        write_to(walk, &walk->fragment_indexes);
        put_number(walk->out, walk->hrefs.count);
        write_to(walk, &walk->fragments);
        put_string(walk->out, fragment);
    }
    write_to(walk, &walk->hrefs);
    put_string(walk->out, href);
    write_to(walk, &walk->texts);
    size_t began = begin_read_text(walk, element);
    bool is_line = make_one_line(walk, began);
    end_string(walk->out, began);
    if (!is_line) {
        write_to(walk, &walk->uncleaned);
        put_number(walk->out, walk->hrefs.count - 1);
    }
}

static bool is_in_head(const walk *walk, const node *element)
{
    for (const node *above = element->parent; above != NULL; above = above->parent)
        if (roles_of(walk, above) & IS_HEAD)
            return true;
    return false;
}

static void put_element(walk *walk, const node *element)
{
    write_to(walk, &walk->ends);
    put_number(walk->out, walk->hrefs.count);
    write_to(walk, &walk->elements);
    string name;
    name.data = walk->lexbor->element_name(element, &name.length);
    put_byte(walk->out, SHORT_ARRAY | 5);
    put_string(walk->out, name);
    put_attributes(walk, element);
    put_text_of(walk, element);
    put_byte(walk->out, is_in_head(walk, element) ? PLACE_HEAD : PLACE_CONTENT);
    put_byte(walk->out, 0);
}

/* The elements that count, in document order. */
static void put_elements(walk *walk, const node *root)
{
    for (const node *at = root; at != NULL; at = following(at, root, true)) {
        if (!counts(walk, at))
            continue;
        if (walk->elements.count + walk->hrefs.count >= walk->wanted->max_elements)
            break;
        const attribute *href = plain_href(walk, at);
        if (href != NULL)
            put_plain_link(walk, at, value_of(href));
        else
            put_element(walk, at);
    }
}

static void put_language(walk *walk, const node *root)
{
    const attribute *language = attribute_named(walk, root, "lang");
    if (language != NULL)
        put_string(walk->out, value_of(language));
    else
        put_byte(walk->out, NIL);
}

/* The number of words that are seen of `body`; where they cannot be counted here, the text. Those
 * outside of links make phrases. */
static void put_words(walk *walk, const node *body, phrases *phrases)
{
    size_t began = begin(walk->out);
    bool is_seen = true, is_in_link = false;
    const node *after_link = NULL;
    for (const node *at = body; at != NULL; at = following(at, body, is_seen)) {
        is_in_link = is_in_link && at != after_link;
        is_seen = true;
        if (at->type == TEXT) {
            if (is_empty(data_of(at)))
                continue;
            put_byte(walk->out, ' ');
            put_bytes(walk->out, data_of(at));
            if (!is_in_link)
                add_phrases(phrases, data_of(at));
            continue;
        }
        unsigned roles = roles_of(walk, at);
        is_seen = at == body || !(roles & UNSEEN);
        if (roles & IS_A && !is_in_link) {
            is_in_link = true;
            after_link = following(at, body, false);
        }
    }
    end_string(walk->out, began);
    if (walk->out->failed)
        return;
    size_t words = count_words(&walk->wanted->characters, put_since(walk->out, began));
    if (words == UNCOUNTED)
        return;
    walk->out->length = began;
    put_number(walk->out, words);
}

/* ---- what app/gossamer/extract/native_dom_walk.py calls ---- */

EXPORTED int interface_number(void)
{
    return INTERFACE;
}

/* How large the structure is that is handed over. */
EXPORTED size_t size_of_wanted(void)
{
    return sizeof(wanted);
}

/* The number of the name of the first attribute of `element`. */
EXPORTED uintptr_t number_of_attribute(const functions *lexbor, const node *element)
{
    const attribute *first = lexbor->first_attribute(element);
    return first != NULL ? first->node.name : 0;
}

/* What the tree says, as Found in app/gossamer/extract/native_dom_walk.py. `body` may be NULL; `address` is
 * that of the page, percent-decoded.
 *
 * Returns `length` bytes, which are for `free_findings`; NULL where it is left to Python.
 */
EXPORTED unsigned char *find_all(const functions *lexbor, const wanted *wanted, const node *root,
                                 const node *body, const unsigned char *address,
                                 size_t address_length, size_t *length)
{
    walk walk = {.lexbor = lexbor, .wanted = wanted, .room = wanted->max_page_text_nodes};
    column *columns[] = {&walk.elements,  &walk.ends,  &walk.hrefs, &walk.fragment_indexes,
                         &walk.fragments, &walk.texts, &walk.uncleaned};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    put_elements(&walk, root);
    buffer out = {0};
    walk.out = &out;
    put_byte(&out, SHORT_ARRAY | (COLUMNS + 3));
    for (size_t i = 0; i < COLUMNS; i++) {
        buffer *values = &columns[i]->values;
        end(&out, begin(&out), ARRAY, columns[i]->count);
        put_bytes(&out, (string){values->data, values->length});
        out.failed = out.failed || values->failed;
        free(values->data);
    }
    put_language(&walk, root);
    phrases phrases = {.count = 0};
    begin_phrases(&phrases, (string){address, address_length});
    put_words(&walk, body, &phrases);
    end(&out, begin(&out), ARRAY, phrases.count);
    for (size_t i = 0; i < phrases.count; i++)
        put_number(&out, phrases.kept[i]);
    if (out.failed) {
        free(out.data);
        return NULL;
    }
    *length = out.length;
    return out.data;
}

EXPORTED void free_findings(unsigned char *findings)
{
    free(findings);
}

/* How many "<" there are in so many bytes of markup, and tags of formatting with attributes at
 * most that may stay open: see app/gossamer/extract/parser_limits.py. */
EXPORTED size_t count_tags(const unsigned char *markup, size_t length, size_t *formatting)
{
    size_t tags = 0;
    const unsigned char *stop = markup + length, *at = markup;
    *formatting = 0;
    while (at < stop && (at = memchr(at, '<', (size_t)(stop - at))) != NULL) {
        at++;
        tags++;
        *formatting += may_format(at, stop) && !is_closed_soon(at, stop);
    }
    return tags;
}
