/* Declarations shared by the files of resolve/java. Other folders include java.h only. */
#ifndef FM_RESOLVE_JAVA_JAVA_RULES_H
#define FM_RESOLVE_JAVA_JAVA_RULES_H

#include "core/text/text.h"
#include "resolve/java/java.h"

/* Adjacent spans (line ranges of the mapping) that form one chain of frames; or only the entry of a part, the method
 * that answers for frames without a line. */
struct fm_java_group {
    const struct fm_view_span *spans; /* the spans (lines of the mapping), the innermost inlined method first */
    size_t span_count;                /* number of spans; 0: the group is only the method `entry` */
    uint32_t entry;                   /* number of the member that answers for frames without a line */
    /* bits FM_SPAN_SYNTHETIC and FM_SPAN_OUTLINE: the frame of the outermost span is hidden */
    uint32_t flags;
    /* fm_java_frames sets the fields below. */
    size_t skipped; /* number of innermost frames that a rewrite rule removes */
    size_t depth;   /* number of frames of each chain, without the removed ones */
    size_t times;   /* number of alternative chains that this group of spans gives */
};

/* A residual line: the line of the stack trace, or the line that the call site of an outline substitutes for it. */
struct fm_java_place {
    bool known;   /* the line is used to choose spans; false: the output prints no lines */
    int32_t line; /* the line; -1: the frame has no line */
};

/* How many groups and spans struct fm_java_pick itself has room for. This is enough for most answers, which have one
 * group of few spans; more room is allocated. */
enum { FM_JAVA_GROUPS_AT_FIRST = 2, FM_JAVA_SPANS_AT_FIRST = 6 };
struct fm_java_pick {
    struct fm_java_group *groups; /* groups in the order of the mapping */
    size_t count, capacity;
    struct fm_java_place place;
    uint64_t notes_left; /* number of notes that may still be read for this answer */
    struct fm_java_group groups_at_first[FM_JAVA_GROUPS_AT_FIRST];
    struct fm_view_span spans_at_first[FM_JAVA_SPANS_AT_FIRST]; /* memory for the spans of the first group */
};

/* Selects the groups of spans (lines of the mapping) of a method that match the line of the query, or a query without a
 * line. If none matches, only the class is known. Errors: MEMORY, CORRUPT. *pick may contain the groups itself, so it
 * must not be moved. */
framemap_status fm_java_pick(const struct fm_view *view, const struct fm_view_method *method,
                             const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_pick *pick,
                             framemap_error *error);
/* Reads a note as fm_view_note does, and counts it against notes_left. false: there is no such note, notes_left is 0,
 * or the note is a position of a call site. */
bool fm_java_note(const struct fm_view *view, struct fm_java_pick *pick, uint32_t notes, uint64_t which,
                  struct fm_view_note *out);
bool fm_java_same_lines(const struct fm_view_span *a, const struct fm_view_span *b);

/* Whether a span maps all of its lines to one original line. */
static inline bool fm_java_one_line(const struct fm_view_span *span)
{
    return (span->flags & FM_SPAN_ORIGINAL) &&
           (!(span->flags & FM_SPAN_PAIR) || span->original_from == span->original_to);
}
/* Returns the length of a range as Java computes it, with 32-bit numbers that wrap. */
static inline uint32_t fm_java_length(int32_t from, int32_t to) { return (uint32_t)to - (uint32_t)from; }
/* Whether each original line of a span is an alternative, because the span does not say to which of them a residual
 * line maps. */
static inline bool fm_java_fans_out(const struct fm_view_span *span)
{
    if (!(span->flags & FM_SPAN_ORIGINAL) || fm_java_one_line(span)) return false;
    return !(span->flags & FM_SPAN_RESIDUAL) || fm_java_length(span->residual_from, span->residual_to) !=
                                                    fm_java_length(span->original_from, span->original_to);
}

/* The result of looking up class and method; `method` is valid only if both flags are set. */
struct fm_java_found {
    bool has_class, has_method;
    uint64_t owner;
    struct fm_view_method method;
};
void fm_java_find(const struct fm_view *view, framemap_str class_name, framemap_str method, struct fm_java_found *out);
/* Restores a frame as fm_java_resolve_plain does, for a method that fm_java_find has found. */
framemap_status fm_java_resolve_found(const struct fm_view *view, const struct fm_java_found *found,
                                      const struct fm_java_query *query, struct fm_arena *arena,
                                      struct fm_java_answer *out, framemap_error *error);

/* Resolves nearly all frames, on the fast path: frames with a line, whose spans in the mapping are adjacent, have no
 * notes, and give one original line each. The answer is one chain with a frame for each span. false: the frame is of
 * another shape, and fm_java_resolve_found, which handles all frames, has to be called. */
bool fm_java_usual(const struct fm_view *view, const struct fm_java_found *found, int32_t line,
                   struct fm_view_run *out);
bool fm_java_usual_frame(const struct fm_view *view, const struct fm_java_found *found, uint64_t span, int32_t line,
                         struct fm_java_frame *frame);

/* Makes the chains of inlined frames for the selected groups, and sets the members chains, too_many and
 * removed_too_many of *out. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_frames(const struct fm_view *view, const struct fm_java_query *query, struct fm_java_pick *pick,
                               struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error);
/* Makes the frame of a member, without a line. false: the index is damaged. */
bool fm_java_member_frame(const struct fm_view *view, uint32_t member, struct fm_java_frame *frame);

/* How fm_java_sort compares chains. */
struct fm_java_order {
    bool signature, line; /* whether alternatives are compared by signature, and by line */
    bool keep_order;      /* chains of the same class keep the order in which their frames are in the array of frames */
    bool repeats;         /* equal chains are kept; otherwise only the first of them */
};
/* Sorts chains into the order of output, and removes chains whose innermost frame equals that of an earlier chain;
 * *count is updated. Errors: MEMORY. */
framemap_status fm_java_sort(struct fm_java_chain *chains, size_t *count, struct fm_java_order order,
                             struct fm_arena *arena, framemap_error *error);

static inline bool fm_java_is_proguard(const struct fm_view *view)
{
    return fm_view_identity(view)->kind_row->code == FRAMEMAP_INDEX_PROGUARD;
}
/* Restores a frame by ProGuard's rules. method: the method of the mapping that the frame names. Errors: MEMORY,
 * CORRUPT. */
framemap_status fm_java_proguard(const struct fm_view *view, const struct fm_view_method *method,
                                 const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_answer *out,
                                 framemap_error *error);

framemap_status fm_java_damaged(framemap_error *error); /* sets the error for a damaged index, and returns CORRUPT */

#endif
