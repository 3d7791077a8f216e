/* The commands of the examples of stores (store.h). */
#include "examples/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(const char *what, const framemap_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
}

/* Returns "BUILD:FIELD", the key of a value in a store without groups. Freed by the caller. */
static char *joined(const framemap_value_key *key, size_t *size)
{
    char *text = malloc(key->build.size + key->field.size + 1);
    if (text == NULL) return NULL;
    memcpy(text, key->build.data, key->build.size);
    text[key->build.size] = ':';
    memcpy(text + key->build.size + 1, key->field.data, key->field.size);
    *size = key->build.size + 1 + key->field.size;
    return text;
}

/* --- putting files into the store --- */

static bool put_value(void *context, const framemap_value_key *key, framemap_str value)
{
    size_t size;
    char *text = joined(key, &size);
    const bool ok = text && store_put(context, text, size, value);
    free(text);
    return ok;
}

/* Puts all values of a build, or none if one of them cannot be stored. */
static framemap_status put_values(struct store *store, const framemap_index *index, framemap_error *error)
{
    *error = (framemap_error){.code = FRAMEMAP_E_IO, .message = "the store cannot be written"};
    if (!store_begin(store)) return FRAMEMAP_E_IO;
    const framemap_status status = framemap_index_split(index, NULL, put_value, store, error);
    if (status == FRAMEMAP_OK) return store_commit(store) ? FRAMEMAP_OK : FRAMEMAP_E_IO;
    store_abort(store);
    return status;
}

static framemap_status put_index(struct store *store, framemap_str bytes, const char *name, framemap_error *error)
{
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_status status = framemap_index_build(bytes, framemap_str_of(name), NULL, &built, error);
    if (status == FRAMEMAP_OK) status = framemap_index_open(framemap_bytes_str(&built), NULL, &index, error);
    if (status == FRAMEMAP_OK) status = put_values(store, index, error);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    return status;
}

static bool put_file(struct store *store, const char *path)
{
    const framemap_file_options options = {.size = sizeof options, .within = true};
    const char *slash = strrchr(path, '/');
    framemap_error error = {0};
    framemap_file *file;
    framemap_status status = framemap_file_open(path, &options, &file, &error);
    if (status == FRAMEMAP_OK) {
        status = put_index(store, framemap_file_bytes(file), slash ? slash + 1 : path, &error);
        framemap_file_close(file);
    }
    if (status != FRAMEMAP_OK) complain(path, &error);
    return status == FRAMEMAP_OK;
}

/* --- restoring a text with the store --- */

static void found_value(void *context, size_t number, framemap_str value)
{
    framemap_fetched_put(context, number, value);
}

/* The callback of the session: looks up all keys at once. */
static framemap_status fetch(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                             framemap_error *error)
{
    framemap_str *texts = calloc(count, sizeof *texts);
    bool ok = texts != NULL;
    for (size_t i = 0; ok && i < count; i++) ok = (texts[i].data = joined(&keys[i], &texts[i].size)) != NULL;
    if (ok) ok = store_get(context, texts, count, found_value, out);
    for (size_t i = 0; texts && i < count; i++) free((void *)(uintptr_t)texts[i].data);
    free(texts);
    if (!ok) snprintf(error->message, sizeof error->message, "the store cannot be read");
    return ok ? FRAMEMAP_OK : FRAMEMAP_E_IO;
}

static bool print(void *context, const char *data, size_t size) { return fwrite(data, 1, size, context) == size; }

static void warn(void *context, const framemap_error *warning)
{
    (void)context;
    complain("warning", warning);
}

/* Restores standard input as it arrives. The stream is closed also after an error, before its session. */
static framemap_status restore_input(framemap_session *session, framemap_error *error)
{
    framemap_stream *stream;
    char piece[1 << 16];
    framemap_status status = framemap_stream_open(session, NULL, print, stdout, &stream, error);
    if (status != FRAMEMAP_OK) return status;
    for (size_t size; status == FRAMEMAP_OK && (size = fread(piece, 1, sizeof piece, stdin)) > 0;)
        status = framemap_stream_feed(stream, (framemap_str){piece, size}, error);
    if (status == FRAMEMAP_OK) return framemap_stream_close(stream, NULL, error);
    framemap_stream_close(stream, NULL, NULL);
    return status;
}

static bool restore(struct store *store)
{
    framemap_error error = {0};
    framemap_session *session;
    const framemap_session_options options = {
        .size = sizeof options, .warning = warn, .fetch = fetch, .fetch_context = store};
    framemap_status status = framemap_session_open(&options, &session, &error);
    if (status == FRAMEMAP_OK) {
        status = restore_input(session, &error);
        framemap_session_close(session);
    }
    if (status != FRAMEMAP_OK) complain("restore", &error);
    if (ferror(stdin)) perror("standard input");
    const bool written = fflush(stdout) == 0;
    if (!written) perror("standard output");
    return status == FRAMEMAP_OK && !ferror(stdin) && written;
}

int main(int argc, char **argv)
{
    const bool puts = argc > 3 && strcmp(argv[1], "put") == 0, restores = argc == 3 && strcmp(argv[1], "restore") == 0;
    if (!puts && !restores) {
        fprintf(stderr, "usage: %s put STORE FILE... | restore STORE\n", argv[0]);
        return 2;
    }
    struct store *store = store_open(argv[2]);
    bool ok = store != NULL && (puts || restore(store));
    /* A file that cannot be stored does not stop the others. */
    for (int i = 3; store && i < argc; i++) ok = put_file(store, argv[i]) && ok;
    if (store) store_close(store);
    return ok ? 0 : 1;
}
