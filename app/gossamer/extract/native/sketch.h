/* Sketches a text by its phrases: see app/gossamer/extract/text_sketch.py and
 * app/gossamer/model/sketches.py. */

#ifndef GOSSAMER_SKETCH_H
#define GOSSAMER_SKETCH_H

#include "phrases.h"

enum { SKETCH_BYTES = 128, MINHASH_BYTES = 32, COUNT_BYTES = 2, MIN_SKETCH_WORDS = 20 };
enum { MINHASH_BITS = 8 * MINHASH_BYTES, BINS = 2048, BINS_PER_BIT = BINS / MINHASH_BITS };
enum { PARITY_BITS = 8 * (SKETCH_BYTES - MINHASH_BYTES - COUNT_BYTES) };
static const uint32_t VALUES = UINT32_C(1) << 21; /* of a phrase, in its bin */

typedef struct {
    uint32_t lowest[BINS]; /* `VALUES` less the value; 0 for none */
    uint16_t filled[BINS + 1]; /* the bins that have a value, and a place for one more */
    size_t count; /* of them */
} sample;

/* Without a branch, which no processor could foresee. */
static void add_to_sample(sample *sample, uint32_t phrase)
{
    uint32_t bin = phrase / VALUES, value = VALUES - phrase % VALUES;
    uint32_t lowest = sample->lowest[bin];
    sample->filled[sample->count] = (uint16_t)bin;
    sample->count += lowest == 0;
    sample->lowest[bin] = value > lowest ? value : lowest;
}

/* Write a bit of the lowest phrase in each of the wider bins: 0 stands for none, others for one
 * more than its value and then its bin. An empty one has that of the next. */
static void put_minhash(const uint64_t *lowest, unsigned char *minhash)
{
    size_t next = 0;
    while (lowest[next] == 0)
        next++;
    memset(minhash, 0, MINHASH_BYTES);
    for (size_t bin = MINHASH_BITS; bin-- > 0;) {
        next = lowest[bin] != 0 ? bin : next;
        uint64_t phrase = lowest[next] % BINS * VALUES + (lowest[next] / BINS - 1);
        uint64_t bit = mix(mix(phrase)) >> bin % 64 & 1;
        minhash[bin / 8] |= (unsigned char)(bit << bin % 8);
    }
}

/* Write the sketch of a sample of at least one phrase. */
static void sketch_sample(const sample *sample, unsigned char *sketch)
{
    uint64_t lowest[MINHASH_BITS] = {0};
    unsigned char *parity = sketch + MINHASH_BYTES;
    memset(parity, 0, PARITY_BITS / 8);
    for (size_t i = 0; i < sample->count; i++) {
        uint64_t bin = sample->filled[i], value = VALUES - sample->lowest[bin];
        size_t bit = (size_t)((mix(bin * VALUES + value) >> 32) * PARITY_BITS >> 32);
        parity[bit / 8] ^= (unsigned char)(1 << bit % 8);
        uint64_t *least = &lowest[bin / BINS_PER_BIT], ranked = (value + 1) * BINS + bin;
        *least = *least == 0 || ranked < *least ? ranked : *least;
    }
    put_minhash(lowest, sketch);
    for (size_t i = 0; i < COUNT_BYTES; i++)
        sketch[SKETCH_BYTES - COUNT_BYTES + i] = (unsigned char)(sample->count >> 8 * i);
}

#endif
