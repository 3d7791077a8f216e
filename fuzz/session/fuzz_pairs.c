/* Converts between pairs of formats: a text is converted to the format that the first byte chooses, with and without
 * a session. The second byte names the format of the text, or leaves it open. Properties: a second conversion gives
 * the same result; a printer that is given the traces of a text one by one reports exactly those parts of the traces
 * as lost that the format cannot represent. */
#include "core/text/buffer.h"
#include "fuzz/support/harness_help.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_OUTPUT = 1 << 26 };

/* Returns name number `at` among the formats that can be written: formats of stacks come first, then formats of
 * samples. NULL: there are fewer formats. */
static const char *target_at(size_t number)
{
    size_t stacks, samples;
    const framemap_format_info *const *rows = framemap_format_list(&stacks);
    const framemap_sample_format *const *sets = framemap_sample_format_list(&samples);
    for (size_t i = 0; i < stacks; i++)
        if (rows[i]->writes && number-- == 0) return rows[i]->name;
    for (size_t i = 0; i < samples; i++)
        if (sets[i]->writes && number-- == 0) return sets[i]->name;
    return NULL;
}

static const char *source_at(size_t number)
{
    size_t count;
    const framemap_format_info *const *rows = framemap_format_list(&count);
    return number < count && rows[number]->reads ? rows[number]->name : NULL;
}

/* Whether a status can be caused by the contents of a text. */
static bool is_of_input(framemap_status status)
{
    return status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED || status == FRAMEMAP_E_FORMAT ||
           status == FRAMEMAP_E_LIMIT || status == FRAMEMAP_E_IO;
}

static bool convert(framemap_session *session, framemap_str text, const char *to, const char *from,
                    struct fuzz_output *out, framemap_convert_summary *summary)
{
    const framemap_convert_options options = {.size = sizeof options, .from = from};
    *out = (struct fuzz_output){.most = MOST_OUTPUT};
    const framemap_status status = framemap_convert(session, text, to, &options, fuzz_write, out, summary, NULL);
    must(status == FRAMEMAP_OK || is_of_input(status));
    return status == FRAMEMAP_OK;
}

static void convert_twice(framemap_session *session, framemap_str text, const char *to, const char *from)
{
    struct fuzz_output first, second;
    framemap_convert_summary one, two;
    if (!convert(session, text, to, from, &first, &one)) return;
    must(convert(session, text, to, from, &second, &two));
    must(first.size == second.size && first.hash == second.hash && one.lost == two.lost);
    for (uint32_t bit = 1; bit; bit <<= 1) must(!(one.lost & bit) || framemap_part_name(bit)[0]);
}

static void print_each(framemap_str text, const char *to, const char *from)
{
    const framemap_parse_options parse = {.size = sizeof parse, .format = from};
    framemap_trace_list list = {0};
    framemap_printer *printer = NULL;
    struct fuzz_output out = {.most = MOST_OUTPUT};
    framemap_error error;
    uint32_t lost = 0, expected = 0;
    if (framemap_trace_parse(text, &parse, &list, NULL)) return;
    must(framemap_printer_open(to, NULL, fuzz_write, &out, &printer, &error) == FRAMEMAP_OK);
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < list.count && status == FRAMEMAP_OK; i++) {
        const uint32_t of_trace = framemap_trace_lost(&list.traces[i], to);
        must((of_trace & ~framemap_trace_parts(&list.traces[i])) == 0);
        expected |= of_trace;
        status = framemap_printer_trace(printer, text, &list.traces[i], 1, &error);
    }
    must(status == FRAMEMAP_OK || is_of_input(status));
    const framemap_status closed = framemap_printer_close(printer, &lost, status ? NULL : &error);
    must(closed == FRAMEMAP_OK || is_of_input(closed));
    must(lost == expected);
    framemap_trace_list_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const char *to = target_at((size_t)fuzz_number(&input, 1)), *from = source_at((size_t)fuzz_number(&input, 1));
    const framemap_str text = fuzz_rest(&input);
    if (to == NULL) return 0;
    must(framemap_convert_writes(to));
    convert_twice(NULL, text, to, from);
    convert_twice(fuzz_demo_session(false), text, to, from);
    print_each(text, to, from);
    return 0;
}
