/* What the files of Java's rules share. java.h is what others call. */
#ifndef FM_RESOLVE_JAVA_JAVA_RULES_H
#define FM_RESOLVE_JAVA_JAVA_RULES_H

#include "core/text/text.h"
#include "resolve/java/java.h"

/* Neighbouring spans that are one chain of frames, or the entry of a part alone. */
struct fm_java_group {
    const struct fm_view_span *spans; /* innermost first */
    size_t span_count;                /* 0: the entry alone */
    uint32_t entry;                   /* member */
    uint32_t flags;                   /* FM_SPAN_SYNTHETIC, FM_SPAN_OUTLINE of the part */
    /* Filled in when its frames are made. */
    size_t skipped; /* innermost frames that a rewrite takes away */
    size_t depth;   /* frames that are left of each chain */
    size_t times;   /* chains that it makes */
};

/* A line in the renamed code, as R8 has it: the one of the stack, or the one that the call site of an outline puts in
 * its place. */
struct fm_java_place {
    bool known;   /* false: lines have no place in what is printed */
    int32_t line; /* -1: none */
};

/* Most answers are one group of few spans, and need no memory but this. */
enum { FM_JAVA_GROUPS_AT_FIRST = 2, FM_JAVA_SPANS_AT_FIRST = 6 };
struct fm_java_pick {
    struct fm_java_group *groups; /* in the order of the mapping */
    size_t count, capacity;
    struct fm_java_place place;
    uint64_t notes_left; /* that may still be read for this answer */
    struct fm_java_group groups_at_first[FM_JAVA_GROUPS_AT_FIRST];
    struct fm_view_span spans_at_first[FM_JAVA_SPANS_AT_FIRST]; /* of the first group */
};

/* The groups of a method that the line (or none) may stand for; none: only the class is known. Errors: MEMORY,
 * CORRUPT. The groups may stand in the pick itself, which must not be moved. */
framemap_status fm_java_pick(const struct fm_view *view, const struct fm_view_method *method,
                             const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_pick *pick,
                             framemap_error *error);
/* fm_view_note of those that are told before a call site, until no more may be read. */
bool fm_java_note(const struct fm_view *view, struct fm_java_pick *pick, uint32_t notes, uint64_t which,
                  struct fm_view_note *out);
bool fm_java_same_lines(const struct fm_view_span *a, const struct fm_view_span *b);

/* A span whose lines are all the same one. */
static inline bool fm_java_one_line(const struct fm_view_span *span)
{
    return (span->flags & FM_SPAN_ORIGINAL) &&
           (!(span->flags & FM_SPAN_PAIR) || span->original_from == span->original_to);
}
/* Lengths as Java counts them, around the end of 32 bits. */
static inline uint32_t fm_java_length(int32_t from, int32_t to) { return (uint32_t)to - (uint32_t)from; }
/* Each residual line may be any of the original lines. */
static inline bool fm_java_fans_out(const struct fm_view_span *span)
{
    if (!(span->flags & FM_SPAN_ORIGINAL) || fm_java_one_line(span)) return false;
    return !(span->flags & FM_SPAN_RESIDUAL) || fm_java_length(span->residual_from, span->residual_to) !=
                                                    fm_java_length(span->original_from, span->original_to);
}

/* What a frame's class and method are in the index; the method is read only with both. */
struct fm_java_found {
    bool has_class, has_method;
    uint64_t owner;
    struct fm_view_method method;
};
void fm_java_find(const struct fm_view *view, framemap_str class_name, framemap_str method, struct fm_java_found *out);
/* fm_java_resolve_plain of what was found for the query. */
framemap_status fm_java_resolve_found(const struct fm_view *view, const struct fm_java_found *found,
                                      const struct fm_java_query *query, struct fm_arena *arena,
                                      struct fm_java_answer *out, framemap_error *error);

/* What nearly all lines of stacks are: a line of a method that spans of one part tell, without notes and each for one
 * line of the source. Its answer is one chain, of a frame for each span. false, of each of the two: it is something
 * else, which fm_java_resolve_found answers, as it would this. */
bool fm_java_usual(const struct fm_view *view, const struct fm_java_found *found, int32_t line,
                   struct fm_view_run *out);
bool fm_java_usual_frame(const struct fm_view *view, const struct fm_java_found *found, uint64_t span, int32_t line,
                         struct fm_java_frame *frame);

/* The chains of the groups in *out: chains, too_many, removed_too_many. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_frames(const struct fm_view *view, const struct fm_java_query *query, struct fm_java_pick *pick,
                               struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error);
/* A frame of a member, without its line. false: the index is damaged. */
bool fm_java_member_frame(const struct fm_view *view, uint32_t member, struct fm_java_frame *frame);

/* Puts chains in the order of printing and leaves out those that begin as an earlier one does; *count is brought up to
 * date. Errors: MEMORY. */
struct fm_java_order {
    bool signature, line; /* they tell alternatives apart */
    bool as_told;         /* those of one class stand in the order of the array of frames that they are of */
    bool repeats;         /* those that begin as an earlier one does are kept too */
};
framemap_status fm_java_sort(struct fm_java_chain *chains, size_t *count, struct fm_java_order order,
                             struct fm_arena *arena, framemap_error *error);
/* By UTF-16 code units, as Java compares strings. */
int fm_java_compare(framemap_str a, framemap_str b);
/* Return type, then argument lists: shorter ones first. */
int fm_java_compare_signatures(framemap_str type_a, framemap_str arguments_a, framemap_str type_b,
                               framemap_str arguments_b);

static inline bool fm_java_is_proguard(const struct fm_view *view)
{
    return fm_view_identity(view)->kind_row->code == FRAMEMAP_INDEX_PROGUARD;
}
/* ProGuard's choice and arithmetic. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_proguard(const struct fm_view *view, const struct fm_view_method *method,
                                 const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_answer *out,
                                 framemap_error *error);

framemap_status fm_java_damaged(framemap_error *error); /* CORRUPT */

#endif
