/* The class form of an index: a mapping of renamed classes (R8, ProGuard). Records are kept in the order of the
 * mapping, because its answers depend on that order, on neighbouring ranges, and on missing lines.
 *
 * - name: an original class, with its source file if known
 * - member: an original method or field: holder, name, types
 * - class: a renamed class, found by the name that stacks print
 * - method: one renamed method name of a class, with its spans in order
 * - part: adjacent spans of one original method; its entry is the answer if there is no line
 * - span: residual lines -> original lines of one member; adjacent spans with equal residual lines are one inline
 * chain, innermost first
 * - field: one renamed field of a class
 *
 * An index has this form or positions (builder.h), never both; attributes and `about` apply to both. The same calls
 * give the same bytes. Strings are numbers of fm_builder_string. */
#ifndef FM_INDEX_WRITE_CLASS_BUILDER_H
#define FM_INDEX_WRITE_CLASS_BUILDER_H

#include "index/format/span.h"
#include "index/write/builder.h"

/* Selects this form even if no class follows: a mapping can rename nothing. */
void fm_builder_classes(struct fm_builder *builder);

/* *out: the number of an original class name. fm_builder_name_source sets its source file; the last call counts, and an
 * empty source file is valid. */
framemap_status fm_builder_name(struct fm_builder *builder, framemap_str original, uint32_t *out,
                                framemap_error *error);
framemap_status fm_builder_name_source(struct fm_builder *builder, uint32_t name, framemap_str source,
                                       framemap_error *error);

struct fm_member {
    uint32_t holder;    /* name: the original class */
    uint32_t name;      /* number of a string */
    uint32_t type;      /* string: return type, or the field's type; FM_NONE: unknown */
    uint32_t arguments; /* string "int,java.lang.String[]" without blanks, "" for none; FM_NONE: a field */
};
/* Interned: equal members give equal numbers. */
framemap_status fm_builder_member(struct fm_builder *builder, const struct fm_member *member, uint32_t *out,
                                  framemap_error *error);

/* Adds several members, which is faster: out[i] is the number of members[i]. own: a bit set for each member that
 * belongs to the holder of the open class block and is new within it. As long as no other block mentions the holder's
 * members, they need no lookup. */
#define FM_MEMBERS_MOST 64u /* most members per call */
framemap_status fm_builder_members(struct fm_builder *builder, const struct fm_member *members, size_t count,
                                   uint64_t own, uint32_t *out, framemap_error *error);

/* Announces that the records so far are one of `parts` similar parts of the mapping, so that memory is reserved for
 * all. */
void fm_builder_expect(struct fm_builder *builder, size_t parts);

/* A fact about a span besides its lines. Fields that its kind does not use are 0, text FM_NONE. */
struct fm_note {
    uint32_t kind; /* FM_NOTE_… of flags.h */
    uint32_t text; /* string or FM_NONE */
    int32_t from, to;
    int64_t count;
};
/* Interns a list of notes. */
framemap_status fm_builder_notes(struct fm_builder *builder, const struct fm_note *notes, size_t count, uint32_t *out,
                                 framemap_error *error);

/* Starts a class block. flags: FM_CLASS_… of flags.h. A block with the residual name of an earlier one replaces it
 * completely. Blocks do not nest. */
framemap_status fm_builder_class(struct fm_builder *builder, framemap_str residual, uint32_t original_name,
                                 uint32_t flags, framemap_error *error);

/* Adds a renamed method name to the open class block; each name once per block. count >= 1. */
framemap_status fm_builder_method(struct fm_builder *builder, framemap_str residual, const struct fm_span *spans,
                                  size_t count, framemap_error *error);
/* Adds a renamed field to it; the same name may come again with another member. */
framemap_status fm_builder_field(struct fm_builder *builder, framemap_str residual, uint32_t member,
                                 framemap_error *error);

/* A shard of a mapping's classes, parsed by one thread: it has a builder of its own, for which only the calls above and
 * those on strings are allowed, and is then joined to the whole builder. Shards joined in the order of the mapping give
 * the same bytes as a single builder. Its member numbers are its own; equal members may have several. Used by one
 * thread at a time, and reusable for the next part of the mapping. */
struct fm_class_shard;
/* whole: must outlive the shard, at the same address. Error: MEMORY. Free with fm_class_shard_free; NULL is allowed. */
framemap_status fm_class_shard_create(struct fm_builder *whole, struct fm_class_shard **out, framemap_error *error);
void fm_class_shard_free(struct fm_class_shard *shard);
struct fm_builder *fm_class_shard_builder(struct fm_class_shard *shard);
/* Removes all records of its builder; their numbers become invalid. */
void fm_class_shard_clear(struct fm_class_shard *shard);
/* Call when its builder is complete, before it is joined. Does not use the whole builder. Error: MEMORY. */
framemap_status fm_class_shard_ready(struct fm_class_shard *shard, framemap_error *error);
/* Moves all records to the whole builder, which nothing else may use meanwhile. After an error (LIMIT, MEMORY) the
 * whole builder is unusable. */
framemap_status fm_class_shard_join(struct fm_class_shard *shard, framemap_error *error);
/* Packs the spans after the shard was joined, and before fm_builder_finish. Does not use the whole builder, so other
 * shards can be joined meanwhile. Errors: LIMIT, MEMORY; ARGUMENT as fm_builder_finish. */
framemap_status fm_class_shard_pack(struct fm_class_shard *shard, framemap_error *error);

#endif
