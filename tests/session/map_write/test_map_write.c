/* Tests source maps that are written from indexes: flat maps of every kind, and maps composed of several build steps.
 * The complete output is compared. */
#include "core/text/buffer.h"
#include "tests/session/map_write/map_write_help.h"

/* --- testing flat maps --- */

struct flat_row {
    const char *name, *map, *wanted;
};

static const struct flat_row flat_rows[] = {
    {"members come in an order of our own",
     V "\"file\":\"o.js\",\"sources\":[\"a.js\"],\"names\":[\"x\"],\"mappings\":\"AAAAA\"}",
     V "\"file\":\"o.js\",\"mappings\":\"AAAAA\",\"sources\":[\"a.js\"],\"names\":[\"x\"]}\n"},
    {"an empty map is one", V "\"sources\":[],\"mappings\":\"\"}",
     V "\"mappings\":\"\",\"sources\":[],\"names\":[]}\n"},
    {"empty lines stay, but for those after the last segment", V "\"sources\":[\"a\"],\"mappings\":\";;AAAA;;\"}",
     V "\"mappings\":\";;AAAA\",\"sources\":[\"a\"],\"names\":[]}\n"},
    {"segments of one number, several of a column, and the same again stay",
     V "\"mappings\":\"A,CAAA,AACA,C,CAAA\",\"sources\":[\"a\"],\"names\":[]}\n", NULL},
    {"columns that went back are put in order", V "\"sources\":[\"a\"],\"mappings\":\"KAAA,FACA\"}",
     V "\"mappings\":\"GACA,EADA\",\"sources\":[\"a\"],\"names\":[]}\n"},
    {"sources and names that nothing leads to stay",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\",\"b\"],\"names\":[\"n\"]}\n", NULL},
    {"null, texts, and what is to be passed over",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\",null,\"c\"],\"sourcesContent\":[\"x\\ny\",null,\"\"],\"ignoreList\":["
       "0,2],\"names\":[]}\n",
     NULL},
    {"ignoreList is spelled as the standard does",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"x_google_ignoreList\":[0],\"names\":[]}\n",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"ignoreList\":[0],\"names\":[]}\n"},
    {"sources stay as they are spelled",
     V "\"mappings\":\"AAAA\",\"sources\":[\"webpack://p/./src/../a.js\"],\"names\":[]}\n", NULL},
    {"sourceRoot becomes part of them",
     V "\"mappings\":\"AAAA\",\"sourceRoot\":\"r\",\"sources\":[\"./a.js\",\"/b.js\"]}",
     V "\"mappings\":\"AAAA\",\"sources\":[\"r/a.js\",\"/b.js\"],\"names\":[]}\n"},
    {"debug ids have dashes",
     V "\"debugId\":\"85314830-023f-4cf1-a267-535f4e37bb17\",\"mappings\":\"\",\"sources\":[],\"names\":[]}\n", NULL},
    {"as Sentry spells it", V "\"debug_id\":\"85314830023F4CF1A267535F4E37BB17\",\"mappings\":\"\",\"sources\":[]}",
     V "\"debugId\":\"85314830-023f-4cf1-a267-535f4e37bb17\",\"mappings\":\"\",\"sources\":[],\"names\":[]}\n"},
    {"sections, one inside the other, with columns of their own",
     V "\"sections\":[{\"offset\":{\"line\":0,\"column\":2},\"map\":" V
       "\"sources\":[\"a\"],\"names\":[\"n\"],\"mappings\":\"AAAAA;AACA\"}},"
       "{\"offset\":{\"line\":2,\"column\":5},\"map\":" V
       "\"sections\":[{\"offset\":{\"line\":0,\"column\":1},\"map\":" V
       "\"sources\":[\"b\"],\"names\":[\"m\"],\"mappings\":\"AAAAA;AACA\"}}]}}]}",
     V "\"mappings\":\"EAAAA;AACA;MCDAC;AACA\",\"sources\":[\"a\",\"b\"],\"names\":[\"n\",\"m\"]}\n"},
    {"what runs into the next section is cut off",
     V "\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":" V
       "\"sources\":[\"a\"],\"mappings\":\"AAAA,KAAA\"}},"
       "{\"offset\":{\"line\":0,\"column\":3},\"map\":" V "\"sources\":[\"b\"],\"mappings\":\"AAAA\"}}]}",
     V "\"mappings\":\"AAAA,GCAA\",\"sources\":[\"a\",\"b\"],\"names\":[]}\n"},
    {"functions as Metro records them",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\",\"b\"],\"names\":[],\"x_facebook_sources\":[null,[{\"mappings\":"
       "\"AAA,GC;CDE,EC\",\"names\":[\"<global>\",\"f\"]}]]}\n",
     NULL},
    {"offsets of bytecode, with a hole",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"names\":[],\"x_hermes_function_offsets\":{\"0\":[0,null,7],\"51\":["
       "3]}}\n",
     NULL},
    {"offsets of modules",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"names\":[],\"x_facebook_offsets\":[0,null,2]}\n", NULL},
    {"ranges, of several at one column the last",
     V "\"mappings\":\"AAAA,AAAA,CAAA;;AAAA,C,CAAA\",\"rangeMappings\":\"C;;BC\",\"sources\":[\"a\"],\"names\":[]}\n",
     NULL},
    {"functions of scopes, side by side",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\",\"b\"],\"scopes\":\"A,BAAA,BFBAA,CBC,BFAAC,CBA,CAA\",\"names\":[\"f\","
       "\"g\"]}\n",
     NULL},
    {"a function inside another one is no longer inside",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"scopes\":\"BFAAA,BFBAC,CBA,CBA\",\"names\":[\"f\",\"g\"]}\n",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"scopes\":\"BAAA,BFAAA,CBA,BFAAC,CBA,BFAAD,CBA,CAA\",\"names\":["
       "\"f\",\"g\"]}\n"},
    {"ranges, and the body of a function that was inlined; their functions are defined where the first source begins",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],"
       "\"scopes\":\"BAAA,BFAAA,CAA,BFAAC,CAA,BFAAD,CBA,CAA,EGAC,ECCC,IABC,FC,FC\",\"names\":[\"f\",\"g\"]}\n",
     NULL},
    {"a function that is not to be shown",
     V "\"mappings\":\"AAAA\",\"sources\":[\"a\"],\"scopes\":\"BAAA,BFAAA,CAA,BFAAA,CBA,CAA,EOAC,FB\",\"names\":[\"f\"]"
       "}\n",
     NULL},
};

/* Appends a dump of all records of an index, without the name of the index. */
static void dump_rows(const framemap_index *index, struct fm_buf *out)
{
    framemap_error error;
    fm_buf_clear(out);
    if (framemap_index_dump(index, "jsonl", take, out, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
}

/* Checks that a map that was written has the same contents as the index. The map is read in strict mode. */
static void check_says_the_same(const char *name, const framemap_index *index, framemap_str text)
{
    struct opened again = open_map("m.map", text.data, true);
    struct written twice;
    struct fm_heap heap;
    struct fm_buf dumps[2];
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < 2; i++) {
        fm_buf_init(&dumps[i], &heap);
        dump_rows(i ? again.index : index, &dumps[i]);
    }
    if (!fm_str_equal(fm_buf_view(&dumps[0]), fm_buf_view(&dumps[1])))
        fail_msg("%s: %.*s is not %.*s", name, (int)dumps[1].size, dumps[1].data, (int)dumps[0].size, dumps[0].data);
    convert_index(&twice, again.index, NULL, 0);
    assert_true(fm_str_equal(fm_buf_view(&twice.text), text));
    fm_buf_free(&twice.text);
    for (size_t i = 0; i < 2; i++) fm_buf_free(&dumps[i]);
    close_map(&again);
}

static void flat(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(flat_rows); i++) {
        const struct flat_row *row = &flat_rows[i];
        struct opened opened = open_map("m.map", row->map, false);
        struct written out;
        convert_index(&out, opened.index, NULL, 0);
        if (out.status != FRAMEMAP_OK) fail_msg("%s: %s", row->name, out.error.message);
        const char *wanted = row->wanted ? row->wanted : row->map;
        if (strcmp(out.text.data, wanted) != 0) fail_msg("%s: %s for %s", row->name, out.text.data, wanted);
        if (strstr(row->map, "sourceRoot") == NULL)
            check_says_the_same(row->name, opened.index, fm_buf_view(&out.text));
        fm_buf_free(&out.text);
        close_map(&opened);
    }
}

/* --- testing composed maps --- */

struct step_row {
    const char *name, *map;
    struct step steps[MOST_STEPS];
    const char *wanted;
};

static const struct step_row step_rows[] = {
    {"names are the earlier map's, else the later one's; what leads nowhere says so, once",
     V "\"sources\":[\"mid.js\"],\"names\":[\"l\"],\"mappings\":\"AAAAA,IAAU,IAKV,I\"}",
     {{"mid.js.map", MID, NULL}},
     V "\"mappings\":\"AAEAA,IACIC,I\",\"sources\":[\"a.ts\"],\"names\":[\"l\",\"e\"]}\n"},
    {"a place before the earlier map's first segment of the line leads nowhere",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA,CAAE\"}",
     {{"mid.js.map", V "\"sources\":[\"a.ts\"],\"mappings\":\"CAAA\"}", NULL}},
     V "\"mappings\":\"A,CAAA\",\"sources\":[\"a.ts\"],\"names\":[]}\n"},
    {"what the earlier map says is of no source is of none",
     V "\"sources\":[\"mid.js\"],\"names\":[\"l\"],\"mappings\":\"AAAA,CAAEA\"}",
     {{"mid.js.map", V "\"sources\":[\"a.ts\"],\"mappings\":\"AAAA,C\"}", NULL}},
     V "\"mappings\":\"AAAA,C\",\"sources\":[\"a.ts\"],\"names\":[]}\n"},
    {"two steps back",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA,IAAU\"}",
     {{"mid.js.map", MID, NULL}, {"a.ts.map", V "\"sources\":[\"a.vue\"],\"mappings\":\";;AAUA;CACA\"}", NULL}},
     V "\"mappings\":\"AAUA,IACAA\",\"sources\":[\"a.vue\"],\"names\":[\"e\"]}\n"},
    {"a source that no step wrote stays, with its text",
     V "\"sources\":[\"x.js\",\"out/"
       "mid.js\"],\"sourcesContent\":[\"x\",\"y\"],\"names\":[\"l\"],\"mappings\":\"AAAAA,CCAA,CDAA\"}",
     {{"other.map", MID, NULL}},
     V "\"mappings\":\"AAAAA,CCEA,CDFA\",\"sources\":[\"x.js\",\"a.ts\"],\"sourcesContent\":[\"x\",null],\"names\":["
       "\"l\"]}\n"},
    {"the map's own name says whose it is",
     V "\"sources\":[\"src/x.js\",\"src/y.js\"],\"mappings\":\"AAAA,CCAA\"}",
     {{"y.js.map", V "\"sources\":[\"y.ts\"],\"mappings\":\"AACA\"}", NULL}},
     V "\"mappings\":\"AAAA,CCCA\",\"sources\":[\"src/x.js\",\"y.ts\"],\"names\":[]}\n"},
    {"or whoever gives it",
     V "\"sources\":[\"src/x.js\",\"lib/x.js\"],\"mappings\":\"AAAA,CCAA\"}",
     {{"x.js.map", V "\"sources\":[\"x.ts\"],\"mappings\":\"AACA\"}", "lib/x.js"}},
     V "\"mappings\":\"AAAA,CCCA\",\"sources\":[\"src/x.js\",\"x.ts\"],\"names\":[]}\n"},
    {"by the end of the address, or as it is spelled",
     V "\"sources\":[\"webpack://p/./a/../x.js\",\"webpack://p/b/./y.js\"],\"mappings\":\"AAAA,CCAA\"}",
     {{"1.map", V "\"sources\":[\"x.ts\"],\"mappings\":\"AACA\"}", "p/x.js"},
      {"2.map", V "\"sources\":[\"y.ts\"],\"mappings\":\"AAEA\"}", "b/./y.js"}},
     V "\"mappings\":\"AACA,CCCA\",\"sources\":[\"x.ts\",\"y.ts\"],\"names\":[]}\n"},
    {"what was given is taken first, and the others take what is left",
     V "\"sources\":[\"p.js\",\"q.js\"],\"mappings\":\"AAAA,CCAA\"}",
     {{"1.map", V "\"sources\":[\"p.ts\"],\"mappings\":\"AACA\"}", NULL},
      {"2.map", V "\"sources\":[\"q.ts\"],\"mappings\":\"AAEA\"}", "q.js"}},
     V "\"mappings\":\"AACA,CCCA\",\"sources\":[\"p.ts\",\"q.ts\"],\"names\":[]}\n"},
    {"a source that the later map has twice",
     V "\"sources\":[\"mid.js\",\"mid.js\"],\"mappings\":\"AAAA;ACAA\"}",
     {{"m.map", MID, NULL}},
     V "\"mappings\":\"AAEA;AAAA\",\"sources\":[\"a.ts\"],\"names\":[]}\n"},
    {"a segment that says the same as the one before goes, on another line it stays",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA,CAAC,CAAC,IAAO,CAAC;AAAA\"}",
     {{"mid.js.map", MID, NULL}},
     V "\"mappings\":\"AAEA,MACIA;AAAAA\",\"sources\":[\"a.ts\"],\"names\":[\"e\"]}\n"},
    {"but not where it answers its own column",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA,CAAC,AAAQ\"}",
     {{"mid.js.map", MID, NULL}},
     V "\"mappings\":\"AAEA,CAAA,AACIA\",\"sources\":[\"a.ts\"],\"names\":[\"e\"]}\n"},
    {"of bytecode all stay, but of several at one address only the last",
     V "\"sources\":[\"mid.js\"],\"mappings\":\"AAAA,CAAC,CAAC,AAAO\",\"x_hermes_function_offsets\":{\"0\":[0]}}",
     {{"mid.js.map", MID, NULL}},
     V "\"mappings\":\"AAEA,CAAA,CACIA\",\"sources\":[\"a.ts\"],\"names\":[\"e\"],\"x_hermes_function_offsets\":{\"0\":"
       "[0]}}\n"},
    {"one address with one text is one source, with two texts two",
     V "\"sources\":[\"p.js\",\"q.js\",\"r.js\"],\"mappings\":\"AAAA,CCAA,CCAA\"}",
     {{"p.js.map", V "\"sources\":[\"c.ts\"],\"sourcesContent\":[\"1\"],\"names\":[\"n\"],\"mappings\":\"AAAAA\"}",
       NULL},
      {"q.js.map",
       V "\"sources\":[\"c.ts\"],\"sourcesContent\":[\"2\"],\"names\":[\"m\",\"n\"],\"mappings\":\"AAAAC\"}", NULL},
      {"r.js.map", V "\"sources\":[\"z\",\"c.ts\"],\"sourcesContent\":[null,\"1\"],\"names\":[],\"mappings\":\"ACCA\"}",
       NULL}},
     V "\"mappings\":\"AAAAA,CCAAA,CDCA\",\"sources\":[\"c.ts\",\"c.ts\"],\"sourcesContent\":[\"1\",\"2\"],\"names\":["
       "\"n\"]}\n"},
    {"file and id are the later map's, functions and what to pass over the earlier one's",
     V "\"file\":\"o\",\"debugId\":\"85314830-023f-4cf1-a267-535f4e37bb17\",\"sources\":[\"mid.js\"],\"mappings\":"
       "\"AAAA\",\"ignoreList\":["
       "0],"
       "\"x_facebook_sources\":[[{\"names\":[\"no\"],\"mappings\":\"AAA\"}]]}",
     {{"mid.js.map",
       V "\"file\":\"mid.js\",\"debugId\":\"00000000-023f-4cf1-a267-535f4e37bb17\",\"sources\":[\"not\",\"a\"],"
         "\"mappings\":\"ACAA\","
         "\"ignoreList\":[1],\"x_facebook_sources\":[null,[{\"names\":[\"yes\"],\"mappings\":\"AAA\"}]]}",
       NULL}},
     V "\"file\":\"o\",\"debugId\":\"85314830-023f-4cf1-a267-535f4e37bb17\",\"mappings\":\"AAAA\",\"sources\":[\"a\"],"
       "\"ignoreList\":[0],"
       "\"names\":[],"
       "\"x_facebook_sources\":[[{\"mappings\":\"AAA\",\"names\":[\"yes\"]}]]}\n"},
    {"functions of scopes, named by names of their own; of functions in the later map nothing is known",
     V "\"sources\":[\"mid.js\"],\"names\":[\"fn\"],\"mappings\":\"AAAA\",\"scopes\":\"BFAAA,CBA,EGAA,FB\"}",
     {{"mid.js.map",
       V "\"sources\":[\"not\",\"a\"],\"names\":[\"fn\",\"n\"],\"mappings\":\"ACAAC\",\"scopes\":\"A,BAAA,BFAAA,CBA,"
         "CAA\"}",
       NULL}},
     V "\"mappings\":\"AAAAA\",\"sources\":[\"a\"],\"scopes\":\"BAAA,BFAAC,CBA,CAA\",\"names\":[\"n\",\"fn\"]}\n"},
};

static void composed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(step_rows); i++) {
        const struct step_row *row = &step_rows[i];
        struct written out;
        convert(&out, "later.map", row->map, row->steps);
        if (out.status != FRAMEMAP_OK) fail_msg("%s: %s: %s", row->name, out.error.where, out.error.message);
        if (strcmp(out.text.data, row->wanted) != 0) fail_msg("%s: %s for %s", row->name, out.text.data, row->wanted);
        /* no fault may be reported when the written map is read in strict mode */
        struct opened again = open_map("m.map", out.text.data, true);
        close_map(&again);
        fm_buf_free(&out.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat), cmocka_unit_test(composed)};
    return cmocka_run_group_tests_name("convert", tests, NULL, NULL);
}
