/* Restores a text in four threads with symbols in Redis, through two connections, and compares each answer with that
 * of the symbol files. check_redis calls it.
 *
 *     redis_threads URL TEXT SYMBOLS... */
#include <framemap/framemap.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 40, IDS_MOST = 16 };

struct job {
    framemap_session *session;
    framemap_str text;
    const framemap_restore_options *options;
    framemap_bytes wanted;
};

static _Noreturn void fail(const char *what, const framemap_error *error)
{
    fprintf(stderr, "redis_threads: %s: %s\n", what, error ? error->message : "");
    exit(1);
}

static void warn(void *context, const framemap_error *warning)
{
    (void)context;
    fail("warning", warning);
}

/* Returns the script next to a source map; NULL: there is no such file. */
static framemap_file *open_script(const char *path)
{
    char name[4096];
    const size_t size = strlen(path);
    framemap_file *file = NULL;
    if (size < 4 || size >= sizeof name || strcmp(path + size - 4, ".map") != 0) return NULL;
    memcpy(name, path, size - 4);
    name[size - 4] = '\0';
    return framemap_file_open(name, NULL, &file, NULL) == FRAMEMAP_OK ? file : NULL;
}

static void push(framemap_redis *redis, const char *path, framemap_str *id)
{
    framemap_bytes built = {0};
    framemap_error error;
    framemap_file *file;
    framemap_index *index;
    framemap_index_info info;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    framemap_file *script = open_script(path);
    framemap_build_options build = {.size = sizeof build};
    if (script) build.script = framemap_file_bytes(script);
    if (framemap_file_open(path, NULL, &file, &error) != FRAMEMAP_OK) fail(path, &error);
    if (framemap_index_build(framemap_file_bytes(file), framemap_str_of(name), &build, &built, &error) != FRAMEMAP_OK ||
        framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error) != FRAMEMAP_OK ||
        framemap_redis_push(redis, index, NULL, NULL, NULL, &error) != FRAMEMAP_OK)
        fail(path, &error);
    framemap_index_describe(index, &info);
    char *copy = malloc(info.id.size + 1);
    if (copy == NULL) fail("out of memory", NULL);
    memcpy(copy, info.id.data, info.id.size);
    *id = (framemap_str){copy, info.id.size};
    framemap_index_close(index);
    framemap_bytes_free(&built);
    framemap_file_close(file);
    if (script) framemap_file_close(script);
}

static void *work(void *context)
{
    const struct job *job = context;
    framemap_error error;
    for (int i = 0; i < ROUNDS; i++) {
        framemap_bytes out = {0};
        if (framemap_session_restore_buffer(job->session, job->text, job->options, &out, NULL, &error) != FRAMEMAP_OK)
            fail("restore", &error);
        if (out.size != job->wanted.size || memcmp(out.data, job->wanted.data, out.size) != 0)
            fail("an answer differs", NULL);
        framemap_bytes_free(&out);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    framemap_redis *redis;
    framemap_session *files;
    framemap_file *text;
    framemap_error error;
    framemap_str ids[IDS_MOST];
    pthread_t threads[THREADS];
    struct job job = {.session = NULL};
    if (argc < 4 || argc > 3 + IDS_MOST) fail("URL TEXT SYMBOLS...", NULL);
    const framemap_redis_options options = {.size = sizeof options, .max_connections = 2, .timeout_ms = 20000};
    if (framemap_redis_open(argv[1], &options, &redis, &error) != FRAMEMAP_OK) fail(argv[1], &error);
    for (int i = 3; i < argc; i++) push(redis, argv[i], &ids[i - 3]);
    if (framemap_file_open(argv[2], NULL, &text, &error) != FRAMEMAP_OK) fail(argv[2], &error);
    job.text = framemap_file_bytes(text);
    const framemap_scope scope = {.size = sizeof scope, .ids = ids, .id_count = (size_t)argc - 3};
    const framemap_restore_options restore = {.size = sizeof restore, .scope = &scope};
    job.options = &restore;
    const framemap_session_options of_files = {.size = sizeof of_files,
                                               .cache_path = "",
                                               .symbol_paths = (const char *const *)(argv + 3),
                                               .symbol_path_count = (size_t)argc - 3};
    /* With a limit of one byte for values, the session has to request all values again for each text. */
    const framemap_session_options of_store = {.size = sizeof of_store,
                                               .cache_path = "",
                                               .warning = warn,
                                               .fetch = framemap_redis_fetch,
                                               .fetch_context = redis,
                                               .max_value_bytes = 1};
    if (framemap_session_open(&of_files, &files, &error) != FRAMEMAP_OK ||
        framemap_session_restore_buffer(files, job.text, &restore, &job.wanted, NULL, &error) != FRAMEMAP_OK ||
        framemap_session_open(&of_store, &job.session, &error) != FRAMEMAP_OK)
        fail("session", &error);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, &job) != 0) fail("a thread cannot be started", NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    framemap_session_close(job.session);
    framemap_session_close(files);
    framemap_redis_close(redis);
    framemap_bytes_free(&job.wanted);
    framemap_file_close(text);
    for (int i = 0; i < argc - 3; i++) free((void *)(uintptr_t)ids[i].data);
    printf("%d texts in %d threads\n", THREADS * ROUNDS, (int)THREADS);
    return 0;
}
