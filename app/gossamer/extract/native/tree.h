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

/* Functions of lexbor, whose addresses app/gossamer/extract/native_walk.py finds. */
typedef struct {
    const attribute *(*first_attribute)(const node *element);
    const unsigned char *(*element_name)(const node *element, size_t *length);
    const unsigned char *(*attribute_name)(const attribute *attribute, size_t *length);
} functions;

#endif
