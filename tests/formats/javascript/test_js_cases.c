/* Tests the JavaScript parsers, line by line, with recorded stacks of real engines. Skipped if the recordings are
 * absent. */
#include "tests/formats/formats_help.h"

#include "core/json/json.h"
#include "core/mapfile.h"
#include <dirent.h>
#include <stdlib.h>

#define PATH 4096

/* Makes the path of a folder with recordings. Returns false if there is no such folder. */
static bool root(const char *name, char *out)
{
    const char *named = getenv("FRAMEMAP_CASES");
    snprintf(out, PATH, "%s/sourcemap/%s", named ? named : FM_SOURCE_DIR "/../shared/cases", name);
    DIR *folder = opendir(out);
    if (folder) closedir(folder);
    return folder != NULL;
}

struct walk {
    struct parsed parsed;
    size_t trace, frame;
    size_t frames, texts, evaluated;
    const char *path;
};

/* Whether the recordings contain such a frame. They omit frames without a file, such as builtin functions and evaluated
 * code. */
static bool is_recorded(const framemap_frame *frame)
{
    return frame->line && frame->status != FRAMEMAP_FRAME_UNKNOWN_IMAGE;
}

/* Returns the next recorded frame, in the order of the text. */
static const framemap_frame *next_frame(struct walk *walk)
{
    for (; walk->trace < walk->parsed.count; walk->trace++, walk->frame = 0) {
        const framemap_trace *trace = &walk->parsed.traces[walk->trace];
        while (walk->frame < trace->frame_count && !is_recorded(&trace->frames[walk->frame])) walk->frame++;
        if (walk->frame < trace->frame_count) return &trace->frames[walk->frame++];
    }
    return NULL;
}

static framemap_str member(const struct fm_json *json, const char *name, struct fm_arena *arena)
{
    framemap_str text = {NULL, 0};
    int32_t value = fm_json_get(json, 0, name);
    if (value >= 0 && fm_json_type(json, value) == FM_JSON_STRING) fm_json_string(json, value, arena, &text);
    return text;
}

static uint64_t number(const struct fm_json *json, const char *name)
{
    uint64_t value = 0;
    fm_json_u64(json, fm_json_get(json, 0, name), &value);
    return value;
}

static void compare(struct walk *walk, const struct fm_json *json, framemap_str raw, struct fm_arena *arena)
{
    const framemap_frame *frame = next_frame(walk);
    framemap_str function = member(json, "function", arena), file = member(json, "file", arena);
    if (!frame) fail_msg("%s: no frame for %.*s", walk->path, (int)raw.size, raw.data);
    if (fm_str_starts(function, FM_STR("async ")))
        /* the name has the word "async" before it in the recording, but not in the parsed frame */
        function = fm_str_from(function, 6);
    same_text(walk->path, "the row", frame->raw, raw);
    same_text(walk->path, "the function", frame->function, function);
    same_text(walk->path, "the file", frame->file, file);
    same_number(walk->path, "the line", frame->line, number(json, "line"));
    bool bytecode = frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE;
    same_number(walk->path, "the column", bytecode ? frame->address : frame->column, number(json, "column"));
    assert_int_equal(bytecode, fm_str_find(raw, FM_STR("(address at ")) != FM_NOT_FOUND);
    walk->frames++;
}

/* Compares a frame of evaluated code. The recording has the position of the call that evaluated the code; in the frame
 * line, this position is in "(eval at f (FILE:1:2)". */
static void compare_evaluated(struct walk *walk, framemap_str raw)
{
    char place[PATH];
    const framemap_frame *frame = next_frame(walk);
    if (!frame) fail_msg("%s: no frame for %.*s", walk->path, (int)raw.size, raw.data);
    same_text(walk->path, "the row", frame->raw, raw);
    snprintf(place, sizeof place, "(%.*s:%u:%u)", (int)frame->file.size, frame->file.data, frame->line, frame->column);
    if (fm_str_find(raw, text_of(place)) == FM_NOT_FOUND)
        fail_msg("%s: %s is not where %.*s was evaluated", walk->path, place, (int)raw.size, raw.data);
    walk->evaluated++;
}

static void check_line(struct walk *walk, framemap_str line)
{
    struct fm_json *json = NULL;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_int_equal(fm_json_parse(line, &heap, &json, NULL), FRAMEMAP_OK);
    framemap_str raw = member(json, "raw", &arena);
    if (fm_json_get(json, 0, "file") >= 0)
        compare(walk, json, raw, &arena);
    else if (fm_str_find(raw, FM_STR("(eval at ")) != FM_NOT_FOUND)
        compare_evaluated(walk, raw);
    fm_json_free(json);
    fm_arena_free(&arena);
}

/* Compares the stack in a file "…/stack.ENGINE.txt" with the expected one in "…/stack.ENGINE.expected.jsonl". */
static void check_stack(struct walk *walk, const char *expected)
{
    char path[2 * PATH + 600];
    struct fm_mapfile text, want;
    framemap_str line;
    snprintf(path, sizeof path, "%.*s.txt", (int)(strlen(expected) - strlen(".expected.jsonl")), expected);
    assert_int_equal(fm_mapfile_open(path, &text, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_mapfile_open(expected, &want, NULL), FRAMEMAP_OK);
    walk->path = path;
    walk->trace = walk->frame = 0;
    parse(&walk->parsed, text.bytes);
    assert_int_equal(walk->parsed.status, FRAMEMAP_OK);
    struct fm_scan s = fm_scan_of(want.bytes);
    while (fm_scan_line(&s, &line)) check_line(walk, line);
    if (next_frame(walk)) fail_msg("%s: a frame too many", path);
    walk->texts++;
    parsed_free(&walk->parsed);
    fm_mapfile_close(&text);
    fm_mapfile_close(&want);
}

static void check_bundle(struct walk *walk, const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char file[PATH + 600];
        if (!fm_str_ends(text_of(entry->d_name), FM_STR(".expected.jsonl"))) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        check_stack(walk, file);
    }
    closedir(folder);
}

static void test_captures(void **state)
{
    (void)state;
    char path[PATH];
    struct walk walk = {.frames = 0};
    if (!root("bundles", path)) {
        print_message("skipped: no folder of cases\n");
        skip();
    }
    DIR *all = opendir(path);
    for (struct dirent *entry; (entry = readdir(all));) {
        char bundle[PATH + 300];
        snprintf(bundle, sizeof bundle, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') check_bundle(&walk, bundle);
    }
    closedir(all);
    print_message("%zu texts, %zu frames equal, %zu of evaluated code\n", walk.texts, walk.frames, walk.evaluated);
    assert_true(walk.frames > 0);
}

static bool is_row(framemap_str line)
{
    return fm_str_starts(line, FM_STR("    at ")) || fm_str_starts(line, FM_STR("    ... skipping ")) ||
           fm_str_find_byte(line, '@') != FM_NOT_FOUND;
}

/* Checks that every line that looks like a frame line, or states how many frames were skipped, is parsed as a frame, in
 * the order of the text. */
static void check_rows(const char *path, size_t *rows)
{
    struct fm_mapfile text;
    struct parsed parsed;
    framemap_str line;
    size_t trace = 0, frame = 0;
    assert_int_equal(fm_mapfile_open(path, &text, NULL), FRAMEMAP_OK);
    parse(&parsed, text.bytes);
    struct fm_scan s = fm_scan_of(text.bytes);
    while (fm_scan_line(&s, &line)) {
        if (!is_row(line)) continue;
        if (trace == parsed.count) fail_msg("%s: no frame for %.*s", path, (int)line.size, line.data);
        same_text(path, "the row", parsed.traces[trace].frames[frame].raw, line);
        (*rows)++;
        if (++frame < parsed.traces[trace].frame_count) continue;
        frame = 0;
        trace++;
    }
    assert_int_equal(trace, parsed.count);
    parsed_free(&parsed);
    fm_mapfile_close(&text);
}

static void test_grammars(void **state)
{
    (void)state;
    char path[PATH];
    size_t rows = 0;
    if (!root("stacks", path)) skip();
    DIR *folder = opendir(path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char file[PATH + 300];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (fm_str_ends(text_of(entry->d_name), FM_STR(".txt"))) check_rows(file, &rows);
    }
    closedir(folder);
    print_message("%zu rows are frames\n", rows);
    assert_true(rows > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_captures), cmocka_unit_test(test_grammars)};
    return cmocka_run_group_tests_name("formats js cases", tests, NULL, NULL);
}
