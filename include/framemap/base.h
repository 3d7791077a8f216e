/* Words every framemap header uses: status codes, strings, errors, allocators.
 *
 * Include <framemap/framemap.h>; this file is one part of it.
 */
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

/* Outcome of every call that can fail. Values are pinned: they never change meaning.
 *
 * "Not found" is no failure: a query that finds nothing returns FRAMEMAP_OK and says why
 * in the frame's own status (framemap_frame_status).
 */
typedef enum framemap_status {
    FRAMEMAP_OK = 0,

    /* The caller's mistake; the same call will fail again. */
    FRAMEMAP_E_ARGUMENT = -1,    /* a NULL, an unknown option, an unknown non-zero tail of an option struct */
    FRAMEMAP_E_UNSUPPORTED = -2, /* understood, but this build or version does not do it */

    /* The machine's limits; may work later or with more. */
    FRAMEMAP_E_MEMORY = -16, /* the allocator gave nothing; or a ceiling is reached (max_memory), which the message
                                begins with: "over-memory: …" */
    FRAMEMAP_E_LIMIT = -17,  /* input claims more than a documented limit allows */
    FRAMEMAP_E_IO = -18,     /* the system refused a file: absent, no permission, a directory, read error */

    /* The input's fault; the rest of the input is still good. */
    FRAMEMAP_E_FORMAT = -32,    /* not a file of a kind that is known */
    FRAMEMAP_E_TRUNCATED = -33, /* ends before what it promises */
    FRAMEMAP_E_CORRUPT = -34,   /* contradicts itself or its standard */
    FRAMEMAP_E_VERSION = -35,   /* a version of the format that this library does not read */
    FRAMEMAP_E_MISMATCH = -36,  /* a good file, but not the one asked for: other id or architecture */
    FRAMEMAP_E_EMPTY = -37,     /* a good file with nothing in it to look up */

    /* A fault of framemap itself; please report it. */
    FRAMEMAP_E_INTERNAL = -64
} framemap_status;

/* Bytes, borrowed: not NUL-terminated, not owned. {NULL, 0} means absent; data may be NULL only with size 0.
 * A function that returns one says whose memory it is. Text is UTF-8 where its source was; it is not validated. */
typedef struct framemap_str {
    const char *data;
    size_t size;
} framemap_str;

#define FRAMEMAP_ERROR_MESSAGE_SIZE 256
#define FRAMEMAP_ERROR_WHERE_SIZE 256

/* Details of a failure, in memory of the caller, written only when a call fails.
 * Every call takes NULL where the details are not wanted. message is one plain sentence without a final stop,
 * both texts are NUL-terminated and cut at a UTF-8 boundary where they do not fit. */
typedef struct framemap_error {
    framemap_status code;
    bool has_offset;                       /* offset is meaningful */
    bool has_line;                         /* line is meaningful */
    uint64_t offset;                       /* byte in the file or text, from 0 */
    uint64_t line;                         /* line of the text, from 1 */
    char where[FRAMEMAP_ERROR_WHERE_SIZE]; /* file, section or member; empty when there is none */
    char message[FRAMEMAP_ERROR_MESSAGE_SIZE];
} framemap_error;

/* Where memory comes from. One function does all: allocate (ptr NULL), resize, free (new_size 0, returns NULL).
 * old_size is what was asked for before. Results are aligned as malloc's. Must be callable from any thread that
 * uses the objects made with it. NULL in its place everywhere means the C library. */
typedef struct framemap_allocator {
    void *(*resize)(void *context, void *ptr, size_t old_size, size_t new_size);
    void *context;
} framemap_allocator;

/* Version of the library that is linked, as "MAJOR.MINOR.PATCH". Static memory; any thread. */
FRAMEMAP_API const char *framemap_version(void);

/* Short English name of a status, "out of memory". Static memory, never NULL; any thread. */
FRAMEMAP_API const char *framemap_status_text(framemap_status status);

/* Wraps a NUL-terminated string; NULL gives the absent string. Borrowed from text. */
FRAMEMAP_API framemap_str framemap_str_of(const char *text);

#ifdef __cplusplus
}
#endif
#endif
