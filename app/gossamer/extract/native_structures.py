"""The structures of `app/gossamer/extract/native`, with their memory layout."""

import ctypes
from typing import Final

FUNCTIONS: Final = (
    "lxb_dom_element_first_attribute_noi",
    "lxb_dom_element_qualified_name",
    "lxb_dom_attr_qualified_name",
)


class Functions(ctypes.Structure):
    """`functions`: those of lexbor with these names."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in FUNCTIONS)


class NamedRoles(ctypes.Structure):
    """`named_roles`."""

    _fields_ = (("name", ctypes.c_char_p), ("roles", ctypes.c_size_t))


class Wanted(ctypes.Structure):
    """`wanted`."""

    _fields_ = (
        ("roles", ctypes.c_void_p),
        ("tags", ctypes.c_size_t),
        ("unnumbered", ctypes.c_void_p),
        ("unnumbered_tags", ctypes.c_size_t),
        ("classes", ctypes.c_char_p),
        ("known", ctypes.c_size_t),
        ("style", ctypes.c_size_t),
        ("href", ctypes.c_size_t),
        ("rel", ctypes.c_size_t),
        ("target", ctypes.c_size_t),
        ("id", ctypes.c_size_t),
        ("class", ctypes.c_size_t),
        ("max_number", ctypes.c_size_t),
        ("max_elements", ctypes.c_size_t),
        ("max_titles", ctypes.c_size_t),
        ("max_parents", ctypes.c_size_t),
        ("max_text_nodes", ctypes.c_size_t),
        ("max_page_text_nodes", ctypes.c_size_t),
        ("node_text", ctypes.c_size_t),
        ("max_text", ctypes.c_size_t),
        ("max_line", ctypes.c_size_t),
        ("generic", ctypes.c_char_p),
        ("linking", ctypes.POINTER(ctypes.c_char_p)),
        ("linking_count", ctypes.c_size_t),
    )


class Exclusion(ctypes.Structure):
    """`exclusion`."""

    _fields_ = (
        ("tags", ctypes.c_char_p),
        ("tag_count", ctypes.c_size_t),
        ("unnumbered", ctypes.POINTER(ctypes.c_char_p)),
        ("unnumbered_count", ctypes.c_size_t),
        ("classes", ctypes.POINTER(ctypes.c_char_p)),
        ("class_count", ctypes.c_size_t),
        ("ids", ctypes.POINTER(ctypes.c_char_p)),
        ("id_count", ctypes.c_size_t),
    )


class Shape(ctypes.Structure):
    """`shape`."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("html_tags", "head_tags", "body_tags", "is_body_before_html", "is_head_not_first"),
            *("has_lorem", "invalid_at", "invalid_length"),
        )
    )


class TagCounts(ctypes.Structure):
    """`tag_counts`."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in ("tags", "formatting", "last_frame"))
