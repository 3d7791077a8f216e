/* Implements firefox_tables.h: reads the columns of the tables in a profile of the Firefox profiler, and follows a
 * stack through them: its frames, their functions and strings. */
#include "formats/profiles/firefox_tables.h"

#include "core/text/merge_sort.h"
#include "formats/row_parts.h"

static bool list_values(const struct fm_json *json, struct fm_arena *arena, int32_t array,
                        struct fm_firefox_column *column)
{
    *column = (struct fm_firefox_column){FM_ARENA_ARRAY(arena, int32_t, (size_t)fm_json_count(json, array) + 1), 0};
    if (column->values == NULL) return false;
    if (fm_json_type(json, array) != FM_JSON_ARRAY) return true;
    for (int32_t item = fm_json_first(json, array); item >= 0; item = fm_json_next(json, item))
        column->values[column->count++] = item;
    return true;
}

static int32_t element(const struct fm_json *json, int32_t row, uint64_t place)
{
    int32_t item = fm_json_type(json, row) == FM_JSON_ARRAY ? fm_json_first(json, row) : -1;
    while (item >= 0 && place-- > 0) item = fm_json_next(json, item);
    return item;
}

bool fm_firefox_column(const struct fm_json *json, struct fm_arena *arena, int32_t table, const char *member,
                       struct fm_firefox_column *column)
{
    const int32_t schema = fm_json_get(json, table, "schema");
    uint64_t place = 0;
    if (schema < 0) return list_values(json, arena, fm_json_get(json, table, member), column);
    if (!fm_json_u64(json, fm_json_get(json, schema, member), &place)) return list_values(json, arena, -1, column);
    if (!list_values(json, arena, fm_json_get(json, table, "data"), column)) return false;
    for (uint32_t i = 0; i < column->count; i++) column->values[i] = element(json, column->values[i], place);
    return true;
}

/* --- images --- */

/* Returns the build id in `codeId`, in lower case; 0 if the id is not a build id. */
static uint32_t read_build_id(framemap_sample_set *set, framemap_str id)
{
    char lower[64];
    if (id.size < 16 || id.size > sizeof lower) return 0;
    for (size_t i = 0; i < id.size; i++) {
        if (!fm_is_hex(id.data[i])) return 0;
        lower[i] = id.data[i] >= 'A' && id.data[i] <= 'F' ? (char)(id.data[i] + ('a' - 'A')) : id.data[i];
    }
    return fm_samples_string(set, fm_str(lower, id.size));
}

static bool read_libs(struct fm_firefox_common *common, framemap_sample_set *set, const struct fm_json *json,
                      struct fm_arena *arena, int32_t libs)
{
    common->libs = FM_ARENA_ARRAY(arena, struct fm_firefox_lib, (size_t)fm_json_count(json, libs) + 1);
    if (common->libs == NULL) return false;
    for (int32_t item = fm_json_first(json, libs); item >= 0; item = fm_json_next(json, item)) {
        const int32_t path = fm_json_get(json, item, "path");
        struct fm_firefox_lib *lib = &common->libs[common->lib_count++];
        lib->path = fm_profile_json_string(set, json,
                                           fm_json_raw(json, path).size > 0 ? path : fm_json_get(json, item, "name"));
        lib->build_id = read_build_id(set, fm_json_raw(json, fm_json_get(json, item, "codeId")));
        (void)fm_json_u64(json, fm_json_get(json, item, "start"), &lib->start);
        (void)fm_json_u64(json, fm_json_get(json, item, "end"), &lib->end);
        (void)fm_json_u64(json, fm_json_get(json, item, "offset"), &lib->offset);
    }
    return true;
}

static bool sort_libs(struct fm_firefox_common *common, struct fm_heap *heap, struct fm_arena *arena)
{
    const uint32_t count = common->lib_count;
    struct fm_sort_item *items = FM_ARENA_ARRAY(arena, struct fm_sort_item, (size_t)count + 1);
    common->libs_by_start = FM_ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    if (items == NULL || common->libs_by_start == NULL) return false;
    for (uint32_t i = 0; i < count; i++) items[i] = (struct fm_sort_item){common->libs[i].start, 0, i};
    if (!fm_sort(heap, items, count, NULL, NULL)) return false;
    for (uint32_t i = 0; i < count; i++) common->libs_by_start[i] = items[i].id;
    return true;
}

bool fm_firefox_common_read(struct fm_firefox_common *common, framemap_sample_set *set, const struct fm_json *json,
                            struct fm_arena *arena, int32_t profile)
{
    const int32_t shared = fm_json_get(json, profile, "shared");
    *common = (struct fm_firefox_common){.lib_count = 0};
    return list_values(json, arena, fm_json_get(json, shared, "stringArray"), &common->strings) &&
           fm_firefox_column(json, arena, fm_json_get(json, shared, "sources"), "filename", &common->sources) &&
           read_libs(common, set, json, arena, fm_json_get(json, profile, "libs")) &&
           sort_libs(common, &set->heap, arena);
}

/* --- frames --- */

static bool number_at(const struct fm_firefox_tables *tables, enum fm_firefox_part part, uint64_t at, uint64_t *out)
{
    const struct fm_firefox_column *column = &tables->parts[part];
    return at < column->count && fm_json_u64(tables->json, column->values[at], out);
}

static uint32_t string_of(const struct fm_firefox_tables *tables, uint64_t string)
{
    if (string >= tables->strings.count) return 0;
    return fm_profile_json_string(tables->set, tables->json, tables->strings.values[string]);
}

static uint32_t string_at(const struct fm_firefox_tables *tables, enum fm_firefox_part part, uint64_t at)
{
    uint64_t string = 0;
    return number_at(tables, part, at, &string) ? string_of(tables, string) : 0;
}

/* Returns the file of a function. In newer profiles, the function refers to a table of sources, which has the file. */
static uint32_t file_of(const struct fm_firefox_tables *tables, uint64_t func)
{
    const struct fm_firefox_column *sources = &tables->common->sources;
    uint64_t source = 0, string = 0;
    const uint32_t file = string_at(tables, FM_FIREFOX_FILE, func);
    if (file || !number_at(tables, FM_FIREFOX_SOURCE, func, &source) || source >= sources->count) return file;
    return fm_json_u64(tables->json, sources->values[source], &string) ? string_of(tables, string) : 0;
}

static bool read_address(framemap_str name, uint64_t *address)
{
    struct fm_scan s = fm_scan_of(name);
    return fm_scan_0xhex(&s, address, NULL) && fm_scan_done(&s);
}

/* Reads the location of a frame in Gecko's format: "run (https://a/b.js:7:3)", or an address in the process. */
static void read_location(const struct fm_firefox_tables *tables, uint64_t number, struct fm_sample_frame *frame)
{
    framemap_sample_set *set = tables->set;
    const uint32_t location = string_at(tables, FM_FIREFOX_LOCATION, number);
    const framemap_str text = fm_samples_text(set, location);
    const size_t open = fm_str_find_last(text, FM_STR(" ("));
    framemap_str file;
    frame->function = location;
    if (read_address(text, &frame->address)) {
        frame->function = 0;
        frame->flags = FM_FRAME_ADDRESS;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    } else if (open != FM_NOT_FOUND && open > 0 && text.data[text.size - 1] == ')') {
        file = fm_str_slice(text, open + 2, text.size - 1);
        frame->function = fm_samples_string(set, fm_str(text.data, open));
        fm_row_location(file, &file, &frame->line1, &frame->column1);
        frame->file = fm_samples_string(set, file);
    }
}

/* Finds the image that contains an address of the process, and sets it in the frame. */
static void find_image(const struct fm_firefox_tables *tables, struct fm_sample_frame *frame)
{
    const struct fm_firefox_common *common = tables->common;
    /* this is a binary search for the first library that starts after the address */
    uint32_t low = 0, high = common->lib_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (common->libs[common->libs_by_start[middle]].start <= frame->address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return;
    const struct fm_firefox_lib *lib = &common->libs[common->libs_by_start[low - 1]];
    if (frame->address >= lib->end || lib->offset > lib->start) return;
    frame->module = lib->path;
    frame->build_id = lib->build_id;
    frame->load_address = lib->start - lib->offset;
    frame->flags |= FM_FRAME_LOAD;
}

/* Reads a function. If the function belongs to an image, it has an offset from the image's start, and this offset may
 * be its whole name. */
static void read_function(const struct fm_firefox_tables *tables, uint64_t number, uint64_t func,
                          struct fm_sample_frame *frame)
{
    uint64_t resource = 0, lib = UINT64_MAX, address = 0, printed = 0;
    frame->function = string_at(tables, FM_FIREFOX_NAME, func);
    frame->file = file_of(tables, func);
    if (!number_at(tables, FM_FIREFOX_FRAME_LIB, number, &lib) &&
        number_at(tables, FM_FIREFOX_RESOURCE, func, &resource))
        (void)number_at(tables, FM_FIREFOX_LIB, resource, &lib);
    if (lib >= tables->common->lib_count) return;
    frame->module = tables->common->libs[lib].path;
    frame->build_id = tables->common->libs[lib].build_id;
    if (!number_at(tables, FM_FIREFOX_ADDRESS, number, &address)) return;
    frame->address = address;
    frame->flags |= FM_FRAME_ADDRESS;
    frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    if (read_address(fm_samples_text(tables->set, frame->function), &printed)) frame->function = 0;
}

static uint32_t make_frame(const struct fm_firefox_tables *tables, uint64_t number)
{
    struct fm_sample_frame frame = {.address = 0};
    uint64_t func = 0, value = 0;
    if (number_at(tables, FM_FIREFOX_FUNC, number, &func))
        read_function(tables, number, func, &frame);
    else
        read_location(tables, number, &frame);
    if (frame.address_kind == FRAMEMAP_ADDRESS_ABSOLUTE) find_image(tables, &frame);
    if (number_at(tables, FM_FIREFOX_LINE, number, &value) && value <= UINT32_MAX) frame.line1 = (uint32_t)value;
    if (number_at(tables, FM_FIREFOX_COLUMN, number, &value) && value <= UINT32_MAX) frame.column1 = (uint32_t)value;
    if (number_at(tables, FM_FIREFOX_DEPTH, number, &value) && value > 0) frame.flags |= FM_FRAME_INLINED;
    return fm_samples_frame(tables->set, &frame);
}

/* --- stacks --- */

/* Returns the stack of the callers of `stack`; FM_NO_ID: the stack has no callers. Only a stack with a lower number is
 * accepted, so that stacks form no cycle. */
static uint32_t caller_of(const struct fm_firefox_tables *tables, uint32_t stack)
{
    uint64_t prefix = 0;
    if (number_at(tables, FM_FIREFOX_PREFIX, stack, &prefix)) return prefix < stack ? (uint32_t)prefix : FM_NO_ID;
    if (number_at(tables, FM_FIREFOX_OFFSET, stack, &prefix) && prefix > 0 && prefix <= stack)
        return stack - (uint32_t)prefix;
    return FM_NO_ID;
}

/* Makes a node of the sample set for each stack. A frame is made only once, even if several stacks have it. */
static bool make_nodes(struct fm_firefox_tables *tables, struct fm_arena *arena)
{
    const struct fm_firefox_column *stacks = &tables->parts[FM_FIREFOX_FRAME];
    uint32_t frames_size = tables->parts[FM_FIREFOX_FUNC].count;
    if (tables->parts[FM_FIREFOX_LOCATION].count > frames_size) frames_size = tables->parts[FM_FIREFOX_LOCATION].count;
    /* For each frame of Firefox's table, this array has the frame's number in the sample set, plus one. A 0 means that
     * the frame was not added to the set yet. */
    uint32_t *frames = FM_ARENA_ARRAY(arena, uint32_t, (size_t)frames_size + 1);
    tables->nodes = FM_ARENA_ARRAY(arena, uint32_t, (size_t)stacks->count + 1);
    if (frames == NULL || tables->nodes == NULL) return false;
    for (uint32_t i = 0; i < stacks->count && !tables->set->fault; i++) {
        const uint32_t caller = caller_of(tables, i);
        uint64_t number = 0;
        if (!number_at(tables, FM_FIREFOX_FRAME, i, &number) || number > frames_size) number = frames_size;
        if (frames[number] == 0) frames[number] = make_frame(tables, number) + 1;
        tables->nodes[i] =
            fm_samples_node(tables->set, caller == FM_NO_ID ? FM_NO_ID : tables->nodes[caller], frames[number] - 1);
    }
    return true;
}

struct part_row {
    const char *table, *member;
};
static const struct part_row part_rows[FM_FIREFOX_PARTS] = {
    [FM_FIREFOX_PREFIX] = {"stackTable", "prefix"},   [FM_FIREFOX_OFFSET] = {"stackTable", "prefixOffset"},
    [FM_FIREFOX_FRAME] = {"stackTable", "frame"},     [FM_FIREFOX_FUNC] = {"frameTable", "func"},
    [FM_FIREFOX_LINE] = {"frameTable", "line"},       [FM_FIREFOX_COLUMN] = {"frameTable", "column"},
    [FM_FIREFOX_ADDRESS] = {"frameTable", "address"}, [FM_FIREFOX_DEPTH] = {"frameTable", "inlineDepth"},
    [FM_FIREFOX_FRAME_LIB] = {"frameTable", "lib"},   [FM_FIREFOX_LOCATION] = {"frameTable", "location"},
    [FM_FIREFOX_NAME] = {"funcTable", "name"},        [FM_FIREFOX_FILE] = {"funcTable", "fileName"},
    [FM_FIREFOX_SOURCE] = {"funcTable", "source"},    [FM_FIREFOX_RESOURCE] = {"funcTable", "resource"},
    [FM_FIREFOX_LIB] = {"resourceTable", "lib"}};

bool fm_firefox_tables_read(struct fm_firefox_tables *tables, struct fm_arena *arena, int32_t owner)
{
    const struct fm_json *json = tables->json;
    int32_t strings = fm_json_get(json, owner, "stringArray");
    for (size_t i = 0; i < FM_FIREFOX_PARTS; i++) {
        const int32_t table = fm_json_get(json, owner, part_rows[i].table);
        if (!fm_firefox_column(json, arena, table, part_rows[i].member, &tables->parts[i])) return false;
    }
    if (strings < 0) strings = fm_json_get(json, owner, "stringTable");
    tables->strings = tables->common->strings;
    if (strings >= 0 && !list_values(json, arena, strings, &tables->strings)) return false;
    return make_nodes(tables, arena);
}

uint32_t fm_firefox_stack(const struct fm_firefox_tables *tables, uint64_t stack)
{
    return stack < tables->parts[FM_FIREFOX_FRAME].count ? tables->nodes[stack] : FM_NO_ID;
}
