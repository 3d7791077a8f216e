/* Compares lookups in maps with range mappings, in both forms that exist, with a search through all segments. */
#include "tests/session/restore/sourcemap_help.h"

static framemap_status range_map(struct opened_map *map, const char *mappings, const char *ranges,
                                 framemap_range_mappings how, bool strict, framemap_error *error)
{
    static char text[1 << 16];
    const int size =
        snprintf(text, sizeof text,
                 "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[],\"mappings\":\"%s\",\"rangeMappings\":\"%s\"}",
                 mappings, ranges);
    const framemap_build_options options = {
        .size = sizeof options, .strict = strict, .warning = count_faults, .context = map, .range_mappings = how};
    return map_make_with(map, fm_str(text, (size_t)size), FM_STR("main.js.map"), &options, error);
}

/* --- testing which of the two forms of range mappings is used --- */

/* TAKEN: accepted; REPORTED: a warning in lenient mode, an error in strict mode; REFUSED: an error in both */
enum { TAKEN, REPORTED, REFUSED };

static const struct {
    const char *name, *mappings, *ranges;
    framemap_range_mappings how;
    int verdict;
    int64_t col0; /* expected column in the source for the position 0:3; -1: the position is not checked */
} spellings[] = {
    {"the first, from 1", "AAAA,EAAE", "B", FRAMEMAP_RANGES_AUTO, TAKEN, 2},
    {"the second, from 1", "AAAA,EAAE", "C", FRAMEMAP_RANGES_AUTO, TAKEN, 3},
    {"both, from 1", "AAAA,EAAE", "BB", FRAMEMAP_RANGES_AUTO, TAKEN, 3},
    {"the second, from 0", "AAAA,EAAE", "B", FRAMEMAP_RANGES_FROM_0, TAKEN, 3},
    {"the first, from 0", "AAAA", "A", FRAMEMAP_RANGES_FROM_0, TAKEN, 3},
    {"a zero shows that it counts from 0", "AAAA", "A", FRAMEMAP_RANGES_AUTO, REPORTED, 3},
    {"a zero on some line does", "AAAA,EAAE;A", "B;A", FRAMEMAP_RANGES_AUTO, REPORTED, 3},
    {"a zero, from 1", "AAAA", "A", FRAMEMAP_RANGES_FROM_1, REPORTED, 0},
    {"a second zero, from 0", "AAAA,EAAE", "AA", FRAMEMAP_RANGES_FROM_0, REPORTED, 2},
    {"after the last, from 0", "AAAA,EAAE", "C", FRAMEMAP_RANGES_FROM_0, REPORTED, 2},
    {"after the last, from 1", "AAAA,EAAE", "D", FRAMEMAP_RANGES_AUTO, REPORTED, 2},
    {"off", "AAAA", "B", FRAMEMAP_RANGES_OFF, TAKEN, 0},
    {"off, whatever it is", "AAAA", "?", FRAMEMAP_RANGES_OFF, TAKEN, 0},
    {"more lines than mappings", "AAAA", "B;B", FRAMEMAP_RANGES_AUTO, REPORTED, 0},
    {"a long number", "AAAA", "hgggggggggggggA", FRAMEMAP_RANGES_AUTO, TAKEN, 3},
    {"a number without end", "AAAA", "g", FRAMEMAP_RANGES_AUTO, REPORTED, 0},
    {"a number that is too large", "AAAA", "ggggggE", FRAMEMAP_RANGES_AUTO, REPORTED, 0},
    {"numbers with commas", "AAAA,EAAE", "B,C", FRAMEMAP_RANGES_AUTO, REPORTED, 2},
    {"a range of nothing", "A", "B", FRAMEMAP_RANGES_AUTO, TAKEN, -1},
};

static void which_spelling(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(spellings); i++) {
        struct opened_map map;
        framemap_error error;
        const bool reported = spellings[i].verdict == REPORTED;
        const framemap_status status =
            range_map(&map, spellings[i].mappings, spellings[i].ranges, spellings[i].how, true, &error);
        if ((status == FRAMEMAP_OK) == reported)
            fail_msg("%s: %s", spellings[i].name, reported ? "taken" : error.message);
        if (reported) assert_non_null(strstr(error.message, "\"rangeMappings\""));
        map_close(&map);
        assert_int_equal(range_map(&map, spellings[i].mappings, spellings[i].ranges, spellings[i].how, false, &error),
                         FRAMEMAP_OK);
        if (map.faults != (reported ? 1 : 0)) fail_msg("%s: %u faults are reported", spellings[i].name, map.faults);
        const framemap_frame frame = map_ask(&map, 0, 3);
        if ((int64_t)frame.column - 1 != spellings[i].col0)
            fail_msg("%s: 0:3 gave column %u", spellings[i].name, frame.column);
        map_close(&map);
    }
}

/* --- testing random maps --- */

struct piece {
    uint32_t line0, col0, original_line0, original_col0;
    bool mapped, is_range;
};
enum { PIECES = 400, LINES = 40, COLS = 24 };

struct made {
    struct piece pieces[PIECES]; /* segments in the order of the text; their lines are ascending */
    size_t count;
    uint64_t state;
    char mappings[1 << 14], ranges[1 << 13];
};

static uint32_t random_below(struct made *m, uint32_t most)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->state >> 33) % most;
}

static void put_number(char *text, uint64_t bits)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t at = strlen(text);
    do {
        text[at++] = digits[(bits & 31) | (bits >> 5 ? 32 : 0)];
        bits >>= 5;
    } while (bits > 0);
    text[at] = 0;
}
static void put_delta(char *text, int64_t to, int64_t *from)
{
    const int64_t delta = to - *from;
    put_number(text, delta < 0 ? (uint64_t)-delta << 1 | 1 : (uint64_t)delta << 1);
    *from = to;
}

/* Writes the members `mappings` and `rangeMappings` for the pieces. first: 0 or 1, the number of the first segment of a
 * line. */
static void write_map(struct made *m, unsigned first)
{
    int64_t source = 0, line = 0, col = 0;
    size_t at = 0;
    m->mappings[0] = m->ranges[0] = 0;
    for (uint32_t line0 = 0; line0 < LINES; line0++) {
        int64_t column = 0;
        uint32_t before = 0;
        bool any = false;
        for (uint32_t number = first; at < m->count && m->pieces[at].line0 == line0; at++, number++) {
            const struct piece *p = &m->pieces[at];
            if (number > first) strcat(m->mappings, ",");
            put_delta(m->mappings, p->col0, &column);
            if (p->mapped) {
                put_delta(m->mappings, 0, &source);
                put_delta(m->mappings, p->original_line0, &line);
                put_delta(m->mappings, p->original_col0, &col);
            }
            if (!p->is_range) continue;
            put_number(m->ranges, any ? number - before : number);
            before = number;
            any = true;
        }
        strcat(m->mappings, ";");
        strcat(m->ranges, ";");
    }
}

static void make_pieces(struct made *m, bool goes_back)
{
    m->count = 0;
    for (uint32_t line0 = 0; line0 < LINES; line0++) {
        uint32_t col0 = random_below(m, 6);
        for (uint32_t i = random_below(m, 3) ? random_below(m, 7) : 0; i > 0 && m->count < PIECES; i--) {
            m->pieces[m->count++] = (struct piece){.line0 = line0,
                                                   .col0 = goes_back ? random_below(m, COLS - 4) : col0,
                                                   .original_line0 = random_below(m, 50),
                                                   .original_col0 = random_below(m, 50),
                                                   .mapped = random_below(m, 8) > 0,
                                                   .is_range = random_below(m, 2) > 0};
            col0 += random_below(m, 5);
        }
    }
}

/* Returns the last piece at or before a position; if several pieces are exactly at the position, the first of them.
 * NULL: there is no such piece. */
static const struct piece *piece_at(const struct made *m, uint32_t line0, uint32_t col0)
{
    const struct piece *best = NULL;
    for (size_t i = 0; i < m->count; i++) {
        const struct piece *p = &m->pieces[i];
        if (p->line0 > line0 || (p->line0 == line0 && p->col0 > col0)) continue;
        if (p->line0 == line0 && p->col0 == col0 && best && best->line0 == line0 && best->col0 == col0) continue;
        if (best == NULL || p->line0 > best->line0 || p->col0 >= best->col0) best = p;
    }
    return best;
}

static void check_all(const struct made *m, const struct opened_map *map, const char *how)
{
    for (uint32_t line0 = 0; line0 < LINES + 2; line0++)
        for (uint32_t col0 = 0; col0 < COLS; col0++) {
            const struct piece *p = piece_at(m, line0, col0);
            const framemap_frame frame = map_ask(map, line0, col0);
            const bool wanted = p && p->mapped && (p->line0 == line0 || p->is_range);
            if ((frame.line > 0) != wanted) fail_msg("%s: %u:%u: %s", how, line0, col0, wanted ? "nothing" : "found");
            if (!wanted) continue;
            const uint32_t lines = line0 - p->line0, cols = p->is_range ? (lines ? col0 : col0 - p->col0) : 0;
            if (frame.line - 1 != p->original_line0 + lines || frame.column - 1 != p->original_col0 + cols)
                fail_msg("%s: %u:%u: got %u:%u, wanted %u:%u", how, line0, col0, frame.line - 1, frame.column - 1,
                         p->original_line0 + lines, p->original_col0 + cols);
        }
}

static void random_ranges(void **state)
{
    static struct made made;
    framemap_error error;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        made.state = seed;
        make_pieces(&made, seed % 3 == 0);
        for (unsigned first = 0; first < 2; first++) {
            struct opened_map map;
            char how[80];
            snprintf(how, sizeof how, "seed %u, from %u", (unsigned)seed, first);
            write_map(&made, first);
            if (range_map(&map, made.mappings, made.ranges, first ? FRAMEMAP_RANGES_FROM_1 : FRAMEMAP_RANGES_FROM_0,
                          true, &error) != FRAMEMAP_OK)
                fail_msg("%s: %s", how, error.message);
            check_all(&made, &map, how);
            map_close(&map);
        }
    }
}

/* The ranges of a section are moved together with the section, and end at the first segment of the next section. */
static void in_sections(void **state)
{
#define SECTION(line, column, ranges)                                                                                  \
    "{\"offset\":{\"line\":" #line ",\"column\":" #column "},\"map\":{\"version\":3,\"sources\":[\"a.js\"],\"names\":" \
    "[],\"mappings\":\"CAAA;EAEE\",\"rangeMappings\":\"" ranges "\"}}"
    static const char text[] = "{\"version\":3,\"sections\":[" SECTION(0, 5, "B;B") "," SECTION(4, 2, ";B") "]}";
    static const struct {
        uint32_t line0, col0, line, column;
    } asked[] = {{0, 5, 0, 0}, {0, 6, 1, 1}, {0, 9, 1, 4}, {1, 1, 2, 2}, {1, 2, 3, 3}, {1, 4, 3, 5}, {3, 4, 5, 7},
                 {4, 2, 6, 5}, {4, 3, 1, 1}, {4, 9, 1, 1}, {5, 0, 0, 0}, {5, 3, 3, 4}, {9, 0, 7, 3}};
    struct opened_map map;
    framemap_error error;
    (void)state;
    if (map_make(&map, framemap_str_of(text), FM_STR("main.js.map"), true, &error) != FRAMEMAP_OK)
        fail_msg("%s", error.message);
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        const framemap_frame frame = map_ask(&map, asked[i].line0, asked[i].col0);
        if (frame.line != asked[i].line || frame.column != asked[i].column)
            fail_msg("%u:%u: got %u:%u", asked[i].line0, asked[i].col0, frame.line, frame.column);
    }
    map_close(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(which_spelling), cmocka_unit_test(random_ranges),
                                       cmocka_unit_test(in_sections)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
