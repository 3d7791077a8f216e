/* hostile_ceiling [FILE...]: counts everything that is allocated while symbols are compiled under a memory limit, by
 * framemap and by the libraries it uses: libdwarf, zstd, libdeflate, the demanglers. The C library's allocator itself
 * is counted, so nothing can bypass the count.
 *
 * Properties for debug info made to be large or confusing (and for each FILE), with each reader and each limit: no more
 * is allocated than the limit plus the allocator's rounding; what is refused says "over-memory"; with enough memory
 * everything is answered. */
#define _GNU_SOURCE
#include "dwarf_shapes.h"
#include "hostile_help.h"
#include "tests/mappers/native/dwarf_file.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- counting the calls of the C library's allocator --- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *ptr);

/* Makes a function of this program replace the C library's function of that name, for other libraries as well. */
#define IN_PLACE_OF_LIBC __attribute__((visibility("default")))

static atomic_int_least64_t live, peak;

static void count(int64_t bytes)
{
    const int_least64_t now = atomic_fetch_add(&live, bytes) + bytes;
    int_least64_t most = atomic_load(&peak);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) continue;
}

static int64_t size_of(void *ptr) { return ptr ? (int64_t)malloc_usable_size(ptr) : 0; }

static void *counted(void *ptr)
{
    count(size_of(ptr));
    return ptr;
}

IN_PLACE_OF_LIBC void *malloc(size_t size) { return counted(__libc_malloc(size)); }
IN_PLACE_OF_LIBC void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }
IN_PLACE_OF_LIBC void *memalign(size_t align, size_t size) { return counted(__libc_memalign(align, size)); }
IN_PLACE_OF_LIBC void *aligned_alloc(size_t align, size_t size) { return counted(__libc_memalign(align, size)); }

IN_PLACE_OF_LIBC void *realloc(void *ptr, size_t size)
{
    const int64_t before = size_of(ptr);
    void *result = __libc_realloc(ptr, size);
    if (result || size == 0) count(size_of(result) - before);
    return result;
}

IN_PLACE_OF_LIBC void free(void *ptr)
{
    count(-size_of(ptr));
    __libc_free(ptr);
}

/* --- compiling each file under each memory limit --- */

static const char *const readers[] = {"libdwarf", NULL};

/* Returns how many bytes may be allocated under a ceiling: somewhat more than the ceiling, since the allocator rounds
 * sizes up. */
static uint64_t allowed(uint64_t ceiling) { return ceiling + ceiling / 64 + ((uint64_t)32 << 10); }

static double worst; /* the highest ratio so far of the bytes allocated to the bytes allowed */

static bool try_one(const char *name, framemap_str file, const char *reader, unsigned threads, uint64_t ceiling)
{
    char words[160];
    framemap_bytes built = {0};
    framemap_error error = {0};
    const framemap_build_options options = {
        .size = sizeof options, .reader = reader, .threads = threads, .max_memory = ceiling};
    snprintf(hostile_now, sizeof hostile_now, "\"%s\": %s, %u threads, %llu KB", name, reader ? reader : "fast",
             threads, (unsigned long long)ceiling >> 10);
    const int_least64_t before = atomic_load(&live);
    atomic_store(&peak, before);
    const framemap_status status = framemap_index_build(file, framemap_str_of("shape"), &options, &built, &error);
    const uint64_t taken = (uint64_t)(atomic_load(&peak) - before);
    framemap_bytes_free(&built);
    if (taken > allowed(ceiling)) {
        snprintf(words, sizeof words, "%llu KB were allocated", (unsigned long long)taken >> 10);
        hostile_fail("memory", words);
    }
    const double part = (double)taken / (double)allowed(ceiling);
    if (part > worst) worst = part;
    if (status == FRAMEMAP_E_MEMORY && strncmp(error.message, "over-memory: ", 13) != 0)
        hostile_fail("the words", error.message);
    return status != FRAMEMAP_E_MEMORY;
}

/* Compiles a file with each reader under a series of ceilings, each a quarter higher than the one before, until one
 * suffices. The ceilings for two threads are between the ceilings for one thread. */
static void try_file(const char *name, framemap_str file)
{
    for (size_t r = 0; r < sizeof readers / sizeof *readers; r++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            bool done = false;
            for (uint64_t ceiling = threads == 1 ? 256 << 10 : 288 << 10; !done && ceiling <= (uint64_t)4 << 30;
                 ceiling += ceiling / 4)
                done = try_one(name, file, readers[r], threads, ceiling);
            if (!done) hostile_fail("status", "refused under every ceiling");
        }
    }
}

static void try_shapes(const struct dwarf_shape *shapes, size_t number, size_t times)
{
    for (size_t i = 0; i < number; i++) {
        struct made_dwarf made;
        size_t size = 0;
        shapes[i].write(&made, shapes[i].n * times);
        unsigned char *data = dwarf_file_of(&made, &size);
        dwarf_made_free(&made);
        try_file(shapes[i].name, (framemap_str){(const char *)data, size});
        free(data);
    }
}

int main(int argc, char **argv)
{
    size_t number;
    hostile_watch();
    for (int i = 1; i < argc; i++) {
        framemap_file *file = NULL;
        framemap_error error;
        if (framemap_file_open(argv[i], NULL, &file, &error) != FRAMEMAP_OK) hostile_fail(argv[i], error.message);
        try_file(argv[i], framemap_file_bytes(file));
        framemap_file_close(file);
    }
    if (argc == 1) {
        const struct dwarf_shape *shapes = dwarf_shapes_of_entries(&number);
        try_shapes(shapes, number, 1);
        shapes = dwarf_shapes_of_lines(&number);
        try_shapes(shapes, number, 1);
    }
    printf("at most %.0f %% of what is allowed was allocated\n", 100 * worst);
    return 0;
}
