/* Words, sentences and syllables of a text, and its sketch: see
 * app/gossamer/extract/text_statistics.py. The text is UTF-8; where blocks begin and end, it has a
 * NUL. */

#ifndef GOSSAMER_STATISTICS_H
#define GOSSAMER_STATISTICS_H

#include "characters.h"
#include "phrases.h"
#include "sketch.h"

enum { MAX_VOWELS = 26 };

typedef struct {
    const characters *characters;
    string text;
    size_t words, sentences, syllables, length;
    uint64_t last; /* the last five words */
    sample sample;
    bool is_begun; /* a sentence has a word */
    uint64_t vowels[MAX_VOWELS]; /* each in every byte: those of ASCII, in lower case */
    size_t vowel_count;
} statistics;

static uint64_t number_of_bytes(string text, size_t at, size_t end, bool fold)
{
    uint64_t number = 0;
    for (; at < end; at += PIECE) {
        uint64_t piece = piece_at(text, at);
        if (end - at < PIECE)
            piece &= UINT64_MAX >> (64 - 8 * (end - at));
        if (fold)
            piece |= (letters_of(piece) & ~piece) >> 2; /* ASCII in lower case */
        number = mix(number ^ piece);
    }
    return number;
}

/* Take in a word by its number, see `number_of_bytes`. */
static void add_word(statistics *found, uint64_t word)
{
    found->last = found->last << OLDER_BITS ^ word;
    found->is_begun = true;
    if (++found->words < PHRASE_WORDS)
        return;
    add_to_sample(&found->sample, (uint32_t)(mix(found->last ^ found->last >> 32) >> 32));
}

static void end_sentence(statistics *found)
{
    found->sentences += found->is_begun;
    found->is_begun = false;
}

/* Where the character begins that ends there. */
static size_t character_before(string text, size_t end)
{
    do
        end--;
    while (end > 0 && (text.data[end] & 0xC0) == 0x80);
    return end;
}

/* Whether the character that begins at `at` is a consonant or a digit. */
static bool is_consonant(const statistics *found, size_t at)
{
    const unsigned char *start = found->text.data + at;
    return class_of(found->characters, start,
                    bytes_of_character(start, found->text.length - at)) == LETTER;
}

/* Whether the e of -e, -es or -ed is silent, in a word of several groups of vowels. */
static bool is_e_silent(const statistics *found, size_t end)
{
    string text = found->text;
    unsigned char last = lower(text.data[end - 1]);
    size_t before = character_before(text, end - 1);
    if (last == 'e')
        return is_consonant(found, before) &&
               !(lower(text.data[before]) == 'l' &&
                 is_consonant(found, character_before(text, before)));
    if ((last != 's' && last != 'd') || lower(text.data[before]) != 'e')
        return false;
    before = character_before(text, before);
    if (!is_consonant(found, before))
        return false;
    return strchr(last == 's' ? "lsxzcgh" : "td", lower(text.data[before])) == NULL;
}

static enum class class_at(const statistics *found, size_t at, size_t *bytes)
{
    const unsigned char *start = found->text.data + at;
    *bytes = 1;
    if (*start < 0x80)
        return (enum class)found->characters->classes[*start];
    *bytes = bytes_of_character(start, found->text.length - at);
    enum class class = class_of(found->characters, start, *bytes);
    *bytes += *bytes == 0; /* then it is no UTF-8, which the caller finds out */
    return class;
}

/* The high bits of those bytes of a piece of ASCII that are `each`, which has one byte eight times. */
static uint64_t equal_bytes(uint64_t piece, uint64_t each)
{
    return ~((piece ^ each) + (HIGH_BITS - EACH_BYTE)) & HIGH_BITS;
}

/* Take in the word that begins at `at`, if it is of a few letters of ASCII and white space follows,
 * as after most words; how long it is, 0 if it is another. */
static size_t measure_short_word(statistics *found, size_t at)
{
    if (found->text.length - at < PIECE)
        return 0;
    uint64_t piece = piece_at(found->text, at);
    size_t length = bytes_before(letters_of(piece) ^ HIGH_BITS);
    if (length == 0 || length == PIECE)
        return 0;
    uint64_t mask = UINT64_MAX >> (64 - 8 * length);
    unsigned char next = found->text.data[at + length];
    if ((piece & mask & HIGH_BITS) != 0 || next >= 0x80 || found->characters->classes[next] < SPACE)
        return 0;
    uint64_t word = (piece | EACH_BYTE * 0x20) & mask, vowels = 0;
    for (size_t i = 0; i < found->vowel_count; i++)
        vowels |= equal_bytes(word, found->vowels[i]);
    uint64_t groups_begin = vowels & ~(vowels << 8); /* one bit of a byte for each group */
    size_t groups = (size_t)((groups_begin >> 7) * EACH_BYTE >> 56);
    found->length += length;
    add_word(found, mix(word));
    groups -= groups > 1 && is_e_silent(found, at + length);
    found->syllables += groups > 0 ? groups : 1;
    return length;
}

/* Take in the stretch without white space, stops and ideographs that begins at `at`, if there is
 * one; returns its end. */
static size_t measure_run(statistics *found, size_t at)
{
    const unsigned char *data = found->text.data, *classes = found->characters->classes;
    size_t first = at, after = at, groups = 0, length = 0, bytes, end = at;
    enum class class = SPACE, last = MARK;
    while (end < found->text.length) {
        size_t next = end + 1;
        if (data[end] < 0x80) {
            class = (enum class)classes[data[end]];
        } else {
            class = class_at(found, end, &bytes);
            next = end + bytes;
        }
        if (class >= SPACE)
            break;
        length++;
        groups += (class == VOWEL) & (last != VOWEL);
        after = class >= LETTER ? next : after;
        last = class;
        end = next;
    }
    found->length += length;
    if (after > first) {
        while (class_at(found, first, &bytes) < LETTER)
            first += bytes;
        add_word(found, number_of_bytes(found->text, first, after, true));
        groups -= groups > 1 && is_e_silent(found, after);
        found->syllables += groups > 0 ? groups : 1;
    }
    if (last == POINT && (end == found->text.length || class != IDEOGRAPH))
        end_sentence(found);
    return end;
}

/* Take in the text. */
static void measure(statistics *found)
{
    const unsigned char *classes = found->characters->classes;
    bool is_space = false;
    size_t bytes;
    for (size_t letter = 'a'; letter <= 'z'; letter++)
        if (classes[letter] == VOWEL)
            found->vowels[found->vowel_count++] = EACH_BYTE * letter;
    for (size_t at = 0; at < found->text.length;) {
        unsigned char byte = found->text.data[at];
        if (byte < 0x80 && (classes[byte] == SPACE || byte == '\0')) {
            is_space = found->length > 0;
            if (byte == '\0')
                end_sentence(found);
            at++;
            continue;
        }
        enum class class = class_at(found, at, &bytes);
        if (class == SPACE) {
            is_space = found->length > 0;
            at += bytes;
            continue;
        }
        found->length += is_space;
        is_space = false;
        if (class < SPACE) {
            size_t length = measure_short_word(found, at);
            at = length > 0 ? at + length : measure_run(found, at);
            continue;
        }
        found->length++;
        if (class == STOP) {
            end_sentence(found);
        } else {
            add_word(found, number_of_bytes(found->text, at, at + bytes, true));
            found->syllables++;
        }
        at += bytes;
    }
    end_sentence(found);
}

/* The characters of `text`, a run of white space as one. */
static size_t collapsed_length(const characters *characters, string text)
{
    size_t length = 0, bytes;
    bool is_space = false;
    for (size_t at = 0; at < text.length; at += bytes) {
        unsigned char byte = text.data[at];
        bytes = 1;
        bool is_here = byte == '\0' || characters->classes[byte] == SPACE;
        if (byte >= 0x80) {
            bytes = bytes_of_character(text.data + at, text.length - at);
            is_here = class_of(characters, text.data + at, bytes) == SPACE;
            bytes += bytes == 0;
        }
        length += is_here ? 0 : 1 + (size_t)(is_space && length > 0);
        is_space = is_here;
    }
    return length;
}

#endif
