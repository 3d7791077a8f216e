#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

static const framemap_frame chain[] = {
    {.function = {"inner(int)", 10},
     .symbol = {"_Z5inneri", 9},
     .file = {"src/a.cc", 8},
     .line = 7,
     .column = 3,
     .inlined = true},
    {.function = {"outer()", 7}, .symbol = {"_Z5outerv", 9}, .file = {"src/a.cc", 8}, .line = 21}};
static const framemap_frame_list other = {chain + 1, 1};

/* First line of the output; "@" represents a quotation mark */
#define HEAD "{\"t\":\"head\",\"schema\":\"framemap/2\",\"framemap\":\"" FRAMEMAP_VERSION_STRING "\"}\n"
#define END(frames, restored)                                                                            \
    "{\"t\":\"end\",\"bytes\":0,\"lines\":0,\"traces\":1,\"frames\":" #frames ",\"restored\":" #restored \
    ",\"truncated\":false}\n"

static void check(framemap_trace *trace, const char *want)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(fm_formats_print((framemap_str){NULL, 0}, trace, 1, "json", &heap, gather, &out, NULL),
                     FRAMEMAP_OK);
    char quoted[8192];
    size_t size = strlen(want);
    assert_true(size < sizeof quoted);
    for (size_t i = 0; i <= size; i++) quoted[i] = want[i] == '@' ? '"' : want[i];
    same_text("trace", "JSON", fm_buf_view(&out), text_of(quoted));
    fm_buf_free(&out);
}

/* Tests a restored native frame, member by member. */
static void test_shape(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .status = FRAMEMAP_FRAME_OK,
                            .index = 0,
                            .raw = FM_STR("    #00 pc 4f0c4"),
                            .raw_line = 12,
                            .raw_offset = 300,
                            .module = FM_STR("libapp.so"),
                            .module_path = FM_STR("/data/libapp.so"),
                            .id = FM_STR("77e6f9"),
                            .has_address = true,
                            .address_kind = FRAMEMAP_ADDRESS_LINKED,
                            .address = 0x4f0c4,
                            .file_offset = 0x1000,
                            .function = FM_STR("outer()"),
                            .has_function_offset = true,
                            .function_offset = 24,
                            .matched_by = FRAMEMAP_MATCH_ID,
                            .restored = {chain, 2}};
    framemap_trace trace = {.format = FM_STR("android-tombstone"),
                            .thread = FM_STR("main"),
                            .exception = FM_STR("signal 6"),
                            .line = 12,
                            .line_count = 1,
                            .offset = 300,
                            .size = 16,
                            .frames = &frame,
                            .frame_count = 1};
    (void)state;
    check(&trace,
          HEAD "{@t@:@trace@,@n@:0,@report@:0,@format@:@android-tombstone@,@family@:@native@,@closed_by@:@end@,"
               "@span@:{@line@:12,@lines@:1,@byte@:300,@bytes@:16},@thread@:{@name@:@main@},@exception@:{@raw@:@signal "
               "6@},@frames@:[{@n@:0,@index@:0,@line@:12,@byte@:300,@raw@:@    #00 pc 4f0c4@,@kind@:@native@,"
               "@status@:@ok@,@module@:@libapp.so@,@module_path@:@/data/libapp.so@,@id@:@77e6f9@,"
               "@address@:{@value@:@0x4f0c4@,@mode@:@linked@,@lookup@:@0x4f0c4@,@elf_offset@:@0x1000@},"
               "@printed@:{@function@:@outer()@,@offset@:24},@from@:@symbols@,@matched_by@:@id@,@source@:["
               "{@function@:@inner(int)@,@symbol@:@_Z5inneri@,@file@:@src/a.cc@,@line@:7,@column@:3,@inlined@:true},"
               "{@function@:@outer()@,@symbol@:@_Z5outerv@,@file@:@src/a.cc@,@line@:21}]}],"
               "@counts@:{@restored@:1,@unmapped@:0,@not_needed@:0}}\n" END(1, 1));
}

static void test_absent(void **state)
{
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .status = FRAMEMAP_FRAME_MISSING_SYMBOLS,
                            .why = FRAMEMAP_WHY_NO_SYMBOLS,
                            .reason = "none",
                            .index = -1,
                            .raw = FM_STR("a \"b\"\t\xff")};
    framemap_trace trace = {.format = FM_STR("glibc"), .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace, HEAD "{@t@:@trace@,@n@:0,@report@:0,@format@:@glibc@,@family@:@native@,@closed_by@:@end@,"
                       "@span@:{@byte@:0,@bytes@:0},@frames@:[{@n@:0,@byte@:0,@raw@:@a "
                       "\\\"b\\\"\\t\xEF\xBF\xBD@,@kind@:@native@,@status@:@missing-symbols@,@why@:@no-symbols@,"
                       "@reason@:@none@,@from@:@none@,@source@:[{}]}],"
                       "@counts@:{@restored@:0,@unmapped@:1,@not_needed@:0}}\n" END(1, 0));
}

/* A frame that needs no symbols is printed with the function and position that the text has. An ambiguous frame lists
 * its alternatives. A marker between frames is not counted as a frame. */
static void test_found_ambiguous_and_marker(void **state)
{
    static const framemap_frame_extra skipped = {.has_count = true, .count = 12};
    framemap_frame frames[] = {{.kind = FRAMEMAP_KIND_NATIVE,
                                .status = FRAMEMAP_FRAME_NOT_NEEDED,
                                .index = 1,
                                .raw = FM_STR("r"),
                                .function = FM_STR("f"),
                                .file = FM_STR("a.c"),
                                .line = 3,
                                .is_async = true},
                               {.kind = FRAMEMAP_KIND_MARKER,
                                .marker = FRAMEMAP_MARKER_SKIPPED,
                                .status = FRAMEMAP_FRAME_NOT_NEEDED,
                                .index = -1,
                                .raw = FM_STR("s"),
                                .extra = &skipped},
                               {.kind = FRAMEMAP_KIND_NATIVE,
                                .status = FRAMEMAP_FRAME_AMBIGUOUS,
                                .why = FRAMEMAP_WHY_SEVERAL_FIT,
                                .index = 2,
                                .raw = FM_STR("r"),
                                .restored = {chain, 1},
                                .alternatives = &other,
                                .alternative_count = 1}};
    framemap_trace trace = {.format = FM_STR("x"), .frames = frames, .frame_count = 3, .elided = 4};
    (void)state;
    check(&trace, HEAD "{@t@:@trace@,@n@:0,@report@:0,@format@:@x@,@family@:@native@,@closed_by@:@end@,"
                       "@span@:{@byte@:0,@bytes@:0},@frames@:[{@n@:0,@index@:1,@byte@:0,@raw@:@r@,@kind@:@native@,"
                       "@status@:@not-needed@,@printed@:{@function@:@f@,@file@:@a.c@,@line@:3,@async@:true},"
                       "@from@:@printed@,@source@:[{@function@:@f@,@file@:@a.c@,@line@:3}]},"
                       "{@n@:1,@byte@:0,@raw@:@s@,@kind@:@marker@,@marker@:@skipped@,@status@:@not-needed@,"
                       "@printed@:{@count@:12},@from@:@none@,@source@:[{}]},"
                       "{@n@:2,@index@:2,@byte@:0,@raw@:@r@,@kind@:@native@,@status@:@ambiguous@,"
                       "@why@:@several-fit@,@from@:@symbols@,@source@:[{@function@:@inner(int)@,@symbol@:@_Z5inneri@,"
                       "@file@:@src/a.cc@,@line@:7,@column@:3,@inlined@:true}],"
                       "@alternatives@:[[{@function@:@outer()@,@symbol@:@_Z5outerv@,@file@:@src/a.cc@,@line@:21}]]}],"
                       "@elided@:4,@counts@:{@restored@:0,@unmapped@:1,@not_needed@:1}}\n" END(1, 0));
}

/* For Java frames, the names in the text are printed, too. Hidden frames are marked. Class names outside of frames are
 * listed, and restored in the exception. */
static void test_java(void **state)
{
    static const char exception[] = "a.b: class a.c";
    static const framemap_frame source[] = {
        {.class_name = {"x.Y", 3}, .function = {"f", 1}, .symbol = {"void f()", 8}, .file = {"Y.kt", 4}, .line = 7}};
    framemap_frame frames[] = {{.kind = FRAMEMAP_KIND_JAVA,
                                .status = FRAMEMAP_FRAME_OK,
                                .index = -1,
                                .raw = FM_STR("at a.b.c(PG:1)"),
                                .class_name = FM_STR("a.b"),
                                .function = FM_STR("c"),
                                .file = FM_STR("PG"),
                                .line = 1,
                                .restored = {source, 1}},
                               {.kind = FRAMEMAP_KIND_JAVA,
                                .status = FRAMEMAP_FRAME_OK,
                                .reason = "why",
                                .index = -1,
                                .raw = FM_STR("at a.b.d()"),
                                .class_name = FM_STR("a.b"),
                                .function = FM_STR("d")}};
    framemap_mention mentions[] = {{.raw = {exception, 3}, .exception = true, .restored = FM_STR("x.Fault")},
                                   {.raw = {exception + 11, 3}, .restored = FM_STR("x.Y")},
                                   {.raw = FM_STR("a.d"), .before_frame = 2}};
    framemap_trace trace = {.format = FM_STR("java"),
                            .number = 3,
                            .role = FRAMEMAP_ROLE_CAUSE,
                            .part_of = 2,
                            .exception = FM_STR(""),
                            .line = 2,
                            .frames = frames,
                            .frame_count = 2,
                            .mentions = mentions,
                            .mention_count = 3};
    trace.exception = (framemap_str){exception, sizeof exception - 1};
    trace.exception_type = (framemap_str){exception, 3};
    trace.exception_message = (framemap_str){exception + 5, 9};
    (void)state;
    check(&trace,
          HEAD "{@t@:@trace@,@n@:3,@report@:0,@format@:@java@,@family@:@java@,@part_of@:2,@role@:@cause@,"
               "@closed_by@:@end@,@span@:{@line@:2,@byte@:0,@bytes@:0},@exception@:{@type@:@x.Fault@,@type_raw@:@a.b@,"
               "@message@:@class x.Y@,@raw@:@a.b: class a.c@},@mentions@:[{@before@:0,@printed@:@a.b@,"
               "@class@:@x.Fault@,@exception@:true},{@before@:0,@printed@:@a.c@,@class@:@x.Y@},"
               "{@before@:2,@printed@:@a.d@}],@frames@:[{@n@:0,@byte@:0,@raw@:@at a.b.c(PG:1)@,@kind@:@java@,"
               "@status@:@ok@,@printed@:{@function@:@c@,@class@:@a.b@,@file@:@PG@,@line@:1},@from@:@symbols@,"
               "@source@:[{@class@:@x.Y@,@function@:@f@,@symbol@:@void f()@,@file@:@Y.kt@,@line@:7}]},"
               "{@n@:1,@byte@:0,@raw@:@at a.b.d()@,@kind@:@java@,@status@:@ok@,@reason@:@why@,"
               "@printed@:{@function@:@d@,@class@:@a.b@},@from@:@printed@,@hidden@:true,"
               "@source@:[{@class@:@a.b@,@function@:@d@}]}],"
               "@counts@:{@restored@:2,@unmapped@:0,@not_needed@:0}}\n" END(2, 2));
}

/* For JavaScript frames, the output states where the function name was found, and contains source lines if those were
 * requested. */
static void test_script(void **state)
{
    static const framemap_frame source[] = {{.function = {"deep", 4},
                                             .function_origin = FRAMEMAP_FUNCTION_CALLER,
                                             .name = {"x", 1},
                                             .file = {"a.ts", 4},
                                             .line = 2,
                                             .column = 3,
                                             .ignored = true,
                                             .context = {"one\r\n  \"two\"", 12},
                                             .context_line = 1}};
    static const framemap_frame_extra eval = {.eval_file = {"<anonymous>", 11}, .eval_line = 3, .eval_column = 12};
    framemap_frame frame = {.kind = FRAMEMAP_KIND_JS,
                            .status = FRAMEMAP_FRAME_OK,
                            .index = -1,
                            .raw = FM_STR("at a.js:1:9"),
                            .file = FM_STR("a.js"),
                            .line = 1,
                            .column = 9,
                            .extra = &eval,
                            .restored = {source, 1}};
    framemap_trace trace = {.format = FM_STR("js-v8"), .line = 1, .frames = &frame, .frame_count = 1};
    (void)state;
    check(&trace,
          HEAD "{@t@:@trace@,@n@:0,@report@:0,@format@:@js-v8@,@family@:@js@,@closed_by@:@end@,"
               "@span@:{@line@:1,@byte@:0,@bytes@:0},@frames@:[{@n@:0,@byte@:0,@raw@:@at a.js:1:9@,@kind@:@js@,"
               "@status@:@ok@,@printed@:{@file@:@a.js@,@line@:1,@column@:9,@eval@:{@file@:@<anonymous>@,@line@:3,"
               "@column@:12}},@from@:@symbols@,@source@:[{@function@:@deep@,@function_from@:@caller@,@name@:@x@,"
               "@file@:@a.ts@,@line@:2,@column@:3,@ignored@:true,"
               "@context@:{@line@:1,@text@:@one\\r\\n  \\\"two\\\"@}}]}],"
               "@counts@:{@restored@:1,@unmapped@:0,@not_needed@:0}}\n" END(1, 1));
}

/* Tests that all members of a trace that are read from the report are printed, and that each image is printed before
 * the first trace that uses it. */
static void test_report(void **state)
{
    framemap_image images[] = {{.name = FM_STR("App"),
                                .path = FM_STR("/App"),
                                .id = FM_STR("aa"),
                                .arch = FM_STR("arm64"),
                                .load_address = 0x1000,
                                .size = 64,
                                .symbols = FRAMEMAP_SYMBOLS_MISSING}};
    static const framemap_register registers[] = {{{"pc", 2}, 0x1010}, {{"lr", 2}, 0}};
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .status = FRAMEMAP_FRAME_MISSING_SYMBOLS,
                            .index = 0,
                            .raw = FM_STR("r"),
                            .has_image = true,
                            .image = 0,
                            .has_address = true,
                            .address_kind = FRAMEMAP_ADDRESS_ABSOLUTE,
                            .return_address = true,
                            .address = 0x1010,
                            .has_load_address = true,
                            .load_address = 0x1000};
    framemap_trace trace = {.format = FM_STR("apple-crash"),
                            .report = 2,
                            .closed_by = FRAMEMAP_CLOSED_BY_DEADLINE,
                            .frames = &frame,
                            .frame_count = 1,
                            .images = images,
                            .image_count = 1,
                            .lists_images = true,
                            .arch = FM_STR("arm64"),
                            .os = FM_STR("ios"),
                            .os_version = FM_STR("17"),
                            .process_name = FM_STR("App"),
                            .has_process_id = true,
                            .process_id = 21,
                            .thread = FM_STR("0"),
                            .thread_id = FM_STR("0"),
                            .thread_queue = FM_STR("q"),
                            .thread_state = FM_STR("run"),
                            .crashed = true,
                            .exception = FM_STR("raw"),
                            .mach_type = FM_STR("EXC_CRASH"),
                            .mach_codes = FM_STR("0, 0"),
                            .abort_message = FM_STR("no"),
                            .signal = {.name = FM_STR("SIGSEGV"),
                                       .code_name = FM_STR("SEGV_MAPERR"),
                                       .has_number = true,
                                       .number = 11,
                                       .has_code = true,
                                       .code = -6,
                                       .has_address = true,
                                       .address = 0},
                            .log = {.time = FM_STR("10:00"),
                                    .tag = FM_STR("DEBUG"),
                                    .level = FM_STR("F"),
                                    .has_pid = true,
                                    .pid = 300,
                                    .has_tid = true,
                                    .tid = 0},
                            .registers = registers,
                            .register_count = 2};
    (void)state;
    check(&trace, HEAD "{@t@:@images@,@report@:2,@images@:[{@name@:@App@,@path@:@/App@,@id@:@aa@,@arch@:@arm64@,"
                       "@load@:@0x1000@,@size@:64,@symbols@:@missing@}]}\n"
                       "{@t@:@trace@,@n@:0,@report@:2,@format@:@apple-crash@,@family@:@native@,@closed_by@:@deadline@,"
                       "@span@:{@byte@:0,@bytes@:0},@log@:{@time@:@10:00@,@pid@:300,@tid@:0,@tag@:@DEBUG@,@level@:@F@},"
                       "@process@:{@name@:@App@,@pid@:21,@arch@:@arm64@,@os@:@ios@,@os_version@:@17@},"
                       "@thread@:{@id@:@0@,@queue@:@q@,@crashed@:true,@state@:@run@},@exception@:{@raw@:@raw@,"
                       "@signal@:{@number@:11,@name@:@SIGSEGV@,@code@:-6,@code_name@:@SEGV_MAPERR@,@address@:@0x0@},"
                       "@mach@:{@type@:@EXC_CRASH@,@codes@:@0, 0@},@abort_message@:@no@},"
                       "@registers@:{@pc@:@0x1010@,@lr@:@0x0@},@frames@:[{@n@:0,@index@:0,@byte@:0,@raw@:@r@,"
                       "@kind@:@native@,@status@:@missing-symbols@,@image@:0,@address@:{@value@:@0x1010@,"
                       "@mode@:@absolute@,@load@:@0x1000@,@lookup@:@0x100f@},@from@:@none@,@source@:[{}]}],"
                       "@counts@:{@restored@:0,@unmapped@:1,@not_needed@:0}}\n" END(1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape),  cmocka_unit_test(test_java),
                                       cmocka_unit_test(test_script), cmocka_unit_test(test_found_ambiguous_and_marker),
                                       cmocka_unit_test(test_absent), cmocka_unit_test(test_report)};
    return cmocka_run_group_tests_name("formats json", tests, NULL, NULL);
}
