/* What a text says, in a few numbers: see app/gossamer/extract/phrases.py. */

#ifndef GOSSAMER_PHRASES_H
#define GOSSAMER_PHRASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "characters.h"

enum { MAX_PHRASES = 16, PHRASE_WORDS = 5, MAX_PHRASE_WORDS = 5000, MAX_OWN_WORDS = 64 };

typedef struct {
    uint32_t kept[MAX_PHRASES]; /* rising */
    size_t count, words;
    uint64_t own[MAX_OWN_WORDS]; /* the words of the page's address, which do not count */
    size_t own_count;
} phrases;

static bool is_of_word(unsigned char byte)
{
    return byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_own_word(const phrases *found, uint64_t word)
{
    for (size_t i = 0; i < found->own_count; i++)
        if (found->own[i] == word)
            return true;
    return false;
}

static void keep_phrase(phrases *found, const uint64_t words[PHRASE_WORDS])
{
    uint64_t mixed = 0;
    for (size_t i = 0; i < PHRASE_WORDS; i++)
        mixed = mixed * 31 + words[i];
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t phrase = (uint32_t)(mixed >> 32);
    size_t place = found->count;
    while (place > 0 && found->kept[place - 1] > phrase)
        place--;
    if (place == MAX_PHRASES || (place > 0 && found->kept[place - 1] == phrase))
        return;
    found->count += found->count < MAX_PHRASES;
    for (size_t i = found->count - 1; i > place; i--)
        found->kept[i] = found->kept[i - 1];
    found->kept[place] = phrase;
}

/* The word that begins at `*at`, as a number: its bytes, modulo 2^61 - 1. */
static uint64_t word_at(string text, size_t *at)
{
    const uint64_t modulus = (UINT64_C(1) << 61) - 1, low = (UINT64_C(1) << 53) - 1;
    uint64_t word = 0;
    for (; *at < text.length && is_of_word(text.data[*at]); ++*at)
        word = ((word & low) << 8) + (word >> 53) + lower(text.data[*at]);
    return word % modulus;
}

/* Take in the address of the page, percent-decoded. */
static void begin_phrases(phrases *found, string address)
{
    for (size_t i = 0; i < address.length && found->own_count < MAX_OWN_WORDS;)
        if (is_of_word(address.data[i]))
            found->own[found->own_count++] = word_at(address, &i);
        else
            i++;
}

/* Take in the phrases of one text. */
static void add_phrases(phrases *found, string text)
{
    uint64_t words[PHRASE_WORDS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < text.length && found->words < MAX_PHRASE_WORDS;) {
        if (!is_of_word(text.data[i])) {
            i++;
            continue;
        }
        uint64_t word = word_at(text, &i);
        found->words++;
        if (is_own_word(found, word))
            continue;
        for (size_t i = 1; i < PHRASE_WORDS; i++)
            words[i - 1] = words[i];
        words[PHRASE_WORDS - 1] = word;
        if (++count >= PHRASE_WORDS)
            keep_phrase(found, words);
    }
    if (count > 0 && count < PHRASE_WORDS)
        keep_phrase(found, words);
}

#endif
