/* Tests the reader of OpenTelemetry's profiles: the same message as JSON and in its binary form, and errors in
 * messages. */
#include "tests/formats/profiles/read_only/reader_checks.h"

#include "core/wire.h"

#define DICTIONARY                                                                                                     \
    "\"dictionary\":{\"mappingTable\":[{},{\"memoryStart\":\"139637976727552\",\"fileOffset\":4096,"                   \
    "\"filenameStrindex\":6,"                                                                                          \
    "\"attributeIndices\":[3]}],\"locationTable\":[{},{\"lines\":[{\"functionIndex\":1,\"line\":\"7\",\"column\":"     \
    "\"2\"}]},"                                                                                                        \
    "{\"mappingIndex\":1,\"address\":\"139637976731664\",\"lines\":[{\"functionIndex\":2},{\"functionIndex\":1}]}],"   \
    "\"functionTable\":[{},{\"nameStrindex\":3,\"filenameStrindex\":5},{\"systemNameStrindex\":4}],\"linkTable\":[{}]" \
    ","                                                                                                                \
    "\"stringTable\":[\"\",\"cpu\",\"nanoseconds\",\"main\",\"f\",\"a.c\",\"/"                                         \
    "l.so\",\"thread.name\",\"t\",\"size\",\"By\","                                                                    \
    "\"process.executable.build_id.gnu\",\"0123456789abcdef\"],\"attributeTable\":[{},{\"keyStrindex\":7,\"value\":{"  \
    "\"stringValue\":\"t\"}},{\"keyStrindex\":9,\"value\":{\"intValue\":\"5\"},\"unitStrindex\":10},{\"keyStrindex\":" \
    "11,"                                                                                                              \
    "\"value\":{\"stringValue\":\"0123456789abcdef\"}}],\"stackTable\":[{},{\"locationIndices\":[2,1]}]}"
#define RESOURCE(samples)                                                                                              \
    "{\"resourceProfiles\":[{\"resource\":{\"attributes\":[{\"key\":\"process.pid\",\"value\":{\"intValue\":\"7\"}}]}" \
    ","                                                                                                                \
    "\"scopeProfiles\":[{\"profiles\":[{\"sampleType\":{\"typeStrindex\":1,\"unitStrindex\":2},\"samples\":[" samples  \
    "]}]}]}]," DICTIONARY "}"
#define STACK " 7/ main@a.c:7:2;main+7f0000001010!/l.so@a.c;f+7f0000001010!/l.so inlined "

static const struct profile_case profiles[] = {
    {"one value without a time; numbers are texts or not",
     RESOURCE("{\"stackIndex\":1,\"values\":[\"3\"]},{\"stackIndex\":1,\"values\":[4]}"), STACK "7 nanoseconds\n"},
    {"a value for each time, or one for each",
     RESOURCE("{\"stackIndex\":1,\"values\":[3,4],\"timestampsUnixNano\":[\"10\","
              "\"20\"],\"attributeIndices\":[1]},{\"timestampsUnixNano\":[30]}"),
     "10  7/t main@a.c:7:2;main+7f0000001010!/l.so@a.c;f+7f0000001010!/l.so inlined 3 nanoseconds\n"
     "20  7/t main@a.c:7:2;main+7f0000001010!/l.so@a.c;f+7f0000001010!/l.so inlined 4 nanoseconds\n30  7/  1 "
     "nanoseconds\n"},
    {"names of the schema, and an address of the kernel",
     "{\"resource_profiles\":[{\"scope_profiles\":[{\"profiles\":[{\"samples\":[{\"stack_index\":1,\"values\":[-3,5]}]}"
     "]}]}],"
     "\"dictionary\":{\"string_table\":[\"\"],\"location_table\":[{},{\"address\":\"18446744071578845184\"}],"
     "\"stack_table\":[{},{\"location_indices\":[1]}],\"mapping_table\":[{}]}}",
     "+ffffffff81000000 2 count\n"},
    {"a message a line, as the Collector writes them, each with a dictionary of its own",
     "{\"dictionary\":{\"stringTable\":[\"\",\"a\"],\"functionTable\":[{},{\"nameStrindex\":1}],\"locationTable\":[{},{"
     "\"lines\":[{\"functionIndex\":1}]}],\"stackTable\":[{},{\"locationIndices\":[1]}]},\"resourceProfiles\":[{"
     "\"scopeProfiles\":[{\"profiles\":[{\"samples\":[{\"stackIndex\":1,\"values\":[1]}]}]}]}]}\n"
     "{\"dictionary\":{\"stringTable\":[\"\",\"b\"],\"functionTable\":[{},{\"nameStrindex\":1}],\"locationTable\":[{},{"
     "\"lines\":[{\"functionIndex\":1}]}],\"stackTable\":[{},{\"locationIndices\":[1]}]},\"resourceProfiles\":[{"
     "\"scopeProfiles\":[{\"profiles\":[{\"samples\":[{\"stackIndex\":1,\"values\":[2]}]}]}]}]}\n",
     "a 1 count\nb 2 count\n"},
    {"attributes of resources with texts of the dictionary",
     "{\"resourceProfiles\":[{\"resource\":{\"attributes\":[{\"keyStrindex\":1,\"value\":{\"stringValueStrindex\":2}}]}"
     ","
     "\"scopeProfiles\":[{\"profiles\":[{\"samples\":[{\"values\":[1]}]}]}]}],\"dictionary\":{\"stringTable\":[\"\","
     "\"service.name\",\"shop\"]}}",
     "shop/  1 count\n"},
};

static void test_json(void **state)
{
    (void)state;
    assert_cases(profiles, sizeof profiles / sizeof *profiles, "otlp-profiles", "pprof");
}

static void test_labels(void **state)
{
    (void)state;
    framemap_sample_set *set =
        read_samples(framemap_str_of(RESOURCE("{\"stackIndex\":1,\"values\":[1],\"attributeIndices\":[2,1]}")), NULL);
    framemap_sample_label label;
    assert_true(framemap_sample_set_label(set, 0, 0, &label));
    assert_true(fm_str_equal(label.key, FM_STR("size")) && fm_str_equal(label.unit, FM_STR("By")));
    assert_int_equal(label.number, 5);
    assert_false(framemap_sample_set_label(set, 0, 1, &label));
    framemap_sample_frame frame;
    assert_true(framemap_sample_set_frame(set, 1, &frame));
    assert_true(frame.has_load_address);
    assert_int_equal(frame.load_address, UINT64_C(139637976727552) - 4096);
    framemap_sample_set_close(set);
}

/* --- testing the binary form --- */

/* Appends a message as a field of another message, and clears it. */
static void put_message(struct fm_buf *to, unsigned field, struct fm_buf *message)
{
    fm_wire_put_bytes(to, field, fm_buf_view(message));
    fm_buf_clear(message);
}

static void put_fixed(struct fm_buf *buf, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) fm_buf_byte(buf, (char)(unsigned char)(value >> 8 * i));
}

/* Writes a message with two samples: one has the stack main;f, packed values and times; the other has values that are
 * not packed. */
static void write_binary(struct fm_heap *heap, struct fm_buf *out)
{
    struct fm_buf part, inner, dictionary;
    fm_buf_init(&part, heap);
    fm_buf_init(&inner, heap);
    fm_buf_init(&dictionary, heap);
    static const char packed_values[] = {5, 6}, packed_locations[] = {2, 1};
    /* The fields 1, 4 and 5 of Sample are stack_index, values and timestamps_unix_nano. */
    fm_wire_put_number(&part, 1, 1);
    fm_wire_put_bytes(&part, 4, fm_str(packed_values, sizeof packed_values));
    put_fixed(&inner, 10);
    put_fixed(&inner, 20);
    put_message(&part, 5, &inner);
    fm_buf_clear(out);
    put_message(out, 2, &part);
    fm_wire_put_number(&part, 4, 9); /* the second sample has no stack, and its values are not packed */
    fm_wire_put_varint(&part, 5 << 3 | 1);
    put_fixed(&part, 30);
    put_message(out, 2, &part);
    put_message(&part, 2, out);    /* 2 is the field `profiles` of ScopeProfiles */
    put_message(&inner, 2, &part); /* 2 is the field `scope_profiles` of ResourceProfiles */
    put_message(out, 1, &inner);
    static const char *const strings[] = {"", "main", "f"};
    for (size_t i = 0; i < 3; i++) {
        fm_wire_put_number(&part, 1, i); /* 1 is the field `name` of Function */
        put_message(&dictionary, 3, &part);
        fm_wire_put_number(&inner, 1, i); /* 1 is the field `function_index` of Line */
        if (i > 0) put_message(&part, 3, &inner);
        put_message(&dictionary, 2, &part);
        fm_wire_put_bytes(&dictionary, 5, framemap_str_of(strings[i]));
    }
    put_message(&dictionary, 7, &part);
    fm_wire_put_bytes(&part, 1, fm_str(packed_locations, sizeof packed_locations));
    put_message(&dictionary, 7, &part);
    put_message(out, 2, &dictionary);
    fm_buf_free(&part);
    fm_buf_free(&inner);
    fm_buf_free(&dictionary);
}

static void test_binary(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    write_binary(&heap, &text);
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    assert_samples(set, "10 main;f 5 count\n20 main;f 6 count\n30  9 count\n");
    framemap_sample_set_close(set);
    assert_prefixes(fm_buf_view(&text), "otlp-profiles");
    assert_allocations(fm_buf_view(&text), "otlp-profiles");
    const framemap_str cut = fm_str_slice(fm_buf_view(&text), 0, text.size - 1);
    assert_int_equal(read_copy(cut, "otlp-profiles", NULL, &error), FRAMEMAP_E_CORRUPT);
    assert_true(error.has_offset && error.offset > 0);
    fm_buf_free(&text);
}

/* Tests a location that has more lines than are read. It is the outermost part of 20,000 stacks, but its frames are
 * added to the tree only once. */
static void test_many_lines(void **state)
{
    (void)state;
    enum { LINES = 3000, MOST = 1024, STACKS = 20000 };
    struct fm_heap heap;
    struct fm_buf text;
    framemap_sample_counts counts;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text,
               FM_STR("{\"dictionary\":{\"stringTable\":[\"\",\"a\"],\"functionTable\":[{},{\"nameStrindex\":1}],"
                      "\"locationTable\":[{\"lines\":[{\"functionIndex\":1}"));
    for (unsigned i = 1; i < LINES; i++) fm_buf_printf(&text, ",{\"functionIndex\":1,\"line\":%u}", i);
    fm_buf_str(&text, FM_STR("]},{\"address\":\"7\"}],\"stackTable\":[{}"));
    for (unsigned i = 0; i < STACKS; i++)
        fm_buf_str(&text, i % 2 ? FM_STR(",{\"locationIndices\":[0]}") : FM_STR(",{\"locationIndices\":[1,0]}"));
    fm_buf_str(&text, FM_STR("]},\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{\"samples\":["));
    for (unsigned i = 1; i <= STACKS; i++)
        fm_buf_printf(&text, "%s{\"stackIndex\":%u,\"values\":[1]}", i > 1 ? "," : "", i);
    fm_buf_str(&text, FM_STR("]}]}]}]}"));
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.nodes, MOST + 1);
    assert_int_equal(counts.samples, 2);
    framemap_sample_set_close(set);
    fm_buf_free(&text);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct refused_case cases[] = {
        {"another document", "{\"resourceSpans\":[]}", 0, FRAMEMAP_E_FORMAT, NULL},
        {"an empty text", "", 0, FRAMEMAP_E_FORMAT, NULL},
        {"a stack that is not there", RESOURCE("{\"stackIndex\":9}"), 0, FRAMEMAP_E_CORRUPT, "{\"stackIndex\":9}"},
        {"a location that is not there",
         "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{\"samples\":[{\"stackIndex\":1,\"values\":[1]}]}]}"
         "]}],"
         "\"dictionary\":{\"stackTable\":[{},{\"locationIndices\":[4]}]}}",
         0, FRAMEMAP_E_CORRUPT, "{\"locationIndices\":[4]}"},
        {"not JSON", "{\"resourceProfiles\":[}", 0, FRAMEMAP_E_CORRUPT, "}"}};
    assert_refused(cases, sizeof cases / sizeof *cases, "otlp-profiles");
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        assert_prefixes(framemap_str_of(profiles[i].text), "otlp-profiles");
        assert_allocations(framemap_str_of(profiles[i].text), "otlp-profiles");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json),    cmocka_unit_test(test_labels),
                                       cmocka_unit_test(test_binary),  cmocka_unit_test(test_many_lines),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
