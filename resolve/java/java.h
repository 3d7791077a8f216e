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

/* What the lines above a frame of a stack determine for that frame. All fields zero: the lines above determine
 * nothing. */
struct fm_java_state {
    framemap_str exception; /* residual class of the preceding exception line; borrowed from that line */
    bool has_outline;
    int32_t outline_line; /* line of the preceding frame, which is in an outline (code that R8 moved out of methods);
                             -1: the frame had no line */
};

struct fm_java_query {
    framemap_str class_name, method; /* names as printed in the stack trace, without loader and module */
    bool has_line;                   /* the stack has a line that fits 32 bits; otherwise `line` is not read */
    int32_t line;                    /* line; may be 0 */
    /* the format in which frames are printed has neither %l nor %S, so lines do not distinguish alternatives */
    bool no_slot;
    bool verbose; /* alternatives are distinguished by the whole signature, and lines are given even if the stack trace
                     has none */
    bool signatures; /* alternatives are distinguished by the whole signature */
    bool repeats;    /* alternatives whose innermost frame equals that of an earlier one are kept, as R8 does for lines
                        of text that have arguments of methods */
    const struct fm_java_state *state; /* what the lines above determine; NULL: nothing */
    /* limit for the number of frames in all chains together; 0: FM_LIMIT_JAVA_CHAINS */
    uint32_t frames_most;
};

enum fm_java_line {
    FM_JAVA_LINE_ECHO = 0 /* prints the line as it is in the stack trace */,
    FM_JAVA_LINE_NUMBER /* prints ":line" if the line is above 0, otherwise no line */
};
struct fm_java_frame {
    framemap_str class_name;      /* original name, or the name in the query if the mapping does not have the class */
    framemap_str method;          /* original name, or the name in the query if the mapping does not have the method */
    framemap_str type, arguments; /* return type and arguments of a method that was found: "void",
                                     "int,java.lang.String[]"; absent otherwise */
    /* Source file that the index records for class_name. It may be empty, and is valid only if has_source is set. */
    framemap_str source;
    bool has_source;
    bool found; /* the mapping has the method; false: it has at most the class */
    enum fm_java_line line_kind;
    int32_t line; /* the line; valid with FM_JAVA_LINE_NUMBER only */
};
struct fm_java_chain {
    const struct fm_java_frame *frames; /* the frames, innermost first; at least one */
    size_t count;
    bool outline;                  /* the outermost frame is in an outline, and is left out */
    uint32_t text_rank, name_rank; /* used only while chains are sorted (java_order.c); before the ranks are known,
                                      text_rank is the number of arguments, 0 if they were not counted yet */
};

enum fm_java_result {
    FM_JAVA_UNKNOWN = 0, /* the class is not in the index: one chain of one frame with the query's own names */
    FM_JAVA_CLASS,       /* the class is in the index, the method is not */
    FM_JAVA_METHOD,      /* the method is in the index; there may be no chains, if all frames are hidden (synthetic,
                            outlines, rewritten frames) */
};
struct fm_java_answer {
    enum fm_java_result result;
    const struct fm_java_chain *chains; /* distinct chains in the order of output; if there is more than one, the frame
                                           is ambiguous */
    size_t chain_count;
    bool too_many; /* the chains had more than frames_most frames, and some were left out */
    /* number of chains from which a rewrite rule would remove more frames than they have; the caller prints a
     * warning for each of them */
    size_t removed_too_many;
    struct fm_java_state state; /* state to pass with the query for the next line of the stack */
};
/* Restores a frame of a Java stack. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_resolve(const struct fm_view *view, const struct fm_java_query *query, struct fm_arena *arena,
                                struct fm_java_answer *out, framemap_error *error);

/* Restores a frame as fm_java_resolve does, with the same result, but never uses the fast path of java_fast.c. */
framemap_status fm_java_resolve_plain(const struct fm_view *view, const struct fm_java_query *query,
                                      struct fm_arena *arena, struct fm_java_answer *out, framemap_error *error);

/* Returns the state after an exception line. `residual`, the exception's class, need not be in the mapping. */
struct fm_java_state fm_java_exception(framemap_str residual);

/* Gets the original name of a class. false: the index does not have the class. */
bool fm_java_class(const struct fm_view *view, framemap_str residual, framemap_str *original);

/* Gets the original of a type, "a.b", "a.b[][]" or, with slashes, "a/b$c", in the notation of the query. Returns the
 * text itself for a primitive type and for a type that is not in the index. In the arena or borrowed. Errors:
 * MEMORY. */
framemap_status fm_java_type(const struct fm_view *view, framemap_str residual, struct fm_arena *arena,
                             framemap_str *original, framemap_error *error);

/* Returns the source file to print for the class of a frame, by ProGuard's rules if the index was built from a ProGuard
 * mapping. known: the class is in the index. printed: the file in the stack trace ("SourceFile"). */
framemap_status fm_java_source(const struct fm_view *view, const struct fm_java_frame *frame, bool known,
                               framemap_str printed, struct fm_arena *arena, framemap_str *out, framemap_error *error);

/* A member of a class, by its original names. */
struct fm_java_member {
    framemap_str class_name, name, type;
    framemap_str arguments; /* arguments of a method, as in "int,java.lang.String[]" */
};
/* Finds the members of a class by their residual name, in the order of output, without duplicates; there are none if
 * the index does not have the class or the name. Errors: MEMORY, CORRUPT. */
framemap_status fm_java_fields(const struct fm_view *view, framemap_str class_name, framemap_str field,
                               struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                               framemap_error *error);
framemap_status fm_java_methods(const struct fm_view *view, framemap_str class_name, framemap_str method,
                                struct fm_arena *arena, const struct fm_java_member **out, size_t *count,
                                framemap_error *error);

/* Answers a query as fm_resolve does, from an index of the class form. The scope "a.b.c" is class "a.b" and member "c".
 * If that finds no match, and the query has neither a state nor a line (no_position, or position 0), the scope is also
 * tried as the class or type "a.b.c". With no_position and without a state, the name alone is looked up: every method
 * and field of that name gives one chain. With no_position and a state, the query is a frame without a line.
 *
 *     OK         a frame with a line; or, if no frame was restored and a reason is given, a frame that is hidden
 *     AMBIGUOUS  several chains
 *     SYMBOL     names only: a frame without a line, a class, a member, or a frame whose class alone is known
 *                (its method is then as printed)
 *     NO_MATCH   the class is not known */
framemap_status fm_resolve_java(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                framemap_frame *out, framemap_error *error);

/* What fm_resolve_java writes into a frame, except the module, id and architecture of the index. */
struct fm_java_restored {
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    const framemap_frame_list *alternatives;
    size_t alternative_count;
    bool over_limit;
};
/* Answers a query as fm_resolve_java does, but writes a struct fm_java_restored. The status is NO_MATCH for an index of
 * another form. symbols: false leaves out the symbol, "int m(char,long[])", of frames that have a function. *out is
 * undefined if the call fails. */
framemap_status fm_java_restore(const struct fm_view *view, const framemap_query *query, bool symbols,
                                struct fm_arena *arena, struct fm_java_restored *out, framemap_error *error);

#endif
