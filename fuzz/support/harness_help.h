/* What harnesses of public calls share: an assertion, numbers and texts out of the input, memory that is counted, a
 * folder of their own. */
#ifndef FM_FUZZ_SUPPORT_HARNESS_HELP_H
#define FM_FUZZ_SUPPORT_HARNESS_HELP_H

#include <framemap/framemap.h>

/* Says which property does not hold, and aborts. */
#define must(holds) ((holds) ? (void)0 : fuzz_broken(#holds, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *what, const char *file, int line);

/* --- the input, taken from its front; zeros and empty texts after its end --- */

struct fuzz_input {
    const uint8_t *data;
    size_t size;
};
uint64_t fuzz_number(struct fuzz_input *input, unsigned bytes);
/* A text of up to 255 bytes: its size and then its bytes. */
framemap_str fuzz_text(struct fuzz_input *input);
/* All that is left. */
framemap_str fuzz_rest(struct fuzz_input *input);

/* --- memory: none above a ceiling, all given back --- */

struct fuzz_memory {
    framemap_allocator hook;
    size_t used, ceiling;
};
void fuzz_memory_begin(struct fuzz_memory *memory, size_t ceiling);
/* Aborts where some was not given back. */
void fuzz_memory_end(const struct fuzz_memory *memory);

/* --- output that is counted, and refused beyond some megabytes --- */

struct fuzz_output {
    size_t size, most;
    uint64_t hash; /* of all of it */
};
bool fuzz_write(void *output, const char *data, size_t size);

/* --- files --- */

/* A new folder, removed when the process ends with all that is below it. Links are removed, not followed. Lives as long
 * as the process. */
const char *fuzz_folder(void);
/* Removes what is below a path, and what is there. */
void fuzz_remove(const char *path);
/* Writes a file; false: the system refuses (the name is too long, it is there as a folder …). */
bool fuzz_put(const char *path, framemap_str bytes);

#endif
