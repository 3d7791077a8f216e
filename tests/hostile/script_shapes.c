/* Makes source maps that are large or wrong in one way. */
#include "script_shapes.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define HEAD "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\"],"

static void say(struct grown *text, const char *piece) { grown_bytes(text, piece, strlen(piece)); }

/* Writes head, then `times` copies of piece, then tail. */
static void around(struct grown *text, const char *head, const char *piece, size_t times, const char *tail)
{
    say(text, head);
    grown_repeat(text, piece, times);
    say(text, tail);
}

/* --- writing unusual `mappings` --- */

static void one_line(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"AAAA", ",CAACA", n / 6, "\"}"); }
static void many_lines(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"", "AACA;", n / 5, "\"}"); }
static void no_segments(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"", ";", n, "A\"}"); }
static void one_column(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A", ",A", n / 2, "\"}"); }
static void zigzag(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A", ",ggggB,hgggB", n / 12, "\"}");
}
static void falling(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"+/////D", ",D", n / 2, "\"}"); }
static void far_columns(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"", "8////DAAA,C;", n / 12, "\"}");
}
static void too_far(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A", ",8////D", n / 7, "\"}"); }
static void endless_number(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"", "g", n, "\"}"); }
static void long_number(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"i", "g", n, "A\"}"); }
static void long_numbers(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"", "igggggggggA,", n / 12, "A\"}");
}
static void large_numbers(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"", "ggggggE,", n / 8, "A\"}");
}
static void commas(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"", ",", n, "A\"}"); }
static void minus_zeros(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A", ",CABBB", n / 6, "\"}"); }
static void no_names(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAAC", ",CAAAA", n / 6, "\"}");
}
static void no_sources(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"ACAA", ",CAAA", n / 5, "\"}");
}
static void many_fields(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"AAAA", "A", n, "\"}"); }
static void escaped(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A", "\\u002cC", n / 7, "\"}"); }
static void wrong_bytes(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"", "\xC3\xA9,", n / 3, "A\"}");
}

/* --- writing unusual members of a map --- */

static void empty_sources(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[\"\"", ",\"\"", n / 3, "]}");
}
static void null_sources(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[null", ",null", n / 5, "]}");
}
static void wrong_sources(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[{}", ",[]", n / 3, "]}");
}
static void long_source(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[\"", "a/../b/./", n / 9, "\"]}");
}
static void ups(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[\"x", "/..", n / 3, "\"]}");
}
/* Makes n/8 sources below a sourceRoot of n/2 bytes. If the addresses were written out, each would have the size of
 * the root. */
static void long_root(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sourceRoot\":\"", "r", n / 2, "\",");
    around(text, "\"sources\":[\"a\"", ",\"a\"", n / 8, "]}");
}
static void empty_names(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[],\"names\":[\"\"", ",\"\"", n / 3, "]}");
}
static void wrong_names(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[],\"names\":[7", ",7", n / 2, "]}");
}
static void different_names(struct grown *text, size_t n)
{
    say(text, "{\"version\":3,\"mappings\":\"\",\"sources\":[],\"names\":[\"\"");
    for (size_t i = 0; i < n / 12; i++) grown_say(text, ",\"%08lx\"", (unsigned long)i * 2654435761ul & 0xffffffffu);
    say(text, "]}");
}
static void one_content(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"sourcesContent\":[\"", "line of text\\n", n / 14, "\"]}");
}
static void escaped_content(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"sourcesContent\":[\"", "\\ud83d\\ude00\\u0000\\ud83d", n / 24, "\"]}");
}
static void many_contents(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"sourcesContent\":[\"\"", ",\"\"", n / 3, "]}");
}
static void ignored(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"ignoreList\":[0", ",0", n / 2, "]}");
}
static void ignored_wrongly(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"ignoreList\":[0", ",-1", n / 3, "]}");
}
static void mappings_again(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAA\"", ",\"mappings\":\"AAAA\"", n / 18, "}");
}
static void sources_again(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\"", ",\"sources\":[\"a\",\"b\"]", n / 20, "}");
}
static void unknown_members(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\"", ",\"x\\u0078\":{\"y\":[1e9]}", n / 22, "}");
}
static void long_key(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"", "\\u006d", n / 6, "\":1}");
}
static void long_version(struct grown *text, size_t n)
{
    around(text, "{\"sources\":[],\"mappings\":\"\",\"version\":3.", "0", n, "}");
}
static void deep(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A\",\"x\":", "[", n, ""); }
static void deep_objects(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x\":", "{\"a\":", n / 5, "");
}
static void blanks(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A\"", "\n", n, "}"); }
static void behind_all(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"A\"}", " ", n, "x"); }
static void cut_string(struct grown *text, size_t n) { around(text, HEAD "\"mappings\":\"", "AAAA,", n / 5, ""); }
static void cut_escape(struct grown *text, size_t n) { around(text, HEAD "\"file\":\"", "\\\\", n / 2, "\\"); }

/* --- writing maps with sections --- */

#define SECTION(line, map) "{\"offset\":{\"line\":" line ",\"column\":0},\"map\":" map "}"
#define NO_MAP "{\"version\":3,\"sources\":[],\"mappings\":\"\"}"

static void empty_sections(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"sections\":[" SECTION("0", NO_MAP), "," SECTION("0", NO_MAP), n / 80, "]}");
}
static void sections(struct grown *text, size_t n, bool rising)
{
    say(text, "{\"version\":3,\"sections\":[");
    for (size_t i = 0, count = n / 100 + 1; i < count; i++)
        grown_say(text,
                  "%s{\"offset\":{\"line\":%zu,\"column\":3},\"map\":{\"version\":3,\"sources\":[\"a\"],\"mappings\":"
                  "\"AAAA;A\"}}",
                  i ? "," : "", rising ? i : count - i);
    say(text, "]}");
}
static void rising_sections(struct grown *text, size_t n) { sections(text, n, true); }
static void falling_sections(struct grown *text, size_t n) { sections(text, n, false); }
static void wrong_sections(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"sections\":[7", ",{\"offset\":{\"line\":1,\"column\":0},\"map\":{}}", n / 43, "]}");
}
static void deep_sections(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"sections\":[", "{\"offset\":{\"line\":0,\"column\":0},\"map\":{\"sections\":[",
           n / 50, "");
}
/* Writes sections nested as deeply as allowed, with all mappings in the innermost map. */
static void nested_sections(struct grown *text, size_t n)
{
    say(text, "{\"version\":3,\"sections\":[");
    for (int i = 0; i < 14; i++)
        say(text, "{\"offset\":{\"line\":0,\"column\":0},\"map\":{\"version\":3,\"sections\":[");
    around(text, SECTION("0", NO_MAP), "," SECTION("1", NO_MAP), n / 80, "");
    for (int i = 0; i < 14; i++) say(text, "]}}");
    say(text, "]}");
}
static void far_sections(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"sections\":[" SECTION("0", NO_MAP), "," SECTION("99999999999999", NO_MAP), n / 93,
           "]}");
}

/* --- writing members of proposals and vendor extensions --- */

static void nested_scopes(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"scopes\":\"BFBAA", ",BFAAB", n / 10, "");
    around(text, "", ",CAB", n / 10, ",CAB\"}");
}
static void nested_ranges(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"scopes\":\"BFBAA,CBA", ",EGBA", n / 10, "");
    around(text, "", ",FB", n / 10, "\"}");
}
static void inlined_ranges(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAA\",\"scopes\":\"BFBAA,CBA", ",ECBA,IAAA", n / 15, "");
    around(text, "", ",FB", n / 15, "\"}");
}
static void flat_ranges(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAA\",\"scopes\":\"BFBAA,CBA", ",ECBA,IAAA,FC", n / 13, "\"}");
}
static void no_trees(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"scopes\":\"A", ",A", n / 2, "\"}");
}
static void open_scopes(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"scopes\":\"BFBAA", ",BFAAB", n / 6, "\"}");
}
static void unknown_items(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"scopes\":\"A", ",/AAAA", n / 6, "\"}");
}
static void range_each(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAA", ",CAAC", n / 6, "\",\"rangeMappings\":\"");
    around(text, "", "B", n / 6, "\"}");
}
static void range_lines(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAA", ";;AAAC", n / 10, "\",\"rangeMappings\":\"B");
    around(text, "", ";;B", n / 10, "\"}");
}
static void range_zigzag(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A", ",ggggB,hgggB", n / 16, "\",\"rangeMappings\":\"B");
    around(text, "", "BB", n / 16, "\"}");
}
static void range_endless(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"AAAA\",\"rangeMappings\":\"", "g", n, "\"}");
}

static void no_functions(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_facebook_sources\":[null", ",null", n / 5, "]}");
}
static void function_names(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_facebook_sources\":[[{\"names\":[\"f\"", ",\"f\"", n / 8,
           "],\"mappings\":\"AAA");
    around(text, "", ",CA", n / 8, "\"}]]}");
}
static void functions_of_each(struct grown *text, size_t n)
{
    around(text, "{\"version\":3,\"names\":[],\"mappings\":\"\",\"sources\":[\"a\"", ",\"a\"", n / 60, "],");
    around(text, "\"x_facebook_sources\":[null", ",[{\"names\":[\"<global>\",\"f\"],\"mappings\":\"AAA,CC\"}]", n / 60,
           "]}");
}
static void function_lines(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_facebook_sources\":[[{\"names\":[\"f\"],\"mappings\":\"AAA", ";", n,
           "CAC\"}]]}");
}
static void function_back(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_facebook_sources\":[[{\"names\":[\"f\"],\"mappings\":\"AA+////B", ";AAD",
           n / 4, "\"}]]}");
}
static void function_arrays(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_facebook_sources\":[[{\"names\":[", "[", n, "");
}
static void hermes_lists(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_hermes_function_offsets\":{\"0\":[1]", ",\"0\":[1]", n / 8, "}}");
}
static void hermes_groups(struct grown *text, size_t n)
{
    say(text, HEAD "\"mappings\":\"A\",\"x_hermes_function_offsets\":{\"0\":[]");
    for (size_t i = 1; i < n / 12; i++) grown_say(text, ",\"%zu\":[null]", i);
    say(text, "}}");
}
static void holes(struct grown *text, size_t n)
{
    around(text, HEAD "\"mappings\":\"A\",\"x_facebook_offsets\":[null", ",null,-1,\"\",4294967296,7", n / 26, "]}");
}
static void bundle_segments(struct grown *text, size_t n)
{
    say(text, HEAD "\"mappings\":\"A\",\"x_facebook_segments\":{\"0\":null");
    for (size_t i = 1; i < n / 60; i++)
        grown_say(text, ",\"%zu\":{\"version\":3,\"sources\":[],\"mappings\":\";;A\"}", i);
    say(text, "}}");
}

/* --- writing maps in containers such as gzip --- */

static void prefix(struct grown *text, size_t n) { around(text, ")]}'", "x", n, "\n" HEAD "\"mappings\":\"A\"}"); }
static void marks(struct grown *text, size_t n) { around(text, "", "\xEF\xBB\xBF", n / 3, HEAD "\"mappings\":\"A\"}"); }

static void deflated(struct grown *text, const struct grown *plain)
{
    z_stream stream = {.zalloc = NULL};
    union {
        char *text;
        Bytef *bytes;
    } in = {plain->data}, out;
    if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    const size_t room = deflateBound(&stream, (uLong)plain->size);
    out.text = malloc(room);
    if (out.text == NULL) abort();
    stream.next_in = in.bytes;
    stream.avail_in = (uInt)plain->size;
    stream.next_out = out.bytes;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
    grown_bytes(text, out.text, room - stream.avail_out);
    deflateEnd(&stream);
    free(out.text);
}
static void bomb(struct grown *text, size_t n)
{
    struct grown plain = {NULL, 0, 0};
    around(&plain, HEAD "\"mappings\":\"A\"", " ", n, "}");
    deflated(text, &plain);
    grown_free(&plain);
}
static void bomb_of_zeros(struct grown *text, size_t n)
{
    struct grown plain = {NULL, 0, 0};
    char *zeros = calloc(n, 1);
    if (zeros == NULL) abort();
    grown_bytes(&plain, zeros, n);
    free(zeros);
    deflated(text, &plain);
    grown_free(&plain);
}
static void members_of_gzip(struct grown *text, size_t n)
{
    struct grown plain = {NULL, 0, 0}, one = {NULL, 0, 0};
    say(&plain, " ");
    deflated(&one, &plain);
    for (size_t i = 0; i < n / one.size; i++) grown_bytes(text, one.data, one.size);
    grown_free(&plain);
    grown_free(&one);
}

#define URL "//# sourceMappingURL=data:application/json"
static void percents(struct grown *text, size_t n)
{
    around(text, "x()\n" URL ",%7B%22version%22:3,%22sources%22:[],%22mappings%22:%22A", "%2CC", n / 4, "%22%7D\n");
}
static void many_comments(struct grown *text, size_t n) { around(text, "", URL ";base64,e30=\n", n / 56, ""); }
static void many_lines_behind(struct grown *text, size_t n) { around(text, URL ",%7B%7D\n", "//\n", n / 3, ""); }
static void many_quotes(struct grown *text, size_t n) { around(text, URL ",%7B%7D\n", "// \"`'\n", n / 8, ""); }

#define TAKEN NULL, FRAMEMAP_OK
#define PASSED_OVER(words) words, FRAMEMAP_OK

static const struct script_shape shapes[] = {
    {"one line of segments", "packed as they come", one_line, 1 << 20, TAKEN},
    {"a segment a line", "lines cost little", many_lines, 1 << 20, TAKEN},
    {"lines without segments", "cost nothing", no_segments, 1 << 20, TAKEN},
    {"segments of one column", "all are kept, in order", one_column, 1 << 20, TAKEN},
    {"columns that fall and rise", "a line is sorted once", zigzag, 1 << 19, TAKEN},
    {"columns that fall", "a line is sorted once", falling, 1 << 19, TAKEN},
    {"columns of 2^31", "spots of 56 bits", far_columns, 1 << 19, TAKEN},
    {"columns after 2^32", "left out", too_far, 1 << 19, PASSED_OVER("a line or column is 2^32 - 1 or larger")},
    {"a number without end", "passed once", endless_number, 1 << 20, PASSED_OVER("no last digit")},
    {"a number of many digits", "is a number", long_number, 1 << 20, TAKEN},
    {"numbers of many digits", "are numbers", long_numbers, 1 << 19, TAKEN},
    {"numbers that are too large", "are counted, not all reported", large_numbers, 1 << 19,
     PASSED_OVER("does not fit 32 bits")},
    {"nothing but commas", "segments of nothing", commas, 1 << 19, PASSED_OVER("1, 4 or 5 fields")},
    {"minus zeros", "each is -2^31", minus_zeros, 1 << 19, PASSED_OVER("is negative")},
    {"names after the end", "are ignored", no_names, 1 << 19, PASSED_OVER("a name that the map does not have")},
    {"sources after the end", "are ignored", no_sources, 1 << 19, PASSED_OVER("a source that the map does not have")},
    {"a segment of many fields", "passed once", many_fields, 1 << 20, PASSED_OVER("1, 4 or 5 fields")},
    {"escapes in mappings", "unescaped once", escaped, 1 << 19, TAKEN},
    {"bytes that are no digits", "left out", wrong_bytes, 1 << 19, PASSED_OVER("not a base64 digit")},
    {"sources without a name", "one text", empty_sources, 1 << 19, TAKEN},
    {"sources that are null", "are kept without a name", null_sources, 1 << 19, TAKEN},
    {"sources of a wrong type", "are counted, not all reported", wrong_sources, 1 << 19,
     PASSED_OVER("neither a string nor null")},
    {"a source of dots", "taken out in one pass", long_source, 1 << 19, TAKEN},
    {"a source of steps up", "its path is resolved in one pass", ups, 1 << 19, TAKEN},
    {"a long root of many sources", "would be said for each", long_root, 1 << 19, "\"sourceRoot\"", FRAMEMAP_E_LIMIT},
    {"names without letters", "one text", empty_names, 1 << 19, TAKEN},
    {"names of a wrong type", "are counted, not all reported", wrong_names, 1 << 19, PASSED_OVER("\"names\"")},
    {"names that differ", "a text each", different_names, 1 << 19, TAKEN},
    {"a long content", "passed, or kept once", one_content, 1 << 20, TAKEN},
    {"a content of escapes", "unescaped once", escaped_content, 1 << 19, TAKEN},
    {"contents of no source", "passed", many_contents, 1 << 19, TAKEN},
    {"one source ignored again and again", "a bit", ignored, 1 << 19, TAKEN},
    {"sources ignored that can't be", "are counted, not all reported", ignored_wrongly, 1 << 19,
     PASSED_OVER("\"ignoreList\"")},
    {"mappings again and again", "the last one counts", mappings_again, 1 << 19, TAKEN},
    {"sources again and again", "the last one counts", sources_again, 1 << 19, TAKEN},
    {"members that mean nothing", "passed", unknown_members, 1 << 19, TAKEN},
    {"a long key of escapes", "compared in one pass", long_key, 1 << 19, TAKEN},
    {"a version of many digits", "is 3", long_version, 1 << 19, TAKEN},
    {"arrays in arrays", "nothing recurses", deep, 1 << 20, "", FRAMEMAP_E_LIMIT},
    {"objects in objects", "nothing recurses", deep_objects, 1 << 20, "", FRAMEMAP_E_LIMIT},
    {"blanks", "passed", blanks, 1 << 20, TAKEN},
    {"more after the map", "not JSON", behind_all, 1 << 20, "", FRAMEMAP_E_CORRUPT},
    {"a string that is cut", "no JSON", cut_string, 1 << 20, "", FRAMEMAP_E_CORRUPT},
    {"an escape that is cut", "no JSON", cut_escape, 1 << 20, "", FRAMEMAP_E_CORRUPT},
    {"empty sections", "at one place", empty_sections, 1 << 20, PASSED_OVER("start at the same position")},
    {"rising sections", "a map each", rising_sections, 1 << 20, TAKEN},
    {"falling sections", "sorted once", falling_sections, 1 << 20, PASSED_OVER("before the previous one")},
    {"sections without a map", "left out", wrong_sections, 1 << 19, PASSED_OVER("section")},
    {"sections in sections", "nothing recurses", deep_sections, 1 << 20, "", FRAMEMAP_E_LIMIT},
    {"sections as deep as can be", "walked once a level", nested_sections, 1 << 19,
     PASSED_OVER("start at the same position")},
    {"sections far away", "no line has the number", far_sections, 1 << 19, "2^32", FRAMEMAP_E_LIMIT},
    {"scopes in scopes", "nothing recurses", nested_scopes, 1 << 19, TAKEN},
    {"ranges in ranges", "nothing recurses", nested_ranges, 1 << 19, TAKEN},
    {"calls in calls", "a chain is cut where it is asked", inlined_ranges, 1 << 18, TAKEN},
    {"calls beside calls", "a place each", flat_ranges, 1 << 19, TAKEN},
    {"sources without scopes", "more than there are sources", no_trees, 1 << 19, TAKEN},
    {"scopes that do not end", "kept as far as they go", open_scopes, 1 << 19, PASSED_OVER("\"scopes\"")},
    {"items of vendors", "passed", unknown_items, 1 << 19, TAKEN},
    {"each segment a range", "a place each", range_each, 1 << 19, TAKEN},
    {"a range a line", "the lines are passed once", range_lines, 1 << 19, TAKEN},
    {"ranges where columns fall", "a line is sorted once", range_zigzag, 1 << 19, TAKEN},
    {"a range's number without end", "passed once", range_endless, 1 << 20, PASSED_OVER("\"rangeMappings\"")},
    {"sources without function maps", "passed", no_functions, 1 << 19, TAKEN},
    {"a function map of many names", "kept once", function_names, 1 << 19, TAKEN},
    {"a function map for each source", "read one by one", functions_of_each, 1 << 19, TAKEN},
    {"a function map of many lines", "passed once", function_lines, 1 << 19, TAKEN},
    {"a function map that goes back", "sorted once", function_back, 1 << 18, TAKEN},
    {"a function map of arrays", "nothing recurses", function_arrays, 1 << 20, "", FRAMEMAP_E_LIMIT},
    {"one list of Hermes again and again", "the first one counts", hermes_lists, 1 << 19, TAKEN},
    {"lists of Hermes", "up to 65,536 of them", hermes_groups, 1 << 19, TAKEN},
    {"offsets with holes", "a bit each", holes, 1 << 19, TAKEN},
    {"segments of a bundle", "up to 65,536 of them", bundle_segments, 1 << 19, TAKEN},
    {"a long line before the map", "passed once", prefix, 1 << 20, TAKEN},
    {"byte order marks", "one is taken", marks, 1 << 19, "", FRAMEMAP_E_CORRUPT},
    {"blanks in gzip", "inflated once", bomb, 1 << 22, TAKEN},
    {"zeros in gzip", "no JSON", bomb_of_zeros, 1 << 22, "", FRAMEMAP_E_CORRUPT},
    {"members of gzip", "one after the other", members_of_gzip, 1 << 19, "", FRAMEMAP_E_CORRUPT},
    {"percent signs", "decoded once", percents, 1 << 19, TAKEN},
    {"comments with a map each", "the last one is looked at", many_comments, 1 << 19, "", FRAMEMAP_E_CORRUPT},
    {"comments after the map's", "passed once", many_lines_behind, 1 << 19, "", FRAMEMAP_E_CORRUPT},
    {"comments with quotes", "end the search", many_quotes, 1 << 19, "", FRAMEMAP_E_CORRUPT},
};

const struct script_shape *script_shapes(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
