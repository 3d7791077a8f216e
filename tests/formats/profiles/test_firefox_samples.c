/* Tests that profiles of the Firefox profiler are read as samples; the profiles have tables of all versions. */
#include "tests/formats/profiles/sample_text.h"

#define TABLES                                                                                               \
    "\"stackTable\":{\"prefix\":[null,0],\"frame\":[0,1]},\"frameTable\":{\"func\":[0,1],\"line\":[null,7]," \
    "\"column\":[null,3]},\"funcTable\":{\"name\":[0,1],\"fileName\":[null,2]}"
#define STRINGS "\"stringArray\":[\"main\",\"run\",\"a.c\"]"

static const struct profile_case profiles[] = {
    {"tables of a thread; a sample without a stack is a gap",
     "{\"meta\":{\"preprocessedProfileVersion\":47},\"threads\":[{\"name\":\"main\",\"processName\":\"app\",\"pid\":"
     "\"5\","
     "\"tid\":6,\"samples\":{\"stack\":[1,null,0],\"time\":[1,2,3.5],\"weight\":[2,1,4],\"weightType\":\"samples\"}"
     "," TABLES "," STRINGS "}]}",
     "1000000 app 5/main 6 main;run@a.c:7:3 2 count\n3500000 app 5/main 6 main 4 count\n"},
    {"weights that are times, and times between samples",
     "{\"meta\":{\"preprocessedProfileVersion\":50},\"threads\":[{\"name\":\"t\",\"samples\":{\"stack\":[1,0],"
     "\"timeDeltas\":[1,0.5],\"weight\":[0.25,-1],\"weightType\":\"tracing-ms\"}," TABLES "," STRINGS "}]}",
     "1000000 /t main;run@a.c:7:3 250000 nanoseconds\n1500000 /t main -1000000 nanoseconds\n"},
    {"tables and strings of all threads, offsets to callers, files in a table of sources",
     "{\"meta\":{\"preprocessedProfileVersion\":70},\"shared\":{\"stackTable\":{\"prefixOffset\":[0,1],\"frame\":[0,1]}"
     ","
     "\"frameTable\":{\"func\":[0,1],\"line\":[null,7]},\"funcTable\":{\"name\":[0,1],\"source\":[null,0]},"
     "\"sources\":{\"filename\":[2]}," STRINGS
     "},\"threads\":[{\"name\":\"t\",\"tid\":\"4\",\"samples\":{\"stack\":[1]}},"
     "{\"name\":\"u\",\"samples\":{\"stack\":[0]}}]}",
     "/t 4 main;run@a.c:7 1 count\n/u main 1 count\n"},
    {"images and addresses: a name that is only its address is none",
     "{\"meta\":{\"preprocessedProfileVersion\":48},\"libs\":[{\"name\":\"l.so\",\"path\":\"/l.so\",\"codeId\":"
     "\"0123456789ABCDEF\"}],\"threads\":[{\"name\":\"t\",\"samples\":{\"stack\":[1]},\"stackTable\":{\"prefix\":[null,"
     "0],"
     "\"frame\":[0,1]},\"frameTable\":{\"func\":[0,1],\"address\":[4096,16],\"inlineDepth\":[0,1]},\"funcTable\":{"
     "\"name\":[0,1],"
     "\"resource\":[0,0]},\"resourceTable\":{\"lib\":[0]},\"stringArray\":[\"0x1000\",\"f\"]}]}",
     "/t +1000!/l.so;f+10!/l.so inlined 1 count\n"},
    {"what Gecko writes: rows and a schema, addresses of the process, another process",
     "{\"meta\":{\"version\":27,\"startTime\":1000},\"libs\":[{\"path\":\"/"
     "x\",\"start\":8192,\"end\":12288,\"offset\":0}],"
     "\"threads\":[{\"name\":\"G\",\"pid\":1,\"tid\":2,\"samples\":{\"schema\":{\"stack\":0,\"time\":1},\"data\":[[1,3]"
     "]},"
     "\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0],[0,1]]},\"frameTable\":{\"schema\":"
     "{\"location\":0,\"line\":2},\"data\":[[0],[1]]},\"stringTable\":[\"0x2010\",\"run (a.js:7:3)\"]}],"
     "\"processes\":[{\"meta\":{\"startTime\":1500},\"libs\":[],\"threads\":[{\"name\":\"H\",\"pid\":3,\"samples\":{"
     "\"schema\":"
     "{\"stack\":0,\"time\":1},\"data\":[[0,1]]},\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,"
     "0]]},"
     "\"frameTable\":{\"schema\":{\"location\":0,\"line\":2},\"data\":[[0,null,9]]},\"stringTable\":[\"h\"]}]}]}",
     "3000000  1/G 2 +2010!/x;run@a.js:7:3 1 count\n501000000  3/H h:9 1 count\n"},
    {"numbers outside of the tables",
     "{\"meta\":{\"preprocessedProfileVersion\":47},\"threads\":[{\"name\":\"t\",\"samples\":{\"stack\":[9,1,-1]},"
     "\"stackTable\":{\"prefix\":[5,1],\"frame\":[7,0]},\"frameTable\":{\"func\":[3]},\"funcTable\":{\"name\":[0]},"
     "\"stringArray\":[]}]}",
     "/t  1 count\n/t  1 count\n"},
    {"the recordings of old developer tools",
     "{\"label\":\"\",\"profile\":{\"meta\":{\"version\":4},\"threads\":[{\"name\":\"t\",\"samples\":{\"schema\":{"
     "\"stack\":0},"
     "\"data\":[[0]]},\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[[null,0]]},\"frameTable\":{"
     "\"schema\":"
     "{\"location\":0},\"data\":[[0]]},\"stringTable\":[\"<b>\\\"\\u001b;\"]}]}}",
     "/t <b>\"\x1b; 1 count\n"},
};

static void test_profiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        print_message("%s\n", profiles[i].name);
        framemap_sample_set *set = read_samples(framemap_str_of(profiles[i].text), NULL);
        assert_samples(set, profiles[i].samples);
        framemap_sample_set_close(set);
    }
}

/* Times, threads and weights stay the same when a set is written and read again. */
static void test_round_trip(void **state)
{
    (void)state;
    assert_cases(profiles, 3, "firefox-profile", "firefox-profile");
}

static void test_refused(void **state)
{
    (void)state;
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("{\"threads\":[]}"), "firefox-profile", &error),
                     FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("{"), "firefox-profile", &error), FRAMEMAP_E_CORRUPT);
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_profiles), cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
