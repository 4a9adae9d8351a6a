/* The part of a page that an element is in, and its CSS path: see
 * app/gossamer/extract/link_positions.py. */

#ifndef GOSSAMER_POSITIONS_H
#define GOSSAMER_POSITIONS_H

#include "messagepack.h"
#include "phrases.h"
#include "table.h"
#include "tree.h"

/* LinkPosition in app/gossamer/model/link_traits.py. */
enum place { NOWHERE, HEAD, NAVIGATION, HEADER_PLACE, CONTENT, ASIDE, FOOTER };

/* PathType in app/gossamer/model/link_traits.py, shifted as in `link.traits`. */
enum path_type {
    ABSOLUTE = 1 << 3,
    PROTOCOL_RELATIVE = 2 << 3,
    ROOT_RELATIVE = 3 << 3,
    PATH_RELATIVE = 4 << 3
};

enum { MAX_STEPS = 5, MAX_PATH = 120, MAX_NAME = 24, MAX_READ = 200 };
enum { PLACE_BITS = 3, PLACES = (1 << PLACE_BITS) - 1, MAX_PATH_STEPS = 1 << 26 };

/* What is to know of an element; of attributes, as much as is read. */
typedef struct {
    string tag, id, classes, role;
    enum place landmark; /* by its tag */
    bool has_id, has_class_place, is_article, is_anchor;
} described;

/* A step of a path; those that the element stands in come before. */
typedef struct {
    string tag, name;
    uint32_t before, path;
    char mark;
} step;

typedef struct {
    table numbers; /* of steps, by hash */
    table path_numbers; /* of paths, by hash */
    table alike; /* what elements mean that are alike, by hash of all that matters of them */
    step *steps;
    size_t step_count, step_room;
    buffer paths; /* MessagePack */
    size_t path_count;
    bool failed;
} positions;

/* What an element means for those in it. */
typedef struct {
    uint32_t step;
    enum place landmark, by_class;
} spot;

/* The element that is open at a depth, and what it means; NULL where that is not known. */
typedef struct {
    const node *element;
    spot spot;
} level;

/* A hash of `text`, after what makes `before`. */
static uint64_t hash_of(uint64_t before, string text)
{
    uint64_t hash = mix(before ^ (uint64_t)text.length);
    for (size_t at = 0; at < text.length; at += PIECE)
        hash = mix(hash ^ piece_at(text, at));
    return hash;
}

static bool is_name_byte(unsigned char byte)
{
    return (unsigned char)(lower(byte) - 'a') < 26 || byte == '_' || byte == '-';
}

static bool is_path_name(string name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!is_name_byte(name.data[i]))
            return false;
    return name.length > 0 && name.length <= MAX_NAME;
}

static bool is_capital(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static bool has_lower_case(string name)
{
    bool has_capital = false;
    for (size_t i = 0; i < name.length; i++) {
        if (name.data[i] >= 'a' && name.data[i] <= 'z')
            return true;
        has_capital = has_capital || is_capital(name.data[i]);
    }
    return !has_capital;
}

static string as_far_as_read(string value)
{
    value.length = value.length < MAX_READ ? value.length : MAX_READ;
    return value;
}

/* The next word without white space of `left`, and what follows it; empty at the end. */
static string next_token(string *left)
{
    while (left->length > 0 && is_html_space(left->data[0]))
        *left = (string){left->data + 1, left->length - 1};
    string token = {left->data, 0};
    while (token.length < left->length && !is_html_space(left->data[token.length]))
        token.length++;
    *left = (string){left->data + token.length, left->length - token.length};
    return token;
}

/* The next word of a name such as `mainMenu-top`, and what follows it; empty at the end. */
static string next_name_word(string *left)
{
    while (left->length > 0 && (unsigned char)(lower(left->data[0]) - 'a') >= 26)
        *left = (string){left->data + 1, left->length - 1};
    string word = {left->data, left->length > 0};
    bool is_upper = left->length > 1 && is_capital(left->data[0]) && is_capital(left->data[1]);
    while (word.length > 0 && word.length < left->length &&
           (unsigned char)(lower(left->data[word.length]) - 'a') < 26 &&
           is_capital(left->data[word.length]) == is_upper)
        word.length++;
    *left = (string){left->data + word.length, left->length - word.length};
    return word;
}

/* A word in lower case that names a part of the page, and how it does. */
typedef struct {
    const char *text;
    size_t length;
    enum place place;
} part_name;

#define PART(text, place) {text, sizeof text - 1, place}

static bool begins_with(string word, const part_name *part)
{
    return word.length >= part->length && memcmp(word.data, part->text, part->length) == 0;
}

static bool ends_with(string word, const part_name *part)
{
    return word.length >= part->length &&
           memcmp(word.data + word.length - part->length, part->text, part->length) == 0;
}

static bool is_word(string word, const part_name *part)
{
    return word.length == part->length && begins_with(word, part);
}

static bool is_navigation(string word)
{
    static const part_name nav = PART("nav", NAVIGATION), navy = PART("navy", NOWHERE),
                           breadcrumb = PART("breadcrumb", NAVIGATION),
                           menu = PART("menu", NAVIGATION);
    if (begins_with(word, &nav) || ends_with(word, &nav))
        return !begins_with(word, &navy);
    if (begins_with(word, &breadcrumb))
        return true;
    for (; word.length >= menu.length; word.data++, word.length--)
        if (begins_with(word, &menu))
            return true;
    return false;
}

/* The part that a word in lower case names. */
static enum place place_of_word(string word)
{
    static const part_name parts[] = {PART("footer", FOOTER), PART("sidebar", ASIDE),
                                      PART("header", HEADER_PLACE), PART("content", CONTENT)};
    static const part_name words[] = {PART("aside", ASIDE), PART("masthead", HEADER_PLACE),
                                      PART("topbar", HEADER_PLACE), PART("main", CONTENT),
                                      PART("article", CONTENT)};
    if (is_navigation(word))
        return NAVIGATION;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (begins_with(word, &parts[i]) || ends_with(word, &parts[i]))
            return parts[i].place;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(word, &words[i]))
            return words[i].place;
    return NOWHERE;
}

/* Whether a word in lower case takes back what the others say. */
static bool is_negation(string word)
{
    static const part_name negations[] = {PART("has", NOWHERE), PART("js", NOWHERE),
                                          PART("no", NOWHERE), PART("with", NOWHERE),
                                          PART("without", NOWHERE)};
    for (size_t i = 0; i < sizeof negations / sizeof *negations; i++)
        if (is_word(word, &negations[i]))
            return true;
    return false;
}

/* The part that decides of two. */
static enum place higher(enum place one, enum place other)
{
    static const unsigned char ranks[] = {0, 0, 5, 2, 1, 3, 4};
    return ranks[other] > ranks[one] ? other : one;
}

/* The part that a class or id names, of at most MAX_READ bytes. */
static enum place place_of_token(string token)
{
    unsigned char folded[MAX_READ];
    enum place best = NOWHERE;
    for (string word = next_name_word(&token); word.length > 0; word = next_name_word(&token)) {
        for (size_t i = 0; i < word.length; i++)
            folded[i] = lower(word.data[i]);
        word.data = folded;
        if (is_negation(word))
            return NOWHERE;
        best = higher(best, place_of_word(word));
    }
    return best;
}

static enum place place_by_class(const described *element, enum place around)
{
    if (!element->has_class_place)
        return NOWHERE;
    enum place best = element->is_article ? CONTENT : NOWHERE;
    string values[] = {element->classes, element->id};
    for (size_t i = 0; i < 2; i++)
        for (string token = next_token(&values[i]); token.length > 0;
             token = next_token(&values[i]))
            best = higher(best, place_of_token(token));
    bool is_own = around == CONTENT && (best == HEADER_PLACE || best == FOOTER);
    return is_own || best == NOWHERE ? around : best;
}

static enum place place_of_role(string role)
{
    if (role.length == 0)
        return NOWHERE;
    role = without_space(role);
    if (equals_in_any_case(role, "navigation"))
        return NAVIGATION;
    if (equals_in_any_case(role, "banner"))
        return HEADER_PLACE;
    if (equals_in_any_case(role, "main"))
        return CONTENT;
    if (equals_in_any_case(role, "complementary"))
        return ASIDE;
    return equals_in_any_case(role, "contentinfo") ? FOOTER : NOWHERE;
}

static string step_tag(string tag)
{
    static const string other = {(const unsigned char *)"*", 1};
    for (size_t i = 0; i < tag.length; i++)
        if (!(tag.data[i] >= 'a' && tag.data[i] <= 'z') &&
            !(tag.data[i] >= '0' && tag.data[i] <= '9') && tag.data[i] != '-')
            return other;
    return tag.length > 0 && tag.length <= MAX_NAME ? tag : other;
}

static bool is_slash(unsigned char byte)
{
    return byte == '/' || byte == '\\';
}

/* Whether `href` begins with a scheme. */
static bool has_scheme(string href)
{
    if (href.length == 0 || (unsigned char)(lower(href.data[0]) - 'a') >= 26)
        return false;
    for (size_t i = 1; i < href.length && href.data[i] < 0x80; i++) {
        unsigned char byte = lower(href.data[i]);
        if (byte == ':')
            return true;
        if (!(byte >= 'a' && byte <= 'z') && !(byte >= '0' && byte <= '9') &&
            strchr("+-.", byte) == NULL)
            return false;
    }
    return false;
}

/* How a URL is written: see `path_type` in app/gossamer/extract/link_trait_reader.py. */
static enum path_type path_type_of(string href)
{
    while (href.length > 0 && href.data[0] <= ' ')
        href = (string){href.data + 1, href.length - 1};
    if (href.length > 0 && is_slash(href.data[0]))
        return href.length > 1 && is_slash(href.data[1]) ? PROTOCOL_RELATIVE : ROOT_RELATIVE;
    return has_scheme(href) ? ABSOLUTE : PATH_RELATIVE;
}

/* The step of an element in one with the step `before`. */
static step step_of(const described *element, uint32_t before)
{
    step made = {.tag = step_tag(element->tag), .before = before};
    if (element->has_id && is_path_name(element->id) && has_lower_case(element->id)) {
        made.mark = '#';
        made.name = element->id;
        made.before = 0;
        return made;
    }
    if (element->is_anchor) {
        made.before = 0;
        return made;
    }
    string left = element->classes;
    for (string token = next_token(&left); token.length > 0; token = next_token(&left))
        if (is_path_name(token)) {
            made.mark = '.';
            made.name = token;
            break;
        }
    return made;
}

/* The number of this step; 0 without memory. */
static uint32_t step_number(positions *positions, step made)
{
    uint64_t key = hash_of(hash_of(made.before * UINT64_C(256) + (unsigned char)made.mark, made.tag),
                           made.name);
    uint32_t *number = number_at(&positions->numbers, key);
    if (number != NULL && *number != 0)
        return *number;
    if (number != NULL && positions->step_count + 1 >= positions->step_room) {
        size_t room = 64 + 2 * positions->step_room;
        step *steps = room < MAX_PATH_STEPS ? realloc(positions->steps, room * sizeof *steps) : NULL;
        positions->failed = positions->failed || steps == NULL;
        positions->steps = steps != NULL ? steps : positions->steps;
        positions->step_room = steps != NULL ? room : positions->step_room;
    }
    if (number == NULL || positions->failed) {
        positions->failed = true;
        return 0;
    }
    positions->steps[++positions->step_count] = made;
    return *number = (uint32_t)positions->step_count;
}

/* The index of the path that ends with this step. */
static uint32_t path_of(positions *positions, uint32_t number)
{
    enum { LONGEST = MAX_STEPS * (2 * MAX_NAME + 4) };
    if (number == 0)
        return 0;
    if (positions->steps[number].path != 0)
        return positions->steps[number].path;
    char written[LONGEST];
    size_t start = LONGEST; /* it is written from its end, and is as long as it may be */
    uint32_t at = number;
    for (size_t i = 0; i < MAX_STEPS && at != 0; i++, at = positions->steps[at].before) {
        const step *step = &positions->steps[at];
        size_t length = step->tag.length + (step->mark != 0) + step->name.length;
        size_t separator = i > 0 ? 3 : 0;
        if (LONGEST - start + separator + length > MAX_PATH)
            break;
        start -= separator;
        memcpy(written + start, " > ", separator);
        start -= length;
        memcpy(written + start, step->tag.data, step->tag.length);
        if (step->mark != 0) {
            written[start + step->tag.length] = step->mark;
            memcpy(written + start + step->tag.length + 1, step->name.data, step->name.length);
        }
    }
    string path = {(const unsigned char *)written + start, LONGEST - start};
    uint32_t *index = number_at(&positions->path_numbers, hash_of(1, path));
    if (index == NULL) {
        positions->failed = true;
        return 0;
    }
    if (*index == 0) {
        put_string(&positions->paths, path);
        *index = (uint32_t)positions->path_count++;
    }
    return positions->steps[number].path = *index;
}

static void begin_positions(positions *positions)
{
    put_string(&positions->paths, (string){NULL, 0}); /* of elements without path */
    positions->path_count = 1;
}

static void free_positions(positions *positions)
{
    free(positions->numbers.slots);
    free(positions->path_numbers.slots);
    free(positions->alike.slots);
    free(positions->steps);
    free(positions->paths.data);
}

static uint32_t packed(spot spot)
{
    return spot.step << (2 * PLACE_BITS) | (uint32_t)spot.landmark << PLACE_BITS |
           (uint32_t)spot.by_class;
}

static spot unpacked(uint32_t number)
{
    return (spot){number >> (2 * PLACE_BITS), (enum place)(number >> PLACE_BITS & PLACES),
                  (enum place)(number & PLACES)};
}

#endif
