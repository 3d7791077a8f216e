/* Tests the parsers with a collection of real reports and their expected frames. Skipped if the collection is
 * absent. */
#include "tests/formats/formats_help.h"

#include "core/json/json.h"
#include "core/mapfile.h"
#include <dirent.h>
#include <stdlib.h>

/* Cases in which framemap's frames differ from those of the collection, and the reason why framemap's are right. */
static const struct {
    const char *file, *why;
} differing[] = {
    {"android_anr/1",
     "three question marks are libunwindstack's way to say that there is no name; it is no function here"},
    {"android_anr/2", "the same"},
    {"kernel_oops/1", "the program counter of the interrupted function is a frame; the collection leaves it out"},
    {"minidump_stackwalk/7", "inlined frames: the collection leaves file and line within the name of the function"},
};

static const char *root(void)
{
    static const char beside[] = FM_SOURCE_DIR "/../shared/cases";
    const char *named = getenv("FRAMEMAP_CASES");
    const char *path = named ? named : beside;
    char stacks[4096];
    snprintf(stacks, sizeof stacks, "%s/stacks", path);
    DIR *folder = opendir(stacks);
    if (!folder) return NULL;
    closedir(folder);
    return path;
}

struct expected {
    framemap_str module, function, file, build_id, class_name, method;
    bool has_index, has_address, has_load, has_offset, has_function_offset, has_line;
    uint64_t index, address, load, offset, function_offset, line;
};

static framemap_str member_text(const struct fm_json *json, int32_t object, const char *name, struct fm_arena *arena)
{
    framemap_str text = {NULL, 0};
    int32_t value = fm_json_get(json, object, name);
    if (value >= 0 && fm_json_type(json, value) == FM_JSON_STRING) fm_json_string(json, value, arena, &text);
    return text;
}

static bool member_hex(const struct fm_json *json, int32_t object, const char *name, struct fm_arena *arena,
                       uint64_t *out)
{
    struct fm_scan s = fm_scan_of(member_text(json, object, name, arena));
    return fm_scan_0xhex(&s, out, NULL);
}

/* Reads the position of the call that evaluated a string of code, such as "eval at main (/srv/store.js:8:8)". A frame
 * in such code is looked up at that position. */
static void read_origin(framemap_str origin, struct expected *e)
{
    size_t open = fm_str_find_last_byte(origin, '(');
    if (open == FM_NOT_FOUND) return;
    framemap_str place = fm_str_slice(origin, open + 1, origin.size - 1);
    place.size = fm_str_find_last_byte(place, ':'); /* the column number is removed */
    size_t line = fm_str_find_last_byte(place, ':');
    struct fm_scan s = fm_scan_of(fm_str_from(place, line + 1));
    assert_true(fm_scan_dec(&s, &e->line, NULL));
    e->file = fm_str_slice(place, 0, line);
}

static struct expected read_expected(const struct fm_json *json, int32_t object, struct fm_arena *arena)
{
    struct expected e = {.module = member_text(json, object, "module", arena),
                         .function = member_text(json, object, "function", arena),
                         .file = member_text(json, object, "file", arena),
                         .build_id = member_text(json, object, "build_id", arena)};
    e.class_name = member_text(json, object, "class", arena);
    e.method = member_text(json, object, "method", arena);
    e.has_index = fm_json_u64(json, fm_json_get(json, object, "index"), &e.index);
    e.has_address = member_hex(json, object, "address", arena, &e.address);
    e.has_load = member_hex(json, object, "load_address", arena, &e.load) && e.load;
    e.has_offset = fm_json_u64(json, fm_json_get(json, object, "offset"), &e.offset);
    e.has_function_offset = fm_json_u64(json, fm_json_get(json, object, "function_offset"), &e.function_offset);
    e.has_line = fm_json_u64(json, fm_json_get(json, object, "line"), &e.line);
    read_origin(member_text(json, object, "eval_origin", arena), &e);
    return e;
}

/* Returns the name of the first member in which a frame differs from the expected frame; NULL: the frames are equal. */
static const char *difference(const framemap_frame *frame, const struct expected *e)
{
    if (e->has_index && frame->index >= 0 && (uint64_t)frame->index != e->index) return "index";
    const bool linked = frame->address_kind == FRAMEMAP_ADDRESS_LINKED || frame->address_kind == FRAMEMAP_ADDRESS_IMAGE;
    if (linked && e->has_offset) {
        if (frame->address != e->offset) return "offset";
        if (frame->has_absolute_address && e->has_address && frame->absolute_address != e->address)
            return "absolute address";
    } else if (linked && frame->has_absolute_address && e->has_address && frame->absolute_address != e->address) {
        return "absolute address";
    } else if (e->has_address && !linked && frame->address != e->address) {
        return "address";
    }
    if (e->has_load && frame->load_address != e->load) return "load address";
    if (e->has_offset && frame->has_load_address && !linked && frame->address - frame->load_address != e->offset)
        return "image offset";
    if (e->module.size && !fm_str_equal(frame->module, fm_str_basename(e->module))) return "module";
    if (e->class_name.size && !fm_str_equal(frame->class_name, e->class_name)) return "class";
    framemap_str function = e->class_name.size ? e->method : e->function;
    if (function.size && !fm_str_equal(frame->function, function)) return "function";
    if (e->has_function_offset && frame->function_offset != e->function_offset) return "function offset";
    if (e->file.size && !fm_str_equal(frame->file, e->file)) return "file";
    if (e->has_line && frame->line != e->line) return "line";
    if (e->build_id.size && !fm_str_equal(frame->id, e->build_id)) return "build id";
    return NULL;
}

struct outcome {
    size_t frames, expected;
    char message[512];
};

/* Whether a frame is compared: a Java frame if `java` is set, otherwise any other frame. A thread may have both native
 * and managed frames. */
static bool is_about(const framemap_frame *frame, bool java)
{
    return frame->kind != FRAMEMAP_KIND_MARKER && (frame->kind == FRAMEMAP_KIND_JAVA) == java;
}

/* Finds the trace that contains the first expected frame, and compares its frames with the expected ones. */
static void compare(const struct parsed *parsed, const struct expected *expected, size_t count, bool java,
                    struct outcome *outcome)
{
    outcome->expected = count;
    snprintf(outcome->message, sizeof outcome->message, "no trace has %zu frames that begin like the expected one",
             count);
    for (size_t t = 0; t < parsed->count; t++) {
        const framemap_trace *trace = &parsed->traces[t];
        size_t f = 0,
               /* at: index of the expected frame; the parsed trace may have frames of another kind between those that
                * are compared */
            at = 0;
        while (at < trace->frame_count && !is_about(&trace->frames[at], java)) at++;
        if (trace->frame_count - at < count || difference(&trace->frames[at], &expected[0])) continue;
        const char *what = NULL;
        for (; f < count && at < trace->frame_count; at++) {
            if (!is_about(&trace->frames[at], java)) continue;
            if ((what = difference(&trace->frames[at], &expected[f]))) break;
            f++;
        }
        outcome->frames = f;
        outcome->message[0] = '\0';
        if (f == count) return;
        const framemap_frame *last = &trace->frames[at < trace->frame_count ? at : at - 1];
        snprintf(outcome->message, sizeof outcome->message, "frame %zu: another %s: %.*s", f, what ? what : "end",
                 (int)last->raw.size, last->raw.data);
        return;
    }
}

static bool is_explained(const char *file)
{
    for (size_t i = 0; i < sizeof differing / sizeof differing[0]; i++)
        if (strcmp(file, differing[i].file) == 0) return true;
    return false;
}

/* Collects the expected frames: those of Java if `java` is set, otherwise all others. Markers between frames are
 * omitted. */
static size_t expected_frames(const struct fm_json *json, bool java, struct fm_arena *arena, struct expected **out)
{
    int32_t list = fm_json_get(json, 0, "expected_frames");
    if (list < 0 || fm_json_type(json, list) != FM_JSON_ARRAY) return 0;
    struct expected *frames = FM_ARENA_ARRAY(arena, struct expected, fm_json_count(json, list) + 1);
    size_t count = 0;
    for (int32_t item = fm_json_first(json, list); item >= 0; item = fm_json_next(json, item)) {
        framemap_str kind = member_text(json, item, "kind", arena);
        bool managed = fm_str_equal(kind, FM_STR("managed"));
        if (kind.size && !managed && !fm_str_equal(kind, FM_STR("native"))) continue;
        frames[count] = read_expected(json, item, arena);
        if ((frames[count].class_name.size != 0) == java) count++;
    }
    *out = frames;
    return count;
}

static bool check_case(const char *folder, const char *stem, size_t *frames)
{
    char path[4096], name[256];
    struct fm_mapfile text, sidecar;
    struct parsed parsed;
    struct fm_json *json = NULL;
    struct outcome outcome = {.message = ""};
    snprintf(name, sizeof name, "%s/%s", folder, stem);
    snprintf(path, sizeof path, "%s/stacks/%s.txt", root(), name);
    assert_int_equal(fm_mapfile_open(path, &text, NULL), FRAMEMAP_OK);
    snprintf(path, sizeof path, "%s/stacks/%s.json", root(), name);
    assert_int_equal(fm_mapfile_open(path, &sidecar, NULL), FRAMEMAP_OK);
    parse(&parsed, text.bytes);
    assert_int_equal(parsed.status, FRAMEMAP_OK);
    assert_int_equal(fm_json_parse(sidecar.bytes, &parsed.heap, &json, NULL), FRAMEMAP_OK);
    for (int java = 0; java < 2 && outcome.message[0] == '\0'; java++) {
        struct expected *expected = NULL;
        size_t count = expected_frames(json, java, &parsed.arena, &expected);
        outcome.frames = 0;
        if (count) compare(&parsed, expected, count, java != 0, &outcome);
        *frames += outcome.frames;
    }
    bool good = outcome.message[0] == '\0' || is_explained(name);
    if (!good) print_message("%s: %s\n", name, outcome.message);
    if (outcome.message[0] == '\0' && is_explained(name)) {
        print_message("%s: is equal now, its explanation is stale\n", name);
        good = false;
    }
    fm_json_free(json);
    parsed_free(&parsed);
    fm_mapfile_close(&text);
    fm_mapfile_close(&sidecar);
    return good;
}

static const char *const folders[] = {"android_tombstone",
                                      "android_anr",
                                      "apple_crash",
                                      "callstack_symbols",
                                      "asan",
                                      "glibc_backtrace",
                                      "mdap",
                                      "bsbacktrace",
                                      "java",
                                      "java_obfuscated",
                                      "js_v8",
                                      "js_firefox",
                                      "js_safari",
                                      "js_hermes",
                                      "js_other",
                                      "wasm",
                                      "dart_nonsymbolic",
                                      "dart_symbolic",
                                      "minidump_stackwalk",
                                      "minidump_machine",
                                      "kernel_oops",
                                      "perf_script",
                                      "windbg"};
/* Numbers of the cases whose texts are damaged; each format has them. */
static const char *const damaged[] = {"2", "4", "5", "7", "8", "11", "12", "13", "14"};

static void test_expected_frames(void **state)
{
    (void)state;
    size_t bad = 0, cases = 0, frames = 0;
    if (!root()) {
        print_message("skipped: no folder of cases\n");
        skip();
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/stacks/%s", root(), folders[i]);
        DIR *folder = opendir(path);
        if (!folder) continue;
        for (struct dirent *entry; (entry = readdir(folder));) {
            char stem[300];
            snprintf(stem, sizeof stem, "%s", entry->d_name);
            char *dot = strrchr(stem, '.');
            if (!dot || strcmp(dot, ".json") != 0) continue;
            *dot = '\0';
            cases++;
            bad += !check_case(folders[i], stem, &frames);
        }
        closedir(folder);
    }
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++, cases++)
        bad += !check_case("dirty", damaged[i], &frames);
    print_message("%zu cases, %zu frames equal\n", cases, frames);
    assert_int_equal(bad, 0);
}

static void check_round_trip(const char *path, size_t *texts)
{
    struct fm_mapfile file;
    struct parsed parsed;
    struct fm_buf out;
    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) return;
    parse(&parsed, file.bytes);
    assert_int_equal(parsed.status, FRAMEMAP_OK);
    assert_int_equal(print_as(&parsed, file.bytes, "text", &out), FRAMEMAP_OK);
    if (!fm_str_equal(fm_buf_view(&out), file.bytes)) fail_msg("%s: what is printed is not what was read", path);
    fm_buf_free(&out);
    parsed_free(&parsed);
    fm_mapfile_close(&file);
    (*texts)++;
}

static void test_every_text_comes_back(void **state)
{
    (void)state;
    char path[4096], folder_path[8300];
    size_t texts = 0;
    if (!root()) skip();
    snprintf(path, sizeof path, "%s/stacks", root());
    DIR *all = opendir(path);
    for (struct dirent *entry; (entry = readdir(all));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(folder_path, sizeof folder_path, "%s/%s", path, entry->d_name);
        DIR *folder = opendir(folder_path);
        if (!folder) continue;
        for (struct dirent *file; (file = readdir(folder));) {
            char file_path[12600];
            if (!strstr(file->d_name, ".txt")) continue;
            snprintf(file_path, sizeof file_path, "%s/%s", folder_path, file->d_name);
            check_round_trip(file_path, &texts);
        }
        closedir(folder);
    }
    closedir(all);
    print_message("%zu texts come back byte for byte\n", texts);
    assert_true(texts > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_expected_frames),
                                       cmocka_unit_test(test_every_text_comes_back)};
    return cmocka_run_group_tests_name("formats cases", tests, NULL, NULL);
}
