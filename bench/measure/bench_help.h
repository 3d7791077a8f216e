/* What the benchmark programs share: time, rounds, files, and numbers that are the same on every machine. */
#ifndef FM_BENCH_MEASURE_BENCH_HELP_H
#define FM_BENCH_MEASURE_BENCH_HELP_H

#include <framemap/framemap.h>

enum { ROUNDS_MOST = 1000 };

struct rounds {
    double values[ROUNDS_MOST];
    unsigned count;
};

/* End the program, with a message, on any failure. */
_Noreturn void die(const char *what, const char *why);
void check(framemap_status status, const char *what, const framemap_error *error);
size_t number(const char *text); /* from 1 up */

double seconds_now(void); /* of the CPU, spent by this process: what else the machine does counts less */
double wall_now(void);    /* of the clock: for what several threads do */
framemap_str map_file(const char *path);
uint64_t next_random(uint64_t *state);

/* Has all of it read, so that nobody's time goes for that. */
void touch(framemap_str file);

/* "what", least, median, most, unit: words separated by TAB. Sorts the values. */
void print_rounds(const char *what, struct rounds *rounds, const char *unit);
long peak_memory(void); /* of this process, KiB */
void print_sizes(framemap_str file, const framemap_bytes *index);

#endif
