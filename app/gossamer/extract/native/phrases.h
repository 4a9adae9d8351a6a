/* What a text says, in a few numbers: see app/gossamer/extract/phrase_hashes.py.
 *
 * Text is read eight bytes at a time, most words at once. The first of them is the lowest.
 */

#ifndef GOSSAMER_PHRASES_H
#define GOSSAMER_PHRASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "characters.h"

enum { MAX_PHRASES = 16, PHRASE_WORDS = 5, MAX_PHRASE_WORDS = 5000, MAX_OWN_WORDS = 64 };
enum { OLDER_BITS = 13 };
static const uint64_t MIXER = UINT64_C(0x9E3779B97F4A7C15);

typedef struct {
    uint32_t kept[MAX_PHRASES]; /* rising */
    size_t count, words;
    uint64_t own[MAX_OWN_WORDS]; /* the words of the page's address, which do not count */
    size_t own_count;
    uint64_t sieve; /* a bit for each of them: most words of a page are not among them */
} phrases;

static uint64_t mix(uint64_t number)
{
    number *= MIXER;
    return number ^ number >> 32;
}

/* The high bits of those bytes that words consist of: a to z in any case, and all beyond ASCII. */
static uint64_t letters_of(uint64_t piece)
{
    uint64_t lower = (piece & ~HIGH_BITS) | EACH_BYTE * 0x20;
    uint64_t from_a = lower + EACH_BYTE * (0x80 - 'a');
    uint64_t beyond_z = lower + EACH_BYTE * (0x80 - 'z' - 1);
    return ((from_a & ~beyond_z) | piece) & HIGH_BITS;
}

/* How many bytes come before the first of these high bits. */
static size_t bytes_before(uint64_t high_bits)
{
    return high_bits != 0 ? (size_t)__builtin_ctzll(high_bits) / 8 : PIECE;
}

/* The word that begins at `*at`, as a number. */
static uint64_t word_at(string text, size_t *at)
{
    uint64_t word = 0;
    for (size_t length = PIECE; length == PIECE && *at < text.length;) {
        uint64_t piece = piece_at(text, *at), letters = letters_of(piece);
        length = bytes_before(letters ^ HIGH_BITS);
        if (length == 0)
            break;
        piece |= (letters & ~piece) >> 2; /* ASCII in lower case */
        word = mix(word ^ (piece & UINT64_MAX >> (64 - 8 * length)));
        *at += length;
    }
    return word;
}

/* Whether there is another word from `*at` on; which, and where it ends. */
static inline bool next_word(string text, size_t *at, uint64_t *word)
{
    for (; *at < text.length; *at += PIECE) {
        uint64_t piece = piece_at(text, *at), letters = letters_of(piece);
        if (letters == 0)
            continue;
        size_t before = bytes_before(letters);
        size_t length = bytes_before(letters >> 8 * before ^ HIGH_BITS);
        *at += before;
        if (before + length == PIECE) { /* it may continue in the next piece */
            *word = word_at(text, at);
            return true;
        }
        piece |= (letters & ~piece) >> 2;
        *word = mix(piece >> 8 * before & UINT64_MAX >> (64 - 8 * length));
        *at += length;
        return true;
    }
    return false;
}

static uint64_t sieve_bit(uint64_t word)
{
    return UINT64_C(1) << (word >> 58);
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

static void keep_phrase(phrases *found, uint64_t words)
{
    uint32_t phrase = (uint32_t)(mix(words ^ words >> 32) >> 32);
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

/* Take in the address of the page, percent-decoded. */
static void begin_phrases(phrases *found, string address)
{
    uint64_t word;
    for (size_t at = 0; found->own_count < MAX_OWN_WORDS && next_word(address, &at, &word);) {
        found->own[found->own_count++] = word;
        found->sieve |= sieve_bit(word);
    }
}

/* Take in the phrases of one text. */
static void add_phrases(phrases *found, string text)
{
    uint64_t word, last = 0; /* the last five words: older ones are shifted out */
    size_t count = 0, at = 0;
    while (found->words < MAX_PHRASE_WORDS && next_word(text, &at, &word)) {
        found->words++;
        if (is_own_word(found, word))
            continue;
        last = last << OLDER_BITS ^ word;
        if (++count >= PHRASE_WORDS)
            keep_phrase(found, last);
    }
    if (count > 0 && count < PHRASE_WORDS)
        keep_phrase(found, last);
}

#endif
