/* Implements call_tree.h: begins a trace for each path of a tree of calls, with copies of the nodes that the path
 * shares with the previous one. */
#include "formats/native/call_tree.h"

/* Each path of the tree gets copies of the nodes that it shares with the previous path. At most this many copies are
 * made per node of the text, because deep trees with many leaves would need far more. Once the limit is reached, paths
 * lack their outermost nodes. */
#define COPIES_MOST 64
#define COPIES_LEAST ((uint64_t)1 << 16)

static framemap_trace *current(const struct fm_call_tree *tree, struct fm_document *doc, const char *format)
{
    return tree->began ? fm_document_open(doc, format) : NULL;
}

static struct fm_line line_of(const framemap_frame *frame)
{
    return (struct fm_line){.text = frame->raw,
                            .body = frame->raw,
                            .offset = frame->raw_offset,
                            .number1 = frame->raw_line,
                            .text_number1 = frame->raw_line};
}

/* Begins the trace of a path. Its first frames are copies of the frames that it shares with the previous path. */
static bool begin_path(struct fm_call_tree *tree, struct fm_document *doc, const char *format,
                       const framemap_trace *known, size_t level, const struct fm_line *line)
{
    const framemap_trace *before = current(tree, doc, format);
    const framemap_frame *frames = before ? before->frames : NULL;
    size_t shared = before && level > tree->missing ? level - tree->missing : 0;
    if (before && shared > before->frame_count) shared = before->frame_count;
    if (tree->copied + shared > COPIES_LEAST + COPIES_MOST * tree->nodes) shared = 0;
    struct fm_line first = shared ? line_of(&frames[0]) : *line;
    if (fm_document_trace_like(doc, format, &first, known) == NULL) return false;
    tree->missing = shared ? tree->missing : level;
    tree->copied += shared;
    for (size_t i = 0; i < shared; i++) {
        const struct fm_line at = line_of(&frames[i]);
        if (fm_document_frame(doc, &at, &frames[i]) == NULL) return false;
    }
    tree->began = true;
    return true;
}

framemap_frame *fm_call_tree_add(struct fm_call_tree *tree, struct fm_document *doc, const char *format,
                                 const framemap_trace *known, size_t level, const struct fm_line *line,
                                 const framemap_frame *frame)
{
    const framemap_trace *trace = current(tree, doc, format);
    tree->nodes++;
    if (trace && trace->frame_count == 0) tree->missing = level; /* the path was closed early, this is its rest */
    if ((trace == NULL || level < tree->missing + trace->frame_count) &&
        !begin_path(tree, doc, format, known, level, line))
        return NULL;
    return fm_document_frame(doc, line, frame);
}

void fm_call_tree_calls(struct fm_call_tree *tree, struct fm_document *doc, const char *format, size_t level,
                        const framemap_frame *child)
{
    framemap_trace *trace = current(tree, doc, format);
    if (trace == NULL || level <= tree->missing || level - tree->missing > trace->frame_count) return;
    framemap_frame *caller = &trace->frames[level - tree->missing - 1];
    caller->return_address = !fm_str_equal(child->function, FM_STR("_sigtramp"));
}
