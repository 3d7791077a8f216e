/* random_readers [--write FOLDER] FIRST COUNT: compares the two DWARF backends on random debug info
 * (fuzz/support/dwarf_make.h), COUNT files from number FIRST on.
 *
 * With --write, sound files are also written as FOLDER/NUMBER.elf, for other tools. Exit status 1: a difference,
 * which is described, or the generated files were too uniform to prove anything. */
#include "tests/mappers/native/dw_events.h"
#include "tests/mappers/native/dwarf_file.h"
#include "tests/mappers/native/plain_reader.h"

#include <stdlib.h>
#include <string.h>

struct run {
    const struct fm_dw_backend *reader;
    const char *folder;
    size_t counts[DW_EVENT_KINDS];
    size_t plain, ran_out, units, differences;
};

/* Makes the choices for a file number. The number determines the combination of flags; all other values are random. */
static size_t choose(unsigned long number, uint8_t choices[10])
{
    static const uint8_t flags[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 16, 17, 18};

    choices[0] = (uint8_t)(flags[number % sizeof flags] | 32);
    for (int i = 0; i < 8; i++) choices[1 + i] = (uint8_t)(number >> 8 * i);
    choices[9] = (uint8_t)(number * 2654435761u >> 24);
    return 10;
}

static void note(struct run *run, const struct dw_events *recorded)
{
    for (size_t i = 0; i < DW_EVENT_KINDS; i++) run->counts[i] += recorded->counts[i];
    run->units += recorded->unit_count;
}

/* Compares the events of a sound file also with those of a simple reader, which shares no code with the backends. */
static bool compare_plain(struct run *run, const struct fm_image *image, const struct fm_mapper_host *host)
{
    struct dw_events recorded[2] = {{.silent = true}, {.silent = true}};

    dw_events_record(&recorded[0], &plain_reader, image, host, false);
    dw_events_record(&recorded[1], run->reader, image, host, false);
    bool same = dw_events_equal(&recorded[0], "the plain reader", &recorded[1], run->reader->name, stdout);
    run->plain += dw_events_total(&recorded[0]);
    dw_events_free(&recorded[0]);
    dw_events_free(&recorded[1]);
    return same;
}

static void compare(struct run *run, unsigned long number, const struct made_dwarf *made)
{
    struct dw_events recorded[2] = {{.limit = 0}, {.limit = 0}};
    struct dwarf_image image;
    struct fm_heap heap;
    struct fm_arena arena;
    bool same = true;

    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    const struct fm_mapper_host host = {.heap = &heap};
    if (!dwarf_image_made(made, &arena, &image)) abort();
    dw_events_record(&recorded[0], &fm_dw_libdwarf, &image.image, &host, false);
    dw_events_record(&recorded[1], run->reader, &image.image, &host, number % 2 != 0);
    for (int i = 0; i < 2; i++) same &= dw_events_sound(&recorded[i], i == 0 ? "libdwarf" : run->reader->name, stdout);
    if (dw_events_have_fault(&recorded[0], FRAMEMAP_E_LIMIT) || dw_events_have_fault(&recorded[1], FRAMEMAP_E_LIMIT))
        run->ran_out++;
    else
        same &= dw_events_equal(&recorded[0], "libdwarf", &recorded[1], run->reader->name, stdout);
    if (!made->broken) same &= compare_plain(run, &image.image, &host);
    if (!same) {
        printf("number %lu differs\n", number);
        run->differences++;
    }
    note(run, &recorded[0]);
    dw_events_free(&recorded[0]);
    dw_events_free(&recorded[1]);
    fm_arena_free(&arena);
}

static void write_file(const struct run *run, unsigned long number, const struct made_dwarf *made)
{
    char path[4096];
    size_t size = 0;
    unsigned char *bytes = dwarf_file_of(made, &size);

    snprintf(path, sizeof path, "%s/%lu.elf", run->folder, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "random_readers: %s can't be written\n", path);
        exit(2);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    struct run run = {.reader = fm_dw_backend_named(NULL)};
    int first = 1;

    if (argc > 2 && strcmp(argv[1], "--write") == 0) {
        run.folder = argv[2];
        first = 3;
    }
    if (argc != first + 2) {
        fprintf(stderr, "usage: random_readers [--write FOLDER] FIRST COUNT\n");
        return 2;
    }
    const unsigned long from = strtoul(argv[first], NULL, 0), count = strtoul(argv[first + 1], NULL, 0);
    for (unsigned long number = from; number < from + count; number++) {
        struct made_dwarf made;
        uint8_t choices[10];
        dwarf_make(choices, choose(number, choices), &made);
        compare(&run, number, &made);
        if (run.folder != NULL) write_file(&run, number, &made);
        dwarf_made_free(&made);
    }
    printf("libdwarf and %s: %lu programs, %zu units, %zu files, %zu rows, %zu functions, %zu faults, "
           "%zu out of work, %zu events of the plain reader, %zu differ\n",
           run.reader->name, count, run.units, run.counts[DW_EVENT_FILE], run.counts[DW_EVENT_ROW],
           run.counts[DW_EVENT_ENTER], run.counts[DW_EVENT_FAULT], run.ran_out, run.plain, run.differences);
    const bool poor = run.units < count / 2 || run.counts[DW_EVENT_ROW] < count || run.counts[DW_EVENT_ENTER] < count ||
                      run.ran_out > count / 100 || run.plain < count;
    if (poor) printf("what was made has too little in it to prove something\n");
    return run.differences > 0 || poor ? 1 : 0;
}
