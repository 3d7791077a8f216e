/* A program that samples itself and prints the samples as `perf script --show-mmap-events` does: this gives a
 * recording on systems where perf may not be used. What its functions do is known: warm() does a third of the work
 * of hot(), both in an inlined function, and recurse() calls itself. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

/* HANDLER_ROWS: number of frames of the signal handler and of the kernel's trampoline */
enum { DEPTH = 64, MOST = 4000, HANDLER_ROWS = 2 };

static void *samples[MOST][DEPTH];
static int depths[MOST], count;
static volatile unsigned long sink;

static void take(int signal)
{
    (void)signal;
    if (count < MOST) depths[count] = backtrace(samples[count], DEPTH);
    if (count < MOST) count++;
}

static inline __attribute__((always_inline)) void spin(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++) sink += i * i;
}

__attribute__((noinline)) void hot(unsigned long n)
{
    spin(n);
    sink++;
}

__attribute__((noinline)) void warm(unsigned long n)
{
    spin(n / 3);
    sink--;
}

__attribute__((noinline)) void recurse(int depth)
{
    if (depth)
        recurse(depth - 1);
    else
        hot(200000);
    sink++;
}

static struct {
    unsigned long start, end;
    char path[512];
} maps[64];
static int map_count;

/* Prints the mapped files with code as perf prints mmap events. */
static void print_maps(void)
{
    char line[1024], rights[8];
    unsigned long offset;
    const int pid = (int)getpid();
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && map_count < 64 && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %511[^\n]", &maps[map_count].start, &maps[map_count].end, rights,
                   &offset, maps[map_count].path) != 5 ||
            rights[2] != 'x' || maps[map_count].path[0] != '/')
            continue;
        printf("sampler %d/%d 0.000001: PERF_RECORD_MMAP2 %d/%d: [0x%lx(0x%lx) @ 0x%lx 08:01 5 0]: %s %s\n", pid, pid,
               pid, pid, maps[map_count].start, maps[map_count].end - maps[map_count].start, offset, rights,
               maps[map_count].path);
        map_count++;
    }
    if (file) fclose(file);
}

static void print_row(unsigned long address)
{
    const char *path = "[unknown]";
    for (int i = 0; i < map_count; i++)
        if (address >= maps[i].start && address < maps[i].end) path = maps[i].path;
    printf("\t%16lx [unknown] (%s)\n", address, path);
}

static void print_sample(int number)
{
    const int pid = (int)getpid();
    printf("sampler %d/%d %d.%06d:    1000000 cpu-clock:\n", pid, pid, 1 + number / 1000, number % 1000 * 1000);
    for (int row = HANDLER_ROWS; row < depths[number]; row++) print_row((unsigned long)samples[number][row]);
    printf("\n");
}

int main(void)
{
    const struct itimerval every = {{0, 1000}, {0, 1000}};
    void *warm_up[1];
    backtrace(warm_up, 1); /* the first call loads the unwinder, which must not happen in the signal handler */
    signal(SIGPROF, take);
    setitimer(ITIMER_PROF, &every, NULL);
    for (int i = 0; i < 100000 && count < 400; i++) {
        hot(300000);
        warm(300000);
        recurse(3);
    }
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
    print_maps();
    for (int i = 0; i < count; i++) print_sample(i);
    return 0;
}
