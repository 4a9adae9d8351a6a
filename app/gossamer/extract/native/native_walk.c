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
#include "positions.h"
#include "shape.h"
#include "statistics.h"
#include "tree.h"

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* Counted up, here and in app/gossamer/extract/native_dom_walk.py, when arguments or results change. */
enum { INTERFACE = 21 };

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
    IS_FOREIGN = 1 << 10,
    IS_HEAD = 1 << 11,
    IS_A = 1 << 12,
    IS_HEADING = 1 << 13,
    IS_LABEL = 1 << 14,
    IS_FIELD = 1 << 15,
    IS_SCRIPT = 1 << 16,
    IS_ARTICLE = 1 << 17,
    IS_ANCHOR = 1 << 18, /* a path begins there */
    WITHOUT_ID = 1 << 19,
    WITHOUT_CLASS_PLACE = 1 << 20,
    PATHLESS = 1 << 21,
    APART = 1 << 22,
    LANDMARK = 1 << 23, /* and the next two bits: a place */
    OF_HTML_ALONE = 1 << 26,
};

/* The roles of a tag that lexbor has no number for. */
typedef struct {
    const char *name;
    size_t roles;
} named_roles;

typedef struct {
    const uint32_t *roles; /* by the number of a tag */
    size_t tags;
    const named_roles *unnumbered;
    size_t unnumbered_tags;
    characters characters;
    uintptr_t style, href, rel, target, id, class; /* numbers of attributes' names */
    size_t max_number; /* higher ones are those of names that lexbor does not know */
    size_t max_elements, max_titles, max_parents, max_text_nodes, max_page_text_nodes;
    size_t node_text; /* bytes of text that count as a node */
    size_t max_text; /* bytes of a text that are read */
    size_t max_line; /* bytes of a text that is made one line here */
    const unsigned char *generic; /* a bit for each hash of texts that say nothing of a target */
    const char *const *linking; /* names of attributes of <a> that link, besides href */
    size_t linking_count;
} wanted;

/* app/gossamer/extract/native_structures.py has these as words, one after the other. */
_Static_assert(sizeof(size_t) == sizeof(void *), "a size is a word");
_Static_assert(sizeof(uintptr_t) == sizeof(void *), "a number of lexbor's is a word");
_Static_assert(sizeof(named_roles) == 2 * sizeof(void *), "named_roles has two words");
_Static_assert(offsetof(wanted, characters) == 4 * sizeof(void *), "four words come first");
_Static_assert(offsetof(wanted, style) == 6 * sizeof(void *), "characters has two words");
_Static_assert(sizeof(wanted) == 24 * sizeof(void *), "wanted has 24 words");

/* What does not count as content. */
typedef struct {
    const unsigned char *tags; /* whether it is one, by the number of a tag */
    size_t tag_count;
    const char *const *unnumbered;
    size_t unnumbered_count;
    const char *const *classes;
    size_t class_count;
    const char *const *ids;
    size_t id_count;
} exclusion;

_Static_assert(sizeof(exclusion) == 8 * sizeof(void *), "exclusion has 8 words");

/* A bit for each hash of what fragments can lead to. */
enum { MAX_ANCHORS = 4096, ANCHOR_BITS = 16, ANCHOR_WORDS = (1 << ANCHOR_BITS) / 64 };

/* What becomes an array. */
typedef struct {
    buffer values;
    size_t count;
} column;

typedef struct {
    const functions *lexbor;
    const wanted *wanted;
    column elements, ends, hrefs, fragment_indexes, fragments, texts, uncleaned, unclear, link_paths; /* see NativeElements in native_dom_walk.py */
    buffer link_traits;
    positions positions;
    level *levels; /* of the elements around one, the outermost first */
    size_t level_room, depth;
    bool has_items, has_references;
    uint64_t *anchors;
    buffer *out; /* where is written to */
    size_t titles;
    size_t room; /* what may still be looked at for texts; a page of usual size has plenty */
} walk;

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

static inline unsigned roles_of(const walk *walk, const node *at)
{
    if (at->type != ELEMENT)
        return 0;
    if (at->name < walk->wanted->tags)
        return walk->wanted->roles[at->name];
    return roles_by_name(walk, at);
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
        walk->has_items = walk->has_items || equals(name, "itemscope") || equals(name, "typeof");
        walk->has_references = walk->has_references || equals(name, "aria-labelledby");
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

static string attribute_text(walk *walk, const node *element, const char *name)
{
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL && spend(walk, 1);
         at = at->next)
        if (equals(name_of(walk, at), name))
            return value_of(at);
    return NOTHING;
}

/* What an element says in place of text: its label, where that counts; an image's alternative
 * text; the title of a drawing. Whether it says something. */
static bool put_alternative(walk *walk, size_t began, const node *element, bool has_label, bool *is_alt)
{
    string label = NOTHING;
    *is_alt = false;
    if (has_label)
        label = readable(walk, began, attribute_text(walk, element, "aria-label"));
    if (stripped(&walk->wanted->characters, label).length > 0)
        put_bytes(walk->out, label);
    else if (roles_of(walk, element) & IS_IMG) {
        put_bytes(walk->out, readable(walk, began, attribute_text(walk, element, "alt")));
        *is_alt = true;
    } else if (roles_of(walk, element) & IS_TITLE)
        put_all_text(walk, began, element);
    keep(walk->out, began, stripped(&walk->wanted->characters, put_since(walk->out, began)));
    return put_since(walk->out, began).length > 0;
}

/* Write what a link or heading says where it says nothing in words: what the first of its elements
 * does, among its first `nodes` nodes, that says something. Whether that is an image's alternative
 * text. */
static bool put_first_alternative(walk *walk, size_t began, const node *element, size_t nodes)
{
    bool has_label = !(roles_of(walk, element) & IS_HEADING), is_alt = false;
    const node *at = following(element, element, true);
    for (; nodes > 0; nodes--, at = following(at, element, true))
        if (at->type == ELEMENT && put_alternative(walk, began, at, has_label, &is_alt))
            return is_alt;
    return false;
}

/* Say of the text put since `began` that it stands in place of words: ALT_MARK precedes it. */
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

/* The nearest of BREAKS in `around` that a text stands in, not too far up, or NULL. */
static const node *block_of(const walk *walk, const node *text, const node *around)
{
    const node *above = text->parent;
    for (size_t i = 0; i < walk->wanted->max_parents && above != around && above != NULL; i++) {
        if (roles_of(walk, above) & BREAKS)
            return above;
        above = above->parent;
    }
    return NULL;
}

/* Begin a string that is the text of a link or heading, for `end_string`. */
static size_t begin_read_text(walk *walk, const node *element)
{
    size_t began = begin(walk->out), nodes = 0;
    const node *block = NULL;
    bool has_breaks = false, has_broken = false;
    for (const node *at = following(element, element, true);
         at != NULL && nodes + 1 < walk->wanted->max_text_nodes && spend(walk, 1);
         at = following(at, element, true)) {
        unsigned roles = roles_of(walk, at);
        nodes++;
        if (roles & BREAKS)
            has_breaks = has_broken = true;
        if (at->type != TEXT || (at->parent != element && roles_of(walk, at->parent) & UNREAD))
            continue;
        if (has_breaks) {
            const node *before = block;
            block = block_of(walk, at, element);
            if (has_broken || block != before)
                put_byte(walk->out, ' ');
            has_broken = false;
        }
        put_bytes(walk->out, readable(walk, began, data_of(at)));
    }
    if (stripped(&walk->wanted->characters, put_since(walk->out, began)).length == 0) {
        keep(walk->out, began, NOTHING);
        bool is_alt = put_first_alternative(walk, began, element, nodes);
        unsigned roles = roles_of(walk, element);
        if ((roles & IS_HEADING || (roles & IS_A && is_alt)) && put_since(walk->out, began).length > 0)
            put_alternative_mark(walk->out, began);
    }
    return began;
}

/* Whether a text has neither control characters nor two spaces in a row. */
static bool is_one_line(string text)
{
    uint64_t before = 0;
    for (size_t at = 0; at < text.length; at += PIECE) {
        uint64_t piece = piece_at(text, at), beyond = 0;
        if (text.length - at < PIECE)
            beyond = UINT64_MAX << 8 * (text.length - at);
        piece |= EACH_BYTE * 'a' & beyond;
        uint64_t ascii = piece & ~HIGH_BITS;
        uint64_t is_visible = (ascii + EACH_BYTE * (0x80 - '!')) | piece;
        uint64_t is_not_control = (ascii + EACH_BYTE * (0x80 - ' ')) | piece;
        uint64_t is_delete = (ascii + EACH_BYTE) & ~piece;
        uint64_t spaces = ~is_visible & HIGH_BITS;
        if (((~is_not_control | is_delete) & HIGH_BITS) != 0 || (spaces & (spaces << 8 | before)) != 0)
            return false;
        before = spaces >> 56;
    }
    return true;
}

/* Have the text begun there as app/gossamer/model/text_cleaning.py has it in one line; false where that does more
 * than to collapse and trim white space. */
static bool make_one_line(walk *walk, size_t began)
{
    string whole = put_since(walk->out, began);
    if (whole.length > walk->wanted->max_line)
        return false;
    if (is_one_line(whole)) {
        string line = stripped(&walk->wanted->characters, whole);
        if (line.length < whole.length)
            keep(walk->out, began, line);
        return true;
    }
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

/* Whether an element stands in one with this role, not too far up. */
static bool is_in(const walk *walk, const node *element, unsigned role)
{
    const node *above = element->parent;
    for (size_t i = 0; i < walk->wanted->max_parents && above != NULL; i++) {
        if (roles_of(walk, above) & role)
            return true;
        above = above->parent;
    }
    return above != NULL && roles_of(walk, above) & role;
}

static bool is_json_ld(const walk *walk, const node *script)
{
    string type = value_named(walk, script, "type");
    for (size_t i = 0; i < type.length; i++)
        if (type.data[i] == ';')
            type.length = i; /* what follows are parameters, such as a charset */
    return equals_in_any_case(without_space(type), "application/ld+json");
}

/* What stands for the text of an element that has none to be read. */
static string marker_of(const walk *walk, const node *element, unsigned roles)
{
    static const string in_noscript = {(const unsigned char *)"noscript", 8};
    static const string in_label = {(const unsigned char *)"label", 5};
    if (roles & IS_META && is_in(walk, element, IS_NOSCRIPT) &&
        equals_in_any_case(value_named(walk, element, "http-equiv"), "refresh"))
        return in_noscript;
    return roles & IS_FIELD && is_in(walk, element, IS_LABEL) ? in_label : NOTHING;
}

static void put_text_of(walk *walk, const node *element)
{
    unsigned roles = roles_of(walk, element);
    if (roles & WITH_TEXT) {
        end_string(walk->out, begin_read_text(walk, element));
    } else if (roles & IS_STYLE || (roles & IS_SCRIPT && is_json_ld(walk, element))) {
        size_t began = begin(walk->out);
        for (const node *at = element->first_child; at != NULL; at = at->next) /* HTML §4.2.6 */
            if (at->type == TEXT)
                put_bytes(walk->out, data_of(at));
        end_string(walk->out, began);
    } else {
        put_string(walk->out, marker_of(walk, element, roles));
    }
}

/* Whether a `title`, the next of them, is one of the page, not the tool tip of a drawing or formula. */
static bool is_title_of_page(walk *walk, const node *title)
{
    if (walk->titles++ >= walk->wanted->max_titles)
        return false;
    for (const node *above = title->parent; above != NULL; above = above->parent)
        if (roles_of(walk, above) & (IS_FOREIGN | IS_HEAD))
            return roles_of(walk, above) & IS_HEAD;
    return true;
}

/* Whether the attribute is one of Microdata or RDFa. */
static bool is_typed(const walk *walk, const attribute *at)
{
    if (at->node.name <= walk->wanted->max_number)
        return false;
    string name = name_of(walk, at);
    if (name.length == 0 || (name.data[0] != 'i' && name.data[0] != 'p' && name.data[0] != 't'))
        return false;
    return equals(name, "itemprop") || equals(name, "itemscope") || equals(name, "property") ||
           equals(name, "typeof");
}

/* Note what a fragment can lead to. */
static void note_anchor(walk *walk, string id)
{
    if (id.length == 0)
        return;
    size_t hash = (size_t)(number_of_bytes(id, 0, id.length, false) >> (64 - ANCHOR_BITS));
    walk->anchors[hash / 64] |= UINT64_C(1) << hash % 64;
    walk->elements.values.failed = walk->elements.values.failed || !is_utf_8(id);
}

/* Note what fragments can lead to; whether the attributes make an element count. */
static bool has_telling_attribute(walk *walk, const node *element, unsigned roles)
{
    const wanted *wanted = walk->wanted;
    bool is_telling = false;
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL; at = at->next) {
        if (at->node.name == wanted->id)
            note_anchor(walk, value_of(at));
        else if (at->node.name == wanted->style)
            is_telling = is_telling || has_url(value_of(at));
        else if (is_typed(walk, at))
            is_telling = true;
        else if (roles & IS_A && equals(name_of(walk, at), "name"))
            note_anchor(walk, value_of(at));
    }
    return is_telling;
}

static bool counts(walk *walk, const node *at)
{
    if (at->type != ELEMENT)
        return false;
    unsigned roles = roles_of(walk, at);
    bool is_telling = has_telling_attribute(walk, at, roles);
    if (roles & IS_TITLE && !is_title_of_page(walk, at))
        return false;
    if (roles & OF_HTML_ALONE && is_in(walk, at, IS_FOREIGN))
        return false;
    return roles & FOUND || is_telling;
}

/* Write to the next place of this column. */
static void write_to(walk *walk, column *column)
{
    walk->out = &column->values;
    column->count++;
}

static bool is_named(string name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (equals(name, names[i]))
            return true;
    return false;
}

/* Whether a link with this attribute says more than where it goes. */
static bool is_for_python(const walk *walk, const attribute *at)
{
    const wanted *wanted = walk->wanted;
    uintptr_t name = at->node.name;
    return name == wanted->rel || name == wanted->style || name == wanted->target ||
           is_typed(walk, at) ||
           (name > wanted->max_number && (equals(name_of(walk, at), "aria-label") ||
                                          equals(name_of(walk, at), "aria-labelledby"))) ||
           (wanted->linking_count > 0 &&
            is_named(name_of(walk, at), wanted->linking, wanted->linking_count));
}

/* Whether one of the first nodes in `element` is a text that says something. */
static bool begins_with_text(const walk *walk, const node *element)
{
    enum { LOOKED_AT = 8 };
    const node *at = following(element, element, true);
    for (size_t nodes = 0; at != NULL && nodes < LOOKED_AT; nodes++) {
        if (at->type == TEXT && stripped(&walk->wanted->characters, data_of(at)).length > 0)
            return true;
        at = following(at, element, true);
    }
    return false;
}

/* Where a link goes that says nothing else: `<a>` with href, and without rel, target, style and
 * the like, which are for app/gossamer/extract/links.py, as is one that may have no other name
 * than its title. NULL for others, and where a space before the "#" would end up in the URL. */
static const attribute *plain_href(const walk *walk, const node *element)
{
    const attribute *href = NULL;
    if (!(roles_of(walk, element) & IS_A))
        return NULL;
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL; at = at->next) {
        if (is_for_python(walk, at))
            return NULL;
        if (at->node.name == walk->wanted->href && equals(name_of(walk, at), "href"))
            href = at;
    }
    if (href == NULL || value_of(href).length == 0)
        return NULL;
    if (!begins_with_text(walk, element) && attribute_named(walk, element, "title") != NULL)
        return NULL;
    string value = value_of(href);
    const unsigned char *hash = memchr(value.data, '#', value.length);
    return hash != NULL && hash > value.data && hash[-1] <= ' ' ? NULL : href;
}

/* Read the attributes that say where an element is. */
static void read_attributes(const walk *walk, const node *element, described *made)
{
    const wanted *wanted = walk->wanted;
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL; at = at->next) {
        if (at->node.name == wanted->id)
            made->id = as_far_as_read(value_of(at));
        else if (at->node.name == wanted->class)
            made->classes = as_far_as_read(value_of(at));
        else if (at->node.name > wanted->max_number && equals(name_of(walk, at), "role"))
            made->role = as_far_as_read(value_of(at));
    }
}

/* Read what its tag says of that. */
static void read_tag(const walk *walk, const node *element, described *made)
{
    unsigned roles = roles_of(walk, element);
    made->tag.data = walk->lexbor->element_name(element, &made->tag.length);
    made->landmark = (enum place)(roles / LANDMARK % (1 << PLACE_BITS));
    made->has_id = !(roles & WITHOUT_ID);
    made->has_class_place = !(roles & WITHOUT_CLASS_PLACE);
    made->is_article = roles & IS_ARTICLE;
    made->is_anchor = roles & IS_ANCHOR;
}

/* What `element` means for those in it, where `around` is what those around it mean. */
static spot spot_below(walk *walk, const node *element, spot around)
{
    described described = {.classes = NOTHING, .id = NOTHING, .role = NOTHING};
    read_attributes(walk, element, &described);
    uint64_t key = mix(mix(packed(around)) ^ element->name);
    if (described.classes.length + described.id.length + described.role.length > 0)
        key = hash_of(hash_of(hash_of(key, described.classes), described.id), described.role);
    uint32_t *known = number_at(&walk->positions.alike, key);
    if (known != NULL && *known != 0)
        return unpacked(*known);
    read_tag(walk, element, &described);
    enum place landmark = place_of_role(described.role);
    if (landmark == NOWHERE)
        landmark = described.landmark;
    spot spot = {
        .step = step_number(&walk->positions, step_of(&described, around.step)),
        .landmark = landmark != NOWHERE ? landmark : around.landmark,
        .by_class = place_by_class(&described, around.by_class),
    };
    walk->positions.failed = walk->positions.failed || known == NULL;
    if (known != NULL)
        *known = packed(spot);
    return spot;
}

/* Whether there is memory for what `count` elements in each other mean. */
static bool has_levels(walk *walk, size_t count)
{
    if (count <= walk->level_room)
        return true;
    size_t room = 64 + 2 * count;
    level *levels = realloc(walk->levels, room * sizeof *levels);
    if (levels == NULL)
        return false;
    memset(levels + walk->level_room, 0, (room - walk->level_room) * sizeof *levels);
    walk->levels = levels;
    walk->level_room = room;
    return true;
}

/* What `element`, which stands in `depth` others, means for those in it. Of those that are open at
 * a place of the document, each depth has one. */
static spot spot_of(walk *walk, const node *element, size_t depth)
{
    spot spot = {.step = 0};
    if (!has_levels(walk, depth + 1)) {
        walk->positions.failed = true;
        return spot;
    }
    size_t known = depth + 1;
    for (const node *at = element; known > 0; known--, at = at->parent) {
        level *level = &walk->levels[known - 1];
        if (level->element == at)
            break;
        level->element = at;
    }
    if (known > 0)
        spot = walk->levels[known - 1].spot;
    for (; known <= depth; known++) {
        level *level = &walk->levels[known];
        spot = level->spot = spot_below(walk, level->element, spot);
    }
    return spot;
}

typedef struct {
    enum place place;
    uint32_t path;
} position;

static position position_of(walk *walk, const node *element)
{
    spot around = {.step = 0};
    if (walk->depth > 0)
        around = spot_of(walk, element->parent, walk->depth - 1);
    enum place place = around.landmark != NOWHERE ? around.landmark : around.by_class;
    position made = {.place = place != NOWHERE ? place : CONTENT};
    if (roles_of(walk, element) & PATHLESS)
        return made;
    made.path = path_of(&walk->positions, spot_below(walk, element, around).step);
    return made;
}

/* Whether a text may be one that says nothing of the target: see GENERIC_BITS in
 * app/gossamer/extract/facts/generic_anchor_texts.py. */
static bool may_be_generic(const walk *walk, string text)
{
    enum { MAX_GENERIC = 40, HASH_BITS = 12 };
    if (text.length == 0 || !is_ascii(text))
        return true;
    if (text.length > MAX_GENERIC)
        return false;
    size_t start = 0, stop = text.length;
    while (start < stop && !is_letter(text.data[start]) && !is_digit(text.data[start]))
        start++;
    while (start < stop && !is_letter(text.data[stop - 1]) && !is_digit(text.data[stop - 1]))
        stop--;
    size_t hash = (size_t)(number_of_bytes(text, start, stop, true) >> (64 - HASH_BITS));
    return walk->wanted->generic[hash / 8] >> hash % 8 & 1;
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
    bool is_unclear = !is_line || may_be_generic(walk, put_since(walk->out, began));
    end_string(walk->out, began);
    position position = position_of(walk, element);
    put_byte(&walk->link_traits, (unsigned)position.place | (unsigned)path_type_of(href));
    write_to(walk, &walk->link_paths);
    put_number(walk->out, position.path);
    if (!is_line) {
        write_to(walk, &walk->uncleaned);
        put_number(walk->out, walk->hrefs.count - 1);
    }
    if (is_unclear) {
        write_to(walk, &walk->unclear);
        put_number(walk->out, walk->hrefs.count - 1);
    }
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
    position position = position_of(walk, element);
    put_byte(walk->out, position.place);
    put_number(walk->out, position.path);
}

/* The elements that count, in document order. */
static void put_elements(walk *walk, const node *root)
{
    for (const node *at = root; at != NULL;) {
        if (counts(walk, at) &&
            /* Behind the last that is kept there may be more for fragments to lead to. */
            walk->elements.count + walk->hrefs.count < walk->wanted->max_elements) {
            const attribute *href = plain_href(walk, at);
            if (href != NULL)
                put_plain_link(walk, at, value_of(href));
            else
                put_element(walk, at);
        }
        if (at->first_child != NULL) {
            at = at->first_child;
            walk->depth++;
            continue;
        }
        for (; at != root && at->next == NULL; walk->depth--)
            at = at->parent;
        at = at != root ? at->next : NULL;
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

/* Whether the text of `element` does not count as content. */
static bool is_excluded(const walk *walk, const exclusion *excluded, const node *element)
{
    if (element->name < excluded->tag_count && excluded->tags[element->name])
        return true;
    if (element->name > walk->wanted->max_number && excluded->unnumbered_count > 0) {
        string name;
        name.data = walk->lexbor->element_name(element, &name.length);
        if (is_named(name, excluded->unnumbered, excluded->unnumbered_count))
            return true;
    }
    if (excluded->class_count + excluded->id_count == 0)
        return false;
    string classes = NOTHING, id = NOTHING;
    for (const attribute *at = walk->lexbor->first_attribute(element); at != NULL; at = at->next) {
        if (at->node.name == walk->wanted->class)
            classes = value_of(at);
        else if (at->node.name == walk->wanted->id)
            id = value_of(at);
    }
    if (is_named(id, excluded->ids, excluded->id_count))
        return true;
    for (string token = next_token(&classes); token.length > 0; token = next_token(&classes))
        if (is_named(token, excluded->classes, excluded->class_count))
            return true;
    return false;
}

/* The visible text of the body, that which counts as content apart from the rest. */
typedef struct {
    buffer content, rest;
    const buffer *last;
    const node *link, *excluded; /* those around what is looked at; NULL for none */
    phrases *phrases; /* of what is outside of links */
    bool is_break, is_apart; /* what stands before the next text */
} body_text;

static void add_text(body_text *body_text, string text)
{
    buffer *out = body_text->excluded != NULL ? &body_text->rest : &body_text->content;
    if (body_text->is_break || out != body_text->last)
        put_byte(out, '\0');
    else if (body_text->is_apart)
        put_byte(out, ' ');
    put_bytes(out, text);
    body_text->last = out;
    body_text->is_break = body_text->is_apart = false;
    if (body_text->link == NULL)
        add_phrases(body_text->phrases, text);
}

static void note_break(body_text *text, unsigned roles)
{
    text->is_apart |= (roles & APART) != 0;
    text->is_break |= (roles & (BREAKS | APART)) == BREAKS;
}

static void leave(const walk *walk, body_text *text, const node *at)
{
    if (at->type != ELEMENT)
        return;
    if (at == text->link)
        text->link = NULL;
    if (at == text->excluded)
        text->excluded = NULL;
    note_break(text, roles_of(walk, at));
}

/* Take in what stands at `at`; whether to look into it. */
static bool enter(const walk *walk, body_text *text, const exclusion *excluded, const node *at)
{
    if (at->type == TEXT) {
        add_text(text, data_of(at));
        return false;
    }
    unsigned roles = roles_of(walk, at);
    if (at->type != ELEMENT || roles & UNSEEN)
        return false;
    note_break(text, roles);
    if (roles & IS_A && text->link == NULL)
        text->link = at;
    if (text->excluded == NULL && is_excluded(walk, excluded, at))
        text->excluded = at;
    return true;
}

static void gather_text(const walk *walk, body_text *text, const exclusion *excluded,
                        const node *body)
{
    const node *at = body != NULL ? body->first_child : NULL;
    while (at != NULL) {
        if (enter(walk, text, excluded, at) && at->first_child != NULL) {
            at = at->first_child;
            continue;
        }
        leave(walk, text, at);
        while (at->next == NULL && at->parent != body) {
            at = at->parent;
            leave(walk, text, at);
        }
        at = at->next;
    }
}

static void put_binary(buffer *out, const unsigned char *data, size_t length)
{
    size_t began = begin(out);
    put_bytes(out, (string){data, length});
    end(out, began, BINARY, length);
}

/* Whether it parts words: white space of HTML, or the NUL between blocks. */
static bool is_gap(unsigned char byte)
{
    return byte <= ' ' && (byte == ' ' || byte == '\n' || byte == '\0' || byte == '\t' ||
                           byte == '\r' || byte == '\f');
}

/* Of a text with NULs between blocks, `most` bytes: a line a block, none of them empty, and one
 * space in place of white space, as `text_lines` of app/gossamer/extract/content_text.py. */
static void put_lines(buffer *out, string text, size_t most)
{
    size_t began = begin(out), length = 0, at = 0;
    while (length < most) {
        bool is_new = false;
        for (; at < text.length && is_gap(text.data[at]); at++)
            is_new = is_new || text.data[at] == '\0';
        size_t gap = length > 0, stop = at, last = at + (most - length) - gap;
        while (stop < text.length && stop <= last && !is_gap(text.data[stop]))
            stop++;
        if (stop > last) /* too long: up to where a character ends */
            for (stop = last; stop > at && (text.data[stop] & 0xC0) == 0x80;)
                stop--;
        if (stop == at)
            break;
        if (gap)
            put_byte(out, is_new ? '\n' : ' ');
        put_bytes(out, (string){text.data + at, stop - at});
        length += gap + (stop - at);
        at = stop;
    }
    end(out, began, BINARY, length);
}

/* The numbers of the text of `body`, its sketch and its phrases, and up to `most` of its bytes. */
static void put_text(walk *walk, const exclusion *excluded, const node *body, phrases *phrases,
                     size_t most)
{
    body_text text = {.last = NULL, .phrases = phrases};
    text.last = &text.content;
    text.is_break = true;
    gather_text(walk, &text, excluded, body);
    buffer *out = walk->out;
    string content = {text.content.data, text.content.length};
    string rest = {text.rest.data, text.rest.length};
    out->failed = out->failed || text.content.failed || text.rest.failed || !is_utf_8(content) ||
                  !is_utf_8(rest);
    if (!out->failed) {
        const characters *characters = &walk->wanted->characters;
        statistics found = {.characters = characters, .text = content};
        unsigned char sketch[SKETCH_BYTES];
        measure(&found);
        put_number(out, found.words);
        put_number(out, found.sentences);
        put_number(out, found.syllables);
        put_number(out, found.length + collapsed_length(characters, rest));
        if (found.words >= MIN_SKETCH_WORDS) {
            sketch_sample(&found.sample, sketch);
            put_binary(out, sketch, SKETCH_BYTES);
        } else {
            put_byte(out, NIL);
        }
        put_lines(out, content, most);
    }
    free(text.content.data);
    free(text.rest.data);
}

/* The hashes of what fragments can lead to, and whether there are more. */
static void put_anchors(const walk *walk)
{
    unsigned char hashes[2 * MAX_ANCHORS];
    size_t count = 0;
    for (size_t i = 0; i < ANCHOR_WORDS; i++)
        for (uint64_t bits = walk->anchors[i]; bits != 0; bits &= bits - 1, count++) {
            size_t hash = 64 * i + (size_t)__builtin_ctzll(bits);
            if (count < MAX_ANCHORS) {
                hashes[2 * count] = (unsigned char)(hash >> 8);
                hashes[2 * count + 1] = (unsigned char)hash;
            }
        }
    if (count == 0)
        put_byte(walk->out, NIL);
    else
        put_binary(walk->out, hashes, 2 * (count < MAX_ANCHORS ? count : MAX_ANCHORS));
    put_byte(walk->out, count > MAX_ANCHORS ? YES : NO);
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

static void put_column(buffer *out, column *column)
{
    buffer *values = &column->values;
    end(out, begin(out), ARRAY, column->count);
    put_bytes(out, (string){values->data, values->length});
    out->failed = out->failed || values->failed;
    free(values->data);
}

/* What the tree says, as NativeElements in app/gossamer/extract/native_dom_walk.py. `body` may be
 * NULL; `address` is that of the page, percent-decoded; `text_bytes` of the text are given.
 *
 * Returns `length` bytes, which are for `free_findings`; NULL where it is left to Python.
 */
EXPORTED unsigned char *find_all(const functions *lexbor, const wanted *wanted,
                                 const exclusion *excluded, const node *root, const node *body,
                                 const unsigned char *address, size_t address_length,
                                 size_t text_bytes, size_t *length)
{
    uint64_t anchors[ANCHOR_WORDS] = {0};
    walk walk = {.lexbor = lexbor,
                 .wanted = wanted,
                 .room = wanted->max_page_text_nodes,
                 .anchors = anchors};
    positions *positions = &walk.positions;
    begin_positions(positions);
    put_elements(&walk, root);
    column paths = {positions->paths, positions->path_count};
    positions->paths.data = NULL;
    column *columns[] = {&walk.elements, &walk.ends,      &walk.hrefs,      &walk.fragment_indexes,
                         &walk.fragments, &walk.texts,    &walk.uncleaned,  &walk.unclear,
                         &walk.link_paths, &paths};
    enum { COLUMNS = sizeof columns / sizeof *columns, OTHERS = 13 };
    buffer out = {.failed = positions->failed || walk.link_traits.failed};
    walk.out = &out;
    size_t began = begin(&out);
    for (size_t i = 0; i < COLUMNS; i++)
        put_column(&out, columns[i]);
    put_binary(&out, walk.link_traits.data, walk.link_traits.length);
    put_language(&walk, root);
    phrases phrases = {.count = 0};
    begin_phrases(&phrases, (string){address, address_length});
    put_text(&walk, excluded, body, &phrases, text_bytes);
    end(&out, begin(&out), ARRAY, phrases.count);
    for (size_t i = 0; i < phrases.count; i++)
        put_number(&out, phrases.kept[i]);
    put_anchors(&walk);
    put_byte(&out, walk.has_items ? YES : NO);
    put_byte(&out, walk.has_references ? YES : NO);
    end(&out, began, ARRAY, COLUMNS + OTHERS);
    free_positions(positions);
    free(walk.link_traits.data);
    free(walk.levels);
    if (out.failed) {
        free(out.data);
        return NULL;
    }
    *length = out.length;
    return out.data;
}

/* Deeper ones speak the language of those around them. */
enum { MAX_SPEAKERS = 100 };

/* The text of a body that is to be proofread, in runs of one language. */
typedef struct {
    column runs; /* each an array of language and text */
    buffer text; /* of the run that is open */
    const node *speakers[MAX_SPEAKERS]; /* the elements with a lang attribute around it */
    size_t speaker_count;
    bool is_break, is_apart;
} prose;

static void end_run(const walk *walk, prose *prose)
{
    string text = {prose->text.data, prose->text.length};
    buffer *out = &prose->runs.values;
    out->failed = out->failed || prose->text.failed || !is_utf_8(text);
    if (text.length > 0 && !out->failed) {
        size_t began = begin(out), speakers = prose->speaker_count;
        put_string(out, speakers > 0 ? value_named(walk, prose->speakers[speakers - 1], "lang")
                                     : NOTHING);
        put_string(out, text);
        end(out, began, ARRAY, 2);
        prose->runs.count++;
    }
    prose->text.length = 0;
}

static void note_gap(prose *prose, unsigned roles)
{
    prose->is_apart = prose->is_apart || roles & APART;
    prose->is_break = prose->is_break || (roles & BREAKS && !(roles & APART));
}

/* Take in what stands at `at`; whether to look into it. */
static bool enter_prose(const walk *walk, prose *prose, const exclusion *excluded, const node *at)
{
    if (at->type == TEXT) {
        if (prose->text.length > 0 && (prose->is_break || prose->is_apart))
            put_byte(&prose->text, prose->is_break ? '\0' : ' ');
        put_bytes(&prose->text, data_of(at));
        prose->is_break = prose->is_apart = false;
        return false;
    }
    unsigned roles = at->type == ELEMENT ? roles_of(walk, at) : UNSEEN;
    note_gap(prose, roles);
    if (roles & UNSEEN)
        return false;
    if (is_excluded(walk, excluded, at) ||
        equals_in_any_case(value_named(walk, at, "translate"), "no")) {
        prose->is_break = true;
        return false;
    }
    if (attribute_named(walk, at, "lang") != NULL && prose->speaker_count < MAX_SPEAKERS) {
        end_run(walk, prose);
        prose->speakers[prose->speaker_count++] = at;
    }
    return true;
}

static void leave_prose(const walk *walk, prose *prose, const node *at)
{
    note_gap(prose, at->type == ELEMENT ? roles_of(walk, at) : 0);
    if (prose->speaker_count > 0 && at == prose->speakers[prose->speaker_count - 1]) {
        end_run(walk, prose);
        prose->speaker_count--;
    }
}

/* The text of `body` without what is `excluded`, of some `room` bytes at most: an array of runs,
 * each an array of the lang attribute that holds in it, "" for the page's, and its text, with a
 * NUL where blocks begin and end.
 *
 * Returns `length` bytes, which are for `free_findings`; NULL where it is left to Python.
 */
EXPORTED unsigned char *find_prose(const functions *lexbor, const wanted *wanted,
                                   const exclusion *excluded, const node *body, size_t room,
                                   size_t *length)
{
    walk walk = {.lexbor = lexbor, .wanted = wanted};
    prose prose = {.speaker_count = 0};
    const node *at = body != NULL ? body->first_child : NULL;
    while (at != NULL && prose.text.length + prose.runs.values.length < room) {
        if (enter_prose(&walk, &prose, excluded, at) && at->first_child != NULL) {
            at = at->first_child;
            continue;
        }
        leave_prose(&walk, &prose, at);
        while (at->next == NULL && at->parent != body) {
            at = at->parent;
            leave_prose(&walk, &prose, at);
        }
        at = at->next;
    }
    end_run(&walk, &prose);
    free(prose.text.data);
    buffer out = {.failed = false};
    put_column(&out, &prose.runs);
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

/* `TagCounts` in app/gossamer/extract/native_structures.py. */
typedef struct {
    size_t tags; /* "<" */
    size_t formatting; /* tags of formatting with attributes that may stay open, at most */
    size_t last_frame; /* where the last start tag of the frame may begin; 0 also for none */
} tag_counts;

/* Count the tags in so many bytes of markup: see app/gossamer/extract/parser_limits.py. */
EXPORTED void count_tags(const unsigned char *markup, size_t length, tag_counts *counts)
{
    const unsigned char *stop = markup + length, *at = markup;
    tag_counts found = {0};
    while (at < stop && (at = memchr(at, '<', (size_t)(stop - at))) != NULL) {
        const unsigned char *name = at + 1;
        found.tags++;
        /* Half of all tags are end tags, and most others are of no interest either. */
        if (name < stop && is_letter_of(BCEFINSTU | BIT_OF('h'), *name)) {
            if (may_be_frame(at, stop))
                found.last_frame = (size_t)(at - markup);
            found.formatting +=
                may_format(name, stop) && has_attributes(name, stop) && !is_closed_soon(name, stop);
        }
        at = name;
    }
    *counts = found;
}

/* What the frame of so many bytes of markup is like, in which `last_frame` is where the last start
 * tag of it may begin; whether it is as it is nearly always. */
EXPORTED int markup_shape(const unsigned char *markup, size_t length, size_t last_frame, shape *shape)
{
    frame frame = {.shape = shape, .markup = markup, .stop = markup + length, .last = markup + last_frame};
    memset(shape, 0, sizeof *shape);
    shape->has_lorem = has_lorem(frame.markup, frame.stop);
    find_shape(&frame);
    bool has_each_once = shape->html_tags == 1 && shape->head_tags == 1 && shape->body_tags == 1;
    return has_each_once && !shape->is_body_before_html && !shape->is_head_not_first &&
           !shape->has_lorem && shape->invalid_length == 0;
}
