/* Index bytes to records: open in O(1), look up without allocation, but that names and paths are unpacked, some
 * together, when one of them is asked for first, and then kept until the view is closed. Bytes are not trusted: every
 * offset is checked when it is followed. A view is shared freely between threads. */
#ifndef FM_INDEX_READ_VIEW_H
#define FM_INDEX_READ_VIEW_H

#include "core/heap.h"
#include "index/format/flags.h"
#include "index/format/kinds.h"
#include "index/read/positions/frame_cache.h"
#include <string.h>

#define FM_VIEW_NONE UINT32_MAX

struct fm_view; /* caller-allocated through fm_view_size(); holds pointers into the bytes */

struct fm_view_about {
    unsigned format_version;
    framemap_str kind, id, arch, name;
    uint64_t base;
    unsigned address_bits;
    bool big_endian, numbered_scopes, has_lines;
    uint64_t size_bytes, scope_count, position_count, function_count, file_count, string_bytes, node_count;
    bool is_segments; /* of the segment form, where scopes are lines with segments, positions segments, functions names,
                         and files sources */
    uint64_t class_count; /* of the class form, where scopes are methods, positions spans, functions members, and files
                             original classes */
};

/* bytes are borrowed until fm_view_close. Errors: FORMAT, VERSION, TRUNCATED, CORRUPT, MEMORY. */
framemap_status fm_view_open(framemap_str bytes, struct fm_heap *heap, struct fm_view **out, framemap_error *error);
void fm_view_close(struct fm_view *view);
void fm_view_about(const struct fm_view *view, struct fm_view_about *out);
/* What every answer needs of fm_view_about; valid as long as the view. */
enum fm_view_form {                    /* what an index holds, and which calls read it */
                    FM_FORM_POSITIONS, /* scopes with positions: view.h */
                    FM_FORM_CLASSES,   /* renamed classes: class_view.h */
                    FM_FORM_SEGMENTS   /* segments of a generated text: segment_view.h */
};
struct fm_view_identity {
    framemap_str kind, id, arch, name;
    uint64_t base;
    bool has_addresses, numbered_scopes, has_image;
    enum fm_view_form form;
    const struct fm_kind *kind_row;
    framemap_kind family; /* of the frames that it restores; of a kind that is not listed NATIVE with addresses,
                             else UNKNOWN */
    bool arch_is_arm;     /* of 32 or 64 bits, by any of its names that begins with arm or thumb */
    uint64_t image;       /* scope of the empty key, with has_image */
};
/* A view begins with this, so that what every question needs is read without a call. */
struct fm_view_face {
    struct fm_view_identity about;
    /* Texts of STRINGS that begin in [roomy, roomy + roomy_size) have FM_VIEW_ROOM readable bytes from there on. */
    uintptr_t roomy;
    uint64_t roomy_size;
    struct fm_frames
        *frames; /* what nodes say whatever position was asked for, as far as it was worked out: frame_cache.h */
};
static inline const struct fm_view_face *fm_view_face(const struct fm_view *view) { return (const void *)view; }
static inline const struct fm_view_identity *fm_view_identity(const struct fm_view *view)
{
    return &fm_view_face(view)->about;
}
static inline struct fm_frames *fm_view_frames(const struct fm_view *view) { return fm_view_face(view)->frames; }
static inline bool fm_view_is_classes(const struct fm_view *view)
{
    return fm_view_identity(view)->form == FM_FORM_CLASSES;
}
static inline bool fm_view_is_segments(const struct fm_view *view)
{
    return fm_view_identity(view)->form == FM_FORM_SEGMENTS;
}
/* Copies a text that is borrowed from the view, if it is not long by the same few instructions whatever its size: how
 * long a name is nobody can guess. out: room for FM_VIEW_ROOM bytes more than the text has. Gives what is behind it. */
#define FM_VIEW_ROOM 64u
static inline char *fm_view_copy(const struct fm_view *view, framemap_str text, char *out)
{
    const struct fm_view_face *face = fm_view_face(view);
    if (text.size <= FM_VIEW_ROOM && (uintptr_t)text.data - face->roomy < face->roomy_size) {
        memcpy(out, text.data, FM_VIEW_ROOM / 2);
        if (text.size > FM_VIEW_ROOM / 2)
            memcpy(out + FM_VIEW_ROOM / 2, text.data + FM_VIEW_ROOM / 2, FM_VIEW_ROOM / 2);
    } else if (text.size) {
        memcpy(out, text.data, text.size);
    }
    return out + text.size;
}
bool fm_view_attribute(const struct fm_view *view, framemap_str key, framemap_str *out);
/* Every checksum, every record. */
framemap_status fm_view_verify(const struct fm_view *view, framemap_error *error);

/* --- looking up --- */

/* An answer: valid as long as the view. */
struct fm_hit_entry { /* the view's own */
    uint32_t node_code, file_code, col1, name_code;
    int64_t line;
    bool has_line, follows;
};
struct fm_hit {
    uint64_t scope;       /* number of the scope */
    uint64_t position;    /* asked for */
    uint64_t start, end;  /* the answer holds for positions [start, end), and for more where a bucket begins or ends
                             within it; an end of  UINT64_MAX is to be taken with that position */
    uint32_t place_count; /* 0: nothing known there; 1; more: alternatives */
    struct fm_hit_entry entry;
    struct fm_view_frame
        *place; /* of a plain one: where its node's frame is or will be kept; NULL: it was not looked for */
};
struct fm_view_place {
    uint32_t node;                  /* FM_VIEW_NONE */
    framemap_str folder, base_name; /* path = folder + base_name, as it was given; both empty: unknown */
    uint32_t line1, col1;           /* line1: at hit.position */
    framemap_str name;
    uint32_t flags; /* FM_PLACE_… of builder.h, same values */
};
struct fm_view_node {
    uint32_t parent; /* FM_VIEW_NONE: a root */
    framemap_str function, class_name;
    framemap_str decl_folder, decl_base_name;
    uint32_t decl_line1;
    uint8_t language;
    framemap_str call_folder, call_base_name; /* where the parent calls it */
    uint32_t call_line1, call_col1;
    uint32_t flags; /* FM_NODE_… */
    uint64_t start, size;
    framemap_str symbol;
    uint32_t alias_count;
};

/* false: no such scope. */
bool fm_view_scope(const struct fm_view *view, framemap_str key, uint64_t *scope);
bool fm_view_scope_number(const struct fm_view *view, uint64_t key, uint64_t *scope);
/* Scopes in the order of their keys, 0 .. scope_count - 1 (of the class form none). number: for numbered scopes;
 * [first, last]: positions that can be covered. */
bool fm_view_scope_at(const struct fm_view *view, uint64_t scope, framemap_str *key, uint64_t *number, uint64_t *first,
                      uint64_t *last);

/* Always succeeds on a sound index, with place_count 0 where nothing is known; CORRUPT only for damaged bytes. */
framemap_status fm_view_lookup(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out);
/* What most positions lead to: a hit in short, without start and end. */
enum fm_short_kind {
    FM_SHORT_OTHER, /* looking up tells */
    FM_SHORT_NOTHING,
    FM_SHORT_PLACE, /* one, without a line */
    FM_SHORT_LINE   /* one with a line */
};
struct fm_short_hit {
    struct fm_view_frame *place; /* where its node's frame is or will be kept; NULL: it was not looked for */
    uint32_t kind, node_code, file_code, col1;
    int32_t line; /* behind the one where its node's function is declared */
};
/* As fm_view_lookup does it, in less time. The answer is told as well where something around it is damaged. */
void fm_view_find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out);
/* FM_VIEW_BATCH at most at once, faster still: they are enough to hide the wait for memory. Frames of their chains are
 * on their way then. */
#define FM_VIEW_BATCH 16
void fm_view_find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                       struct fm_short_hit *out);
/* Both as they are done by CPUs that can do the least; with the same answers. */
void fm_view_find_plain(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out);
void fm_view_find_many_plain(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                             struct fm_short_hit *out);
/* The hit of a position for which that was found: all that its chains take, without start and end where fm_view_lookup
 * was not needed. */
framemap_status fm_view_whole_hit(const struct fm_view *view, uint64_t scope, uint64_t position,
                                  const struct fm_short_hit *found, struct fm_hit *out);
framemap_status fm_view_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                              struct fm_view_place *out);
framemap_status fm_view_node(const struct fm_view *view, uint32_t node, struct fm_view_node *out);
framemap_status fm_view_alias(const struct fm_view *view, uint32_t node, uint32_t which, framemap_str *out);

/* --- chains: from a hit to its frames by numbers, so that no text is read which nobody asks for --- */

#define FM_VIEW_NO_ROW UINT64_MAX

/* One frame of a chain: a function and the place in its text. */
struct fm_view_link {
    uint32_t node;   /* FM_VIEW_NONE: no function is known */
    uint32_t parent; /* FM_VIEW_NONE: the outermost frame */
    uint64_t
        function; /* number for fm_view_link_names and fm_view_kept_name; none where it is at least function_count */
    uint64_t file,
        home; /* numbers for fm_view_path: of the place, and where the function is declared; FM_VIEW_NO_ROW: unknown */
    uint32_t line1, col1; /* of the place; line1 of the first link at hit.position */
    uint32_t decl_line1;
    uint32_t flags; /* FM_NODE_ARTIFICIAL, FM_NODE_HAS_START */
    uint64_t call_code, call_col,
        wide; /* the view's own: where the parent calls it; and what is known of an outermost function */
    uint64_t root_begin, root_size;
    unsigned root_flags;
    bool declared; /* home is where it is declared, not only the file that it is mostly in */
};
/* The innermost frame of a hit's place; name: the place's own. Errors: ARGUMENT (no such place), CORRUPT, MEMORY. */
framemap_status fm_view_link_first(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                                   struct fm_view_link *out, framemap_str *name);
/* The frame around it: link->parent must not be FM_VIEW_NONE. Chains of a sound index end; in a damaged one they may be
 * as long as it has nodes. Errors: CORRUPT. */
framemap_status fm_view_link_up(const struct fm_view *view, struct fm_view_link *link);
/* A node's own link, without a place. Errors: CORRUPT. */
framemap_status fm_view_link_node(const struct fm_view *view, uint64_t node, struct fm_view_link *out);
/* Texts of its function, absent for none. Errors: CORRUPT, MEMORY. */
framemap_status fm_view_link_names(const struct fm_view *view, const struct fm_view_link *link, framemap_str *function,
                                   framemap_str *class_name);
/* What is known of the machine code of an outermost frame. */
struct fm_view_root {
    uint64_t start, size; /* start: with has_start */
    framemap_str symbol;
    uint32_t alias_count;
    bool has_start;
};
framemap_status fm_view_link_root(const struct fm_view *view, const struct fm_view_link *link,
                                  struct fm_view_root *out);

/* What the view makes once and keeps, for any thread, within bounds that the index's own size sets and its heap allows.
 */

/* Folder and base name of a file, joined: kept by the view, or, where it can't keep more, in the arena, without which
 * that is MEMORY. Absent for FM_VIEW_NO_ROW. Errors: CORRUPT, MEMORY. */
framemap_status fm_view_path(const struct fm_view *view, uint64_t file, struct fm_arena *arena, framemap_str *out);
/* A readable spelling of a function's name, of one style: what was kept before; false: nothing. */
bool fm_view_kept_name(const struct fm_view *view, uint64_t function, framemap_str *out);
/* The same of a name that belongs to a node, and not to each node of its function: one that the symbol table gives. */
bool fm_view_kept_whole_name(const struct fm_view *view, uint32_t node, framemap_str *out);
framemap_str fm_view_keep_whole_name(const struct fm_view *view, uint32_t node, framemap_str text);
/* Keeps it: gives the text that is kept from now on, or the same text where it can't be. */
framemap_str fm_view_keep_name(const struct fm_view *view, uint64_t function, framemap_str text);
/* The frame of a node: one that the view keeps, or where it can't keep more `own`, with texts in the arena. Errors:
 * CORRUPT, MEMORY. */
framemap_status fm_view_node_frame(const struct fm_view *view, uint64_t node, struct fm_arena *arena,
                                   struct fm_view_frame *own, const struct fm_view_frame **out);
/* What a frame with FM_FRAME_MORE does not tell itself. */
struct fm_view_more {
    framemap_str class_name;
    uint64_t size;        /* of an outermost one's machine code */
    uint32_t alias_count; /* FM_LIMIT_ALTERNATIVES at most */
    framemap_str aliases[];
};
/* Kept by the view, or where it can't keep more in the arena. Errors: CORRUPT, MEMORY. */
framemap_status fm_view_more(const struct fm_view *view, uint32_t node, struct fm_arena *arena,
                             const struct fm_view_more **out);
/* Readable spellings of a node's aliases, of one style: what was kept before; NULL: nothing. node < node_count. */
const framemap_str *fm_view_kept_aliases(const struct fm_view *view, uint32_t node);
/* Keeps them, with their texts: gives those that are kept from now on, or the same ones where they can't be. node <
 * node_count. */
const framemap_str *fm_view_keep_aliases(const struct fm_view *view, uint32_t node, const framemap_str *aliases,
                                         uint32_t count);
/* A hit that is one place of a node at a line of its own, without a name: its line is fm_hit_line, and its file the
 * node's home, or fm_view_hit_path. */
static inline bool fm_hit_is_plain(const struct fm_frames *frames, const struct fm_hit *hit)
{
    const struct fm_hit_entry *entry = &hit->entry;
    return hit->place_count == 1 && !entry->follows && entry->name_code == 0 && entry->node_code > 0 &&
           entry->node_code <= frames->count;
}
/* The line so far behind the one where a function is declared, 0 without one. false: damaged. */
static inline bool fm_line_behind(bool has_line, int64_t behind, const struct fm_view_frame *frame, uint32_t *out)
{
    const int64_t line = has_line ? behind + (int64_t)frame->decl_line1 : 0;
    *out = (uint32_t)line;
    return line >= 0 && line <= UINT32_MAX;
}
static inline bool fm_hit_line(const struct fm_hit *hit, const struct fm_view_frame *frame, uint32_t *out)
{
    return fm_line_behind(hit->entry.has_line, hit->entry.line, frame, out);
}
static inline bool fm_short_line(const struct fm_short_hit *found, const struct fm_view_frame *frame, uint32_t *out)
{
    return fm_line_behind(found->kind == FM_SHORT_LINE, found->line, frame, out);
}
static inline bool fm_hit_is_home(const struct fm_hit *hit) { return hit->entry.file_code == 0; }
/* The path of any other file. Errors: CORRUPT, MEMORY. */
framemap_status fm_view_hit_path(const struct fm_view *view, const struct fm_hit *hit, struct fm_arena *arena,
                                 framemap_str *out);

/* Walking: the first hit of the scope that starts at or after `from`, gaps included, with its start and end where the
 * builder had them; false when there is none. hit.position is its start. All hits of a scope:
 *
 *     for (bool more = fm_view_next(v, s, 0, &hit); more; more = hit.start != UINT64_MAX && fm_view_next(v, s,
 * hit.start + 1, &hit)) …
 */
bool fm_view_next(const struct fm_view *view, uint64_t scope, uint64_t from, struct fm_hit *out);

/* --- split form: parts of an index as indexes of their own, for a key-value store --- */

/* How many values there are, the head counted. (For the class form see class_view.h.) */
uint64_t fm_view_bucket_count(const struct fm_view *view);
/* Value 0 is the head, under "KIND:ID:head": scopes and ranges, so that fm_view_scope and fm_view_bucket_key work on it
 * as on the whole. The others are what 16 neighbouring buckets hold, under "KIND:ID:NUMBER": same format, same reader,
 * scopes to be looked up in it again. *out and key are in the arena; where nothing is known in a value, size 0. Errors:
 * ARGUMENT (no such value), CORRUPT, LIMIT, MEMORY. */
framemap_status fm_view_bucket(const struct fm_view *view, uint64_t bucket, struct fm_arena *arena, framemap_str *key,
                               framemap_str *out, framemap_error *error);
/* The key under which a position of a scope is found, in the arena; size 0 where nothing is known there. Errors:
 * CORRUPT, MEMORY. */
framemap_status fm_view_bucket_key(const struct fm_view *view, uint64_t scope, uint64_t position,
                                   struct fm_arena *arena, framemap_str *key, framemap_error *error);

#endif
