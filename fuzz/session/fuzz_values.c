/* Restores with a symbol store that answers with arbitrary values. The input is a list of values, each with a byte
 * that selects whether checksums are corrected first, a size of two bytes, and the bytes. The keys that are
 * requested from the store get these values one after the other; once all values were given, further keys get none.
 * A value that is an index is also split. Properties: restoring ends with one of the documented statuses; equal
 * answers of the store give equal output; all memory is freed. */
#include "fuzz/support/harness_help.h"
#include "fuzz/support/seal.h"
#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 32, MEMORY_MOST = 64 << 20 };

static const char text[] =
    "Build fingerprint: 'a/b/c:14/D/1:user/release-keys'\nABI: 'arm64'\npid: 1, tid: 2, name: w  >>> a <<<\n"
    "backtrace:\n"
    "      #00 pc 0000000000001344  /data/lib/libdemo.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f2)\n"
    "      #01 pc 00000000000013d0  /data/lib/libdemo.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f2)\n"
    "\njava.lang.RuntimeException: a.d\n\tat a.c.a(r8-map-id-9b5acb2:35)\n\tat a.b.a(r8-map-id-9b5acb2:7)\n"
    "\nError: none\n    at c (https://shop.example/js/shop.js:1:185)\n    at i "
    "(https://shop.example/js/shop.js:1:248)\n"
    "\n#00 abs 000000723d6346d7 virt 0000000000012345 _kDartIsolateSnapshotInstructions+0x1b6d7\n";

struct values {
    framemap_str rows[VALUES_MOST];
    size_t count, next;
};

static framemap_status fetch_values(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                    framemap_error *error)
{
    struct values *values = context;
    (void)error;
    must(count > 0 && keys[0].build.size > 0 && keys[0].field.size > 0);
    for (size_t i = 0; i < count && values->next < values->count; i++) {
        framemap_fetched_put(out, i, values->rows[values->next]);
        framemap_fetched_put(out, i, values->rows[values->next++]);
    }
    if (values->next % 2 == 1) framemap_fetched_fail(out, 0, NULL);
    framemap_fetched_fail(out, count, NULL);
    framemap_fetched_put(out, count, values->rows[0]);
    return FRAMEMAP_OK;
}

static bool take_value(void *context, const framemap_value_key *key, framemap_str value)
{
    unsigned *left = context;
    must(key->build.size > 0 && key->field.size > 0 && value.size > 0);
    return (*left)-- > 0;
}

static void split(framemap_str bytes, const framemap_allocator *allocator)
{
    framemap_index *index;
    unsigned left = 4;
    const framemap_split_options options = {.size = sizeof options, .tenant = {"t", 1}, .id = {"0123", 4}};
    if (framemap_index_open(bytes, allocator, &index, NULL) != FRAMEMAP_OK) return;
    (void)framemap_index_split(index, &options, take_value, &left, NULL);
    framemap_index_close(index);
}

static struct fuzz_output restore(struct values *values, const framemap_allocator *allocator, const char *output)
{
    static const framemap_str ids[] = {{"9b5acb2", 7}, {"7272737c79c404ce22ec8946ab8915c3", 32}};
    struct fuzz_output written = {.most = 64 << 20};
    framemap_session *session;
    const framemap_scope scope = {.size = sizeof scope, .ids = ids, .id_count = 2};
    const framemap_restore_options restore = {.size = sizeof restore, .output = output, .scope = &scope};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .cache_path = "",
                                              .fetch = fetch_values,
                                              .fetch_context = values};
    values->next = 0;
    if (framemap_session_open(&options, &session, NULL) != FRAMEMAP_OK) return written;
    const framemap_image_query want = {.id = ids[0]};
    size_t found = 0;
    if (values->count % 2 == 1) (void)framemap_session_prepare(session, &scope, &want, 1, &found, NULL);
    must(found <= 1);
    const framemap_status status = framemap_session_restore(session, (framemap_str){text, sizeof text - 1}, &restore,
                                                            fuzz_write, &written, NULL, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY || status == FRAMEMAP_E_IO);
    framemap_session_close(session);
    return written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct fuzz_memory memory;
    struct values values = {.count = 0};
    unsigned char *copies[VALUES_MOST];
    while (input.size > 2 && values.count < VALUES_MOST) {
        const bool seals = fuzz_number(&input, 1) & 1;
        size_t bytes = (size_t)fuzz_number(&input, 2);
        if (bytes > input.size) bytes = input.size;
        unsigned char *copy = malloc(bytes ? bytes : 1);
        if (copy == NULL) break;
        if (bytes) memcpy(copy, input.data, bytes);
        if (seals) fm_fuzz_seal(copy, bytes, true);
        copies[values.count] = copy;
        values.rows[values.count++] = (framemap_str){(const char *)copy, bytes};
        input.data += bytes;
        input.size -= bytes;
    }
    fuzz_memory_begin(&memory, MEMORY_MOST);
    const struct fuzz_output first = restore(&values, &memory.hook, "text"),
                             again = restore(&values, &memory.hook, "text");
    must(first.size == again.size && first.hash == again.hash);
    (void)restore(&values, &memory.hook, "json");
    for (size_t i = 0; i < values.count && i < 4; i++) split(values.rows[i], &memory.hook);
    fuzz_memory_end(&memory);
    for (size_t i = 0; i < values.count; i++) free(copies[i]);
    return 0;
}
