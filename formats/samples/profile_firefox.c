/* Reads profiles of the Firefox profiler, in the format that it saves and in the one that Gecko writes:
 *
 *     {"meta":{"preprocessedProfileVersion":47},"threads":[{"name":"GeckoMain","samples":{"stack":[1]},
 *      "stackTable":{"prefix":[null,0],"frame":[0,1]},"frameTable":{"func":[0,1],"line":[null,7]},
 *      "funcTable":{"name":[0,1],"fileName":[null,2]},"stringArray":["main","run","a.c"]}]}
 *     {"meta":{"version":27},"threads":[{"samples":{"schema":{"stack":0},"data":[[1]]},
 *      "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},
 *      "frameTable":{"schema":{"location":0,"line":1},"data":[[0,null]]},"stringTable":["main (a.c:7)"]}]}
 *
 * Newer profiles have the strings of all threads, or all tables, in "shared"; the files of functions in a table
 * "sources"; and callers in "prefixOffset", which states how many stacks before a stack its caller is (0: it has
 * none). In old recordings of the developer tools, the profile is the member "profile". Gecko has the profiles of
 * other processes in "processes". Each different stack that was sampled is a trace with the sum of its weights;
 * traces are in the order of their first samples, and the outermost frame is first. */
#include "formats/row_parts.h"
#include "formats/samples/firefox_processes.h"
#include "formats/samples/profile_readers.h"

/* A column of a table. A table has columns, or rows with a schema. Elements of a JSON array cannot be accessed by
 * number, so the positions of all values of the column are listed. */
struct column {
    int32_t *values;
    uint32_t count;
};

struct tables {
    struct column prefix, offset, frame, func, line, column, name, file, source, sources, location, strings, samples,
        weights;
};

static bool allocate(struct fm_document *doc, struct column *column, uint32_t count)
{
    column->count = 0;
    column->values = fm_document_alloc(doc, ((size_t)count + 1) * sizeof *column->values);
    return column->values != NULL;
}

static bool list(struct fm_document *doc, const struct fm_json *json, int32_t array, struct column *column)
{
    if (!allocate(doc, column, fm_json_count(json, array))) return false;
    for (int32_t item = fm_json_first(json, array); item >= 0; item = fm_json_next(json, item))
        column->values[column->count++] = item;
    return true;
}

/* Returns the element of a row at the index that the schema states. */
static int32_t element(const struct fm_json *json, int32_t row, uint64_t place)
{
    int32_t item = fm_json_first(json, row);
    while (item >= 0 && place-- > 0) item = fm_json_next(json, item);
    return item;
}

static bool read_column(struct fm_document *doc, const struct fm_json *json, int32_t table, const char *member,
                        struct column *column)
{
    const int32_t schema = fm_json_get(json, table, "schema"), rows = fm_json_get(json, table, "data");
    uint64_t place = 0;
    if (schema < 0) return list(doc, json, fm_json_get(json, table, member), column);
    if (!fm_json_u64(json, fm_json_get(json, schema, member), &place)) return allocate(doc, column, 0);
    if (!allocate(doc, column, fm_json_count(json, rows))) return false;
    for (int32_t row = fm_json_first(json, rows); row >= 0; row = fm_json_next(json, row))
        column->values[column->count++] = element(json, row, place);
    return true;
}

static bool read_tables(struct fm_document *doc, const struct fm_json *json, int32_t profile, int32_t thread,
                        struct tables *tables)
{
    const int32_t shared = fm_json_get(json, profile, "shared");
    int32_t owner = fm_json_get(json, thread, "stackTable") >= 0 ? thread : shared;
    const int32_t stack = fm_json_get(json, owner, "stackTable"), frame = fm_json_get(json, owner, "frameTable"),
                  func = fm_json_get(json, owner, "funcTable");
    int32_t strings = fm_json_get(json, thread, "stringArray");
    if (strings < 0) strings = fm_json_get(json, thread, "stringTable");
    if (strings < 0) strings = fm_json_get(json, shared, "stringArray");
    return read_column(doc, json, stack, "prefix", &tables->prefix) &&
           read_column(doc, json, stack, "prefixOffset", &tables->offset) &&
           read_column(doc, json, stack, "frame", &tables->frame) &&
           read_column(doc, json, frame, "func", &tables->func) &&
           read_column(doc, json, frame, "line", &tables->line) &&
           read_column(doc, json, frame, "column", &tables->column) &&
           read_column(doc, json, frame, "location", &tables->location) &&
           read_column(doc, json, func, "name", &tables->name) &&
           read_column(doc, json, func, "fileName", &tables->file) &&
           read_column(doc, json, func, "source", &tables->source) &&
           read_column(doc, json, fm_json_get(json, shared, "sources"), "filename", &tables->sources) &&
           list(doc, json, strings, &tables->strings) &&
           read_column(doc, json, fm_json_get(json, thread, "samples"), "stack", &tables->samples) &&
           read_column(doc, json, fm_json_get(json, thread, "samples"), "weight", &tables->weights);
}

/* Reads the number at an index of a column. Returns false if not found. */
static bool number_at(const struct fm_json *json, const struct column *column, uint64_t at, uint64_t *out)
{
    return at < column->count && fm_json_u64(json, column->values[at], out);
}

static framemap_str string_at(const struct fm_profile_tree *tree, const struct tables *tables,
                              const struct column *column, uint64_t at)
{
    uint64_t string = 0;
    if (!number_at(tree->json, column, at, &string) || string >= tables->strings.count) return fm_str(NULL, 0);
    return fm_json_document_string(tree->json, tables->strings.values[string], tree->doc);
}

/* Returns the file of a function. In newer profiles, the function refers to a table of sources, which has the file. */
static framemap_str file_of(const struct fm_profile_tree *tree, const struct tables *tables, uint64_t func)
{
    const framemap_str file = string_at(tree, tables, &tables->file, func);
    uint64_t source = 0;
    if (file.size || !number_at(tree->json, &tables->source, func, &source)) return file;
    return string_at(tree, tables, &tables->sources, source);
}

/* Splits Gecko's location "run (https://a/b.js:7:3)" into function, file and position. */
static void split_location(struct fm_profile_node *node, framemap_str location)
{
    const size_t open = fm_str_find_last(location, FM_STR(" ("));
    node->function = location;
    if (open == FM_NOT_FOUND || open == 0 || location.data[location.size - 1] != ')') return;
    node->function = fm_str(location.data, open);
    node->file = fm_str_slice(location, open + 2, location.size - 1);
    fm_row_location(node->file, &node->file, &node->line1, &node->column1);
}

static struct fm_profile_node make_node(const struct fm_profile_tree *tree, const struct tables *tables, uint64_t frame)
{
    struct fm_profile_node node = {.parent = FM_PROFILE_NONE};
    uint64_t func = 0, number = 0;
    if (number_at(tree->json, &tables->func, frame, &func)) {
        node.function = string_at(tree, tables, &tables->name, func);
        node.file = file_of(tree, tables, func);
    } else {
        split_location(&node, string_at(tree, tables, &tables->location, frame));
    }
    if (number_at(tree->json, &tables->line, frame, &number) && number <= UINT32_MAX) node.line1 = (uint32_t)number;
    if (number_at(tree->json, &tables->column, frame, &number) && number <= UINT32_MAX) node.column1 = (uint32_t)number;
    return node;
}

/* Returns the stack of the callers of a stack. Only a stack with a lower number is accepted, so that stacks form no
 * cycle. */
static uint32_t caller_of(const struct fm_profile_tree *tree, const struct tables *tables, uint32_t stack)
{
    uint64_t prefix = 0, offset = 0;
    if (number_at(tree->json, &tables->prefix, stack, &prefix))
        return prefix < stack ? (uint32_t)prefix : FM_PROFILE_NONE;
    if (!number_at(tree->json, &tables->offset, stack, &offset) || offset == 0 || offset > stack)
        return FM_PROFILE_NONE;
    return stack - (uint32_t)offset;
}

/* Adds a node for each stack. */
static void add_nodes(struct fm_profile_tree *tree, const struct tables *tables)
{
    for (uint32_t i = 0; i < tables->frame.count; i++) {
        uint64_t frame = 0;
        if (!number_at(tree->json, &tables->frame, i, &frame)) frame = UINT64_MAX;
        struct fm_profile_node node = make_node(tree, tables, frame);
        node.parent = caller_of(tree, tables, i);
        node.key = i;
        fm_profile_node_add(tree, tables->frame.values[i], &node);
    }
}

/* State while the stacks of a profile and its nested profiles are read. */
struct firefox_job {
    struct fm_document *doc;
    const char *format;
    const struct fm_json_document *document;
    const struct fm_json *json;
    uint64_t frames; /* number of frames of all threads so far */
    bool any;        /* a stack was added */
};

static void firefox_read_thread(struct firefox_job *job, int32_t profile, int32_t thread)
{
    const struct fm_json *json = job->json;
    struct tables tables;
    struct fm_profile_tree tree;
    if (!read_tables(job->doc, json, profile, thread, &tables)) return;
    if (!fm_profile_tree_init(&tree, job->doc, job->format, job->document, json, tables.frame.count)) return;
    tree.frames = job->frames;
    add_nodes(&tree, &tables);
    for (uint32_t i = 0; i < tables.samples.count; i++) {
        uint64_t stack = 0, weight = 1; /* a weight that is not a whole number counts as 1 */
        (void)number_at(json, &tables.weights, i, &weight);
        if (number_at(json, &tables.samples, i, &stack) && stack < tree.count)
            fm_profile_sample(&tree, (uint32_t)stack, weight);
    }
    if (fm_profile_stacks(&tree)) job->any = true;
    job->frames = tree.frames;
}

static void read_threads(struct firefox_job *job, int32_t profile)
{
    const int32_t threads = fm_json_get(job->json, profile, "threads");
    for (int32_t thread = fm_json_first(job->json, threads); thread >= 0; thread = fm_json_next(job->json, thread))
        firefox_read_thread(job, profile, thread);
}

/* Reads a profile, and the profiles of other processes that are nested in it. */
static void read_processes(struct firefox_job *job, int32_t root)
{
    struct fm_firefox_processes walk;
    int32_t profile;
    fm_firefox_processes_start(&walk, job->json, root);
    while ((profile = fm_firefox_processes_next(&walk)) >= 0) read_threads(job, profile);
}

static bool is_profile(const struct fm_json *json, int32_t value)
{
    return value >= 0 && fm_json_get(json, value, "meta") >= 0 &&
           fm_json_type(json, fm_json_get(json, value, "threads")) == FM_JSON_ARRAY;
}

bool fm_firefox_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                     const struct fm_json *json)
{
    struct firefox_job job = {.doc = doc, .format = format, .document = document, .json = json};
    const int32_t inner = fm_json_get(json, 0, "profile");
    const int32_t root = is_profile(json, 0) ? 0 : inner;
    if (!is_profile(json, root)) return false;
    read_processes(&job, root);
    return job.any;
}
