/* Symbol files, indexes and reports as bytes: opened in one safe way.
 *
 * The calls that take bytes do not care where these are from. These calls serve programs that have files, and the
 * session uses the same code. */
#ifndef FRAMEMAP_FILE_H
#define FRAMEMAP_FILE_H

#include <framemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A regular file that is open: mapped, or read into memory. Its bytes may be read by any thread. */
typedef struct framemap_file framemap_file;

/* Zero everything, set size = sizeof, then what differs; a later version only adds fields at the end. */
typedef struct framemap_file_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the C library */
    uint64_t read_up_to; /* files up to so many bytes are read into memory, and can't change after that; bigger ones are
                            mapped. 0: all are mapped */
} framemap_file_options;

/* Opens a regular file. Symbolic links are followed; folders, devices, FIFOs and sockets are refused without waiting
 * for them. path: NUL-terminated. options NULL: the defaults. out: written on success; closed by the caller. Errors:
 * ARGUMENT; IO, with the reason in words and the path in error->where, also where a file changes while it is read into
 * memory; MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_file_open(const char *path, const framemap_file_options *options,
                                                framemap_file **out, framemap_error *error);

/* The whole file, borrowed until framemap_file_close; not NUL-terminated. Never NULL data. Any thread. */
FRAMEMAP_API framemap_str framemap_file_bytes(const framemap_file *file);

/* Whether a mapped file was changed since it was opened: overwritten, or cut short. What was made of its bytes is then
 * not to be trusted. Files that were read into memory don't change. One system call. Any thread. */
FRAMEMAP_API bool framemap_file_changed(const framemap_file *file);

/* These fit framemap_build_options.consumed and .release_range, with the framemap_file as context: pages of a mapped file that
 * were read are given back to the system, and read from the file again where they are wanted again. One call at a time.
 */
FRAMEMAP_API void framemap_file_consumed(void *file, size_t offset);
FRAMEMAP_API void framemap_file_release_range(void *file, size_t offset, size_t size);

/* NULL is allowed. */
FRAMEMAP_API void framemap_file_close(framemap_file *file);

/* Installs a handler of SIGBUS for the whole process that keeps it alive when a file is cut short while framemap has it
 * mapped: what was lost reads as zeros, and framemap_file_changed and the session report it. A signal for any other
 * address goes to the handler that was there before.
 *
 * Off by default: a library must not take a signal from its program. Without it, and where other programs may cut files
 * short in place, set framemap_file_options.read_up_to, or keep such files away; tools that replace a file by renaming
 * a new one over it do no harm. Install it after handlers of your own. It can't be taken out again. The framemap
 * command installs it. false: the system has no such signal, or refused. Any thread. */
FRAMEMAP_API bool framemap_guard_mapped_files(void);

#ifdef __cplusplus
}
#endif
#endif
