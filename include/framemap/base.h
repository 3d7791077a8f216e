/* Types that every framemap header uses: status codes, strings, errors, allocators.
 *
 * Include <framemap/framemap.h>, which includes this header. */
#ifndef FRAMEMAP_BASE_H
#define FRAMEMAP_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FRAMEMAP_VERSION_MAJOR 0
#define FRAMEMAP_VERSION_MINOR 2
#define FRAMEMAP_VERSION_PATCH 0
#define FRAMEMAP_VERSION_STRING "0.2.0"

#if defined(FRAMEMAP_BUILD) && defined(__GNUC__)
#define FRAMEMAP_API __attribute__((visibility("default")))
#else
#define FRAMEMAP_API
#endif

/* The outcome of a call that can fail: 0 is success, negative values are errors. The values are pinned: they never
 * change their meaning.
 *
 * "Not found" is not an error: a query that finds nothing returns FRAMEMAP_OK, and the frame's own status
 * (framemap_frame_status) gives the reason. */
typedef enum framemap_status {
    FRAMEMAP_OK = 0,

    /* An error of the caller; the same call will fail again. */
    FRAMEMAP_E_ARGUMENT = -1,    /* a NULL pointer, an unknown option, or an option struct with unknown fields set */
    FRAMEMAP_E_UNSUPPORTED = -2, /* a valid request that this build or version cannot carry out */

    /* A limit of the machine; the call may succeed later or with more resources. */
    FRAMEMAP_E_MEMORY = -16, /* the allocator returned NULL, or a ceiling (max_memory) was reached; in the second case
                                the message begins with "over-memory" */
    FRAMEMAP_E_LIMIT =
        -17,             /* the input exceeds a documented limit, or the caller's progress callback stopped the call */
    FRAMEMAP_E_IO = -18, /* the system refused a file (absent, no permission, a directory, a read error), or the
                            caller's write callback refused output */

    /* An error in the input; other inputs are not affected. */
    FRAMEMAP_E_FORMAT = -32,    /* the bytes are not a file of a known kind */
    FRAMEMAP_E_TRUNCATED = -33, /* the file ends before what its own headers promise */
    FRAMEMAP_E_CORRUPT = -34,   /* the file contradicts itself or its standard */
    FRAMEMAP_E_VERSION = -35,   /* a version of the format that this library does not read */
    FRAMEMAP_E_MISMATCH = -36,  /* a valid file with another id or architecture than requested */
    FRAMEMAP_E_EMPTY = -37,     /* a valid file with nothing to look up in it, or no file was found */

    /* A bug in framemap; please report it. */
    FRAMEMAP_E_INTERNAL = -64
} framemap_status;

/* A slice of bytes: borrowed, not NUL-terminated. {NULL, 0} means "absent". data may be NULL only if size is 0;
 * otherwise calls that can fail return ARGUMENT. A function that returns a slice documents whose memory it is. Text is
 * UTF-8 if its source was; it is not validated. */
typedef struct framemap_str {
    const char *data;
    size_t size;
} framemap_str;

#define FRAMEMAP_ERROR_MESSAGE_SIZE 256
#define FRAMEMAP_ERROR_WHERE_SIZE 256

/* Details of an error, in memory of the caller. A call writes it only if it fails; every call accepts NULL instead.
 * `where` and `message` are NUL-terminated and, if they do not fit, cut at a UTF-8 boundary. */
typedef struct framemap_error {
    framemap_status code;
    bool has_offset;                           /* whether `offset` is set */
    bool has_line;                             /* whether `line` is set */
    uint64_t offset;                           /* byte offset in the file or text, from 0 */
    uint64_t line;                             /* line number in the text, from 1 */
    char where[FRAMEMAP_ERROR_WHERE_SIZE];     /* the file, section or archive member; empty: none */
    char message[FRAMEMAP_ERROR_MESSAGE_SIZE]; /* one sentence without a final full stop */
} framemap_error;

/* A memory allocator. One function allocates (ptr NULL), resizes, and frees (new_size 0; it then returns NULL).
 * old_size is the size of the previous request for ptr. Results must have the alignment of malloc's. The function must
 * be callable from every thread that uses the objects made with it, and from the threads that calls start if the caller
 * allows them more than one. Wherever the library takes an allocator, NULL
 * selects the C library's, as does a struct whose resize is NULL. */
typedef struct framemap_allocator {
    void *(*resize)(void *context, void *ptr, size_t old_size, size_t new_size);
    void *context;
} framemap_allocator;

/* Returns the version of the linked library, "MAJOR.MINOR.PATCH". Static memory. Any thread. */
FRAMEMAP_API const char *framemap_version(void);

/* Returns a short English name for a status, such as "out of memory". Static memory, never NULL. Any thread. */
FRAMEMAP_API const char *framemap_status_text(framemap_status status);

/* Wraps a NUL-terminated string without copying it; NULL gives the absent string. Any thread. */
FRAMEMAP_API framemap_str framemap_str_of(const char *text);

#ifdef __cplusplus
}
#endif
#endif
