/* Reads an index: it is opened in constant time, and lookups allocate nothing. Names and paths are decoded in groups on
 * first use and cached until the view is closed. The bytes are not trusted: every offset is checked before it is
 * followed. A view may be shared between threads. Called by resolve/, api/ and session/; class_view.h and
 * segment_view.h declare the calls for the other two forms. */
#ifndef FM_INDEX_READ_VIEW_H
#define FM_INDEX_READ_VIEW_H

#include "core/heap.h"
#include "index/format/flags.h"
#include "index/format/kinds.h"
#include "index/read/positions/frame_cache.h"
#include <string.h>

#define FM_VIEW_NONE UINT32_MAX

struct fm_view; /* an opened index; it holds pointers into the bytes of the index */

struct fm_view_about {
    unsigned format_version;
    framemap_str kind, id, arch, name;
    uint64_t base;
    unsigned address_bits;
    bool big_endian, numbered_scopes, has_lines;
    uint64_t size_bytes, scope_count, position_count, function_count, file_count, string_bytes, node_count;
    bool is_segments;     /* the segment form: scope_count is the number of generated lines, position_count of segments,
                             function_count of names, file_count of sources */
    uint64_t class_count; /* Number of renamed classes; 0 in other forms. In the class form scope_count is the number of
                             methods, position_count of spans, function_count of members, file_count of original
                             classes. */
};

/* Whether the bytes start like an index, of any version. */
bool fm_view_is_index(framemap_str bytes);
/* Opens an index. bytes: borrowed until fm_view_close. Errors: FORMAT, VERSION, TRUNCATED, CORRUPT, MEMORY. */
framemap_status fm_view_open(framemap_str bytes, struct fm_heap *heap, struct fm_view **out, framemap_error *error);
void fm_view_close(struct fm_view *view);
void fm_view_about(const struct fm_view *view, struct fm_view_about *out);
enum fm_view_form {                    /* what an index holds, and which calls read it */
                    FM_FORM_POSITIONS, /* an index of scopes with positions, read by the calls of view.h */
                    FM_FORM_CLASSES,   /* an index of renamed classes, read by the calls of class_view.h */
                    FM_FORM_SEGMENTS   /* an index of the segments of a generated text, read by the calls of
                                          segment_view.h */
};
/* The members of fm_view_about that every answer needs. They are valid as long as the view. */
struct fm_view_identity {
    framemap_str kind, id, arch, name;
    uint64_t base;
    bool has_addresses, numbered_scopes, has_image;
    enum fm_view_form form;
    const struct fm_kind *kind_row;
    framemap_kind family; /* kind of the frames that the index restores; for an unlisted kind NATIVE if the index has
                             addresses, else UNKNOWN */
    bool arch_is_arm;     /* the architecture's name starts with "arm" or "thumb", so it is ARM of 32 or 64 bits */
    uint64_t image;       /* with has_image: number of the scope with the empty key */
};
/* The first part of every view: what every query needs can be read from it without a call. */
struct fm_view_face {
    struct fm_view_identity about;
    /* Strings that start in [roomy, roomy + roomy_size) have FM_VIEW_ROOM readable bytes from their start on. */
    uintptr_t roomy;
    uint64_t roomy_size;
    struct fm_frames *frames; /* cache of the position-independent parts of frames: frame_cache.h */
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
#define FM_VIEW_ROOM 64u
/* Copies a string of the view. Short strings of all sizes are copied by the same few instructions, because a branch on
 * the size of a name would be unpredictable. out: room for FM_VIEW_ROOM bytes more than the string has. Returns the end
 * of the copy. */
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
/* Limits the caches of names, frames and aliases, which only save time. While the view's heap has more than
 * `heap_bytes` bytes in use, nothing is added to them. UINT64_MAX, the initial value: only the caches' own limits
 * apply. Any thread. */
void fm_view_limit_kept(const struct fm_view *view, uint64_t heap_bytes);
struct fm_text_memo;
/* Sets the cache of demangled names that the view shares with other views. NULL, the default: there is no such cache.
 * The memo must outlive the view. Call this before another thread uses the view. */
void fm_view_share_names(struct fm_view *view, struct fm_text_memo *memo);
struct fm_text_memo *fm_view_shared_names(const struct fm_view *view);
/* Empties all caches. All that was borrowed from the view becomes invalid; no other thread may use the view. */
void fm_view_drop_kept(struct fm_view *view);
bool fm_view_attribute(const struct fm_view *view, framemap_str key, framemap_str *out);
/* Checks every checksum of the index. */
framemap_status fm_view_check_sums(const struct fm_view *view, framemap_error *error);
/* Checks every checksum and every record. */
framemap_status fm_view_verify(const struct fm_view *view, framemap_error *error);

/* --- looking up positions --- */

/* The result of a lookup, valid as long as the view. */
struct fm_hit_entry { /* internal to the view */
    uint32_t node_code, file_code, col1, name_code;
    int64_t line;
    bool has_line, follows;
};
struct fm_hit {
    uint64_t scope;    /* number of the scope */
    uint64_t position; /* the position that was looked up */
    /* The result holds at least for positions [start, end). The entry may extend beyond them, into neighbouring buckets
     * (a bucket is an interval whose entries are stored together). If end is UINT64_MAX, that position is included. */
    uint64_t start, end;
    uint32_t place_count; /* number of locations; 0: nothing is known there; above 1: alternatives */
    struct fm_hit_entry entry;
    struct fm_view_frame
        *place; /* for a hit with one plain location: cache slot of the location's frame; NULL: not looked up */
};
struct fm_view_place {
    uint32_t node;                  /* node of the function; FM_VIEW_NONE: none */
    framemap_str folder, base_name; /* path = folder + base_name, as in the symbol file; both empty: unknown */
    uint32_t line1, col1;           /* line1: the line at the queried position (fm_hit.position) */
    framemap_str name;
    uint32_t flags; /* FM_PLACE_… of flags.h */
};
struct fm_view_node {
    uint32_t parent; /* node of the caller; FM_VIEW_NONE: the function is out-of-line */
    framemap_str function, class_name;
    framemap_str decl_folder, decl_base_name;
    uint32_t decl_line1;
    uint8_t language;
    framemap_str call_folder, call_base_name; /* position in the parent function where it calls this one */
    uint32_t call_line1, call_col1;
    uint32_t flags; /* bits FM_NODE_… */
    uint64_t start, size;
    framemap_str symbol;
    uint32_t alias_count;
};

/* Finds a scope by its key. Returns false if there is no such scope. */
bool fm_view_scope(const struct fm_view *view, framemap_str key, uint64_t *scope);
bool fm_view_scope_number(const struct fm_view *view, uint64_t key, uint64_t *scope);
/* Gets scope 0 .. scope_count - 1, in the order of their keys; the class form has no scopes. number: the key of a
 * numbered scope. [first, last]: the positions that the scope can cover. false: no such scope, or damaged. */
bool fm_view_scope_at(const struct fm_view *view, uint64_t scope, framemap_str *key, uint64_t *number, uint64_t *first,
                      uint64_t *last);

/* Looks up a position. OK with place_count 0 where nothing is known; CORRUPT for damaged bytes only. */
framemap_status fm_view_lookup(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out);
/* The result of a lookup in short form, without start and end; enough for most positions. */
enum fm_short_kind {
    FM_SHORT_OTHER, /* the result does not fit the short form: use fm_view_lookup */
    FM_SHORT_NOTHING,
    FM_SHORT_PLACE, /* one location without a line */
    FM_SHORT_LINE   /* one location with a line */
};
struct fm_short_hit {
    struct fm_view_frame *place; /* slot of the frame cache for the node of the location; NULL: not looked up */
    uint32_t kind, node_code, file_code, col1;
    int32_t line; /* line, relative to the line where the node's function is declared */
};
/* Looks up a position faster than fm_view_lookup, with the same result. May still return a result where neighbouring
 * data is damaged. */
void fm_view_find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out);
#define FM_VIEW_BATCH 16
/* Does the work of fm_view_find for at most FM_VIEW_BATCH positions, faster than one call for each, because the lookups
 * of a batch wait for memory at the same time. Also prefetches the frames of the chains. */
void fm_view_find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                       struct fm_short_hit *out);
/* Portable versions of fm_view_find and fm_view_find_many, with the same results. */
void fm_view_find_plain(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out);
void fm_view_find_many_plain(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                             struct fm_short_hit *out);
/* Gets the full hit of a position from its short form. start and end are set only if this call has to use
 * fm_view_lookup. */
framemap_status fm_view_whole_hit(const struct fm_view *view, uint64_t scope, uint64_t position,
                                  const struct fm_short_hit *found, struct fm_hit *out);
framemap_status fm_view_place(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                              struct fm_view_place *out);
framemap_status fm_view_node(const struct fm_view *view, uint32_t node, struct fm_view_node *out);
framemap_status fm_view_alias(const struct fm_view *view, uint32_t node, uint32_t which, framemap_str *out);

/* --- walking an inline chain from a hit to its frames, by record numbers; strings are read only on demand --- */

#define FM_VIEW_NO_ROW UINT64_MAX

/* One step of an inline chain: a function and a location in its source. */
struct fm_view_link {
    uint32_t node;       /* node of the function; FM_VIEW_NONE: no function is known */
    uint32_t parent;     /* node of the calling frame; FM_VIEW_NONE: the frame is the outermost */
    uint64_t function;   /* number for fm_view_link_name and fm_view_kept_name; at least function_count: no function */
    uint64_t file, home; /* numbers for fm_view_path: file of the location, and of the function's declaration;
                            FM_VIEW_NO_ROW: unknown */
    /* line and column of the location; in the first step of a chain, line1 is the line at hit.position */
    uint32_t line1, col1;
    uint32_t decl_line1;
    uint32_t flags;       /* bits FM_NODE_ARTIFICIAL and FM_NODE_HAS_START */
    uint32_t place_flags; /* bits FM_PLACE_… of flags.h; set only in the first step of a chain */
    /* internal to the view: code of the line, and column, of the call in the parent; row of WIDES that has these values
     * if they do not fit in the node */
    uint64_t call_code, call_col, wide;
    uint64_t class_code; /* internal to the view: code of the name of the class; 0: the function has no class */
    uint64_t root, root_begin, root_size;
    unsigned root_flags;
    bool declared; /* the function is declared in `home`; otherwise `home` is only the first file of the function's
                      code */
};
/* Gets the innermost step of location `which` of a hit. *name: the name that is recorded for the location itself, as
 * source maps do; absent: none. Errors: ARGUMENT (no such location), CORRUPT, MEMORY. */
framemap_status fm_view_link_first(const struct fm_view *view, const struct fm_hit *hit, uint32_t which,
                                   struct fm_view_link *out, framemap_str *name);
/* Moves to the calling function: link->parent must not be FM_VIEW_NONE. Chains always end: a parent's number is less
 * than its child's. In a damaged index a chain may have as many steps as there are nodes. Errors: CORRUPT. */
framemap_status fm_view_link_up(const struct fm_view *view, struct fm_view_link *link);
/* Gets the step of a node, without a location. Errors: CORRUPT. */
framemap_status fm_view_link_node(const struct fm_view *view, uint64_t node, struct fm_view_link *out);
/* Gets the name of the function of a step, and the name of its class; absent if it has none. Errors: CORRUPT, MEMORY.
 */
framemap_status fm_view_link_name(const struct fm_view *view, const struct fm_view_link *link, framemap_str *name);
framemap_status fm_view_link_class(const struct fm_view *view, const struct fm_view_link *link,
                                   framemap_str *class_name);
/* The range of machine code and the symbols of a function that was not inlined, which is the outermost frame of a
 * chain. */
struct fm_view_root {
    uint64_t start, size; /* start is valid only if has_start is set */
    framemap_str symbol;
    uint64_t alias_row; /* the row at which the aliases of the function start; fm_view_aliases reads them */
    uint32_t alias_count;
    bool has_start;
};
framemap_status fm_view_link_root(const struct fm_view *view, const struct fm_view_link *link,
                                  struct fm_view_root *out);
/* Gets the first `count` aliases of an out-of-line function. Errors: CORRUPT, MEMORY; ARGUMENT: it has fewer. */
framemap_status fm_view_aliases(const struct fm_view *view, const struct fm_view_link *link,
                                const struct fm_view_root *root, framemap_str *out, uint32_t count);

/* --- caching paths, names and frames in memory of limited size that all threads share --- */

/* Gets the path of a file: cached, or, when the cache is full, in the arena; if `arena` is NULL, the call then fails
 * with MEMORY. The path is absent for FM_VIEW_NO_ROW. Errors: CORRUPT, MEMORY. */
framemap_status fm_view_path(const struct fm_view *view, uint64_t file, struct fm_arena *arena, framemap_str *out);
/* Gets the cached demangled name of a function, of the default style. false: none is cached. */
bool fm_view_kept_name(const struct fm_view *view, uint64_t function, framemap_str *out);
/* Gets the cached demangled name that the symbol table has for one node; other nodes of the same function can have
 * other names there. false: none is cached. */
bool fm_view_kept_whole_name(const struct fm_view *view, uint32_t node, framemap_str *out);
framemap_str fm_view_keep_whole_name(const struct fm_view *view, uint32_t node, framemap_str text);
/* Adds a name to the cache. Returns the cached string, or `text` itself when the cache is full. */
framemap_str fm_view_keep_name(const struct fm_view *view, uint64_t function, framemap_str text);
/* Gets the frame of a node. *out is the cached frame, or, when the cache is full, `own`, whose strings are in the
 * arena. Errors: CORRUPT, MEMORY. */
framemap_status fm_view_node_frame(const struct fm_view *view, uint64_t node, struct fm_arena *arena,
                                   struct fm_view_frame *own, const struct fm_view_frame **out);
/* The parts that only few frames have, which are marked with FM_FRAME_MORE. */
struct fm_view_more {
    framemap_str class_name;
    uint64_t size;        /* size of the machine code of an out-of-line function, bytes */
    uint32_t alias_count; /* number of aliases, at most FM_LIMIT_ALTERNATIVES */
    framemap_str aliases[];
};
/* Gets the parts that only few frames have. *out is in the cache, or in the arena when the cache is full. Errors:
 * CORRUPT, MEMORY. */
framemap_status fm_view_more(const struct fm_view *view, uint32_t node, struct fm_arena *arena,
                             const struct fm_view_more **out);
/* Returns the cached demangled aliases of a node, of the default style. NULL: none are cached. node < node_count. */
const framemap_str *fm_view_kept_aliases(const struct fm_view *view, uint32_t node);
/* Adds copies of demangled aliases to the cache. Returns the cached ones, or `aliases` when the cache is full. node <
 * node_count. */
const framemap_str *fm_view_keep_aliases(const struct fm_view *view, uint32_t node, const framemap_str *aliases,
                                         uint32_t count);
/* Whether a hit is plain: one location of a node, at a fixed line, without a name. fm_hit_line gives its line; its file
 * is the node's home file, or the file that fm_view_hit_path returns. */
static inline bool fm_hit_is_plain(const struct fm_frames *frames, const struct fm_hit *hit)
{
    const struct fm_hit_entry *entry = &hit->entry;
    return hit->place_count == 1 && !entry->follows && entry->name_code == 0 && entry->node_code > 0 &&
           entry->node_code <= frames->count;
}
/* Computes the line at a distance from the function's declaration; 0 if has_line is false. false: damaged. */
static inline bool fm_line_at_distance(bool has_line, int64_t distance, const struct fm_view_frame *frame,
                                       uint32_t *out)
{
    const int64_t line = has_line ? distance + (int64_t)frame->decl_line1 : 0;
    *out = (uint32_t)line;
    return line >= 0 && line <= UINT32_MAX;
}
static inline bool fm_hit_line(const struct fm_hit *hit, const struct fm_view_frame *frame, uint32_t *out)
{
    return fm_line_at_distance(hit->entry.has_line, hit->entry.line, frame, out);
}
static inline bool fm_short_line(const struct fm_short_hit *found, const struct fm_view_frame *frame, uint32_t *out)
{
    return fm_line_at_distance(found->kind == FM_SHORT_LINE, found->line, frame, out);
}
static inline bool fm_hit_is_home(const struct fm_hit *hit) { return hit->entry.file_code == 0; }
/* Gets the path of a hit in a file other than the home file of its function (the file of its declaration, or else the
 * first file of its code). Errors: CORRUPT, MEMORY. */
framemap_status fm_view_hit_path(const struct fm_view *view, const struct fm_hit *hit, struct fm_arena *arena,
                                 framemap_str *out);

/* Gets the first hit of the scope that starts at or after `from`, gaps included, with the start and end that the
 * builder was given. false: there is none. hit.position is its start. This loop walks over all hits of a scope:
 *
 *     for (bool more = fm_view_next(v, s, 0, &hit); more;
 *          more = hit.start != UINT64_MAX && fm_view_next(v, s, hit.start + 1, &hit)) …
 */
bool fm_view_next(const struct fm_view *view, uint64_t scope, uint64_t from, struct fm_hit *out);

#endif
