/* Helpers shared by the benchmark programs; see bench_help.h. */
#include "bench_help.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

void check(framemap_status status, const char *what, const framemap_error *error)
{
    if (status != FRAMEMAP_OK) die(what, error->message);
}

size_t number(const char *text)
{
    char *end = NULL;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text == 0 || *end != 0 || value == 0 || value > SIZE_MAX / 64) die(text, "not a count");
    return (size_t)value;
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double seconds_now(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double wall_now(void) { return seconds_of(CLOCK_MONOTONIC); }

framemap_str map_file(const char *path)
{
    struct stat info;
    const int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &info) != 0 || info.st_size == 0) die(path, "can't be read, or is empty");
    void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) die(path, "can't be mapped");
    close(file);
    return (framemap_str){map, (size_t)info.st_size};
}

void touch(framemap_str file)
{
    volatile char sum = 0;
    for (size_t at = 0; at < file.size; at += 1024) sum ^= file.data[at];
    (void)sum; /* only the reading of the bytes matters; the sum keeps the compiler from removing it */
}

/* Returns the next number of a splitmix64 generator. */
uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void find_code(const char *what, framemap_str bytes, const char *arch, struct code *code)
{
    framemap_error error;
    size_t count = 0;
    check(framemap_file_sections(bytes, arch, NULL, 0, &count, &error), what, &error);
    code->sections = calloc(count + 1, sizeof *code->sections);
    if (code->sections == NULL) die(what, "out of memory");
    check(framemap_file_sections(bytes, arch, code->sections, count, &count, &error), what, &error);
    for (size_t i = 0; i < count; i++) {
        if (!code->sections[i].code) continue;
        code->sections[code->count++] = code->sections[i];
        code->bytes += code->sections[i].size;
    }
    if (code->bytes == 0) die(what, "no code in it");
}

uint64_t random_code_address(struct code *code)
{
    uint64_t place = next_random(&code->state) % code->bytes;
    size_t i = 0;
    while (place >= code->sections[i].size) place -= code->sections[i++].size;
    return code->sections[i].address + place;
}

void print_rounds(const char *what, struct rounds *rounds, const char *unit)
{
    qsort(rounds->values, rounds->count, sizeof *rounds->values, compare_doubles);
    printf("%s\t%.6g\t%.6g\t%.6g\t%s\n", what, rounds->values[0], rounds->values[rounds->count / 2],
           rounds->values[rounds->count - 1], unit);
}

/* Reads the peak memory from /proc, since getrusage also counts the peak before this program was executed. */
long peak_memory(void)
{
    char line[256];
    long peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && peak == 0 && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM:", 6) == 0) peak = strtol(line + 6, NULL, 10);
    if (status) fclose(status);
    return peak;
}

void print_sizes(framemap_str file, const framemap_bytes *index)
{
    printf("file\t%zu\tbytes\nindex\t%zu\tbytes\npeak memory\t%ld\tKiB\n", file.size, index->size, peak_memory());
}
