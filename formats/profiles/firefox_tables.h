/* Reads the tables of a profile of the Firefox profiler: stacks, frames, functions, images and strings, of one
 * thread or of all threads. Called by firefox_samples.c. */
#ifndef FM_FORMATS_PROFILES_FIREFOX_TABLES_H
#define FM_FORMATS_PROFILES_FIREFOX_TABLES_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"

/* A column of a table: its values in the JSON document. */
struct fm_firefox_column {
    int32_t *values;
    uint32_t count;
};

enum fm_firefox_part {
    FM_FIREFOX_PREFIX,
    FM_FIREFOX_OFFSET,
    FM_FIREFOX_FRAME,
    FM_FIREFOX_FUNC,
    FM_FIREFOX_LINE,
    FM_FIREFOX_COLUMN,
    FM_FIREFOX_ADDRESS,
    FM_FIREFOX_DEPTH,
    FM_FIREFOX_FRAME_LIB,
    FM_FIREFOX_LOCATION,
    FM_FIREFOX_NAME,
    FM_FIREFOX_FILE,
    FM_FIREFOX_SOURCE,
    FM_FIREFOX_RESOURCE,
    FM_FIREFOX_LIB,
    FM_FIREFOX_PARTS
};

struct fm_firefox_lib {
    uint32_t path, build_id; /* numbers of strings in the sample set */
    uint64_t start, end, offset;
};

/* The data that all threads of a process share. */
struct fm_firefox_common {
    struct fm_firefox_column strings, sources; /* columns of tables in the member `shared` */
    struct fm_firefox_lib *libs;
    uint32_t *libs_by_start; /* numbers of the libraries, sorted by start address */
    uint32_t lib_count;
};

struct fm_firefox_tables {
    framemap_sample_set *set;
    const struct fm_json *json;
    const struct fm_firefox_common *common;
    struct fm_firefox_column parts[FM_FIREFOX_PARTS], strings;
    uint32_t *nodes; /* for each stack: its node in the sample set */
};

/* Finds the column `member` of a table. The table may have columns, or rows and a schema. The column is empty if the
 * table has no such member. Returns false if out of memory. */
bool fm_firefox_column(const struct fm_json *json, struct fm_arena *arena, int32_t table, const char *member,
                       struct fm_firefox_column *column);
/* Reads the data that all threads of a process share. profile: the JSON object of the process. The memory is from the
 * arena, which must live as long as the document. Returns false if out of memory. */
bool fm_firefox_common_read(struct fm_firefox_common *common, framemap_sample_set *set, const struct fm_json *json,
                            struct fm_arena *arena, int32_t profile);
/* Reads the tables of a thread, or those that all threads share. owner: the JSON object that contains the tables. set,
 * json and common of `tables` must be set before the call. The memory is from the arena, which must live as long as the
 * document. Returns false if out of memory. */
bool fm_firefox_tables_read(struct fm_firefox_tables *tables, struct fm_arena *arena, int32_t owner);
/* Returns the node of the sample set for a stack; FM_NO_ID: there is no such stack. */
uint32_t fm_firefox_stack(const struct fm_firefox_tables *tables, uint64_t stack);

#endif
