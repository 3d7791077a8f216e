/* Opens symbol files, indexes and reports safely, and gives their bytes.
 *
 * The calls that take bytes accept bytes from anywhere. The calls in this header are for programs whose bytes are in
 * files; a session uses the same code. */
#ifndef FRAMEMAP_FILE_H
#define FRAMEMAP_FILE_H

#include <framemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open regular file, mapped or read into memory. Any thread may read its bytes. */
typedef struct framemap_file framemap_file;

/* Options of framemap_file_open. Zero the struct, set size to sizeof, then set what differs from the defaults. Later
 * versions only add fields at the end. */
typedef struct framemap_file_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t read_up_to; /* files of up to this many bytes are read into memory, so that later changes of the file have
                            no effect; larger files are mapped. 0: all files are mapped */
    /* the path may lead into an archive (zip, apk, aab, aar, jar, .a): "app.aab!base/lib/x.so". A file compressed
     * with gzip, zstd or xz is decompressed, unless it is a source map, whose mapper decompresses it itself.
     * Decompressed bytes may be at most 64 times the size of the file, or 64 MB if that is more */
    bool within;
    uint64_t max_memory; /* bytes that may be allocated for the file; 0: no ceiling */
} framemap_file_options;

/* Opens a regular file. Follows symbolic links. Directories, devices, FIFOs and sockets are refused, without waiting
 * for them.
 * path: NUL-terminated. options: NULL for the defaults. out: written on success; close it with framemap_file_close.
 * Errors: ARGUMENT; IO, with the path in error->where, also if the file changes while it is read into memory; MEMORY.
 * Any thread. */
FRAMEMAP_API framemap_status framemap_file_open(const char *path, const framemap_file_options *options,
                                                framemap_file **out, framemap_error *error);

/* Returns the bytes of the whole file, borrowed until framemap_file_close. Not NUL-terminated; data is never NULL. Any
 * thread. */
FRAMEMAP_API framemap_str framemap_file_bytes(const framemap_file *file);

/* Whether a mapped file was overwritten or cut short since it was opened; if so, do not trust results that were
 * computed from its bytes. Always false for files that were read into memory. Costs one system call. Any thread. */
FRAMEMAP_API bool framemap_file_changed(const framemap_file *file);

/* Callbacks for framemap_build_options.consumed and .release_range; set input_context to the framemap_file, which they
 * get as `file`. They return pages of a mapped file to the system; pages that are needed again are read from the file
 * again. offset and size in bytes. One call at a time. */
FRAMEMAP_API void framemap_file_consumed(void *file, size_t offset);
FRAMEMAP_API void framemap_file_release_range(void *file, size_t offset, size_t size);

/* Closes the file; its bytes become invalid. NULL is allowed. No other thread may use the file. */
FRAMEMAP_API void framemap_file_close(framemap_file *file);

/* A symbol file in an archive. */
typedef struct framemap_archive_member {
    framemap_str name;  /* path of the member in the archive, as the archive writes it; for a file in an archive in the
                           archive, "inner.apk!lib/x.so". Borrowed until the callback returns */
    framemap_str bytes; /* bytes of the member, decompressed; borrowed until the callback returns */
    bool is_compressed;
    size_t within;   /* number of bytes at the start of `name` that name the archives around the member, up to and
                        including the last '!': 10 for "inner.apk!lib/x.so" */
    uint64_t offset; /* offset of the member's bytes in the archive that it is in; 0 if the member is compressed
                        there */
} framemap_archive_member;

/* Options of framemap_archive_symbols. Zero the struct, set size to sizeof, then set `each`. Later versions only add
 * fields at the end. */
typedef struct framemap_archive_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory;                 /* bytes that may be allocated at a time; 0: no ceiling */
    void *context;                       /* passed to the callbacks */
    /* Receives a symbol file. Another result than FRAMEMAP_OK ends the call, which returns it. */
    framemap_status (*each)(void *context, const framemap_archive_member *member, framemap_error *error);
    /* Whether the caller wants a symbol file; called before the file is decompressed. NULL: all are wanted. */
    bool (*wants)(void *context, framemap_str name);
    /* Receives files that cannot be read, with the name in `where`; may be NULL. */
    void (*warning)(void *context, const framemap_error *warning);
    /* Set by the call: its code is OK if the call could read a symbol file; otherwise it is EMPTY, with a message that
     * says what the archive has instead and, if known, which file to give. May be NULL. */
    framemap_error *nothing;
} framemap_archive_options;

/* Finds the symbol files in an archive: zip (apk, aab, aar, jar), ar (.a). Files are recognized by their content, as
 * framemap_file_inspect does; archives in archives are opened to a depth of 4, and compressed files are decompressed.
 * Nothing is written. All files together may be decompressed to at most 64 times the size of the archive, or 64 MB if
 * that is more; files beyond that are skipped with a warning. bytes: the archive. options: required. Errors: ARGUMENT;
 * FORMAT if it is not an archive; CORRUPT, TRUNCATED if its directory is damaged or its files overlap; LIMIT; those of
 * `each`. Any thread.
 */
FRAMEMAP_API framemap_status framemap_archive_symbols(framemap_str bytes, const framemap_archive_options *options,
                                                      framemap_error *error);

/* Installs a SIGBUS handler for the whole process, which keeps it alive if a file is cut short while framemap has it
 * mapped: the lost part reads as zeros, and framemap_file_changed and the session report the change. A signal for any
 * other address is passed to the handler that was installed before.
 *
 * This is off by default, because a library must not take a signal from its program. Without it, if other programs may
 * truncate files in place, set framemap_file_options.read_up_to or keep such files away; tools that replace a file by
 * renaming a new one over it are harmless. Call this after installing handlers of your own. It cannot be undone. A
 * thread that blocks SIGBUS is not guarded; framemap's own threads do not block it. The framemap command calls it.
 * Returns false if the system has no such signal or refused. Any thread. */
FRAMEMAP_API bool framemap_guard_mapped_files(void);

#ifdef __cplusplus
}
#endif
#endif
