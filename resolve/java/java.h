/* Retraces one obfuscated Java frame to its original frames by the rules of R8's retrace, or of ProGuard's for an index
 * built from a ProGuard mapping. Called by resolve.c, session/restore and session/retrace.
 *
 * All results are in the arena or borrowed from the view and the query. Time is linear in the size of the result; no
 * function recurses. */
#ifndef FM_RESOLVE_JAVA_JAVA_H
#define FM_RESOLVE_JAVA_JAVA_H

#include "core/heap.h"
#include "index/read/classes/class_view.h"
#include <framemap/index.h>

/* What the lines above a frame determine for it. All zero: no state. */
struct fm_java_state {
    framemap_str exception; /* residual class of the preceding exception line; borrowed from that line */
    bool has_outline;
    int32_t outline_line; /* line of the preceding frame, which is an outline; -1: it had none */
};

struct fm_java_query {
    framemap_str class_name, method; /* names as printed in the stack trace, without loader and module */
    bool has_line;                   /* digits were printed and fit 32 bits; otherwise `line` is not read */
    int32_t line;                    /* line; may be 0 */
    bool no_slot; /* the output expression has no %l and no %S: lines are not printed, and alternatives are not
                     distinguished by them */
    bool verbose; /* alternatives are distinguished by the whole signature, and lines are given even if the stack trace
                     has none */
    bool signatures; /* alternatives are distinguished by the whole signature */
    bool repeats;    /* alternatives whose innermost frame equals that of an earlier one are kept, as R8 does for lines
                        with arguments */
    const struct fm_java_state *state; /* NULL: no state */
    uint32_t frames_most;              /* limit for all chains together; 0: FM_LIMIT_JAVA_CHAINS */
};

enum fm_java_line {
    FM_JAVA_LINE_ECHO = 0 /* print the line text of the stack trace unchanged */,
    FM_JAVA_LINE_NUMBER /* ":line" if it is above 0, otherwise no line */
};
struct fm_java_frame {
    framemap_str class_name;      /* original name; the query's if the mapping has none */
    framemap_str method;          /* original name, or the query's, as for class_name */
    framemap_str type, arguments; /* return type and arguments of a method that was found: "void",
                                     "int,java.lang.String[]"; absent otherwise */
    /* Source file that the index records for class_name; valid if has_source is set (it may be empty). */
    framemap_str source;
    bool has_source;
    bool found; /* the method is in the mapping; false: at most the class is */
    enum fm_java_line line_kind;
    int32_t line; /* valid with FM_JAVA_LINE_NUMBER only */
};
struct fm_java_chain {
    const struct fm_java_frame *frames; /* innermost first, at least one */
    size_t count;
    bool outline;                  /* the outermost frame is an outline and is left out */
    uint32_t text_rank, name_rank; /* used only while chains are sorted (java_order.c) */
};

enum fm_java_result {
    FM_JAVA_UNKNOWN = 0, /* the class is not in the index: one chain of one frame with the query's own names */
    FM_JAVA_CLASS,       /* the class is in the index, the method is not */
    FM_JAVA_METHOD,      /* the method is in the index; there may be no chains, if all frames are hidden (synthetic,
                            outlines, rewritten frames) */
};
struct fm_java_answer {
    enum fm_java_result result;
    const struct fm_java_chain *chains; /* distinct, in output order; more than one: the frame is ambiguous */
    size_t chain_count;
    bool too_many;           /* the chains had more than frames_most frames; the excess is left out */
    size_t removed_too_many; /* chains for which a rewrite rule removes more frames than exist: one warning for each */
    struct fm_java_state state; /* pass it with the query for the next line */
};
/* Restores a frame of a Java stack. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_resolve(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                                struct fm_java_answer *out, framemap_error *error);

/* As fm_java_resolve, without the fast path (java_fast.c); the results are equal. */
framemap_status fm_java_resolve_plain(const struct fm_view *view, const struct fm_java_query *query,
                                      struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error);

/* Returns the state after an exception line; the class need not be in the mapping. */
struct fm_java_state fm_java_exception(framemap_str residual);

/* Gets the original name of a class; false: not in the index. */
bool fm_java_class(const struct fm_view *view, framemap_str residual, framemap_str *original);

/* Gets the original of a type, "a.b", "a.b[][]" or, with slashes, "a/b$c", in the same notation. Returns the text
 * itself for a primitive type and for a type that is not in the index. In the arena or borrowed. Errors: MEMORY. */
framemap_status fm_java_type(const struct fm_view *view, framemap_str residual, struct fm_arena *arena,
                             framemap_str *original, framemap_error *error);

/* Finds the source file to print for the class of a frame. known: the class is in the index. printed: the file in the
 * stack trace ("SourceFile"). Follows ProGuard's rules for an index built from a ProGuard mapping. */
framemap_status fm_java_source(const struct fm_view *view, const struct fm_java_frame *frame, bool known,
                               framemap_str printed, struct fm_arena *arena, framemap_str *out, framemap_error *error);

/* Members of a class by residual name, in output order, without duplicates; none if the class or the name is not in the
 * index. Errors: MEMORY, CORRUPT. */
struct fm_java_member {
    framemap_str class_name, name, type;
    framemap_str arguments; /* arguments of a method: "int,java.lang.String[]" */
};
framemap_status fm_java_fields(const struct fm_view *view, framemap_str class_name, framemap_str field,
                               struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                               framemap_error *error);
framemap_status fm_java_methods(const struct fm_view *view, framemap_str class_name, framemap_str method,
                                struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                                framemap_error *error);

/* fm_resolve for indexes of the class form. The scope "a.b.c" is class "a.b" and member "c". If that finds no match,
 * and the query has neither a state nor a line (no_position, or position 0), the scope is also tried as the class or
 * type "a.b.c". With no_position and without a state, the name alone is looked up: every method and field of that name
 * gives one chain. With no_position and a state, the query is a frame without a line.
 *
 *     OK         a frame with a line; or, if no frame was restored and a reason is given, a frame that is hidden
 *     AMBIGUOUS  several chains
 *     SYMBOL     names only: a frame without a line, a class, a member, or a frame whose class alone is known
 *                (its method is then as printed)
 *     NO_MATCH   the class is not known */
framemap_status fm_resolve_java(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                framemap_frame *out, framemap_error *error);

/* What fm_resolve_java writes into the frame, but module, id and architecture of the index. */
struct fm_java_restored {
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    const framemap_frame_list *alternatives;
    size_t alternative_count;
    bool over_limit;
};
/* As fm_resolve_java, with that struct; NO_MATCH for an index of another form. symbols: false leaves out the symbol,
 * "int m(char,long[])", of frames that have a function. *out is undefined if it fails. */
framemap_status fm_java_restore(const struct fm_view *view, const framemap_query *query, bool symbols,
                                struct fm_arena *arena, struct fm_java_restored *out, framemap_error *error);

#endif
