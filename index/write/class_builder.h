/* The class form of an index: a mapping of renamed classes (R8, ProGuard). Records are kept in the order of the
 * mapping, because its answers depend on that order, on neighbouring ranges, and on missing lines.
 *
 * - name: an original class, with its source file if known
 * - member: an original method or field: holder, name, types
 * - class: a renamed class, found by the name that stacks print
 * - method: one renamed method name of a class, with its spans in order
 * - part: adjacent spans of one original method; its entry, a member, answers for a frame without a line
 * - span: residual lines -> original lines of one member; adjacent spans with equal residual lines are one inline
 *   chain, innermost first
 * - field: one renamed field of a class
 *
 * An index has this form or positions (builder.h), never both; attributes and `about` apply to both. The same calls
 * give the same bytes. Strings are numbers of fm_builder_string. */
#ifndef FM_INDEX_WRITE_CLASS_BUILDER_H
#define FM_INDEX_WRITE_CLASS_BUILDER_H

#include "index/format/span.h"
#include "index/write/builder.h"

/* Selects the class form even if no class follows: a mapping can rename nothing. */
void fm_builder_classes(struct fm_builder *builder);

/* fm_builder_name interns the name of an original class; *out: its number. fm_builder_name_source sets the class's
 * source file, which may be empty; the last call counts. */
framemap_status fm_builder_name(struct fm_builder *builder, framemap_str original, uint32_t *out,
                                framemap_error *error);
framemap_status fm_builder_name_source(struct fm_builder *builder, uint32_t name, framemap_str source,
                                       framemap_error *error);

struct fm_member {
    uint32_t holder; /* number of a name: the original class that has the member */
    uint32_t name;   /* number of a string, the member's name */
    uint32_t type;   /* number of a string: return type, or the field's type; FM_NONE: unknown */
    /* number of a string such as "int,java.lang.String[]", without blanks, "" for none; FM_NONE: a field */
    uint32_t arguments;
};
/* Interns a member: equal members give equal numbers. */
framemap_status fm_builder_member(struct fm_builder *builder, const struct fm_member *member, uint32_t *out,
                                  framemap_error *error);

#define FM_MEMBERS_MOST 64u /* most members per call */
/* Adds several members, which is faster: out[i] is the number of members[i]. own: bit i is set if member i belongs to
 * the class of the open block and is new within the block. Such members need no lookup as long as no other block has
 * mentioned members of that class. */
framemap_status fm_builder_members(struct fm_builder *builder, const struct fm_member *members, size_t count,
                                   uint64_t own, uint32_t *out, framemap_error *error);

/* Announces that the records added so far come from one of `parts` similar parts of the mapping, so that memory for all
 * parts can be reserved. */
void fm_builder_expect(struct fm_builder *builder, size_t parts);

/* A fact about a span other than its lines. Members that this kind of fact does not use are 0, and `text` is then
 * FM_NONE. */
struct fm_note {
    uint32_t kind; /* FM_NOTE_… of flags.h */
    uint32_t text; /* number of a string; FM_NONE: the note has no text */
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
/* Adds a renamed field to the open class block; several fields may have the same name and different members. */
framemap_status fm_builder_field(struct fm_builder *builder, framemap_str residual, uint32_t member,
                                 framemap_error *error);

/* A shard has the classes of one part of a mapping, which one thread parses. It has a builder of its own, for which
 * only the calls above and the calls on strings are allowed, and is then joined to the whole builder. Shards that are
 * joined in the order of the mapping give the same bytes as a single builder. Member numbers of a shard are its own,
 * and equal members may have several. One thread uses a shard at a time, and may reuse it for another part of the
 * mapping. */
struct fm_class_shard;
/* Creates an empty shard. whole: the whole builder, which must outlive the shard at the same address. Error: MEMORY.
 * Free with fm_class_shard_free; NULL is allowed. */
framemap_status fm_class_shard_create(struct fm_builder *whole, struct fm_class_shard **out, framemap_error *error);
void fm_class_shard_free(struct fm_class_shard *shard);
struct fm_builder *fm_class_shard_builder(struct fm_class_shard *shard);
/* Removes all records of the shard's builder; their numbers become invalid. */
void fm_class_shard_clear(struct fm_class_shard *shard);
/* Completes a shard, after its builder has all records and before the shard is joined. Does not use the whole builder.
 * Error: MEMORY. */
framemap_status fm_class_shard_ready(struct fm_class_shard *shard, framemap_error *error);
/* Moves all records to the whole builder, which nothing else may use meanwhile. After an error (LIMIT, MEMORY) the
 * whole builder is unusable. */
framemap_status fm_class_shard_join(struct fm_class_shard *shard, framemap_error *error);
/* Packs the spans of a shard. Call it after the shard was joined and before fm_builder_finish. Does not use the whole
 * builder, so other shards can be joined meanwhile. Errors: LIMIT, MEMORY, ARGUMENT (as from fm_builder_finish). */
framemap_status fm_class_shard_pack(struct fm_class_shard *shard, framemap_error *error);

#endif
