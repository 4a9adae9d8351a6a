/* The frame of a page as it is written: see app/gossamer/extract/markup_shape.py. */

#ifndef GOSSAMER_SHAPE_H
#define GOSSAMER_SHAPE_H

#include "characters.h"

/* `Shape` in app/gossamer/extract/native_structures.py. */
typedef struct {
    size_t html_tags, head_tags, body_tags, is_body_before_html, is_head_not_first;
    size_t has_lorem;
    size_t invalid_at, invalid_length; /* the name of an element in the markup; none where it is 0 */
} shape;

_Static_assert(sizeof(shape) == 8 * sizeof(void *), "shape has 8 words");

/* Places in markup that are looked at together: compilers make a few instructions of it. */
enum { BLOCK = 64 };

typedef struct {
    shape *shape;
    const unsigned char *markup, *stop;
    const unsigned char *last; /* where the last start tag of the frame may begin */
    string found; /* an invalid element of the head, which has not ended yet */
    size_t templates;
    bool is_in_head, is_disturbed, has_text;
} frame;

typedef struct {
    string name;
    bool is_end;
} tag;

static bool is_one_of(string name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (equals_in_any_case(name, names[i]))
            return true;
    return false;
}

static bool may_be_in_head(string name)
{
    static const char *const names[] = {"base",     "basefont", "bgsound", "link",     "meta", "noframes",
                                        "noscript", "script",   "style",   "template", "title"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

static bool is_raw_text(string name)
{
    static const char *const names[] = {"iframe", "noembed",  "noframes", "script",
                                        "style",  "textarea", "title",    "xmp"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

static bool is_body(string name)
{
    return equals_in_any_case(name, "body") || equals_in_any_case(name, "frameset");
}

static void end_head(frame *frame)
{
    if (frame->is_in_head && frame->shape->invalid_length == 0 && frame->found.length > 0) {
        frame->shape->invalid_at = (size_t)(frame->found.data - frame->markup);
        frame->shape->invalid_length = frame->found.length;
    }
    frame->is_in_head = false;
}

/* Take in a start tag of html, head, body or frameset. */
static void add_frame(frame *frame, string name)
{
    shape *shape = frame->shape;
    if (equals_in_any_case(name, "html")) {
        if (shape->html_tags++ == 0) {
            shape->is_body_before_html = shape->body_tags > 0;
            frame->is_disturbed = false;
        }
    } else if (equals_in_any_case(name, "head")) {
        if (shape->html_tags > 0 && shape->head_tags == 0)
            shape->is_head_not_first = frame->is_disturbed || frame->has_text;
        frame->is_in_head = true;
        shape->head_tags++;
    } else {
        end_head(frame);
        frame->is_disturbed = true;
        shape->body_tags++;
    }
}

static void add_tag(frame *frame, tag tag)
{
    bool is_head = equals_in_any_case(tag.name, "head");
    if (equals_in_any_case(tag.name, "template")) {
        frame->templates += !tag.is_end;
        frame->templates -= tag.is_end && frame->templates > 0;
        frame->is_disturbed = true;
    } else if (frame->templates > 0) {
        return;
    } else if (!tag.is_end &&
               (is_head || is_body(tag.name) || equals_in_any_case(tag.name, "html"))) {
        add_frame(frame, tag.name);
    } else if (is_head) {
        end_head(frame);
    } else {
        frame->is_disturbed = true;
        if (frame->is_in_head && !tag.is_end && frame->found.length == 0 &&
            !may_be_in_head(tag.name))
            frame->found = tag.name;
    }
}

/* What follows the tag whose name ends at `at`; NULL if it does not end. */
static const unsigned char *after_tag(const unsigned char *at, const unsigned char *stop)
{
    while (at < stop && *at != '>') {
        if (*at++ != '=')
            continue;
        while (at < stop && is_html_space(*at))
            at++;
        if (at < stop && (*at == '"' || *at == '\'')) {
            at = memchr(at + 1, *at, (size_t)(stop - at - 1));
            if (at == NULL)
                return NULL;
            at++;
        }
    }
    return at < stop ? at + 1 : NULL;
}

/* Where the raw text of the element `name` ends, which begins at `at`. */
static const unsigned char *after_raw_text(const unsigned char *at, const unsigned char *stop,
                                           string name)
{
    while ((at = memchr(at, '<', (size_t)(stop - at))) != NULL) {
        if ((size_t)(stop - at) < name.length + 3)
            return stop;
        const unsigned char *after = at + 2 + name.length;
        bool is_same = at[1] == '/' && (is_html_space(*after) || *after == '/' || *after == '>');
        for (size_t i = 0; is_same && i < name.length; i++)
            is_same = lower(at[2 + i]) == lower(name.data[i]);
        if (is_same)
            return at;
        at++;
    }
    return stop;
}

/* What follows the comment, document type or the like that begins at `at`. */
static const unsigned char *after_declaration(const unsigned char *at, const unsigned char *stop)
{
    bool is_comment = stop - at >= 4 && memcmp(at, "<!--", 4) == 0;
    for (at += 2; at < stop && (at = memchr(at, '>', (size_t)(stop - at))) != NULL; at++)
        if (!is_comment || memcmp(at - 2, "--", 2) == 0)
            return at + 1;
    return stop;
}

/* Whether a start tag of the frame may begin at `at`, which is "<". */
static bool may_be_frame(const unsigned char *at, const unsigned char *stop)
{
    if (stop - at < 5)
        return false;
    unsigned char first = lower(at[1]);
    if (first != 'h' && first != 'b' && first != 'f')
        return false;
    string name = {at + 1, 0};
    while (name.data + name.length < stop && (unsigned char)(lower(name.data[name.length]) - 'a') < 26)
        name.length++;
    return is_body(name) || equals_in_any_case(name, "html") || equals_in_any_case(name, "head");
}

static const char LOREM[] = "lorem";
enum { LOREM_LENGTH = sizeof LOREM - 1 };

/* Whether the word may begin in a block: of each place that it may, three bytes are read. */
static bool may_have_lorem(const unsigned char *at)
{
    unsigned char found = 0;
    for (size_t i = 0; i < BLOCK; i++)
        found |= ((at[i] | 0x20) == 'l') & ((at[i + 2] | 0x20) == 'r') & ((at[i + 4] | 0x20) == 'm');
    return found;
}

/* Whether it stands anywhere; what follows is for app/gossamer/extract/facts/placeholder_text.py. */
static bool has_lorem(const unsigned char *at, const unsigned char *stop)
{
    for (; stop - at >= LOREM_LENGTH; at += BLOCK) {
        if (stop - at >= BLOCK + LOREM_LENGTH && !may_have_lorem(at))
            continue;
        for (size_t i = 0; i < BLOCK && stop - at - (ptrdiff_t)i >= LOREM_LENGTH; i++)
            if (equals_in_any_case((string){at + i, LOREM_LENGTH}, LOREM))
                return true;
        if (stop - at < BLOCK)
            return false;
    }
    return false;
}

static bool has_only_space(const unsigned char *at, const unsigned char *stop)
{
    return is_empty((string){at, (size_t)(stop - at)});
}

static void find_shape(frame *frame)
{
    const unsigned char *at = frame->markup, *stop = frame->stop, *next;
    for (; at < stop && (next = memchr(at, '<', (size_t)(stop - at))) != NULL;) {
        frame->has_text = frame->has_text || !has_only_space(at, next);
        bool is_end = stop - next > 1 && next[1] == '/';
        tag tag = {{next + 1 + is_end, 0}, is_end};
        const unsigned char *name_end = tag.name.data;
        bool is_tag = name_end < stop && (unsigned char)(lower(*name_end) - 'a') < 26;
        while (is_tag && name_end < stop && !is_html_space(*name_end) && *name_end != '/' &&
               *name_end != '>')
            name_end++;
        tag.name.length = (size_t)(name_end - tag.name.data);
        if (is_tag) {
            at = after_tag(name_end, stop);
            if (at == NULL)
                return;
            size_t bodies = frame->shape->body_tags;
            add_tag(frame, tag);
            frame->has_text = false;
            if (!is_end && is_raw_text(tag.name))
                at = after_raw_text(at, stop, tag.name);
            /* Most have one body, and nothing more to look for in it. */
            if (frame->shape->body_tags > bodies && frame->last < at)
                return;
        } else if (stop - next > 1 && (next[1] == '!' || next[1] == '?' || next[1] == '/')) {
            at = after_declaration(next, stop);
        } else {
            frame->has_text = true;
            at = next + 1;
        }
    }
}

#endif
