/* Tests of the prefilter's tables (formats/scan/prefilter_tables.h): they must admit every probe and every shape, and
 * only few positions of ordinary text. */
#include "tests/formats/formats_help.h"

#include "core/text/scan.h"
#include "tests/formats/scan/prefilter_all.h"
#include "tests/testing.h"
#include <stdlib.h>

/* Returns a bit mask of the bins of a bank that exclude this byte at this place of a probe. */
typedef unsigned refused_fn(const struct fm_prefilter *prefilter, size_t bank, size_t place, unsigned char byte);

static unsigned refused_by_halves(const struct fm_prefilter *prefilter, size_t bank, size_t place, unsigned char byte)
{
    return (unsigned)prefilter->not_low[bank][place][byte & 15] | prefilter->not_high[bank][place][byte >> 4];
}

static unsigned refused_by_byte(const struct fm_prefilter *prefilter, size_t bank, size_t place, unsigned char byte)
{
    return prefilter->not_byte[bank][place][byte % FM_PREFILTER_BYTES];
}

/* Whether tables for vector code admit a probe and the byte after it: all four bytes match in one of the bins. */
static bool is_admitted(refused_fn *refused, const struct fm_prefilter *prefilter,
                        const unsigned char bytes[FM_PREFILTER_SPAN])
{
    for (size_t bank = 0; bank < FM_PREFILTER_BANKS; bank++) {
        unsigned bins = 0;
        for (size_t i = 0; i < FM_PREFILTER_SPAN; i++) bins |= refused(prefilter, bank, i, bytes[i]);
        if (bins != 0xFF) return true;
    }
    return false;
}

/* Whether both kinds of tables do. */
static bool are_admitting(const struct fm_prefilter *prefilter, const unsigned char bytes[FM_PREFILTER_SPAN])
{
    return is_admitted(refused_by_halves, prefilter, bytes) && is_admitted(refused_by_byte, prefilter, bytes);
}

/* Whether two bytes can be the start of a shape (a pattern of bytes that is not a word, such as an address). */
static bool is_pair(char one, char two)
{
    const bool closing = fm_is_blank(one) || one == '\r' || fm_is_digit(one);
    const bool coded = one == '&' && two != '\0' && strchr("lgaqn#", two) != NULL;
    return one == '@' || one == '\033' || one == '\0' || (one == '#' && fm_is_digit(two)) ||
           (one == '\\' && two == 'n') || (closing && two == '\n') || coded;
}

static bool is_shape_probe(char one, char two, char three)
{
    return (one == 'a' && two == 't' && fm_is_blank(three)) ||
           (one == '0' && (two == 'x' || two == 'X') && fm_is_hex(three));
}

enum { STRINGS = 1 << 24 };

/* Lists all strings of three bytes that are probes, and the hashes of the probes. They are taken from the formats' own
 * lists, not from the tables that are tested. */
static size_t list_probes(uint8_t is_probe[STRINGS], uint8_t has_hash[FM_PREFILTER_HASHES])
{
    const struct fm_format *format;
    size_t count = 0;
    for (size_t i = 0; (format = fm_format_at(i)) != NULL; i++) {
        for (size_t n = 0; n < format->needle_count; n++) {
            const unsigned char *bytes = (const unsigned char *)format->needles[n].word + format->needles[n].probe;
            is_probe[bytes[0] | (unsigned)bytes[1] << 8 | (unsigned)bytes[2] << 16] = 1;
        }
    }
    for (unsigned all = 0; all < STRINGS; all++) {
        const char one = (char)(all & 255), two = (char)(all >> 8 & 255), three = (char)(all >> 16);
        if (is_shape_probe(one, two, three)) is_probe[all] = 1;
        if (is_probe[all]) has_hash[fm_prefilter_hash(one, two, three)] = 1;
        count += is_probe[all];
    }
    return count;
}

/* Whether the tables for vector code admit three bytes, whatever byte follows them. */
static bool is_admitted_before_any(const struct fm_prefilter *prefilter, char one, char two, char three)
{
    unsigned char bytes[FM_PREFILTER_SPAN] = {(unsigned char)one, (unsigned char)two, (unsigned char)three};
    for (unsigned next = 0; next < 256; next++) {
        bytes[FM_PREFILTER_PROBE] = (unsigned char)next;
        if (!are_admitting(prefilter, bytes)) return false;
    }
    return true;
}

/* The tables for vector code admit the probe of each needle with the byte after it. A needle that ends with its probe
 * is admitted whatever byte follows. */
static void test_probes(void **state)
{
    const struct fm_format *format;
    struct fm_prefilter prefilter;
    (void)state;
    make_prefilter(&prefilter);
    for (size_t i = 0; (format = fm_format_at(i)) != NULL; i++) {
        for (size_t n = 0; n < format->needle_count; n++) {
            const struct fm_needle *needle = &format->needles[n];
            const char *probe = needle->word + needle->probe;
            unsigned char bytes[FM_PREFILTER_SPAN];
            memcpy(bytes, probe, sizeof bytes);
            const bool admitted = needle->probe + FM_PREFILTER_SPAN <= needle->size
                                      ? are_admitting(&prefilter, bytes)
                                      : is_admitted_before_any(&prefilter, probe[0], probe[1], probe[2]);
            if (!admitted) fail_msg("'%s' has no bin", needle->word);
        }
    }
}

/* Checks the tables for all strings of three bytes, on any CPU. The tables of the plain scan accept every probe and
 * every pair; they accept any other string only if it has the hash of a probe. The tables of the vector code accept
 * every pair and every probe of a shape, whatever byte follows. */
static void test_tables(void **state)
{
    struct fm_prefilter prefilter;
    uint8_t *is_probe = calloc(STRINGS, 1), has_hash[FM_PREFILTER_HASHES] = {0};
    (void)state;
    assert_non_null(is_probe);
    make_prefilter(&prefilter);
    const size_t probes = list_probes(is_probe, has_hash);
    for (unsigned all = 0; all < STRINGS; all++) {
        const char one = (char)(all & 255), two = (char)(all >> 8 & 255), three = (char)(all >> 16);
        const bool is_shape = is_pair(one, two) || is_shape_probe(one, two, three),
                   wanted = is_pair(one, two) || has_hash[fm_prefilter_hash(one, two, three)];
        if (is_shape && !is_admitted_before_any(&prefilter, one, two, three))
            fail_msg("%02x %02x %02x has no bin", one, two, three);
        if ((fm_prefilter_may_begin(&prefilter, one, two, three) != 0) != wanted)
            fail_msg("%02x %02x %02x: %d is wanted", one, two, three, wanted);
    }
    free(is_probe);
    print_message("%zu probes, %u needles\n", probes, prefilter.count);
    assert_true(probes > 200);
}

/* ordinary lines in logs of servers, phones and kernels, none of which reports an error */
static const char plain_log[] =
    "11-21 10:04:31.207  1462  1519 I ActivityManager: session restored for user 10 (elapsed=182)\n"
    "11-21 10:04:31.339  2210  2230 D OkHttp: connection kept for the next request, queue length 3\n"
    "2026-11-21 10:04:32,118 INFO  [http-nio-8080-exec-12] com.example.shop.OrderService - order 4711 stored in 18 ms\n"
    "2026-11-21 10:04:32,451 DEBUG [worker-7] org.example.cache.Region - 214 of 1024 entries were refreshed\n"
    "10.20.30.40 - - [21/Nov/2026:10:04:33 +0000] \"GET /api/v2/orders/4711?fields=total HTTP/1.1\" 200 5120 "
    "\"https://shop.example.com/cart\" \"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\"\n"
    "Nov 21 10:04:34 web-3 sshd[2817]: accepted publickey for deploy from 10.0.0.7 port 50122\n"
    "{\"time\":\"2026-11-21T10:04:35.120Z\",\"level\":\"info\",\"msg\":\"snapshot written to the "
    "replica\",\"bytes\":81920}\n"
    "[ 4711.120384] usb 1-2: new high-speed device number 7 using the host controller\n"
    "I1121 10:04:36.771204 22817 replica.cc:218] partition 12 is in sync with its leader\n"
    "The index of the table was rebuilt, which took longer than the configured limit of two seconds.\n";

static const struct {
    const char *what;
    refused_fn *refused;
    unsigned percent_most;
} kinds[] = {{"by halves of bytes (AVX2)", refused_by_halves, 3}, {"by bytes (AVX-512)", refused_by_byte, 2}};

/* The tables of the vector code accept only few positions in ordinary text. If this fails, scripts/choose-needles
 * chooses new probes and bins. */
static void test_admitted(void **state)
{
    struct fm_prefilter prefilter;
    (void)state;
    make_prefilter(&prefilter);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        unsigned admitted = 0;
        for (size_t i = 0; i + FM_PREFILTER_SPAN < sizeof plain_log; i++) {
            unsigned char bytes[FM_PREFILTER_SPAN];
            memcpy(bytes, plain_log + i, sizeof bytes);
            admitted += is_admitted(kinds[kind].refused, &prefilter, bytes);
        }
        print_message("%s: %u of %zu positions are admitted\n", kinds[kind].what, admitted, sizeof plain_log);
        if (admitted * 100 > sizeof plain_log * kinds[kind].percent_most)
            fail_msg("%s: %u positions are admitted: run scripts/choose-needles", kinds[kind].what, admitted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_probes), cmocka_unit_test(test_tables),
                                       cmocka_unit_test(test_admitted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
