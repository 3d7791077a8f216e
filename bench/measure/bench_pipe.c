/* bench_pipe ADDRESSES COUNT COMMAND...: measures the latency of a symbolizer process: sends COUNT addresses to the
 * command's standard input, each after the answer to the previous address. An answer ends with an empty line, as
 * llvm-symbolizer's does. The first COUNT / 10 answers are not counted. Prints wall-clock microseconds: minimum,
 * median, 99th percentile. */
#include "bench_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct pipes {
    int to, from;
    pid_t child;
};

static struct pipes start(char **command)
{
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) die("pipe", "can't be created");
    const pid_t child = fork();
    if (child < 0) die(command[0], "can't start a process");
    if (child == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execvp(command[0], command);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    return (struct pipes){to[1], from[0], child};
}

static void ask(struct pipes pipes, const char *line)
{
    char answer[65536];
    size_t size = 0;
    if (write(pipes.to, line, strlen(line)) != (ssize_t)strlen(line))
        die("pipe", "the command no longer reads its input");
    while (size < 2 || memcmp(answer + size - 2, "\n\n", 2) != 0) {
        if (size == sizeof answer) die("pipe", "an answer that is too long");
        const ssize_t got = read(pipes.from, answer + size, sizeof answer - size);
        if (got <= 0) die("pipe", "the command has ended");
        size += (size_t)got;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
    if (argc < 4) die("usage", "bench_pipe ADDRESSES COUNT COMMAND...");
    FILE *file = fopen(argv[1], "r");
    const size_t count = number(argv[2]), warm = count / 10;
    double *times = calloc(count, sizeof *times);
    char line[128];
    size_t queried = 0;
    if (file == NULL || times == NULL) die(argv[1], "can't be read");
    struct pipes pipes = start(argv + 3);
    for (; queried < count && fgets(line, sizeof line, file); queried++) {
        const double begin = wall_now();
        ask(pipes, line);
        if (queried >= warm) times[queried - warm] = (wall_now() - begin) * 1e6;
    }
    close(pipes.to);
    waitpid(pipes.child, NULL, 0);
    if (queried <= warm) die(argv[1], "too few addresses");
    qsort(times, queried - warm, sizeof *times, compare_doubles);
    printf("one at a time\t%.2f\t%.2f\t%.2f\tus\n", times[0], times[(queried - warm) / 2],
           times[(queried - warm) * 99 / 100]);
    fclose(file);
    free(times);
    return 0;
}
