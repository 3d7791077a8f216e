/* Java and Kotlin: R8's retrace as a call. Obfuscated text in, restored text out, line by line, as the tool prints it.
 *
 *     framemap_retracer *retracer = NULL;
 *     framemap_retrace_options options = {.size = sizeof options};
 *
 *     if (framemap_retracer_create(index, &options, &retracer, &error) == FRAMEMAP_OK)
 *         framemap_retracer_text(retracer, text, write, context, &error);
 *     framemap_retracer_free(retracer);
 *
 * The index is of a mapping.txt (framemap_index_build, kind "r8"), or of ProGuard's rules (mapper "proguard"): then
 * ProGuard's retrace is followed.
 */
#ifndef FRAMEMAP_RETRACE_H
#define FRAMEMAP_RETRACE_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The index that holds a renamed class, for mappings that are split over a store (one value a class, key
 * "KIND:ID:CLASS"); NULL: there is none. class_name is as the stack prints it, without loader and module. The index
 * must live as long as the retracer. */
typedef const framemap_index *(*framemap_class_finder)(void *context, framemap_str class_name);

typedef struct framemap_retrace_options {
    size_t size;
    const framemap_allocator *allocator; /* copied */
    const char *expression; /* regular expression with retrace's placeholders (%c %C %m %s %l %S %t %f %a); NULL: the
                               default one */
    bool verbose;           /* methods with return type and arguments, fields with type */
    framemap_class_finder find; /* asked for every class, instead of the index, when given */
    void *find_context;
    framemap_warning warning; /* lines that could not be restored as their mapping says; NULL: not told */
    void *context;            /* for warning */
    /* Ceiling on the memory that is taken for the retracer itself, bytes; 0: none. Not on the index, which
     * framemap_build_options.max_memory bounds, nor on the indexes that the finder opens. A line that goes over it
     * passes through unchanged, with a warning that begins with "over-memory". */
    uint64_t max_memory;
} framemap_retrace_options;

typedef struct framemap_retracer framemap_retracer; /* one thread */

/* index: borrowed until free; NULL only with options->find. Errors: ARGUMENT (the expression, with what is wrong in it;
 * an index of another kind), LIMIT (an expression of more than 64 KiB, or 32 placeholders), MEMORY. */
FRAMEMAP_API framemap_status framemap_retracer_create(const framemap_index *index,
                                                      const framemap_retrace_options *options, framemap_retracer **out,
                                                      framemap_error *error);
FRAMEMAP_API void framemap_retracer_free(framemap_retracer *retracer); /* NULL allowed */

/* Restores whole lines, which end at LF, CR LF or CR; each ends with LF in the output. Bytes that are no UTF-8 pass
 * through, and so do lines of more than 16 MB. What earlier lines told (an exception, an outline) is kept from call to
 * call, so a long text can be given in parts that end at line ends. Errors: ARGUMENT, IO (write refused), MEMORY, LIMIT
 * (an expression that does not come to an end, alternatives of more than 1 GiB). */
FRAMEMAP_API framemap_status framemap_retracer_text(framemap_retracer *retracer, framemap_str text,
                                                    framemap_write write, void *context, framemap_error *error);
/* Forgets what earlier lines told. */
FRAMEMAP_API void framemap_retracer_reset(framemap_retracer *retracer);

/* Compares the hash in a mapping's header ("# pg_map_hash: SHA-256 …") with the text behind it. OK: equal. Errors:
 * EMPTY (the header has none), MISMATCH, UNSUPPORTED (another algorithm). Any thread. */
FRAMEMAP_API framemap_status framemap_mapping_check_hash(framemap_str mapping, framemap_error *error);

/* Names without a frame: the original of a class "a.b" or type "a.b[]"; of a member "a.b.c" (every candidate, one a
 * frame, in the order of printing, with class_name, function, and symbol = the signature) are asked through
 * framemap_resolve with query.scope. */

#ifdef __cplusplus
}
#endif
#endif
