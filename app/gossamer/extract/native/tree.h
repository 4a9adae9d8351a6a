/* Lexbor's tree of a page, as selectolax publishes it in its lexbor.pxd. */

#ifndef GOSSAMER_TREE_H
#define GOSSAMER_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "characters.h"

typedef struct node node;

struct node {
    void *events;
    uintptr_t name; /* the number of the element's or attribute's name, without prefix */
    uintptr_t prefix;
    uintptr_t namespace;
    void *document;
    node *next, *previous, *parent, *first_child, *last_child;
    void *user;
    int type;
};

enum { ELEMENT = 1, TEXT = 3 };

typedef struct {
    node node;
    string data;
} character_data;

typedef struct attribute attribute;

struct attribute {
    node node;
    uintptr_t upper_name;
    uintptr_t qualified_name;
    const string *value; /* NULL where the attribute stands without one */
    void *owner;
    attribute *next, *previous;
};

/* What lexbor's structures have in front of what is read of them, in words. */
_Static_assert(offsetof(node, name) == 1 * sizeof(void *), "events stand before the name");
_Static_assert(offsetof(node, next) == 5 * sizeof(void *), "five words stand before next");
_Static_assert(offsetof(node, type) == 11 * sizeof(void *), "eleven words stand before the type");
_Static_assert(sizeof(node) == 12 * sizeof(void *), "a node has twelve words");
_Static_assert(sizeof(string) == 2 * sizeof(void *), "a string is an address and a length");
_Static_assert(offsetof(character_data, data) == sizeof(node), "the text follows the node");
_Static_assert(offsetof(attribute, value) == sizeof(node) + 2 * sizeof(void *),
               "two names stand before the value");
_Static_assert(offsetof(attribute, next) == sizeof(node) + 4 * sizeof(void *),
               "value and owner stand before next");

/* Functions of lexbor, whose addresses app/gossamer/extract/native_dom_walk.py finds. */
typedef struct {
    const attribute *(*first_attribute)(const node *element);
    const unsigned char *(*element_name)(const node *element, size_t *length);
    const unsigned char *(*attribute_name)(const attribute *attribute, size_t *length);
} functions;

_Static_assert(sizeof(functions) == 3 * sizeof(void *), "functions are addresses");

#endif
