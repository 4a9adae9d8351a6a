/* Formatting tags in markup, for app/gossamer/extract/parser_limits.py, which says what they do. */

#ifndef GOSSAMER_FORMATTING_H
#define GOSSAMER_FORMATTING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "characters.h"

static bool is_letter(unsigned char byte)
{
    return (unsigned char)(lower(byte) - 'a') < 26;
}

static bool is_digit(unsigned char byte)
{
    return (unsigned char)(byte - '0') < 10;
}

#define BIT_OF(letter) (UINT32_C(1) << ((letter) - 'a'))
static const uint32_t BCEFINSTU = BIT_OF('b') | BIT_OF('c') | BIT_OF('e') | BIT_OF('f') | BIT_OF('i') |
                                  BIT_OF('n') | BIT_OF('s') | BIT_OF('t') | BIT_OF('u');
static const uint32_t IMOT = BIT_OF('i') | BIT_OF('m') | BIT_OF('o') | BIT_OF('t');

/* Whether `byte` is one of these letters, in upper or lower case. */
static bool is_letter_of(uint32_t letters, unsigned char byte)
{
    return is_letter(byte) && (letters >> (lower(byte) - 'a') & 1) != 0;
}

/* Whether a start tag of formatting with attributes may begin with this name. */
static bool may_format(const unsigned char *name, const unsigned char *stop)
{
    return stop - name >= 2 && is_letter_of(BCEFINSTU, name[0]) &&
           (is_letter_of(IMOT, name[1]) || is_html_space(name[1]) || name[1] == '/');
}

static bool is_in_attribute_name(unsigned char byte)
{
    return !is_html_space(byte) && strchr("\"'<>/=", byte) == NULL;
}

/* What follows the tag whose name ends at `at`, where its attributes are so plain that this is
 * beyond doubt; else NULL. */
static const unsigned char *after_plain_tag(const unsigned char *at, const unsigned char *stop)
{
    for (;;) {
        const unsigned char *name = at;
        while (name < stop && is_html_space(*name))
            name++;
        if (name == stop)
            return NULL;
        if (*name == '>')
            return name + 1;
        bool is_parted = name > at;
        for (at = name; at < stop && is_in_attribute_name(*at);)
            at++;
        if (at == name || !is_parted)
            return NULL;
        if (stop - at >= 2 && at[0] == '=' && at[1] == '"') {
            at = memchr(at + 2, '"', (size_t)(stop - at - 2));
            if (at == NULL)
                return NULL;
            at++;
        }
    }
}

/* The name of a tag that begins at `at`. */
static string tag_name(const unsigned char *at, const unsigned char *stop)
{
    string name = {at, 0};
    while (at + name.length < stop && is_letter(at[name.length]))
        name.length++;
    return name;
}

static bool is_formatting(string name)
{
    static const char *const names[] = {"b",     "big",    "code",   "em", "font", "i", "nobr", "s",
                                        "small", "strike", "strong", "tt", "u"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (equals_in_any_case(name, names[i]))
            return true;
    return false;
}

/* Whether the tag with this name is one of formatting that has attributes, or may have. */
static bool has_attributes(const unsigned char *at, const unsigned char *stop)
{
    string name = tag_name(at, stop);
    const unsigned char *after = name.data + name.length;
    return after < stop && (is_html_space(*after) || *after == '/') && is_formatting(name);
}

/* What follows the end tag `</name>` that stands at `at`; NULL if it does not, or `at` is NULL. */
static const unsigned char *after_end_tag(const unsigned char *at, const unsigned char *stop,
                                          string name)
{
    if (at == NULL || (size_t)(stop - at) < name.length + 3)
        return NULL;
    for (size_t i = 0; i < name.length; i++)
        if (lower(at[i + 2]) != lower(name.data[i]))
            return NULL;
    bool is_end = at[0] == '<' && at[1] == '/' && at[name.length + 2] == '>';
    return is_end ? at + name.length + 3 : NULL;
}

static const unsigned char *next_tag(const unsigned char *at, const unsigned char *stop)
{
    return at != NULL ? memchr(at, '<', (size_t)(stop - at)) : NULL;
}

/* What follows the tag of a `span`, or the formatting element with nothing but text in it, at `at`;
 * NULL if there is neither. */
static const unsigned char *after_harmless(const unsigned char *at, const unsigned char *stop)
{
    bool is_end = stop - at > 1 && at[1] == '/';
    string name = tag_name(at + 1 + is_end, stop);
    const unsigned char *after = name.data + name.length;
    if (equals_in_any_case(name, "span"))
        return after_plain_tag(after, stop);
    if (is_end || !is_formatting(name))
        return NULL;
    return after_end_tag(next_tag(after_plain_tag(after, stop), stop), stop, name);
}

/* Whether the formatting tag with this name is closed with nothing but harmless things between.
 *
 * All tags of a page together take linear time: what one passes over has no other that goes far. */
static bool is_closed_soon(const unsigned char *at, const unsigned char *stop)
{
    string name = tag_name(at, stop);
    const unsigned char *tag = next_tag(after_plain_tag(at + name.length, stop), stop), *after = tag;
    while (after != NULL && (after = after_harmless(tag, stop)) != NULL)
        after = tag = next_tag(after, stop);
    return after_end_tag(tag, stop, name) != NULL;
}

#endif
