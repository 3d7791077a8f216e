/* bench_cost RESULT COMMAND...: runs a command and writes its cost to the file RESULT: wall-clock seconds, CPU seconds,
 * peak memory in KiB, and its exit status. The kernel counts the parent's peak memory as the initial peak of a new
 * process. So the parent has to be small, as this program is. */
#include "bench_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds_of(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec * 1e-6; }

int main(int argc, char **argv)
{
    if (argc < 3) die("usage", "bench_cost RESULT COMMAND...");
    FILE *result = fopen(argv[1], "w");
    if (result == NULL) die(argv[1], "can't be written");
    const double start = wall_now();
    const pid_t child = fork();
    if (child < 0) die(argv[2], "can't start a process");
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    struct rusage usage;
    int status = 0;
    if (waitpid(child, &status, 0) < 0) die(argv[2], "can't be waited for");
    const double wall = wall_now() - start;
    getrusage(RUSAGE_CHILDREN, &usage);
    fprintf(result, "%.6f %.6f %ld %d\n", wall, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
            usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
    return fclose(result) == 0 ? 0 : 1;
}
