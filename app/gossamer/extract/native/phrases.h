/* What a text says, in a few numbers: see app/gossamer/extract/phrases.py. */

#ifndef GOSSAMER_PHRASES_H
#define GOSSAMER_PHRASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "characters.h"

enum { MAX_PHRASES = 16, PHRASE_WORDS = 5, MAX_PHRASE_WORDS = 5000, MAX_OWN_WORDS = 64 };
enum { UNMIXED_BYTES = 7 }; /* so many make a number below 2^61 - 1 */

typedef struct {
    uint32_t kept[MAX_PHRASES]; /* rising */
    size_t count, words;
    uint64_t own[MAX_OWN_WORDS]; /* the words of the page's address, which do not count */
    size_t own_count;
    uint64_t sieve; /* a bit for each of them: most words of a page are not among them */
} phrases;

/* The byte in lower case if words consist of it, else 0. */
static unsigned char letter_of(unsigned char byte)
{
    unsigned char folded = byte | 0x20, other = byte >= 0x80 ? byte : 0;
    return (unsigned char)(folded - 'a') < 26 ? folded : other;
}

static uint64_t sieve_bit(uint64_t word)
{
    return UINT64_C(1) << (word * UINT64_C(0x9E3779B97F4A7C15) >> 58);
}

static bool is_own_word(const phrases *found, uint64_t word)
{
    if (!(found->sieve & sieve_bit(word)))
        return false;
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
    const unsigned char *data = text.data + *at, *end = text.data + text.length;
    const unsigned char *unmixed = end - data > UNMIXED_BYTES ? data + UNMIXED_BYTES : end;
    uint64_t word = 0;
    unsigned char letter = 0;
    for (; data < unmixed && (letter = letter_of(*data)) != 0; data++)
        word = word << 8 | letter;
    if (data == unmixed && data < end) {
        for (; data < end && (letter = letter_of(*data)) != 0; data++)
            word = ((word & low) << 8) + (word >> 53) + letter;
        word %= modulus;
    }
    *at = (size_t)(data - text.data);
    return word;
}

static size_t next_word(string text, size_t at)
{
    while (at < text.length && !letter_of(text.data[at]))
        at++;
    return at;
}

/* Take in the address of the page, percent-decoded. */
static void begin_phrases(phrases *found, string address)
{
    size_t at = next_word(address, 0);
    for (; at < address.length && found->own_count < MAX_OWN_WORDS; at = next_word(address, at)) {
        uint64_t word = word_at(address, &at);
        found->own[found->own_count++] = word;
        found->sieve |= sieve_bit(word);
    }
}

/* Take in the phrases of one text. */
static void add_phrases(phrases *found, string text)
{
    uint64_t words[PHRASE_WORDS] = {0};
    size_t count = 0, at = next_word(text, 0);
    for (; at < text.length && found->words < MAX_PHRASE_WORDS; at = next_word(text, at)) {
        uint64_t word = word_at(text, &at);
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
