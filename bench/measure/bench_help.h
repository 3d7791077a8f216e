/* Helpers shared by the benchmark programs: clocks, rounds, files, and random numbers that are equal on every machine.
 */
#ifndef FM_BENCH_MEASURE_BENCH_HELP_H
#define FM_BENCH_MEASURE_BENCH_HELP_H

#include <framemap/framemap.h>

enum { ROUNDS_MOST = 1000 };

struct rounds {
    double values[ROUNDS_MOST];
    unsigned count;
};

/* The functions of this file end the program with a message on any failure. */
_Noreturn void die(const char *what, const char *why);
void check(framemap_status status, const char *what, const framemap_error *error);
size_t number(const char *text); /* parses a number, which must be at least 1 */

/* Returns the CPU time of this process in seconds. Other load affects it less than the wall-clock time. */
double seconds_now(void);
/* Returns the wall-clock time in seconds. Used to measure work that several threads share. */
double wall_now(void);
framemap_str map_file(const char *path);
uint64_t next_random(uint64_t *state);

/* Reads all bytes of a file, so that later page faults are not part of the measured time. */
void touch(framemap_str file);

/* The code sections of a symbol file, and the state of a generator of random addresses in these sections.
 * Zero-initialise it, set `state` to the seed, and free `sections`. */
struct code {
    framemap_section_info *sections;
    size_t count;
    uint64_t bytes, state;
};
/* Finds the code of a file. what: the file's name, for messages. arch NULL: the file has only one architecture. */
void find_code(const char *what, framemap_str bytes, const char *arch, struct code *code);
uint64_t random_code_address(struct code *code);

/* Prints `what`, minimum, median, maximum and unit, separated by TAB. Sorts the values. */
void print_rounds(const char *what, struct rounds *rounds, const char *unit);
long peak_memory(void); /* returns the peak memory of this process in KiB */
void print_sizes(framemap_str file, const framemap_bytes *index);

#endif
