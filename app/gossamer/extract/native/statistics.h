/* Words, sentences and syllables of a text, and its sketch: see
 * app/gossamer/extract/text_statistics.py. The text is UTF-8; where blocks begin and end, it has a
 * NUL. */

#ifndef GOSSAMER_STATISTICS_H
#define GOSSAMER_STATISTICS_H

#include "characters.h"
#include "phrases.h"

enum { BINS = 128, MIN_SKETCH_WORDS = 20, BIN_SHIFT = 25 };

typedef struct {
    const characters *characters;
    string text;
    size_t words, sentences, syllables, length;
    uint64_t last; /* the last five words */
    uint32_t lowest[BINS]; /* one more than the value; 0 for none */
    bool is_begun; /* a sentence has a word */
} statistics;

/* A stretch without white space. */
typedef struct run {
    size_t first, after; /* from the first letter to the last; none where these are the same */
    size_t groups; /* of vowels */
    enum class last;
    bool is_open;
} run;

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

static void add_word(statistics *found, size_t at, size_t end)
{
    found->last = found->last << OLDER_BITS ^ number_of_bytes(found->text, at, end, true);
    found->is_begun = true;
    if (++found->words < PHRASE_WORDS)
        return;
    uint32_t phrase = (uint32_t)(mix(found->last ^ found->last >> 32) >> 32);
    uint32_t value = (phrase & ((UINT32_C(1) << BIN_SHIFT) - 1)) + 1;
    uint32_t *lowest = &found->lowest[phrase >> BIN_SHIFT];
    if (*lowest == 0 || value < *lowest)
        *lowest = value;
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

static void end_run(statistics *found, run *run, enum class next)
{
    if (!run->is_open)
        return;
    if (run->after > run->first) {
        size_t groups = run->groups;
        add_word(found, run->first, run->after);
        groups -= groups > 1 && is_e_silent(found, run->after);
        found->syllables += groups > 0 ? groups : 1;
    }
    if (run->last == POINT && next != IDEOGRAPH)
        end_sentence(found);
    run->is_open = false;
}

static void add_to_run(run *run, size_t at, size_t bytes, enum class class)
{
    if (!run->is_open)
        *run = (struct run){.is_open = true};
    if (class == LETTER || class == VOWEL) {
        if (run->after == 0)
            run->first = at;
        run->after = at + bytes;
        run->groups += class == VOWEL && run->last != VOWEL;
    }
    run->last = class;
}

/* Take in the text. */
static void measure(statistics *found)
{
    string text = found->text;
    run run = {.is_open = false};
    bool is_space = false;
    size_t bytes;
    for (size_t at = 0; at < text.length; at += bytes) {
        unsigned char byte = text.data[at];
        bytes = byte < 0x80 ? 1 : bytes_of_character(text.data + at, text.length - at);
        enum class class = byte < 0x80 ? (enum class)found->characters->classes[byte]
                                       : class_of(found->characters, text.data + at, bytes);
        bytes += bytes == 0; /* then it is no UTF-8, which the caller finds out */
        if (class == SPACE || byte == '\0') {
            is_space = found->length > 0;
        } else {
            found->length += 1 + (size_t)is_space;
            is_space = false;
        }
        if (class != SPACE && class != STOP && class != IDEOGRAPH) {
            add_to_run(&run, at, bytes, class);
            continue;
        }
        end_run(found, &run, class);
        if (class == STOP)
            end_sentence(found);
        if (class == IDEOGRAPH) {
            add_word(found, at, at + bytes);
            found->syllables++;
        }
    }
    end_run(found, &run, SPACE);
    end_sentence(found);
}

/* The characters of `text`, a run of white space as one. */
static size_t collapsed_length(const characters *characters, string text)
{
    size_t length = 0, bytes;
    bool is_space = false;
    for (size_t at = 0; at < text.length; at += bytes) {
        unsigned char byte = text.data[at];
        bytes = byte < 0x80 ? 1 : bytes_of_character(text.data + at, text.length - at);
        bool is_here = byte == '\0' || class_of(characters, text.data + at, bytes) == SPACE;
        bytes += bytes == 0;
        length += is_here ? 0 : 1 + (size_t)(is_space && length > 0);
        is_space = is_here;
    }
    return length;
}

/* Write the low bytes of the bins; an empty one has that of the next. */
static void put_sketch(const statistics *found, unsigned char *sketch)
{
    uint32_t last = 0;
    for (size_t bin = 0; bin < BINS && last == 0; bin++)
        last = found->lowest[bin];
    for (size_t bin = BINS; bin-- > 0;) {
        if (found->lowest[bin] != 0)
            last = found->lowest[bin];
        sketch[bin] = (unsigned char)(last - 1);
    }
}

#endif
