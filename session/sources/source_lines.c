/* Implements source_lines.h: finds the source file for the path of each frame, splits it into lines once, and copies
 * the lines around the frame's line. A limited number of files is kept open; the file that was opened first is closed
 * first. */
#include "session/sources/source_lines.h"

#include "api/group/owner_path.h"
#include "core/archive/member_file.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "session/catalog/path_text.h"

enum { OPEN_MOST = 32 };       /* greatest number of files that are kept open during a text */
enum { ANSWERS_MOST = 65536 }; /* greatest number of paths for which the result of the search is cached */

/* An opened file that was split into lines. */
struct fm_source_lines_file {
    uint32_t number;
    bool is_open;
    struct fm_mapfile file;
    size_t *starts; /* offset of the start of each line */
    size_t count, capacity;
};

struct fm_source_answer {
    framemap_str path;
    uint32_t file; /* number of the source file; FM_NO_SOURCE: no file was found for the path */
};

void fm_source_lines_open(struct fm_source_lines *lines, const struct fm_source_tree *tree, uint32_t around,
                          struct fm_heap *heap)
{
    *lines = (struct fm_source_lines){.tree = tree, .heap = heap, .around = tree->file_count ? around : 0};
    fm_buf_init(&lines->path, heap);
    fm_arena_init(&lines->paths, heap);
    fm_table_init(&lines->by_path, heap);
    lines->key = fm_hash_key(lines);
}

static void close_source(struct fm_source_lines *lines, struct fm_source_lines_file *source)
{
    fm_mapfile_close(&source->file);
    fm_heap_free(lines->heap, source->starts, source->capacity * sizeof *source->starts);
    *source = (struct fm_source_lines_file){.number = 0};
}

void fm_source_lines_close(struct fm_source_lines *lines)
{
    if (lines->heap == NULL) return;
    for (size_t i = 0; lines->files && i < OPEN_MOST; i++) close_source(lines, &lines->files[i]);
    fm_heap_free(lines->heap, lines->files, OPEN_MOST * sizeof *lines->files);
    fm_heap_free(lines->heap, lines->answers, lines->answer_capacity * sizeof *lines->answers);
    fm_table_free(&lines->by_path);
    fm_arena_free(&lines->paths);
    fm_buf_free(&lines->path);
}

/* --- finding the file for a path --- */

static bool same_path(const void *context, uint32_t id, const void *key)
{
    return fm_str_equal(((const struct fm_source_lines *)context)->answers[id].path, *(const framemap_str *)key);
}

/* Finds the source file for a path in symbols; each path is searched only once. *file: number of the source file.
 * Returns false if out of memory. */
static bool find_file(struct fm_source_lines *lines, framemap_str path, uint32_t *file)
{
    const uint64_t hash = fm_hash_text(path, lines->key);
    const uint32_t known = fm_table_find(&lines->by_path, hash, same_path, lines, &path);
    if (known != UINT32_MAX) {
        *file = lines->answers[known].file;
        return true;
    }
    *file = fm_source_tree_find(lines->tree, path);
    if (lines->answer_count == ANSWERS_MOST) return true;
    if (!FM_GROW(lines->heap, lines->answers, lines->answer_capacity, lines->answer_count + 1) ||
        !fm_table_reserve(&lines->by_path, 1))
        return false;
    struct fm_source_answer *answer = &lines->answers[lines->answer_count];
    if (!fm_arena_str(&lines->paths, path, &answer->path)) return false;
    answer->file = *file;
    return fm_table_add(&lines->by_path, hash, (uint32_t)lines->answer_count++);
}

/* --- finding the lines of a source file --- */

static bool cut_lines(struct fm_source_lines *lines, struct fm_source_lines_file *source)
{
    struct fm_scan s = fm_scan_of(source->file.bytes);
    framemap_str line;
    while (!fm_scan_done(&s)) {
        if (!FM_GROW(lines->heap, source->starts, source->capacity, source->count + 1)) return false;
        source->starts[source->count++] = (size_t)(s.at - source->file.bytes.data);
        (void)fm_scan_code_line(&s, &line);
    }
    return true;
}

/* Opens a file. If too many files are open, the file that was opened first is closed. A file that cannot be read has no
 * lines. Returns NULL if out of memory. */
static struct fm_source_lines_file *open_file(struct fm_source_lines *lines, uint32_t number)
{
    char path[FM_PATH_ROOM];
    framemap_error ignored;
    if (lines->files == NULL) lines->files = fm_heap_zalloc(lines->heap, OPEN_MOST, sizeof *lines->files);
    if (lines->files == NULL) return NULL;
    for (size_t i = 0; i < OPEN_MOST; i++)
        if (lines->files[i].is_open && lines->files[i].number == number) return &lines->files[i];
    struct fm_source_lines_file *source = &lines->files[lines->next];
    lines->next = (lines->next + 1) % OPEN_MOST;
    close_source(lines, source);
    source->number = number;
    source->is_open = true;
    if (!fm_source_tree_path(lines->tree, number, path)) return source;
    const framemap_status status = fm_member_file_open(path, FM_LIMIT_SOURCE, lines->heap, &source->file, &ignored);
    if (status == FRAMEMAP_E_MEMORY) return NULL;
    if (status != FRAMEMAP_OK || source->file.bytes.size > FM_LIMIT_SOURCE) return source;
    return cut_lines(lines, source) ? source : NULL;
}

/* Returns a line and the lines around it, without the line end of the last line. The result is absent if the file does
 * not have the line, or if these lines are too long. */
static framemap_str lines_around(const struct fm_source_lines *lines, const struct fm_source_lines_file *source,
                                 uint32_t line1, uint32_t *first1)
{
    const size_t at = line1 - 1, around = lines->around;
    if (at >= source->count) return (framemap_str){NULL, 0};
    const size_t first = at > around ? at - around : 0;
    const size_t after = source->count - at > around + 1 ? at + around + 1 : source->count;
    const size_t end = after < source->count ? source->starts[after] : source->file.bytes.size;
    framemap_str text = fm_str_slice(source->file.bytes, source->starts[first], end);
    if (text.size > FM_LIMIT_CONTEXT) return (framemap_str){NULL, 0};
    if (text.size && text.data[text.size - 1] == '\n') text.size--;
    if (text.size && text.data[text.size - 1] == '\r') text.size--;
    *first1 = (uint32_t)first + 1;
    return text;
}

static bool wants_lines(const framemap_frame *source)
{
    return source->line && source->file.size && source->context.size == 0;
}

/* Finds the source lines for a frame and copies them into the arena. Returns false if out of memory. */
static bool find_lines(struct fm_source_lines *lines, struct fm_arena *arena, framemap_kind kind,
                       framemap_frame *source)
{
    uint32_t file, first1 = 0;
    const framemap_str path = fm_source_path(&lines->path, kind, source);
    if (lines->path.failed || !find_file(lines, path, &file)) return false;
    if (file == FM_NO_SOURCE) return true;
    const struct fm_source_lines_file *opened = open_file(lines, file);
    if (opened == NULL) return false;
    const framemap_str text = lines_around(lines, opened, source->line, &first1);
    if (text.size == 0) return true;
    if (!fm_arena_str(arena, text, &source->context)) return false;
    source->context_line = first1;
    return true;
}

static bool add_to_chain(struct fm_source_lines *lines, struct fm_arena *arena, framemap_frame *frame)
{
    const size_t count = frame->restored.count;
    framemap_frame *sources = FM_ARENA_ARRAY(arena, framemap_frame, count);
    uint64_t left = FM_LIMIT_ANSWER_TEXT;
    if (sources == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        sources[i] = frame->restored.frames[i];
        if (!wants_lines(&sources[i])) continue;
        if (left >= FM_LIMIT_CONTEXT && !find_lines(lines, arena, frame->kind, &sources[i])) return false;
        left -= sources[i].context.size < left ? sources[i].context.size : left;
    }
    frame->restored.frames = sources;
    return true;
}

static bool add_to_frame(struct fm_source_lines *lines, struct fm_arena *arena, framemap_frame *frame)
{
    bool any = false;
    if (frame->kind == FRAMEMAP_KIND_MARKER) return true;
    if (frame->restored.count == 0) return !wants_lines(frame) || find_lines(lines, arena, frame->kind, frame);
    for (size_t i = 0; i < frame->restored.count; i++) any = any || wants_lines(&frame->restored.frames[i]);
    return !any || add_to_chain(lines, arena, frame);
}

bool fm_source_lines_add(struct fm_source_lines *lines, struct fm_arena *arena, framemap_trace *traces, size_t count)
{
    if (lines->around == 0) return true;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < traces[i].frame_count; j++)
            if (!add_to_frame(lines, arena, &traces[i].frames[j])) return false;
    return true;
}
