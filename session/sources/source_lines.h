/* Adds lines of source files to frames: the line of each frame and lines around it (option --sources). Called by
 * restore_batch.c. */
#ifndef FM_SESSION_SOURCES_SOURCE_LINES_H
#define FM_SESSION_SOURCES_SOURCE_LINES_H

#include "core/hash/hash.h"
#include "core/mapfile.h"
#include "core/text/buffer.h"
#include "session/sources/source_tree.h"
#include <framemap/frame.h>

struct fm_source_lines_file;
struct fm_source_answer;

/* Caches for one text: the files that were opened, and the file that was found for each path. */
struct fm_source_lines {
    const struct fm_source_tree *tree;
    struct fm_heap *heap;
    uint32_t around; /* number of lines to add before and after a frame's line; 0: no lines are added */
    struct fm_buf path;
    struct fm_arena paths;
    struct fm_source_answer *answers; /* an answer for each path that was looked up */
    struct fm_table by_path;
    uint64_t key;
    size_t answer_count, answer_capacity;
    struct fm_source_lines_file *files; /* ring of open files; the file that was opened last is at `next` - 1 */
    size_t next;
};

void fm_source_lines_open(struct fm_source_lines *lines, const struct fm_source_tree *tree, uint32_t around,
                          struct fm_heap *heap);
void fm_source_lines_close(struct fm_source_lines *lines);

/* Sets context and context_line of the frames that have a file and a line, but no context yet. The restored frames and
 * the lines are copied into the arena. Returns false if out of memory. */
bool fm_source_lines_add(struct fm_source_lines *lines, struct fm_arena *arena, framemap_trace *traces, size_t count);

#endif
