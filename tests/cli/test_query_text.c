#include "tests/testing.h"

#include "cli/query_text.h"

static void reads_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fm_query_text_kind kind;
        const char *scope;
        uint64_t number, position;
        framemap_address_kind address;
        const char *why;
    } rows[] = {
        {"0x4f0c4", FM_QUERY_TEXT_ADDRESS, "", 0, 0x4f0c4, FRAMEMAP_ADDRESS_LINKED, "an address"},
        {"0XFf", FM_QUERY_TEXT_ADDRESS, "", 0, 0xff, FRAMEMAP_ADDRESS_LINKED, "in capitals"},
        {"0xffffffffffffffff", FM_QUERY_TEXT_ADDRESS, "", 0, UINT64_MAX, FRAMEMAP_ADDRESS_LINKED, "the greatest"},
        {"0x10000000000000000", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "one more"},
        {"+0x10", FM_QUERY_TEXT_OFFSET, "", 0, 0x10, FRAMEMAP_ADDRESS_IMAGE, "an offset"},
        {"270+12", FM_QUERY_TEXT_FUNCTION, "270", 0, 12, FRAMEMAP_ADDRESS_NONE, "a function of bytecode"},
        {"51:3+4", FM_QUERY_TEXT_FUNCTION, "3", 51, 4, FRAMEMAP_ADDRESS_NONE, "one of a further segment"},
        {"3+0x4", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "all are decimal"},
        {"3+", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "no distance"},
        {":3+4", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "no segment"},
        {"a:3+4", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "a segment is a number"},
        {"+10", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "an offset wants its prefix"},
        {".text:0x10", FM_QUERY_TEXT_SECTION, ".text", 0, 0x10, FRAMEMAP_ADDRESS_NONE, "a section"},
        {".text:0x", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "no digits"},
        {"1:17348", FM_QUERY_TEXT_LINE, "", 0, 17347, FRAMEMAP_ADDRESS_NONE, "line and column count from 1"},
        {"0:1", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "there is no line 0"},
        {"1:0", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "there is no column 0"},
        {"a.b:12", FM_QUERY_TEXT_MEMBER, "a.b", 0, 12, FRAMEMAP_ADDRESS_NONE, "a member"},
        {"a.b.<init>:0", FM_QUERY_TEXT_MEMBER, "a.b.<init>", 0, 0, FRAMEMAP_ADDRESS_NONE, "a member without a line"},
        {"a:b:12", FM_QUERY_TEXT_MEMBER, "a:b", 0, 12, FRAMEMAP_ADDRESS_NONE, "the last colon counts"},
        {"a.b", FM_QUERY_TEXT_MEMBER, "a.b", 0, 0, FRAMEMAP_ADDRESS_NONE, "a member whose line is not known"},
        {"a", FM_QUERY_TEXT_MEMBER, "a", 0, 0, FRAMEMAP_ADDRESS_NONE, "a class"},
        {"a.b(SourceFile:12)", FM_QUERY_TEXT_MEMBER, "a.b", 0, 12, FRAMEMAP_ADDRESS_NONE, "as a stack has it"},
        {"\tat a.b(SourceFile:12)", FM_QUERY_TEXT_MEMBER, "a.b", 0, 12, FRAMEMAP_ADDRESS_NONE, "the whole row"},
        {"at (SourceFile:12)", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "a row without a member"},
        {"a.b(SourceFile)", FM_QUERY_TEXT_MEMBER, "a.b", 0, 0, FRAMEMAP_ADDRESS_NONE, "the same without a line"},
        {"a.b(X:1:c)", FM_QUERY_TEXT_MEMBER, "a.b", 0, 0, FRAMEMAP_ADDRESS_NONE, "a file with colons"},
        {"(X:1)", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "no member before it"},
        {"a b", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "two words"},
        {"", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "nothing"},
        {"4f0c4", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "digits alone could be anything"},
        {":12", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "no member"},
        {"a:", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "no line"},
        {"1:99999999999999999999", FM_QUERY_TEXT_BAD, "", 0, 0, 0, "a column of more than 64 bits"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        enum fm_query_text_kind kind = fm_query_text_parse(framemap_str_of(rows[i].text), false, &query);
        if (kind != rows[i].kind) fail_msg("%s: \"%s\" is of kind %d", rows[i].why, rows[i].text, (int)kind);
        if (kind == FM_QUERY_TEXT_BAD) continue;
        assert_str(query.scope, rows[i].scope);
        assert_int_equal(query.scope_number, rows[i].number);
        assert_int_equal(query.position, rows[i].position);
        assert_int_equal(query.address_kind, rows[i].address);
    }
}

static void reads_columns_from_0(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fm_query_text_kind kind;
        uint64_t number, position;
        const char *why;
    } rows[] = {
        {"1:13916", FM_QUERY_TEXT_LINE, 0, 13916, "an address of bytecode, as a stack prints it"},
        {"1:0", FM_QUERY_TEXT_LINE, 0, 0, "the first one"},
        {"0:0", FM_QUERY_TEXT_BAD, 0, 0, "lines still count from 1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        const enum fm_query_text_kind kind = fm_query_text_parse(framemap_str_of(rows[i].text), true, &query);
        if (kind != rows[i].kind) fail_msg("%s: \"%s\" is of kind %d", rows[i].why, rows[i].text, (int)kind);
        if (kind == FM_QUERY_TEXT_BAD) continue;
        assert_int_equal(query.scope_number, rows[i].number);
        assert_int_equal(query.position, rows[i].position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_places), cmocka_unit_test(reads_columns_from_0)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
