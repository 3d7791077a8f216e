/* Tests of the containers that source maps may be in, and of the addresses of their sources. */
#include "core/text/buffer.h"
#include "tests/mappers/javascript/sourcemap_build.h"

#include "mappers/javascript/sourcemap/document/sourcemap_comment.h"
#include "mappers/javascript/sourcemap/document/sourcemap_document.h"
#include "mappers/javascript/sourcemap/document/sourcemap_member_values.h"
#include "mappers/javascript/sourcemap/sourcemap_address.h"

#define MAP "{\"version\":3,\"sources\":[],\"mappings\":\"C\"}"
#define BASE64 "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXSwibWFwcGluZ3MiOiJDIn0"
#define BOM "\xEF\xBB\xBF"

static const struct {
    const char *name, *why, *text;
    int probe; /* least value that probing must return; 0: the text is not recognised as a map */
    bool reads;
} documents[] = {
    {"plain", "as tools write it", MAP, 90, true},
    {"blanks", "may precede it", " \n\t" MAP, 90, true},
    {"mark", "an editor's byte order mark", BOM MAP, 90, true},
    {"prefix", "against cross-site inclusion", ")]}'\n" MAP, 90, true},
    {"prefix with words", "up to the end of its line", ")]}', you may not\r\n" BOM MAP, 90, true},
    {"inline", "the map of a bundle in the bundle",
     "f();\n//# sourceMappingURL=data:application/json;base64," BASE64 "\n", 80, true},
    {"charset", "parameters in any order",
     "f();\n//# sourceMappingURL=data:application/json;charset=utf-8;base64," BASE64 "=", 80, true},
    {"capital letters", "in the words of the URL",
     "f();\n//# sourceMappingURL=DATA:application/json;BASE64," BASE64 "\n", 80, true},
    {"escapes", "a data: URL without base64",
     "//@ sourceMappingURL=data:application/json,%7B%22version%22:3,%22sources%22:[],%22mappings%22:%22C%22}", 0,
     false},
    {"percent", "the same without quotes",
     "//# sourceMappingURL=data:,%7B%22version%22:3,%22sources%22:[],%22mappings%22:%22C%22}", 80, true},
    {"style sheet", "its comments have an end", "a{}\n/*# sourceMappingURL=data:application/json;base64," BASE64 " */",
     80, true},
    {"after code", "on its line", "\"use strict\";f()//# sourceMappingURL=data:application/json;base64," BASE64 "\n",
     80, true},
    {"after a comment and code", "a block comment",
     "/* (c) */ f(); /*# sourceMappingURL=data:application/json;base64," BASE64 " */", 80, true},
    {"after strings", "that have the words and a URL",
     "f('//# sourceMappingURL=', 'http://a');//# sourceMappingURL=data:application/json;base64," BASE64, 80, true},
    {"in a comment", "after other words", "f() // see //# sourceMappingURL=data:application/json;base64," BASE64, 0,
     false},
    {"in a string", "is no comment", "f('//# sourceMappingURL=data:application/json;base64," BASE64 "');\n", 0, false},
    {"in a string", "nor does a line's end after a backslash",
     "f(\"\\\r\n// it's\");g();//# sourceMappingURL=data:application/json;base64," BASE64, 80, true},
    {"in a string", "U+2029 does not end it",
     "f(\"\xE2\x80\xA9// it's\");g();//# sourceMappingURL=data:application/json;base64," BASE64, 80, true},
    {"comments after", "may follow", "f();\n//# sourceMappingURL=data:application/json;base64," BASE64 "\n// end\n\n",
     80, true},
    {"code after", "the comment is of the code before",
     "//# sourceMappingURL=data:application/json;base64," BASE64 "\nf();\n", 0, false},
    {"file", "the map is elsewhere", "f();\n//# sourceMappingURL=main.js.map\n", 0, false},
    {"bad base64", "said clearly", "//# sourceMappingURL=data:application/json;base64,!!!!\n", 80, false},
    {"other JSON", "nothing of a map in it", "{\"a\":1}", 0, false},
    {"a profile", "its version is another", "{\"mode\":\"wall\",\"version\":1.2,\"frames\":{}}", 0, false},
    {"an event", "its version is a text", "{\"version\":\"2\",\"event\":{}}", 0, false},
    {"a version", "a map's, without the rest", "{\"version\":3,\"file\":\"a.js\"}", 50, false},
    {"empty", "nothing at all", "", 0, false},
};

static void finds_the_text(void **state)
{
    struct built_map map;
    char got[64];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        const framemap_str text = framemap_str_of(documents[i].text);
        const int probe = fm_sourcemap_mapper.probe(text, FM_STR("main.js"));
        /* The results for the document "escapes" are not compared with its row, because it is a data: URL with percent
         * escapes. */
        const bool escapes = strcmp(documents[i].name, "escapes") == 0;
        if (!escapes && (probe < documents[i].probe || (documents[i].probe == 0 && probe != 0)))
            fail_msg("%s: %d", documents[i].name, probe);
        build_map(&map, text, MAP_STRICT, NULL);
        if (!escapes && (map.status == FRAMEMAP_OK) != documents[i].reads)
            fail_msg("%s: %s, though %s", documents[i].name, map.error.message, documents[i].why);
        if (map.status == FRAMEMAP_OK) {
            map_segments(&map, got, sizeof got);
            assert_string_equal(got, "0:1>-");
        }
        free_map(&map);
    }
}

/* The output of `printf MAP | gzip -9n`. */
static const unsigned char gzipped[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56,
                                        0x2a, 0x4b, 0x2d, 0x2a, 0xce, 0xcc, 0xcf, 0x53, 0xb2, 0x32, 0xd6, 0x51,
                                        0x2a, 0xce, 0x2f, 0x2d, 0x4a, 0x4e, 0x2d, 0x56, 0xb2, 0x8a, 0x8e, 0xd5,
                                        0x51, 0xca, 0x4d, 0x2c, 0x28, 0xc8, 0xcc, 0x4b, 0x07, 0xf2, 0x94, 0x9c,
                                        0x95, 0x6a, 0x01, 0x16, 0xe7, 0xbf, 0xf5, 0x29, 0x00, 0x00, 0x00};

static void inflates_or_refuses(void **state)
{
    struct built_map map;
    (void)state;
    assert_true(fm_sourcemap_mapper.probe(fm_str(gzipped, sizeof gzipped), FM_STR("main.js.map.gz")) >= 90);
    build_map(&map, fm_str(gzipped, sizeof gzipped), MAP_STRICT, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    free_map(&map);
    for (size_t size = 3; size < sizeof gzipped; size++) {
        build_map(&map, fm_str(gzipped, size), 0, NULL);
        assert_true(map.status == FRAMEMAP_E_TRUNCATED || map.status == FRAMEMAP_E_CORRUPT);
        free_map(&map);
    }
}

static const struct {
    const char *root, *spelled, *address;
} addresses[] = {
    {"", "a.js", "a.js"},
    {"", "./src/a.js", "./src/a.js"},
    {"", "../a.js", "../a.js"},
    {"", "a/../b.js", "b.js"},
    {"", "./a/../b.js", "./b.js"},
    {"", "a/..", "."},
    {"", "a/./b//c.js", "a/b/c.js"},
    {"", "../../x/../y.js", "../../y.js"},
    {"", "/a/../../b.js", "/b.js"},
    {"", "webpack://p/./src/a.js", "webpack://p/src/a.js"},
    {"", "webpack:///./src/a.js?bc1d", "webpack:///src/a.js?bc1d"},
    {"", "webpack://ns/external commonjs \"tty\"", "webpack://ns/external commonjs \"tty\""},
    {"", "https://h", "https://h/"},
    {"", "file:///a/../b.js", "file:///b.js"},
    {"", "C:\\x\\a.js", "C:\\x\\a.js"},
    {"", "", ""},
    {"root", "a.js", "root/a.js"},
    {"root/", "a.js", "root/a.js"},
    {"root", "/abs.js", "/abs.js"},
    {"root", "https://h/x.js", "https://h/x.js"},
    {"root", "webpack://p/./src/a.js", "webpack://p/src/a.js"},
    {"root", "C:\\x\\a.js", "C:\\x\\a.js"},
    {"https://c/d/", "../a.js", "https://c/a.js"},
};

static void resolves_addresses(void **state)
{
    struct fm_heap heap;
    struct fm_buf buf;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    for (size_t i = 0; i < COUNT_OF(addresses); i++) {
        fm_buf_clear(&buf);
        fm_sourcemap_address(&buf, framemap_str_of(addresses[i].root), framemap_str_of(addresses[i].spelled));
        if (!fm_str_equal(fm_buf_view(&buf), framemap_str_of(addresses[i].address)))
            fail_msg("%s and %s: %.*s", addresses[i].root, addresses[i].spelled, (int)buf.size, buf.data);
    }
    fm_buf_free(&buf);
}

static void reads_ids(void **state)
{
    char id[FM_SOURCEMAP_ID_DIGITS];
    (void)state;
    assert_true(fm_sourcemap_id_read(FM_STR("85314830-023F-4cf1-a267-535f4e37bb17"), true, id));
    assert_memory_equal(id, "85314830023f4cf1a267535f4e37bb17", sizeof id);
    assert_false(fm_sourcemap_id_read(FM_STR("85314830023f4cf1a267535f4e37bb17"), true, id));
    assert_true(fm_sourcemap_id_read(FM_STR("85314830023f4cf1a267535f4e37bb17"), false, id));
    assert_true(fm_sourcemap_id_read(FM_STR("676E487FB987FF4C64756E2164756E21"), false, id));
    assert_memory_equal(id, "676e487fb987ff4c64756e2164756e21", sizeof id);
    assert_false(fm_sourcemap_id_read(FM_STR("85314830-023f-4cf1-a267-535f4e37bb1"), false, id));
    assert_false(fm_sourcemap_id_read(FM_STR("85314830x023f-4cf1-a267-535f4e37bb17"), false, id));
    assert_false(fm_sourcemap_id_read(FM_STR("8531483g-023f-4cf1-a267-535f4e37bb17"), false, id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_text),
        cmocka_unit_test(inflates_or_refuses),
        cmocka_unit_test(resolves_addresses),
        cmocka_unit_test(reads_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
