/* The rules of R8's retrace, or of ProGuard's for an index of that kind: from one obfuscated frame to its original
 * frames. Called by resolve.c, session/restore and session/retrace.
 *
 * All results are in the arena or borrowed from the view and the query. Time is linear in the size of the result;
 * nothing recurses. */
#ifndef FM_RESOLVE_JAVA_JAVA_H
#define FM_RESOLVE_JAVA_JAVA_H

#include "core/heap.h"
#include "index/read/classes/class_view.h"
#include <framemap/index.h>

/* The state that the lines above a frame leave for it. All zero: no state. */
struct fm_java_state {
    framemap_str exception; /* residual class of the exception line above; borrowed from that line */
    bool has_outline;
    int32_t outline_line; /* line of the outline's frame above; -1: it had none */
};

struct fm_java_query {
    framemap_str class_name, method; /* as the stack prints them, without loader and module */
    bool has_line;                   /* digits were printed that fit 32 bits; else line is not read */
    int32_t line;                    /* may be 0 */
    bool no_slot; /* an expression without %l and %S: lines have no place in what is printed, and tell no alternatives
                     apart */
    bool verbose; /* alternatives are told apart by all of the signature, and lines are told where the stack has none */
    bool signatures; /* alternatives are told apart by all of the signature */
    bool repeats;    /* alternatives that begin as others do are kept, as R8 does for lines with arguments */
    const struct fm_java_state *state; /* NULL: nothing */
    uint32_t frames_most;              /* in all chains; 0: FM_LIMIT_JAVA_CHAINS */
};

enum fm_java_line {
    FM_JAVA_LINE_ECHO = 0 /* print the line text of the stack as it is */,
    FM_JAVA_LINE_NUMBER /* ":line" when it is above 0, else nothing */
};
struct fm_java_frame {
    framemap_str class_name;      /* original, or the query's */
    framemap_str method;          /* original, or the query's */
    framemap_str type, arguments; /* of a method that was found: "void", "int,java.lang.String[]"; absent else */
    framemap_str
        source; /* file told by the index for class_name; has_source says that there is one (it may be empty) */
    bool has_source;
    bool found; /* the method is one of the mapping; false: the class at most */
    enum fm_java_line line_kind;
    int32_t line; /* read it only with LINE_NUMBER */
};
struct fm_java_chain {
    const struct fm_java_frame *frames; /* innermost first, at least one */
    size_t count;
    bool outline;                  /* its outermost frame was of an outline, and is left out */
    uint32_t text_rank, name_rank; /* the rules' own */
};

enum fm_java_result {
    FM_JAVA_UNKNOWN = 0, /* the class is not in the index: one chain of one frame with the query's own names */
    FM_JAVA_CLASS,       /* the class only */
    FM_JAVA_METHOD,      /* chains may be none: all of them are hidden (synthetic, outlines, rewritten frames) */
};
struct fm_java_answer {
    enum fm_java_result result;
    const struct fm_java_chain *chains; /* distinct, in the order of output; more than one: ambiguous */
    size_t chain_count;
    bool too_many;              /* the chains had more than frames_most frames: the rest is left out */
    size_t removed_too_many;    /* chains for which a rewrite removes more frames than there are: a warning each */
    struct fm_java_state state; /* for the next line */
};
/* Errors: MEMORY, CORRUPT. */
framemap_status fm_java_resolve(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                                struct fm_java_answer *out, framemap_error *error);

/* The same without the fast path (java_fast.c); same results. */
framemap_status fm_java_resolve_plain(const struct fm_view *view, const struct fm_java_query *query,
                                      struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error);

/* The state after an exception line; the class may be unknown to the mapping. */
struct fm_java_state fm_java_exception(framemap_str residual);

/* The original name of a class; false: not in the index. */
bool fm_java_class(const struct fm_view *view, framemap_str residual, framemap_str *original);

/* The original of a type, "a.b", "a.b[][]" or, with slashes, "a/b$c", in the same notation. The text itself for a type
 * that the index does not have, and for primitive types. In the arena or borrowed. Errors: MEMORY. */
framemap_status fm_java_type(const struct fm_view *view, framemap_str residual, struct fm_arena *arena,
                             framemap_str *original, framemap_error *error);

/* The source file to print for the class of a frame. known: the class is in the index. printed: the file that the stack
 * prints ("SourceFile"). By ProGuard's rules for an index of that kind. */
framemap_status fm_java_source(const struct fm_view *view, const struct fm_java_frame *frame, bool known,
                               framemap_str printed, struct fm_arena *arena, framemap_str *out, framemap_error *error);

/* Members of a class by residual name, in the order of output, without duplicates; none if the index does not have the
 * class or the name. Errors: MEMORY, CORRUPT. */
struct fm_java_member {
    framemap_str class_name, name, type;
    framemap_str arguments; /* of methods: "int,java.lang.String[]" */
};
framemap_status fm_java_fields(const struct fm_view *view, framemap_str class_name, framemap_str field,
                               struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                               framemap_error *error);
framemap_status fm_java_methods(const struct fm_view *view, framemap_str class_name, framemap_str method,
                                struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                                framemap_error *error);

/* fm_resolve for indexes of the class form. scope "a.b.c" is class "a.b" and member "c"; without a state, also class
 * (or type) "a.b.c" where the query has no line (no_position, or position 0) and the first reading leads nowhere. With
 * no_position and without a state the name alone is asked: every method and field of that name, a chain each; with a
 * state it is a frame that shows no line.
 *
 *     OK         a frame with a line; or, with nothing restored and a reason, one that is not to be shown
 *     AMBIGUOUS  several chains
 *     SYMBOL     names only: a frame without a line, a class, a member, a frame whose class alone is known (its method
 * is then as printed) NO_MATCH   the class is not known */
framemap_status fm_resolve_java(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                framemap_frame *out, framemap_error *error);

#endif
