/* Calls retrace with any text and any regular expression. The first byte of the input selects the rules (R8's or
 * ProGuard's) and verbose output; the rest is "EXPRESSION NUL TEXT", or only a text, for which the default
 * expression is used. Properties:
 *  - the parts found in a line are slices of it, in ascending order;
 *  - a text that is passed line by line gives the same output as a text that is passed as a whole;
 *  - no control character of the mapping is printed (by ProGuard's rules names may have any characters);
 *  - all memory is freed. */
#include "core/text/buffer.h"
#include "formats/java/retrace/retrace_line.h"
#include "fuzz/support/hostile.h"
#include <framemap/framemap.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)            \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

static const char mapping[] =
    "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n"
    "o.p.Cls -> a:\n    1:5:void m():10:14 -> a\n    int f -> f\n    void n(int) -> b\n    int e() -> b\n"
    "    1:1:void q.In.i():7 -> c\n    1:1:void o():9 -> c\n    1:5:void fan():20:22 -> d\n"
    "    1:1:int out():1 -> g\n      # {\"id\":\"com.android.tools.r8.outline\"}\n    3:3:int call():50 -> h\n"
    "      # {\"id\":\"com.android.tools.r8.outlineCallsite\",\"positions\":{\"1\":3},\"outline\":\"La;g()I\"}\n"
    "o.p.MainKt -> x.y:\n    1:1:void r():1 -> a\n"
    "o.p.Odd -> o:\n# {\"id\":\"sourceFile\",\"fileName\":\"Odd\\n#0 forged\\u001b]0;\\u007f\\u009b\\u202e\"}\n    "
    "1:1:void r():1 -> a\n";

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_index *open_mapping(bool proguard, framemap_bytes *bytes)
{
    framemap_index *index = NULL;
    framemap_build_options options = {.size = sizeof options, .mapper = proguard ? "proguard" : "r8", .strict = true};
    static const char odd[] = "o.Q" HOSTILE_WORD " -> q:\n    1:1:void r" HOSTILE_WORD "():1 -> a\n";
    char text[sizeof mapping + sizeof odd];
    memcpy(text, mapping, sizeof mapping);
    if (proguard) memcpy(text + sizeof mapping - 1, odd, sizeof odd);
    MUST(framemap_index_build(framemap_str_of(text), framemap_str_of("m"), &options, bytes, NULL) == FRAMEMAP_OK);
    MUST(framemap_index_open(framemap_bytes_str(bytes), NULL, &index, NULL) == FRAMEMAP_OK);
    return index;
}

/* Passes the text line by line, or as a whole. Returns false if the expression is rejected. */
static bool retrace(framemap_retracer *retracer, framemap_str text, bool by_line, struct fm_buf *out)
{
    framemap_retracer_reset(retracer);
    while (text.size) {
        size_t end = by_line ? fm_str_find_byte(text, '\n') : FM_NOT_FOUND;
        framemap_str part = fm_str_slice(text, 0, end == FM_NOT_FOUND ? text.size : end + 1);
        if (framemap_retracer_text(retracer, part, gather, out, NULL) != FRAMEMAP_OK) return false;
        text = fm_str_from(text, part.size);
    }
    return true;
}

static void check_pieces(framemap_str line)
{
    struct fm_retrace_line found;
    size_t at = 0;
    MUST(fm_retrace_line_parse(line, &found) == (found.count != 0));
    for (unsigned i = 0; i < found.count; i++) {
        MUST(found.pieces[i].at >= at && found.pieces[i].at <= found.pieces[i].end && found.pieces[i].end <= line.size);
        at = found.pieces[i].end;
    }
}

static void check_lines(framemap_retracer *retracer, framemap_str text, struct fm_heap *heap)
{
    struct fm_buf whole, parts;
    fm_buf_init(&whole, heap);
    fm_buf_init(&parts, heap);
    bool good = retrace(retracer, text, false, &whole);
    MUST(retrace(retracer, text, true, &parts) == good);
    check_hostile(text, fm_buf_view(&whole));
    if (good) MUST(fm_str_equal(fm_buf_view(&whole), fm_buf_view(&parts)));
    fm_buf_free(&whole);
    fm_buf_free(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    framemap_bytes bytes = {0};
    framemap_retracer *retracer = NULL;
    fm_heap_init(&heap, NULL, 0);
    unsigned how = size ? data[0] : 0;
    framemap_str input = fm_str(size ? data + 1 : data, size ? size - 1 : 0);
    size_t nul = fm_str_find_byte(input, '\0');
    framemap_str text = nul == FM_NOT_FOUND ? input : fm_str_from(input, nul + 1);
    framemap_index *index = open_mapping(how & 1, &bytes);
    framemap_retrace_options options = {.size = sizeof options,
                                        .verbose = how & 2,
                                        .expression = nul == FM_NOT_FOUND ? NULL : input.data,
                                        .max_memory = (uint64_t)1 << 30};
    for (framemap_str rest = text; rest.size;) {
        size_t end = fm_str_find_byte(rest, '\n');
        check_pieces(fm_str_slice(rest, 0, end));
        rest = end == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(rest, end + 1);
    }
    if (framemap_retracer_create(index, &options, &retracer, NULL) == FRAMEMAP_OK) check_lines(retracer, text, &heap);
    framemap_retracer_free(retracer);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    MUST(atomic_load(&heap.used) == 0);
    return 0;
}
