/* Prints the functions that fm_js_functions_read finds, one per line: begin, end (line:column from 0), number of the
 * enclosing function or -, name. Its output is for scripts that compare the scanner with parsers. With --time FILE, the
 * program prints only the time that reading took, the shortest of five runs. */
#include "core/heap.h"
#include "mappers/javascript/functions/js_functions.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) *size = 0;
    fclose(file);
    return bytes;
}

static void print_function(const struct fm_js_functions *script, size_t i)
{
    const struct fm_js_function *f = &script->functions[i];
    printf("%u:%u %u:%u ", f->begin.line0, f->begin.col0, f->end.line0, f->end.col0);
    if (f->outer == FM_JS_NONE)
        printf("- ");
    else
        printf("%u ", f->outer);
    for (uint32_t p = 0; p < f->part_count; p++) {
        const struct fm_js_name_part *part = &script->parts[f->first_part + p];
        const bool drop = part->if_capital && !(part->text.data[0] >= 'A' && part->text.data[0] <= 'Z');
        if (!drop) printf("%.*s", (int)part->text.size, part->text.data);
        p += drop;
    }
    putchar('\n');
}

static double read_once(framemap_str text, struct fm_heap *heap, bool tell)
{
    struct fm_js_functions script;
    framemap_error error = {.code = FRAMEMAP_OK};
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    const framemap_status status = fm_js_functions_read(text, heap, &script, &error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    if (status != FRAMEMAP_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    for (size_t i = 0; tell && i < script.function_count; i++) print_function(&script, i);
    fm_js_functions_free(&script);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

int main(int argc, char **argv)
{
    const bool timed = argc == 3 && strcmp(argv[1], "--time") == 0;
    struct fm_heap heap;
    size_t size = 0;
    char *bytes = argc == 2 || timed ? read_file(argv[argc - 1], &size) : NULL;
    if (bytes == NULL) {
        fprintf(stderr, "usage: js_functions_dump [--time] FILE\n");
        return 2;
    }
    fm_heap_init(&heap, NULL, 0);
    double least = 1e9;
    for (int i = 0; i < (timed ? 5 : 1); i++) {
        const double seconds = read_once(fm_str(bytes, size), &heap, !timed);
        if (seconds < least) least = seconds;
    }
    if (timed) printf("%.4f s, %.1f MB/s\n", least, (double)size / 1e6 / least);
    free(bytes);
    return 0;
}
