/* Trees of calls, as sampling profilers print them: each path from a root to a leaf becomes a trace. Called by the
 * formats whose rows are nodes of such trees (sample, spindump, MetricKit); it reads no text. */
#ifndef FM_FORMATS_NATIVE_CALL_TREE_H
#define FM_FORMATS_NATIVE_CALL_TREE_H

#include "formats/trace_document.h"

#define FM_CALL_TREE_LEVELS 1024 /* deeper nodes are put on the last level; stacks are cut at 512 frames anyway */

/* State of a tree that is being parsed. It contains no pointers. Zero it before the first node of a tree. */
struct fm_call_tree {
    bool began;
    size_t missing; /* how many nodes at the start of the current path have no frame in its trace */
    /* nodes: number of nodes added so far; copied: number of frames copied so far, since each path has copies of the
     * nodes that it shares with the previous one */
    uint64_t nodes, copied;
};

/* Adds a node to the current path, as the child of the node on the level above; level 0 is a root. If the path already
 * has a node on that level, a new path begins there. It is a new trace, which starts with copies of the nodes above
 * that level. known: thread, process and the like of the trace. Returns the frame, valid until the next call, or NULL
 * if out of memory. */
framemap_frame *fm_call_tree_add(struct fm_call_tree *tree, struct fm_document *doc, const char *format,
                                 const framemap_trace *known, size_t level, const struct fm_line *line,
                                 const framemap_frame *frame);

/* Called before a child is added, for trees whose roots are the outermost functions: marks the parent's address as a
 * return address, unless the child shows that a signal interrupted the parent. So the address of a node with a child is
 * a return address, and that of a leaf is exact. */
void fm_call_tree_calls(struct fm_call_tree *tree, struct fm_document *doc, const char *format, size_t level,
                        const framemap_frame *child);

#endif
