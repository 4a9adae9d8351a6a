/* Numbers by keys of 64 bits, which are hashes, in memory that grows. */

#ifndef GOSSAMER_TABLE_H
#define GOSSAMER_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    uint64_t key;
    uint32_t number; /* 0 where there is none */
} slot;

typedef struct {
    slot *slots;
    size_t room, count; /* room is a power of two */
} table;

enum { FIRST_SLOTS = 128 };

static slot *slot_of(const table *table, uint64_t key)
{
    size_t at = (size_t)key & (table->room - 1);
    while (table->slots[at].number != 0 && table->slots[at].key != key)
        at = (at + 1) & (table->room - 1);
    return &table->slots[at];
}

static bool has_grown(table *grown)
{
    table larger = {.room = grown->room > 0 ? 2 * grown->room : FIRST_SLOTS, .count = grown->count};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < grown->room; i++)
        if (grown->slots[i].number != 0)
            *slot_of(&larger, grown->slots[i].key) = grown->slots[i];
    free(grown->slots);
    *grown = larger;
    return true;
}

/* Where the number of this key stands, which is 0 at first and has to be set; NULL without memory. */
static uint32_t *number_at(table *table, uint64_t key)
{
    if (2 * table->count >= table->room && !has_grown(table))
        return NULL;
    slot *found = slot_of(table, key);
    if (found->number == 0) {
        found->key = key;
        table->count++;
    }
    return &found->number;
}

#endif
