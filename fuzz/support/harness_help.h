/* Helpers that the harnesses of public functions share: an assertion, numbers and texts from the input, a counting
 * allocator, a temporary folder. */
#ifndef FM_FUZZ_SUPPORT_HARNESS_HELP_H
#define FM_FUZZ_SUPPORT_HARNESS_HELP_H

#include <framemap/framemap.h>

/* Aborts with a message that names the property that does not hold. */
#define must(holds) ((holds) ? (void)0 : fuzz_broken(#holds, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *what, const char *file, int line);

/* --- consuming the input from its start; after its end there are zeros and empty texts --- */

struct fuzz_input {
    const uint8_t *data;
    size_t size;
};
uint64_t fuzz_number(struct fuzz_input *input, unsigned bytes);
/* Reads a text of up to 255 bytes: a byte with the size, then the bytes. */
framemap_str fuzz_text(struct fuzz_input *input);
/* Returns the part of the input that was not read yet. */
framemap_str fuzz_rest(struct fuzz_input *input);

/* --- limiting memory, all of which must be freed --- */

struct fuzz_memory {
    framemap_allocator hook;
    size_t used, ceiling;
};
void fuzz_memory_begin(struct fuzz_memory *memory, size_t ceiling);
/* Aborts if memory was not freed. */
void fuzz_memory_end(const struct fuzz_memory *memory);

/* --- counting the output, which is refused above some megabytes --- */

struct fuzz_output {
    size_t size, most;
    uint64_t hash; /* hash of the whole output */
};
bool fuzz_write(void *output, const char *data, size_t size);

/* --- opening sessions --- */

/* Returns a session with the symbols of corpus/demo, or without symbols. The symbols are the same for every input, so
 * the session is opened once and never closed. */
framemap_session *fuzz_demo_session(bool symbols);

/* --- writing files into a folder of the process --- */

/* Creates a folder, and returns its name. When the process ends, the folder is removed with everything in it. Links in
 * it are removed, not followed. The name is valid until then. */
const char *fuzz_folder(void);
/* Removes a file, or a folder with everything in it. */
void fuzz_remove(const char *path);
/* Writes a file. Returns false if the system refuses it, for example because the name is too long or a folder has
 * that name. */
bool fuzz_put(const char *path, framemap_str bytes);

#endif
