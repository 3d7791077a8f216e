/* The class form of an index: what a mapping of renamed classes says (R8, ProGuard), kept in the order in which it says
 * it, because its answers depend on that order, on what stands beside a range, and on lines that are not there.
 *
 *     name       an original class: its source file, where one is told
 *     member     an original method or field: holder, name, types
 *     class      a renamed class, found by the name that stacks print
 *       method   one renamed method name of it, with its spans in order
 *         part   neighbouring spans that are one original method; its entry answers where there is no line
 *           span residual lines -> original lines of one member; neighbours with equal residual lines are one chain,
 * innermost first field    one renamed field
 *
 * An index is of this form or of positions (builder.h), never both; attributes and `about` serve both. The same calls
 * give the same bytes. Strings are numbers of fm_builder_string. */
#ifndef FM_INDEX_WRITE_CLASS_BUILDER_H
#define FM_INDEX_WRITE_CLASS_BUILDER_H

#include "index/format/span.h"
#include "index/write/builder.h"

/* The index is of this form though no class may come: a mapping can rename nothing. */
void fm_builder_classes(struct fm_builder *builder);

/* *out: the number of an original class name. The source file of a name: a later call wins; an empty text is a source
 * file too. */
framemap_status fm_builder_name(struct fm_builder *builder, framemap_str original, uint32_t *out,
                                framemap_error *error);
framemap_status fm_builder_name_source(struct fm_builder *builder, uint32_t name, framemap_str source,
                                       framemap_error *error);

struct fm_member {
    uint32_t holder;    /* name: the original class */
    uint32_t name;      /* string */
    uint32_t type;      /* string: return type or the field's type; FM_NONE unknown */
    uint32_t arguments; /* string "int,java.lang.String[]" without blanks, "" for none; FM_NONE: a field */
};
/* Interned: equal members give the equal number. */
framemap_status fm_builder_member(struct fm_builder *builder, const struct fm_member *member, uint32_t *out,
                                  framemap_error *error);

/* Several at once, which is faster: out[i] is the number of members[i]. own: those whose bit is set are of one holder,
 * and each differs from all that came so since the class block was begun: as long as nobody else tells of the holder's
 * members, none of them is looked for. */
#define FM_MEMBERS_MOST 64u /* count */
framemap_status fm_builder_members(struct fm_builder *builder, const struct fm_member *members, size_t count,
                                   uint64_t own, uint32_t *out, framemap_error *error);

/* What was given until now is one of so many parts of the mapping: makes room for what may come, so that it need not be
 * moved often. */
void fm_builder_expect(struct fm_builder *builder, size_t parts);

/* What is told of a span beside its lines, as a list. Fields that its kind has not are 0, text FM_NONE. */
struct fm_note {
    uint32_t kind; /* FM_NOTE_… of flags.h */
    uint32_t text; /* string or FM_NONE */
    int32_t from, to;
    int64_t count;
};
/* Interned lists. */
framemap_status fm_builder_notes(struct fm_builder *builder, const struct fm_note *notes, size_t count, uint32_t *out,
                                 framemap_error *error);

/* A class block. flags: FM_CLASS_… of flags.h. A block under a residual name that was there before replaces it wholly.
 * Blocks do not nest. */
framemap_status fm_builder_class(struct fm_builder *builder, framemap_str residual, uint32_t original_name,
                                 uint32_t flags, framemap_error *error);

/* One renamed method name of the class block begun last, each name once a block. count >= 1. */
framemap_status fm_builder_method(struct fm_builder *builder, framemap_str residual, const struct fm_span *spans,
                                  size_t count, framemap_error *error);
/* One renamed field of it; the same name may come again with another member. */
framemap_status fm_builder_field(struct fm_builder *builder, framemap_str residual, uint32_t member,
                                 framemap_error *error);

/* A share of the classes, read by a thread for itself: it is given to a builder of its own, which only the calls above,
 * those on strings included, have to do with, and then joined to the whole. Shares that are joined in the order of the
 * mapping give the same bytes as if the whole builder had been given all of it. Its members have numbers of their own,
 * equal ones perhaps several. A share is used by one thread at a time, and again for the next part of the mapping. */
struct fm_class_share;
/* whole: outlives the share, and stays where it is. MEMORY. Freed by fm_class_share_free; NULL is fine. */
framemap_status fm_class_share_create(struct fm_builder *whole, struct fm_class_share **out, framemap_error *error);
void fm_class_share_free(struct fm_class_share *share);
struct fm_builder *fm_class_share_builder(struct fm_class_share *share);
/* Forgets all that was given to its builder: numbers of before are void then. */
void fm_class_share_clear(struct fm_class_share *share);
/* When all has been given to its builder, and before it is joined: needs nothing of the whole. MEMORY. */
framemap_status fm_class_share_ready(struct fm_class_share *share, framemap_error *error);
/* Gives all records to the whole, of which nobody else may make use meanwhile. LIMIT, MEMORY: the whole is of no more
 * use then. */
framemap_status fm_class_share_join(struct fm_class_share *share, framemap_error *error);
/* Packs the spans, once it is joined: needs nothing of the whole, so other shares may be joined meanwhile. To be done
 * before fm_builder_finish. LIMIT, MEMORY; ARGUMENT as fm_builder_finish. */
framemap_status fm_class_share_pack(struct fm_class_share *share, framemap_error *error);

#endif
