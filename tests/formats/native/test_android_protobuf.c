#include "tests/formats/formats_help.h"

#include <stdlib.h>

/* --- writing a message --- */

static void put_varint(struct fm_buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) fm_buf_byte(out, (char)(0x80 | (value & 0x7F)));
    fm_buf_byte(out, (char)value);
}
static void put_number(struct fm_buf *out, unsigned field, uint64_t value)
{
    put_varint(out, field << 3);
    put_varint(out, value);
}
static void put_bytes(struct fm_buf *out, unsigned field, framemap_str bytes)
{
    put_varint(out, field << 3 | 2);
    put_varint(out, bytes.size);
    fm_buf_str(out, bytes);
}
/* Ends a message within another one: appends it as a field of the outer message. */
static void put_message(struct fm_buf *out, unsigned field, struct fm_buf *inner)
{
    put_bytes(out, field, fm_buf_view(inner));
    fm_buf_clear(inner);
}

static void put_frame(struct fm_buf *out, unsigned field, uint64_t pc, const char *path)
{
    struct fm_buf frame;
    fm_buf_init(&frame, out->heap);
    put_number(&frame, 1, pc);
    put_number(&frame, 2, 0x7000000000 + pc);
    put_number(&frame, 3, 0x7fff0000);
    put_bytes(&frame, 4, FM_STR("outer()"));
    put_number(&frame, 5, 24);
    put_bytes(&frame, 6, text_of(path));
    put_number(&frame, 7, 0x21a000);
    put_bytes(&frame, 8, FM_STR("77e6f9a1b2"));
    put_message(out, field, &frame);
    fm_buf_free(&frame);
}

/* field: the field of the report that is the map of threads: 16, or 25 for those of translated code */
static void put_thread(struct fm_buf *out, unsigned field, uint64_t id, framemap_str name)
{
    struct fm_buf thread, part, entry;
    fm_buf_init(&thread, out->heap);
    fm_buf_init(&part, out->heap);
    fm_buf_init(&entry, out->heap);
    put_number(&thread, 1, id);
    put_bytes(&thread, 2, name);
    put_bytes(&part, 1, FM_STR("x0"));
    put_number(&part, 2, id * 16);
    put_message(&thread, 3, &part);
    put_frame(&thread, 4, 0x1344, "/data/app/base.apk!libapp.so");
    put_frame(&thread, 4, 0x2c, "<anonymous:ee137000>");
    put_number(&entry, 1, id);
    put_message(&entry, 2, &thread);
    put_message(out, field, &entry);
    fm_buf_free(&thread);
    fm_buf_free(&part);
    fm_buf_free(&entry);
}

static void put_report(struct fm_buf *out)
{
    struct fm_buf part, inner, heap;
    fm_buf_init(&part, out->heap);
    fm_buf_init(&inner, out->heap);
    fm_buf_init(&heap, out->heap);
    put_number(out, 1, 1);
    put_bytes(out, 2, FM_STR("google/oriole/oriole:14/AP1A.240305.019/11445699:user/release-keys"));
    put_bytes(out, 3, FM_STR("0"));
    put_number(out, 5, 300);
    put_number(out, 6, 301);
    put_bytes(out, 9, FM_STR("com.example"));
    put_number(&part, 1, 11);
    put_bytes(&part, 2, FM_STR("SIGSEGV"));
    put_number(&part, 3, 9);
    put_bytes(&part, 4, FM_STR("SEGV_MTESERR"));
    put_number(&part, 8, 1);
    put_number(&part, 9, 0x10);
    put_message(out, 10, &part);
    put_bytes(out, 14, FM_STR("ouch"));
    put_number(&heap, 3, 7);
    put_frame(&heap, 4, 0x10, "/l/a.so");
    put_number(&heap, 5, 8);
    put_frame(&heap, 6, 0x20, "/l/a.so");
    put_message(&inner, 3, &heap);
    put_message(&part, 2, &inner);
    put_message(out, 15, &part);
    put_thread(out, 16, 300, FM_STR("main"));
    put_thread(out, 16, 301, FM_STR("worker"));
    put_bytes(out, 18, FM_STR("\n\tat a.b.c(SourceFile:1)\n"));
    fm_buf_free(&part);
    fm_buf_free(&inner);
    fm_buf_free(&heap);
}

static const char frames[] = "android-tombstone-pb 1 thread:7 arch:arm64\n"
                             "#0 m:a.so linked:0x10 offset:0x21a000 id:77e6f9a1b2 arch:arm64 f:outer()+24\n"
                             "android-tombstone-pb 1 thread:8 arch:arm64\n"
                             "#0 m:a.so linked:0x20 offset:0x21a000 id:77e6f9a1b2 arch:arm64 f:outer()+24\n";
static const char thread_frames[] =
    "#0 m:libapp.so linked:0x1344 offset:0x21a000 id:77e6f9a1b2 arch:arm64 f:outer()+24\n"
    "#1 m:<anonymous:ee137000> linked:0x2c offset:0x21a000 id:77e6f9a1b2 arch:arm64 f:outer()+24 unknown-image\n";
static const char models[] =
    " allocated-by-of:3 pid:300 process:com.example os:14 tid:7\n freed-by-of:3 pid:300 process:com.example os:14 "
    "tid:8\n pid:300 process:com.example os:14 tid:300 name:main x0=0x12c0\n pid:300 process:com.example os:14 tid:301 "
    "name:worker type:SIGSEGV abort:ouch signal:11 code:9 code:SEGV_MTESERR fault:0x10 x0=0x12d0\n";

static void check_report(framemap_str text)
{
    struct parsed parsed;
    struct fm_buf got, want, back;
    parse(&parsed, text);
    fm_buf_init(&got, &parsed.heap);
    fm_buf_init(&want, &parsed.heap);
    describe(&got, parsed.traces, parsed.count);
    fm_buf_printf(&want,
                  "%sandroid-tombstone-pb 1 thread:main arch:arm64\n%sandroid-tombstone-pb 1 thread:worker "
                  "exception:signal 11 (SIGSEGV), code 9 (SEGV_MTESERR), fault addr 0x10: ouch arch:arm64 crashed\n%s",
                  frames, thread_frames, thread_frames);
    same_text("report", "what was read", fm_buf_view(&got), fm_buf_view(&want));
    fm_buf_clear(&got);
    for (size_t t = 0; t < parsed.count; t++) {
        describe_model(&got, &parsed.traces[t]);
        fm_buf_byte(&got, '\n');
        for (size_t f = 0; f < parsed.traces[t].frame_count; f++)
            restore(&parsed.traces[t].frames[f], fm_test_chain, 2);
    }
    same_text("report", "what its traces say", fm_buf_view(&got), text_of(models));
    assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
    same_text("report", "the text that comes back, with restored frames", fm_buf_view(&back), text);
    fm_buf_free(&back);
    fm_buf_free(&want);
    fm_buf_free(&got);
    parsed_free(&parsed);
}

/* Checks that every prefix of a report, and every report with one changed byte, is printed unchanged. Each is in a
 * memory block of exactly its size, so that sanitizers detect a read past its end. */
static void check_damaged(framemap_str text)
{
    for (size_t size = 0; size <= text.size * 2; size++) {
        struct parsed parsed;
        struct fm_buf back;
        const framemap_str part = fm_str_slice(text, 0, size <= text.size ? size : text.size);
        char *copy = malloc(part.size + 1);
        memcpy(copy, part.data, part.size);
        if (size > text.size) copy[size - text.size - 1] ^= (char)0x81;
        parse(&parsed, fm_str(copy, part.size));
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        assert_int_equal(print_as(&parsed, fm_str(copy, part.size), "text", &back), FRAMEMAP_OK);
        same_text("damaged", "the text that comes back", fm_buf_view(&back), fm_str(copy, part.size));
        fm_buf_free(&back);
        parsed_free(&parsed);
        free(copy);
    }
}

static void test_report(void **state)
{
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    put_report(&text);
    check_report(fm_buf_view(&text));
    check_damaged(fm_buf_view(&text));
    fm_buf_free(&text);
}

/* Checks a thread that also ran code for another CPU: that code's stack is not the one with the signal. */
static void test_guest(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    struct parsed parsed;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    put_report(&text);
    put_number(&text, 24, 4);
    put_thread(&text, 25, 301, FM_STR("worker"));
    parse(&parsed, fm_buf_view(&text));
    assert_int_equal(parsed.count, 5);
    same_text("guest", "the architecture", parsed.traces[3].arch, FM_STR("arm64"));
    same_text("guest", "the guest's architecture", parsed.traces[4].arch, FM_STR("riscv64"));
    same_text("guest", "that of its frames", parsed.traces[4].frames[0].arch, FM_STR("riscv64"));
    same_text("guest", "the thread", parsed.traces[4].thread_id, FM_STR("301"));
    assert_true(parsed.traces[3].crashed && !parsed.traces[4].crashed);
    parsed_free(&parsed);
    fm_buf_free(&text);
}

/* Tests texts that begin like a report but are not reports. */
static void test_others(void **state)
{
    static const struct text_case rows[] = {
        {"no message", "the fields end within one", "\x08\x01\x12\x1bg/s/s:10/Q/5:user/test-keys\x12\n", ""},
        {"text below", "a report has nothing after it",
         "\x08\x01\x12\x1bg/s/s:10/Q/5:user/test-keys\n\tat a.b.c(PG:1)\n", "java 2\n- c:a.b f:c at:PG:1\n"},
        {"no threads", "a header alone", "\x08\x01\x12\x1bg/s/s:10/Q/5:user/test-keys\x30\x07", ""},
    };
    (void)state;
    check_texts(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_report), cmocka_unit_test(test_guest),
                                       cmocka_unit_test(test_others)};
    return cmocka_run_group_tests_name("formats android-tombstone-pb", tests, NULL, NULL);
}
