/* Tests session/redis/ without a server: URLs, slots, redirects, keys and replies. tests/real/check_redis tests with
 * real servers. */
#include "tests/testing.h"

#include "session/redis/redis_build.h"
#include "session/redis/redis_cluster.h"
#include "tests/session/redis/scripted_server.h"
#include <framemap/framemap.h>

/* --- URLs --- */

struct url_row {
    const char *url, *host;
    unsigned port;
    const char *user, *password; /* password: NULL if the URL has no password */
    uint32_t database, timeout_ms;
};

static void parses_urls(void **state)
{
    static const struct url_row rows[] = {
        {"redis://h", "h", 6379, "", NULL, 0, 0},
        {"redis://127.0.0.1:6380/7", "127.0.0.1", 6380, "", NULL, 7, 0},
        {"redis://[::1]", "::1", 6379, "", NULL, 0, 0},
        {"redis://[fe80::1]:1/", "fe80::1", 1, "", NULL, 0, 0},
        {"rediss://:p%40s@h:2", "h", 2, "", "p@s", 0, 0},
        {"redis://u:p@s:w@h", "h", 6379, "u", "p@s:w", 0, 0}, /* the login ends at the last '@' */
        {"redis://u%3Av:@h", "h", 6379, "u:v", "", 0, 0},
        {"redis://h?timeout=50", "h", 6379, "", NULL, 0, 50},
        {"redis://h/1?connect_timeout=7&timeout=50", "h", 6379, "", NULL, 1, 50},
        {"rediss://h?ca=%2Fa%20b&timeout=1", "h", 6379, "", NULL, 0, 1},
    };
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_arena arena;
        struct fm_redis_url url;
        fm_arena_init(&arena, &heap);
        assert_int_equal(fm_redis_url_parse(framemap_str_of(rows[i].url), &arena, &url, NULL), FRAMEMAP_OK);
        assert_str(url.host, rows[i].host);
        assert_int_equal(url.port, rows[i].port);
        assert_str(url.user, rows[i].user);
        assert_int_equal(url.has_password, rows[i].password != NULL);
        if (rows[i].password) assert_str(url.password, rows[i].password);
        assert_int_equal(url.database, rows[i].database);
        assert_int_equal(url.timeout_ms, rows[i].timeout_ms);
        assert_int_equal(url.tls, rows[i].url[5] == 's');
        fm_arena_free(&arena);
    }
}

static void refuses_urls(void **state)
{
    static const char *const urls[] = {
        "",
        "redis:/h",
        "http://h",
        "redis://",
        "redis://:1",
        "redis://h:",
        "redis://h:0",
        "redis://h:65536",
        "redis://h:1x",
        "redis://[::1",
        "redis://[]",
        "redis://[::1]1",
        "redis://h/x",
        "redis://h/-1",
        "redis://h/99999999999",
        "redis://h?",
        "redis://h?x=1",
        "redis://h?timeout",
        "redis://h?timeout=0",
        "redis://h?timeout=9999999",
        "redis://%zz@h",
        "redis://a%00b:c@h",
        "redis://h?ca=x",
        "rediss://h?ca=",
        "redis://h?timeout=1&",
    };
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(urls); i++) {
        struct fm_arena arena;
        struct fm_redis_url url;
        framemap_error error = {0};
        fm_arena_init(&arena, &heap);
        const framemap_status status = fm_redis_url_parse(framemap_str_of(urls[i]), &arena, &url, &error);
        /* a '?' or '&' without an option after it is allowed */
        const bool is_fine = strcmp(urls[i], "redis://h?") == 0 || strcmp(urls[i], "redis://h?timeout=1&") == 0;
        if (status != (is_fine ? FRAMEMAP_OK : FRAMEMAP_E_ARGUMENT)) fail_msg("%s: %d", urls[i], (int)status);
        fm_arena_free(&arena);
    }
}

static void opens_with_options(void **state)
{
    framemap_redis *redis = NULL;
    framemap_error error;
    framemap_redis_options options = {.size = sizeof options, .password = FM_STR_INIT("secret"), .timeout_ms = 9};
    (void)state;
    assert_int_equal(framemap_redis_open("redis://u@h?timeout=50", &options, &redis, NULL), FRAMEMAP_OK);
    assert_str(redis->url.password, "secret");
    assert_int_equal(redis->timeout_ms, 9);
    framemap_redis_close(redis);
    redis = NULL;
    assert_int_equal(framemap_redis_open("redis://:other@h?timeout=50", &options, &redis, NULL), FRAMEMAP_OK);
    assert_str(redis->url.password, "other");
    framemap_redis_close(redis);
    redis = NULL;
    assert_int_equal(framemap_redis_open("redis://u@h", NULL, &redis, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_redis_open(NULL, NULL, &redis, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_redis_open("redis://h", NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_redis_fetch(NULL, NULL, 0, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_redis_push(NULL, NULL, NULL, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_redis_list(NULL, NULL, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_redis_remove(NULL, FM_STR(""), FM_STR("a"), NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_null(redis);
    framemap_redis_close(NULL);
}

static void never_prints_the_password(void **state)
{
    framemap_redis *redis = NULL;
    char text[400];
    (void)state;
    assert_int_equal(framemap_redis_open("redis://u:s%20t@h", NULL, &redis, NULL), FRAMEMAP_OK);
    assert_str(fm_redis_said(redis, FM_STR("ERR u has another password than s t")), "(it repeats the password)");
    assert_str(fm_redis_said(redis, FM_STR("WRONGPASS invalid")), "WRONGPASS invalid");
    memset(text, 'x', sizeof text);
    assert_int_equal(fm_redis_said(redis, fm_str(text, sizeof text)).size, 150);
    framemap_redis_close(redis);
    redis = NULL;
    assert_int_equal(framemap_redis_open("redis://h", NULL, &redis, NULL), FRAMEMAP_OK);
    assert_str(fm_redis_said(redis, FM_STR("ERR")), "ERR");
    framemap_redis_close(redis);
}

/* --- slots --- */

/* Compares computed slots with the results of CLUSTER KEYSLOT in Redis 7.0.15. */
static void computes_slots(void **state)
{
    static const struct {
        const char *key;
        unsigned slot;
    } rows[] = {
        {"123456789", 12739},   {"", 0},         {"foo", 12182},  {"{foo}bar", 12182},
        {"x{foo}{bar}", 12182}, {"{}foo", 9500}, {"{foo", 13308}, {"foo{}{bar}", 8363},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(fm_redis_slot(framemap_str_of(rows[i].key)), rows[i].slot);
    assert_int_equal(fm_redis_slot(FM_STR("fm1-new:{fm1:t:java:a}:0123")), fm_redis_slot(FM_STR("fm1:t:java:a")));
}

static void follows_redirects(void **state)
{
    static const struct {
        const char *text;
        bool good, is_ask;
        const char *host;
        unsigned port;
    } rows[] = {
        {"MOVED 3999 127.0.0.1:6381", true, false, "127.0.0.1", 6381},
        {"ASK 0 other:1", true, true, "other", 1},
        {"MOVED 1 ::1:6381", true, false, "::1", 6381},
        /* this redirect names no host, so it means the server that sent it */
        {"MOVED 1 :6381", true, false, "first", 6381},
        {"MOVED 16384 h:1", false, false, NULL, 0},
        {"MOVED 1 h", false, false, NULL, 0},
        {"MOVED 1 h:0", false, false, NULL, 0},
        {"MOVED 1 h:65536", false, false, NULL, 0},
        {"MOVED 1 h:1x", false, false, NULL, 0},
        {"MOVED h:1", false, false, NULL, 0},
        {"MOVED", false, false, NULL, 0},
        {"ERR unknown command", false, false, NULL, 0},
    };
    framemap_redis *redis = NULL;
    (void)state;
    assert_int_equal(framemap_redis_open("redis://first", NULL, &redis, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_redis_redirect redirect = {.node = FM_REDIS_NO_NODE};
        assert_int_equal(fm_redis_redirected(redis, 0, framemap_str_of(rows[i].text), &redirect), rows[i].good);
        if (!rows[i].good) continue;
        assert_int_equal(redirect.is_ask, rows[i].is_ask);
        assert_string_equal(fm_redis_node_at(redis, redirect.node)->host, rows[i].host);
        assert_int_equal(fm_redis_node_at(redis, redirect.node)->port, rows[i].port);
    }
    framemap_redis_close(redis);
}

static void bounds_servers(void **state)
{
    framemap_redis *redis = NULL;
    char text[32];
    struct fm_redis_redirect redirect;
    unsigned added = 0;
    (void)state;
    assert_int_equal(framemap_redis_open("redis://first", NULL, &redis, NULL), FRAMEMAP_OK);
    for (unsigned i = 1; i <= 3000; i++) {
        snprintf(text, sizeof text, "MOVED 1 h:%u", i);
        added += fm_redis_redirected(redis, 0, framemap_str_of(text), &redirect);
    }
    assert_int_equal(added, 1023);
    assert_int_equal(fm_redis_node_count(redis), 1024);
    framemap_redis_close(redis);
}

static void reads_keys(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_redis_build build;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_true(fm_redis_read_key(FM_STR("fm1:a%3Ab:java:x%2Fy:z"), &arena, &build));
    assert_str(build.tenant, "a:b");
    assert_str(build.family, "java");
    assert_str(build.id, "x/y:z");
    assert_false(fm_redis_read_key(FM_STR("fm1:a:java"), &arena, &build));
    assert_false(fm_redis_read_key(FM_STR("fm1:a%:java:b"), &arena, &build));
    assert_false(fm_redis_read_key(FM_STR("fm2::java:b"), &arena, &build));
    fm_arena_free(&arena);
}

/* --- answers --- */

static const char text[] =
    "ABI: 'arm64'\npid: 1, tid: 2, name: w  >>> a <<<\nbacktrace:\n"
    "      #00 pc 0000000000001344  /data/lib/libdemo.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f2)\n"
    "      #01 pc 0000000000001344  /data/lib/libother.so (BuildId: 73461bc941eaa3203f2e8a1e602a57471b4727f3)\n";

struct asked {
    framemap_error warning;
    unsigned warnings;
};

static void keep_warning(void *context, const framemap_error *warning)
{
    struct asked *asked = context;
    asked->warning = *warning;
    asked->warnings++;
}

static bool drop(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}

/* Restores a text with frames of two builds; the server answers with the given packets. */
static framemap_status restore(const framemap_str *packets, size_t count, const framemap_allocator *allocator,
                               struct asked *asked)
{
    framemap_redis *redis = NULL;
    framemap_session *session = NULL;
    const framemap_redis_options options = {
        .size = sizeof options, .allocator = allocator, .timeout_ms = 50, .max_answer_bytes = 4096};
    framemap_status status = framemap_redis_open("redis://127.0.0.1:1", &options, &redis, NULL);
    if (status != FRAMEMAP_OK) return status;
    const int other_end = scripted_server(redis, packets, count);
    const framemap_session_options session_options = {.size = sizeof session_options,
                                                      .allocator = allocator,
                                                      .cache_path = "",
                                                      .warning = keep_warning,
                                                      .context = asked,
                                                      .fetch = framemap_redis_fetch,
                                                      .fetch_context = redis};
    redis->kind = FM_REDIS_SINGLE;
    status = other_end < 0 ? FRAMEMAP_E_MEMORY : framemap_session_open(&session_options, &session, NULL);
    if (status == FRAMEMAP_OK)
        status = framemap_session_restore(session, (framemap_str){text, sizeof text - 1}, NULL, drop, NULL, NULL, NULL);
    framemap_session_close(session);
    framemap_redis_close(redis);
    if (other_end >= 0) close(other_end);
    return status;
}

static const char good[] = "*2\r\n$-1\r\n$-1\r\n*2\r\n$3\r\nabc\r\n$-1\r\n";

static void reads_answers(void **state)
{
    static char large[8192];
    snprintf(large, sizeof large, "*2\r\n$8000\r\n");
    memset(large + strlen(large), 'x', sizeof large - 1 - strlen(large));
    const struct {
        const char *why, *answer;
        framemap_status status;
    } rows[] = {
        {"two builds, one without values", good, FRAMEMAP_OK},
        {"an answer more than asked for", "*2\r\n$-1\r\n$-1\r\n*2\r\n$-1\r\n$-1\r\n+OK\r\n", FRAMEMAP_E_CORRUPT},
        {"too few values", "*1\r\n$-1\r\n*2\r\n$-1\r\n$-1\r\n", FRAMEMAP_E_CORRUPT},
        {"too many values", "*3\r\n$-1\r\n$-1\r\n$-1\r\n", FRAMEMAP_E_CORRUPT},
        {"a number for a value", "*2\r\n:1\r\n$-1\r\n", FRAMEMAP_E_CORRUPT},
        {"a list for a value", "*2\r\n*1\r\n$-1\r\n", FRAMEMAP_E_CORRUPT},
        {"no list", "$3\r\nabc\r\n", FRAMEMAP_E_CORRUPT},
        {"nested lists", "*2\r\n*2\r\n*2\r\n*2\r\n*2\r\n*2\r\n*2\r\n*2\r\n*2\r\n*2\r\n", FRAMEMAP_E_CORRUPT},
        {"a list of too many", "*9223372036854775807\r\n", FRAMEMAP_E_CORRUPT},
        {"a list of -2", "*-2\r\n", FRAMEMAP_E_CORRUPT},
        {"not the protocol", "HTTP/1.1 400\r\n", FRAMEMAP_E_CORRUPT},
        {"an error for one build", "-WRONGTYPE it\r\n*2\r\n$-1\r\n$-1\r\n", FRAMEMAP_E_IO},
        {"more bytes than allowed", large, FRAMEMAP_E_LIMIT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct asked asked = {.warnings = 0};
        const framemap_str packet = framemap_str_of(rows[i].answer);
        assert_int_equal(restore(&packet, 1, NULL, &asked), FRAMEMAP_OK);
        if (asked.warning.code != rows[i].status || asked.warnings != (rows[i].status != FRAMEMAP_OK))
            fail_msg("%s: %d, %s", rows[i].why, (int)asked.warning.code, asked.warning.message);
    }
}

/* Tests each prefix of a valid answer, after which the server closes the connection; then the whole answer, in two
 * packets. */
static void reads_pieces(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof good; size++) {
        struct asked asked = {.warnings = 0};
        const framemap_str pieces[] = {{good, size}, {good + size, sizeof good - 1 - size}};
        if (size < sizeof good - 1) {
            assert_int_equal(restore(pieces, 1, NULL, &asked), FRAMEMAP_OK);
            assert_int_equal(asked.warning.code, FRAMEMAP_E_IO);
        }
        asked = (struct asked){.warnings = 0};
        assert_int_equal(restore(pieces, 2, NULL, &asked), FRAMEMAP_OK);
        assert_int_equal(asked.warnings, 0);
    }
}

static void survives_failing_allocations(void **state)
{
    const framemap_str packet = {good, sizeof good - 1};
    (void)state;
    for (size_t fail_at = 0;; fail_at++) {
        struct failing failing = {.fail_at = fail_at};
        struct asked asked = {.warnings = 0};
        const framemap_allocator allocator = {failing_resize, &failing};
        const framemap_status status = restore(&packet, 1, &allocator, &asked);
        assert_int_equal(failing.blocks, 0);
        if (failing.requests <= fail_at) {
            assert_int_equal(status, FRAMEMAP_OK);
            break;
        }
    }
}

/* Tests replies to CLUSTER SLOTS, some of which are damaged and are refused. */
static void reads_slots(void **state)
{
    static const struct {
        const char *answer;
        framemap_status status;
        size_t owner; /* server that is expected to own slot 9 */
    } rows[] = {
        {"*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$1\r\nh\r\n:7\r\n", FRAMEMAP_OK, 1},
        {"*1\r\n*3\r\n:0\r\n:16383\r\n*4\r\n$1\r\nh\r\n:7\r\n$1\r\ni\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n", FRAMEMAP_OK, 1},
        {"*1\r\n*4\r\n:0\r\n:9\r\n*2\r\n$0\r\n\r\n:1\r\n*2\r\n$1\r\nr\r\n:7\r\n", FRAMEMAP_OK, 0},
        {"*1\r\n*3\r\n:0\r\n:9\r\n*2\r\n$-1\r\n:1\r\n", FRAMEMAP_OK, 0},
        {"*0\r\n", FRAMEMAP_OK, 0},
        {"-ERR This instance has cluster support disabled\r\n", FRAMEMAP_OK, 0},
        {"*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$1\r\nh\r\n:7\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"*1\r\n*3\r\n:-1\r\n:9\r\n*2\r\n$1\r\nh\r\n:7\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"*1\r\n*3\r\n:9\r\n:8\r\n*2\r\n$1\r\nh\r\n:7\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"*1\r\n*3\r\n:0\r\n:9\r\n*2\r\n$1\r\nh\r\n:65536\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"*1\r\n*3\r\n:0\r\n:9\r\n*2\r\n:1\r\n:7\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"*1\r\n*3\r\n$1\r\n0\r\n:9\r\n*2\r\n$1\r\nh\r\n:7\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"*1\r\n:3\r\n", FRAMEMAP_E_CORRUPT, 0},
        {"+OK\r\n", FRAMEMAP_E_CORRUPT, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_redis *redis = NULL;
        const framemap_str packet = framemap_str_of(rows[i].answer);
        assert_int_equal(framemap_redis_open("redis://first:1", NULL, &redis, NULL), FRAMEMAP_OK);
        const int other_end = scripted_server(redis, &packet, 1);
        assert_true(other_end >= 0);
        const framemap_status status = fm_redis_learn_slots(redis, fm_redis_now() + 50, NULL);
        if (status != rows[i].status) fail_msg("%s: %d", rows[i].answer, (int)status);
        assert_int_equal(fm_redis_owner(redis, 9), rows[i].owner);
        framemap_redis_close(redis);
        close(other_end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_urls),
        cmocka_unit_test(refuses_urls),
        cmocka_unit_test(opens_with_options),
        cmocka_unit_test(never_prints_the_password),
        cmocka_unit_test(computes_slots),
        cmocka_unit_test(follows_redirects),
        cmocka_unit_test(bounds_servers),
        cmocka_unit_test(reads_keys),
        cmocka_unit_test(reads_answers),
        cmocka_unit_test(reads_pieces),
        cmocka_unit_test(survives_failing_allocations),
        cmocka_unit_test(reads_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
