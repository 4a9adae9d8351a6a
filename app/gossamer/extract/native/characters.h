/* Strings of UTF-8 in a tree, which may be wrong UTF-8, and the classes of their characters. */

#ifndef GOSSAMER_CHARACTERS_H
#define GOSSAMER_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const unsigned char *data;
    size_t length;
} string;

/* The classes of the characters below `known`, by their codes: CharacterClass in
 * app/gossamer/extract/text_statistics.py, which says what they mean. */
typedef struct {
    const unsigned char *classes;
    size_t known;
} characters;

enum class { MARK, POINT, LETTER, VOWEL, SPACE, IDEOGRAPH, STOP };

enum { FIRST_SYMBOL = 0x1F000, FIRST_IDEOGRAPH = 0x20000, AFTER_IDEOGRAPHS = 0x40000 };

static unsigned char lower(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

static bool equals(string one, const char *other)
{
    return one.length == strlen(other) && memcmp(one.data, other, one.length) == 0;
}

/* The same for a word in lower case, as the HTML Standard compares: ASCII alone has cases. */
static bool equals_in_any_case(string one, const char *other)
{
    if (one.length != strlen(other))
        return false;
    for (size_t i = 0; i < one.length; i++)
        if (lower(one.data[i]) != (unsigned char)other[i])
            return false;
    return true;
}

static bool has_url(string style)
{
    for (size_t i = 0; i + 3 <= style.length; i++)
        if (equals_in_any_case((string){style.data + i, 3}, "url"))
            return true;
    return false;
}

/* What the HTML Standard calls ASCII white space. */
static bool is_html_space(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
}

static bool is_empty(string data)
{
    for (size_t i = 0; i < data.length; i++)
        if (!is_html_space(data.data[i]))
            return false;
    return true;
}

/* `data` without white space of HTML at its ends. */
static string without_space(string data)
{
    while (data.length > 0 && is_html_space(data.data[0]))
        data = (string){data.data + 1, data.length - 1};
    while (data.length > 0 && is_html_space(data.data[data.length - 1]))
        data.length--;
    return data;
}

/* Bytes of the UTF-8 character at the beginning of `left` bytes; 0 if there is none. */
static size_t bytes_of_character(const unsigned char *at, size_t left)
{
    if (at[0] < 0x80)
        return 1;
    size_t bytes = at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    if (bytes == 0 || bytes > left)
        return 0;
    /* Neither in more bytes than it takes, nor a surrogate, nor beyond Unicode. */
    unsigned char lowest = at[0] == 0xE0 ? 0xA0 : at[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char highest = at[0] == 0xED ? 0x9F : at[0] == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < lowest || at[1] > highest)
        return 0;
    for (size_t i = 2; i < bytes; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return bytes;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "on this machine the first byte is the highest"
#endif

/* Bytes of text that are looked at together. */
enum { PIECE = 8 };
static const uint64_t EACH_BYTE = UINT64_C(0x0101010101010101);
static const uint64_t HIGH_BITS = UINT64_C(0x8080808080808080);

/* The piece of `text` at `at`, the first byte lowest; 0 stands for what is beyond its end. */
static inline uint64_t piece_at(string text, size_t at)
{
    const unsigned char *data = text.data + at;
    size_t left = text.length - at;
    uint64_t piece = 0;
    if (left >= PIECE) {
        memcpy(&piece, data, PIECE);
    } else if (left > 0 && text.length >= PIECE) {
        memcpy(&piece, text.data + text.length - PIECE, PIECE);
        piece >>= 8 * (PIECE - left);
    } else {
        uint32_t four = 0;
        uint16_t two = 0;
        if (left & 1)
            piece = data[left - 1];
        if (left & 2) {
            memcpy(&two, data + (left & 4), sizeof two);
            piece = piece << 16 | two;
        }
        if (left & 4) {
            memcpy(&four, data, sizeof four);
            piece = piece << 32 | four;
        }
    }
    return piece;
}

static bool is_ascii(string data)
{
    uint64_t high_bits = 0;
    for (size_t i = 0; i < data.length; i += PIECE)
        high_bits |= piece_at(data, i);
    return (high_bits & HIGH_BITS) == 0;
}

static bool is_utf_8(string data)
{
    for (size_t i = 0; i < data.length;) {
        if ((piece_at(data, i) & HIGH_BITS) == 0) {
            i += PIECE;
            continue;
        }
        size_t bytes = bytes_of_character(data.data + i, data.length - i);
        if (bytes == 0)
            return false;
        i += bytes;
    }
    return true;
}

/* The class of the character of so many bytes. */
static enum class class_of(const characters *characters, const unsigned char *at, size_t bytes)
{
    static const unsigned char first_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t code = at[0] & first_bits[bytes];
    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | (at[i] & 0x3F);
    if (bytes == 0)
        return MARK;
    if (code < characters->known)
        return (enum class)characters->classes[code];
    if (code < FIRST_SYMBOL)
        return LETTER;
    return code >= FIRST_IDEOGRAPH && code < AFTER_IDEOGRAPHS ? IDEOGRAPH : MARK;
}

/* `data` without white space at its ends, as Python strips it. */
static string stripped(const characters *characters, string data)
{
    while (data.length > 0) {
        size_t bytes = bytes_of_character(data.data, data.length);
        if (class_of(characters, data.data, bytes) != SPACE)
            break;
        data.data += bytes;
        data.length -= bytes;
    }
    while (data.length > 0) {
        size_t start = data.length - 1;
        while (start > 0 && data.length - start < 4 && (data.data[start] & 0xC0) == 0x80)
            start--;
        size_t bytes = bytes_of_character(data.data + start, data.length - start);
        if (start + bytes != data.length || class_of(characters, data.data + start, bytes) != SPACE)
            break;
        data.length = start;
    }
    return data;
}

#endif
