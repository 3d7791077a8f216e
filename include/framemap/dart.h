/* Dart and Flutter: what `decode translate` and `flutter symbolize` do, as a call. Text in, text out, line by line, as
 * those tools print it.
 *
 *     framemap_dart_decoder *decoder = NULL;
 *     framemap_dart_options options = {.size = sizeof options, .internal_frames = true};
 *
 *     if (framemap_dart_decoder_create(index, &options, &decoder, &error) == FRAMEMAP_OK)
 *         framemap_dart_decoder_text(decoder, text, write, context, &error);
 *     framemap_dart_decoder_free(decoder);
 *
 * The index is of a program compiled ahead of time, or of the file that its debug info was split to
 * (framemap_index_build, kind "dart").
 */
#ifndef FRAMEMAP_DART_H
#define FRAMEMAP_DART_H

#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The index of a loading unit (a deferred component; 1 is the program itself) by its number, its build id (lower-case
 * hex) and architecture ("arm64", "x86_64"); either is absent where the trace does not tell it. NULL: there is none.
 * The index must live as long as the decoder. */
typedef const framemap_index *(*framemap_dart_unit_finder)(void *context, uint64_t unit, framemap_str build_id,
                                                           framemap_str arch);

typedef struct framemap_dart_options {
    size_t size;
    const framemap_allocator *allocator; /* copied */
    bool internal_frames; /* rows of the compiler's own making are printed too, as `flutter symbolize` and `decode
                             translate --verbose` do */
    bool any_build; /* a trace that names another build than the index is decoded all the same, as those tools do; else
                       its rows stay, with a warning */
    framemap_dart_unit_finder find_unit; /* NULL: there are no units but the program itself, number 1 */
    void *find_context;
    framemap_warning warning; /* one call for each build that a trace names and the index is not of; NULL: not told */
    void *context;            /* for warning */
    const framemap_index
        *names; /* of an obfuscation map (--save-obfuscation-map), borrowed until free: names in rows and in what was
                   thrown get their originals. Dart's own tools know nothing of it. NULL: none */
    /* Ceiling on the memory that is taken for the decoder itself, bytes; 0: none. Not on the indexes, which a session
     * or framemap_build_options.max_memory bounds. A line that goes over it passes through unchanged, with a warning
     * that begins with "over-memory". */
    uint64_t max_memory;
} framemap_dart_options;

typedef struct framemap_dart_decoder framemap_dart_decoder; /* one thread */

/* index: of the program, borrowed until free; NULL with options->find_unit: that is asked for it, too. Errors: ARGUMENT
 * (an index of another kind), MEMORY. */
FRAMEMAP_API framemap_status framemap_dart_decoder_create(const framemap_index *index,
                                                          const framemap_dart_options *options,
                                                          framemap_dart_decoder **out, framemap_error *error);
FRAMEMAP_API void framemap_dart_decoder_free(framemap_dart_decoder *decoder); /* NULL allowed */

/* Decodes whole lines, which end at LF, CR LF or CR; each ends with LF in the output. What earlier lines told (a
 * trace's header) is kept from call to call, so a long text can be given in parts that end at line ends. Errors:
 * ARGUMENT, IO (write refused), MEMORY. */
FRAMEMAP_API framemap_status framemap_dart_decoder_text(framemap_dart_decoder *decoder, framemap_str text,
                                                        framemap_write write, void *context, framemap_error *error);

/* Writes parsed traces as Dart's VM would have written them: header and rows, addresses of calls. What can be written
 * are frames that stand in a Dart program whose symbols the session has: of native stacks, with a load address or
 * relative to their image; of samplers; of Dart's traces themselves. Rows are numbered anew. A trace without such
 * frames is left out. dropped: may be NULL; how many frames were of no such program. Errors: ARGUMENT, IO, MEMORY. Any
 * thread. */
FRAMEMAP_API framemap_status framemap_session_write_dart(framemap_session *session, const framemap_trace_list *list,
                                                         framemap_write write, void *context, uint64_t *dropped,
                                                         framemap_error *error);

/* The texts of a Dart program, as linked: what stacks count from. */
typedef struct framemap_dart_texts {
    framemap_str symbol; /* "_kDartSnapshotText" or "_kDartIsolateSnapshotInstructions"; borrowed from the index */
    uint64_t text, text_end;
    uint64_t vm_text; /* of "_kDartVmSnapshotInstructions", up to Dart 3.12 */
    bool has_vm_text;
} framemap_dart_texts;
/* false: no index of a Dart program, or one without a text symbol. Any thread. */
FRAMEMAP_API bool framemap_dart_texts_of(const framemap_index *index, framemap_dart_texts *out);

/* Writes what `decode dump` of package:native_stack_traces prints of a file: headers, segments, sections,
 * abbreviations, debugging entries, line numbers. Of an ELF or Mach-O file, thin or fat, whose debug info Dart's
 * compiler wrote. arch: NULL, or the part of a fat file that is dumped as if it were the file ("arm64"). Nothing is
 * written unless all can be read. Errors: EMPTY (no debug info), VERSION (debug info that is not of DWARF 2), FORMAT,
 * TRUNCATED, CORRUPT, MISMATCH, LIMIT (more than a thousand bytes to write for each that was given), IO (write
 * refused), MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_dart_dump(framemap_str bytes, const char *arch,
                                                const framemap_allocator *allocator, framemap_write write,
                                                void *context, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
