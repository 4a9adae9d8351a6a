/* Writing MessagePack, as far as a walk needs it, into memory that grows. */

#ifndef GOSSAMER_MESSAGEPACK_H
#define GOSSAMER_MESSAGEPACK_H

#include <stdlib.h>

#include "characters.h"

typedef struct {
    unsigned char *data;
    size_t length, room;
    bool failed; /* then what is in it means nothing */
} buffer;

enum { FIRST_ROOM = 8 * 1024, MAX_ROOM = 1024 * 1024 * 1024 };
enum { HEADER = 5, MAX_SHORT_STRING = 31, MAX_SHORT_MAP = 15, SMALL_NUMBERS = 128 };
enum { SHORT_MAP = 0x80, SHORT_ARRAY = 0x90, SHORT_STRING = 0xA0 };
enum { NIL = 0xC0, NO = 0xC2, YES = 0xC3, BINARY = 0xC6, NUMBER = 0xCE, STRING = 0xDB, ARRAY = 0xDD, MAP = 0xDF };

/* Make room for so many bytes more, unless there is no memory, or it is more than any page takes. */
static void grow(buffer *out, size_t bytes)
{
    size_t room = FIRST_ROOM + 2 * (out->room + bytes);
    unsigned char *data = room < MAX_ROOM ? realloc(out->data, room) : NULL;
    out->failed = data == NULL;
    out->data = data != NULL ? data : out->data;
    out->room = data != NULL ? room : out->room;
}

/* Where to write so many bytes; NULL if there is no room for them. */
static inline unsigned char *more(buffer *out, size_t bytes)
{
    if (!out->failed && out->room - out->length < bytes)
        grow(out, bytes);
    if (out->failed)
        return NULL;
    out->length += bytes;
    return out->data + out->length - bytes;
}

static inline void put_byte(buffer *out, unsigned byte)
{
    unsigned char *place = more(out, 1);
    if (place != NULL)
        *place = (unsigned char)byte;
}

static inline void put_bytes(buffer *out, string data)
{
    unsigned char *place = more(out, data.length);
    if (place != NULL && data.length > 0)
        memcpy(place, data.data, data.length);
}

/* Leave room for a header; returns where, for `end`. */
static size_t begin(buffer *out)
{
    size_t began = out->length;
    more(out, HEADER);
    return began;
}

/* Say what was begun there, and its length or number. */
static void end(buffer *out, size_t began, unsigned kind, size_t number)
{
    if (number > UINT32_MAX)
        out->failed = true;
    if (out->failed)
        return;
    unsigned char *header = out->data + began;
    header[0] = (unsigned char)kind;
    for (size_t i = 1; i < HEADER; i++)
        header[i] = (unsigned char)(number >> (8 * (HEADER - 1 - i)));
}

/* What was put since `begin`. */
static string put_since(const buffer *out, size_t began)
{
    if (out->failed)
        return (string){NULL, 0};
    return (string){out->data + began + HEADER, out->length - began - HEADER};
}

/* Leave of what was put since `begin` nothing but `part` of it. */
static void keep(buffer *out, size_t began, string part)
{
    if (out->failed)
        return;
    if (part.length > 0)
        memmove(out->data + began + HEADER, part.data, part.length);
    out->length = began + HEADER + part.length;
}

static void end_string(buffer *out, size_t began)
{
    string whole = put_since(out, began);
    if (!is_utf_8(whole))
        out->failed = true;
    end(out, began, STRING, whole.length);
}

static void put_string(buffer *out, string data)
{
    if (data.length > MAX_SHORT_STRING) {
        size_t began = begin(out);
        put_bytes(out, data);
        end_string(out, began);
        return;
    }
    if (!is_utf_8(data))
        out->failed = true;
    put_byte(out, SHORT_STRING | (unsigned)data.length);
    put_bytes(out, data);
}

static void put_number(buffer *out, size_t number)
{
    if (number < SMALL_NUMBERS)
        put_byte(out, (unsigned)number);
    else
        end(out, begin(out), NUMBER, number);
}

#endif
