/* Calls a Redis server that answers with arbitrary bytes. The input has a byte that selects the call and what the
 * client knows about the server, and then packets, each with a size of two bytes; a packet is what one call of
 * recv() returns. The whole input is also parsed as a URL. Properties: every call ends, with success or an error
 * that is documented; a text is restored or passed on whatever the server answers; an answer takes no more memory
 * than the limit; all memory is freed. */
#include "fuzz/support/harness_help.h"
#include "tests/session/redis/scripted_server.h"
#include <stdlib.h>
#include <string.h>

enum { PACKETS_MOST = 16, MEMORY_MOST = 64 << 20, ANSWER_MOST = 1 << 20 };

static const char text[] =
    "Build fingerprint: 'a/b/c:14/D/1:user/release-keys'\nABI: 'arm64'\npid: 1, tid: 2, name: w  >>> a <<<\n"
    "backtrace:\n"
    "      #00 pc 0000000000001344  /data/lib/libdemo.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f2)\n"
    "      #01 pc 00000000000013d0  /data/lib/libdemo.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f2)\n"
    "      #02 pc 00000000000013d0  /data/lib/libother.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f3)\n";

static const char mapping[] = "com.example.Shop -> a.b:\n    1:2:void open():7:8 -> c\n";

static bool is_documented(framemap_status status)
{
    return status == FRAMEMAP_OK || status == FRAMEMAP_E_IO || status == FRAMEMAP_E_LIMIT ||
           status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_MEMORY;
}

static void count_build(void *context, const framemap_redis_build *build)
{
    size_t *count = context;
    must(build->key.size > 0 && build->family.data != NULL);
    ++*count;
}

static void restore(framemap_redis *redis, const framemap_allocator *allocator)
{
    struct fuzz_output written = {.most = 64 << 20};
    framemap_session *session;
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .cache_path = "",
                                              .fetch = framemap_redis_fetch,
                                              .fetch_context = redis};
    if (framemap_session_open(&options, &session, NULL) != FRAMEMAP_OK) return;
    const framemap_status status = framemap_session_restore(session, (framemap_str){text, sizeof text - 1}, NULL,
                                                            fuzz_write, &written, NULL, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    must(status != FRAMEMAP_OK || written.size >= sizeof text - 1);
    framemap_session_close(session);
}

static void push(framemap_redis *redis, const framemap_allocator *allocator)
{
    const framemap_build_options build = {.size = sizeof build, .allocator = allocator, .mapper = "r8"};
    const framemap_redis_push_options options = {.size = sizeof options, .tenant = {"t", 1}, .expire_seconds = 9};
    framemap_bytes bytes = {0};
    framemap_index *index;
    size_t count = 0;
    const framemap_str source = {mapping, sizeof mapping - 1};
    if (framemap_index_build(source, framemap_str_of("m.txt"), &build, &bytes, NULL) != FRAMEMAP_OK) return;
    if (framemap_index_open(framemap_bytes_str(&bytes), allocator, &index, NULL) == FRAMEMAP_OK) {
        const framemap_status status = framemap_redis_push(redis, index, &options, count_build, &count, NULL);
        must(is_documented(status) && (status == FRAMEMAP_OK) == (count == 1));
        framemap_index_close(index);
    }
    framemap_bytes_free(&bytes);
}

static void list_or_remove(framemap_redis *redis, bool lists)
{
    size_t count = 0;
    const framemap_str tenant = {"t", 1}, id = {"id", 2};
    const framemap_status status = lists ? framemap_redis_list(redis, NULL, count_build, &count, NULL)
                                         : framemap_redis_remove(redis, tenant, id, count_build, &count, NULL);
    must(is_documented(status));
    must(lists || count <= 4);
}

static void open_url(framemap_str input, const framemap_allocator *allocator)
{
    const framemap_redis_options options = {.size = sizeof options, .allocator = allocator};
    framemap_redis *redis = NULL;
    char *url = malloc(input.size + sizeof "redis://");
    if (url == NULL) return;
    memcpy(url, "redis://", 8);
    if (input.size) memcpy(url + 8, input.data, input.size);
    url[8 + input.size] = '\0';
    const framemap_status status = framemap_redis_open(url, &options, &redis, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_ARGUMENT || status == FRAMEMAP_E_MEMORY);
    must((status == FRAMEMAP_OK) == (redis != NULL));
    framemap_redis_close(redis);
    free(url);
}

static void serve(struct fuzz_input *input, const framemap_allocator *allocator)
{
    const framemap_redis_options options = {
        .size = sizeof options, .allocator = allocator, .timeout_ms = 1, .max_answer_bytes = ANSWER_MOST};
    framemap_redis *redis = NULL;
    framemap_str packets[PACKETS_MOST];
    size_t count = 0;
    const unsigned select = (unsigned)fuzz_number(input, 1);
    while (input->size > 2 && count < PACKETS_MOST) {
        size_t size = (size_t)fuzz_number(input, 2);
        if (size > input->size) size = input->size;
        packets[count++] = (framemap_str){(const char *)input->data, size};
        input->data += size;
        input->size -= size;
    }
    if (framemap_redis_open("redis://127.0.0.1:1", &options, &redis, NULL) != FRAMEMAP_OK) return;
    const int other_end = scripted_server(redis, packets, count);
    if (select & 4) redis->kind = FM_REDIS_SINGLE;
    if (other_end >= 0) {
        switch (select & 3) {
        case 0: restore(redis, allocator); break;
        case 1: push(redis, allocator); break;
        default: list_or_remove(redis, (select & 3) == 2); break;
        }
    }
    framemap_redis_close(redis);
    if (other_end >= 0) close(other_end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct fuzz_memory memory;
    fuzz_memory_begin(&memory, MEMORY_MOST);
    open_url((framemap_str){(const char *)data, size}, &memory.hook);
    serve(&input, &memory.hook);
    fuzz_memory_end(&memory);
    return 0;
}
