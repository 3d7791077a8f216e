/* Helpers for the tests of sessions: small indexes made by hand, temporary folders, collected output and warnings. */
#ifndef FM_TESTS_SESSION_SESSION_HELP_H
#define FM_TESTS_SESSION_SESSION_HELP_H

#include "core/text/buffer.h"
#include "tests/testing.h"

#include "index/write/builder.h"
#include <framemap/framemap.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* An image with a few functions. Function i starts at 0x100 * (i + 1), has the size 0x40 and the line "src/NAME.c":10 *
 * (i + 1). The second half of each function is an inlined function "inner", whose call is at that line. The image's
 * base is 0x10000, so that linked addresses differ from offsets in the image. */
struct made_image {
    const char *kind, *name, *id, *arch;
    const char *functions[4]; /* mangled names; NULL after the last one */
    const char *code_offsets; /* value of the attribute for code offsets; NULL: the index does not have the attribute */
};

#define MADE_BASE 0x10000u

static inline void must_ok(framemap_status status, const framemap_error *error)
{
    if (status != FRAMEMAP_OK) fail_msg("status %d: %s: %s", (int)status, error->where, error->message);
}

static inline void make_function(struct fm_builder *builder, uint32_t scope, uint32_t file, const char *symbol,
                                 uint64_t start, uint32_t line1)
{
    framemap_error error = {0};
    struct fm_function function = {.class_name = FM_NONE, .decl_file = FM_NONE, .language = FM_LANGUAGE_CXX},
                       inner = function;
    struct fm_node root = {.parent = FM_NONE,
                           .call_file = FM_NONE,
                           .flags = FM_NODE_HAS_START,
                           .start = start,
                           .size = 0x40,
                           .symbol = FM_NONE};
    struct fm_node call = {.call_file = file, .call_line1 = line1, .call_col1 = 3, .symbol = FM_NONE};
    uint32_t root_number, call_number;
    must_ok(fm_builder_string(builder, framemap_str_of(symbol), &function.name, &error), &error);
    must_ok(fm_builder_string(builder, FM_STR("_Z5inneri"), &inner.name, &error), &error);
    must_ok(fm_builder_function(builder, &function, &root.function, &error), &error);
    must_ok(fm_builder_function(builder, &inner, &call.function, &error), &error);
    must_ok(fm_builder_node(builder, &root, &root_number, &error), &error);
    call.parent = root_number;
    must_ok(fm_builder_node(builder, &call, &call_number, &error), &error);
    const struct fm_place first = {root_number, file, line1, 1, FM_NONE, 0},
                          second = {call_number, file, 7, 9, FM_NONE, 0};
    must_ok(fm_builder_position(builder, scope, start, &first, 1, &error), &error);
    must_ok(fm_builder_position(builder, scope, start + 0x20, &second, 1, &error), &error);
    must_ok(fm_builder_end(builder, scope, start + 0x40, &error), &error);
}

/* Returns the index of an image, to be freed by the caller. */
static inline framemap_bytes make_index(const struct made_image *image)
{
    struct fm_heap heap;
    struct fm_builder *builder;
    struct fm_built built;
    framemap_error error = {0};
    uint32_t scope, file;
    char path[80];
    fm_heap_init(&heap, NULL, 0);
    must_ok(fm_builder_create(&heap, &builder, &error), &error);
    const struct fm_builder_about about = {.kind = framemap_str_of(image->kind ? image->kind : "elf"),
                                           .id = framemap_str_of(image->id),
                                           .arch = framemap_str_of(image->arch),
                                           .name = framemap_str_of(image->name),
                                           .base = MADE_BASE,
                                           .address_bits = 64};
    must_ok(fm_builder_about(builder, &about, &error), &error);
    snprintf(path, sizeof path, "src/%s.c", image->name);
    must_ok(fm_builder_file(builder, framemap_str_of(path), &file, &error), &error);
    must_ok(fm_builder_scope(builder, FM_STR(""), &scope, &error), &error);
    for (uint32_t i = 0; i < 4 && image->functions[i]; i++)
        make_function(builder, scope, file, image->functions[i], 0x100 * (i + 1), 10 * (i + 1));
    if (image->code_offsets)
        must_ok(fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_CODE_OFFSETS), framemap_str_of(image->code_offsets),
                                     &error),
                &error);
    must_ok(fm_builder_finish(builder, &built, &error), &error);
    fm_builder_free(builder);
    return (framemap_bytes){.data = built.data, .size = built.size};
}

/* --- files --- */

struct folder {
    char path[64];
};

static inline void folder_make(struct folder *folder)
{
    strcpy(folder->path, "/tmp/framemap-test-XXXXXX");
    if (mkdtemp(folder->path) == NULL) fail_msg("no folder for the test");
}

static inline const char *in_folder(const struct folder *folder, const char *name)
{
    static char path[4][512];
    static unsigned next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder->path, name);
    return out;
}

/* Removes a folder that a test has created, with all files in it. */
static inline void remove_tree(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0) return;
    if (!S_ISDIR(st.st_mode)) {
        unlink(path);
        return;
    }
    chmod(path, 0700);
    DIR *dir = opendir(path);
    for (struct dirent *row; dir && (row = readdir(dir)) != NULL;) {
        char below[1024];
        if (strcmp(row->d_name, ".") == 0 || strcmp(row->d_name, "..") == 0) continue;
        if ((size_t)snprintf(below, sizeof below, "%s/%s", path, row->d_name) >= sizeof below) continue;
        remove_tree(below);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

/* Writes a file, and creates the folders above it. */
static inline void put_file(const struct folder *folder, const char *name, framemap_str bytes)
{
    char path[8192];
    assert_true((size_t)snprintf(path, sizeof path, "%s/%s", folder->path, name) < sizeof path);
    for (char *at = path + strlen(folder->path) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = 0;
        mkdir(path, 0755);
        *at = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (bytes.size) assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

static inline void put_index(const struct folder *folder, const char *name, const struct made_image *image)
{
    framemap_bytes bytes = make_index(image);
    put_file(folder, name, framemap_bytes_str(&bytes));
    framemap_bytes_free(&bytes);
}

static inline framemap_bytes get_file(const char *path)
{
    framemap_bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    assert_int_equal(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

/* Returns the number of files below a folder whose names end with `tail`. */
static inline unsigned count_files(const char *path, const char *tail)
{
    unsigned count = 0;
    DIR *dir = opendir(path);
    for (struct dirent *row; dir && (row = readdir(dir)) != NULL;) {
        char below[1024];
        struct stat st;
        if (row->d_name[0] == '.') continue;
        if ((size_t)snprintf(below, sizeof below, "%s/%s", path, row->d_name) >= sizeof below) continue;
        if (stat(below, &st) == 0 && S_ISDIR(st.st_mode))
            count += count_files(below, tail);
        else if (fm_str_ends(framemap_str_of(row->d_name), framemap_str_of(tail)))
            count++;
    }
    if (dir) closedir(dir);
    return count;
}

/* --- output --- */

static inline bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* The number of warnings, and the last warning. */
struct warnings {
    unsigned count;
    framemap_error last;
};

static inline void keep_warning(void *context, const framemap_error *warning)
{
    struct warnings *warnings = context;
    warnings->count++;
    warnings->last = *warning;
}

#endif
