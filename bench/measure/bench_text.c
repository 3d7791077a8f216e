/* bench_text [-r ROUNDS] FILE...: measures how fast stacks are found in texts.
 *
 * For each file it prints the median CPU time of ROUNDS for finding its stacks ("read"), and for finding and printing
 * them without symbols ("restore"). Prints a line for each measure, separated by blanks: names of the file and of the
 * measure, number, unit. bench/inputs/make_log.py makes logs. */
#include "bench_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum measure { READ, RESTORE, MEASURES };
static const char *const names[MEASURES] = {"read", "restore"};

static bool count_bytes(void *context, const char *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return true;
}

static size_t read_once(framemap_str text)
{
    const framemap_parse_options options = {.size = sizeof options};
    framemap_trace_list list;
    framemap_error error;
    size_t frames = 0;
    check(framemap_trace_parse(text, &options, &list, &error), "read", &error);
    for (size_t i = 0; i < list.count; i++) frames += list.traces[i].frame_count;
    framemap_trace_list_free(&list);
    return frames;
}

static void restore_once(framemap_str text)
{
    const framemap_session_options about = {.size = sizeof about, .cache_path = ""};
    const framemap_restore_options options = {.size = sizeof options};
    framemap_session *session;
    framemap_error error;
    size_t bytes = 0;
    check(framemap_session_open(&about, &session, &error), "open", &error);
    check(framemap_session_restore(session, text, &options, count_bytes, &bytes, NULL, &error), "restore", &error);
    framemap_session_close(session);
    if (bytes < text.size / 2) die("restore", "most of the text is lost");
}

static void run(enum measure measure, framemap_str text)
{
    if (measure == READ) (void)read_once(text);
    if (measure == RESTORE) restore_once(text);
}

static double median(struct rounds *rounds)
{
    for (unsigned i = 1; i < rounds->count; i++)
        for (unsigned k = i; k > 0 && rounds->values[k] < rounds->values[k - 1]; k--) {
            const double value = rounds->values[k];
            rounds->values[k] = rounds->values[k - 1];
            rounds->values[k - 1] = value;
        }
    return rounds->values[rounds->count / 2];
}

static void bench_file(const char *path, unsigned round_count)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const framemap_str text = map_file(path);
    struct rounds rounds[MEASURES] = {{.count = 0}};
    touch(text);
    const size_t frames = read_once(text);
    for (unsigned i = 0; i < round_count; i++) {
        for (int measure = 0; measure < MEASURES; measure++) {
            const double begin = seconds_now();
            run((enum measure)measure, text);
            rounds[measure].values[rounds[measure].count++] = seconds_now() - begin;
        }
    }
    for (int measure = 0; measure < MEASURES; measure++)
        printf("%s.%s %.0f MB/s\n", name, names[measure], (double)text.size / 1e6 / median(&rounds[measure]));
    printf("%s.frames %zu frames\n", name, frames);
    if (frames) printf("%s.read.frame %.1f ns\n", name, median(&rounds[READ]) * 1e9 / (double)frames);
}

int main(int argc, char **argv)
{
    unsigned round_count = 7;
    int option;
    while ((option = getopt(argc, argv, "r:")) != -1) {
        if (option != 'r') return 2;
        round_count = (unsigned)number(optarg);
    }
    if (optind == argc || round_count > ROUNDS_MOST) die("usage", "bench_text [-r ROUNDS] FILE...");
    for (int i = optind; i < argc; i++) bench_file(argv[i], round_count);
    return 0;
}
