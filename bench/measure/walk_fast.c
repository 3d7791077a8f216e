/* walk_fast FILE [fast|libdwarf]: opens the debug info of a file and walks all of its units for a visitor that only
 * counts; prints counts and seconds of CPU.
 *
 * Measures the cost of reading debug info without compiling it. */
#include "core/mapfile.h"
#include "mappers/native/dwarf/dw_visitor.h"

#include <stdio.h>
#include <time.h>

struct counts {
    unsigned long long units, files, rows, functions, ranges, faults, claims;
    unsigned long long names; /* total size of the names; adding it up makes the walk read them */
};

static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct counts *counts = context;
    counts->claims = claim->number + 1;
    return true;
}
static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct counts *counts = context;
    counts->units++;
    counts->names += unit->name.size;
    return true;
}
static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct counts *counts = context;
    (void)number;
    counts->files++;
    counts->names += path.size;
    return true;
}
static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct counts *counts = context;
    (void)rows;
    counts->rows += count;
    return true;
}
static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct counts *counts = context;
    counts->functions++;
    counts->ranges += function->range_count;
    counts->names += function->name.size + function->linkage_name.size;
    return true;
}
static bool on_end(void *context)
{
    (void)context;
    return true;
}
static void on_fault(void *context, const framemap_error *fault)
{
    struct counts *counts = context;
    (void)fault;
    counts->faults++;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Walks all units. Returns false if a unit stopped the walk. */
static bool walk_all(const struct fm_dw_backend *reader, struct fm_dw_debug *debug, struct counts *counts)
{
    const struct fm_dw_visitor visitor = {counts, on_unit, on_file,  on_rows,         on_enter,
                                          on_end, on_end,  on_fault, .one_name = true};
    struct fm_dw_worker *worker = NULL;
    bool good = reader->worker(debug, &worker, NULL) == FRAMEMAP_OK;
    for (uint32_t i = 0; good && i < counts->claims; i++) {
        const framemap_status status = reader->walk(worker, i, &visitor, NULL);
        if (status == FRAMEMAP_E_CORRUPT)
            counts->faults++;
        else
            good = status == FRAMEMAP_OK;
    }
    reader->worker_free(worker);
    return good;
}

static int run(const struct fm_dw_backend *reader, const struct fm_image *image, struct fm_heap *heap)
{
    struct counts counts = {0};
    const struct fm_mapper_host host = {.heap = heap};
    const struct fm_dw_open_callbacks survey = {&counts, on_claim, on_fault};
    struct fm_dw_debug *debug = NULL;
    const double start = cpu_seconds();
    if (reader->open(image, &host, &survey, &debug, NULL) != FRAMEMAP_OK) return 1;
    const double opened = cpu_seconds();
    const bool good = walk_all(reader, debug, &counts);
    const double walked = cpu_seconds();
    reader->close(debug);
    printf("%s: %llu units, %llu files, %llu rows, %llu functions, %llu ranges, %llu bytes of names, %llu faults; open "
           "%.4f s, walk %.4f s\n",
           reader->name, counts.units, counts.files, counts.rows, counts.functions, counts.ranges, counts.names,
           counts.faults, opened - start, walked - opened);
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct fm_mapfile file;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    const struct fm_dw_backend *reader = fm_dw_backend_named(argc > 2 ? argv[2] : NULL);
    int result = 1;
    if (argc < 2 || reader == NULL || fm_mapfile_open(argv[1], &file, NULL) != FRAMEMAP_OK) {
        fprintf(stderr, "usage: walk_fast FILE [fast|libdwarf]\n");
        return 2;
    }
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    if (fm_image_open(file.bytes, NULL, &arena, &image, NULL) == FRAMEMAP_OK) result = run(reader, &image, &heap);
    fm_arena_free(&arena);
    fm_mapfile_close(&file);
    return result;
}
