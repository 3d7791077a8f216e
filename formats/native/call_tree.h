/* Trees of calls, as samplers print them: a trace for each path from a root to a leaf. Called by the formats whose rows
 * are nodes of such trees (sample, spindump, MetricKit); it reads no text. */
#ifndef FM_FORMATS_NATIVE_CALL_TREE_H
#define FM_FORMATS_NATIVE_CALL_TREE_H

#include "formats/trace_document.h"

#define FM_CALL_TREE_LEVELS 1024 /* deeper nodes are put on the last level; stacks are cut at 512 frames */

/* State of a tree that is parsed. It has no pointers. Set it to zero before the first node of a tree. */
struct fm_call_tree {
    bool began;
    size_t missing;         /* nodes of the current path above the first frame of its trace */
    uint64_t nodes, copied; /* numbers of nodes and of copies so far: paths share nodes, and each path has its own
                               copies */
};

/* Adds a node as the child of the node on the level above it in the current path; level 0: a root. A path that does not
 * continue with its last node is a new trace, which begins with copies of the nodes that it shares with the path
 * before. known: what the text says of the stack. Returns the frame, valid until the next call, or NULL if out of
 * memory. */
framemap_frame *fm_call_tree_add(struct fm_call_tree *tree, struct fm_document *doc, const char *format,
                                 const framemap_trace *known, size_t level, const struct fm_line *line,
                                 const framemap_frame *frame);

/* For trees whose roots are outermost: the address of the last node is exact, that of a node with a child is a return
 * address, unless a signal interrupted it. Called before the child is added. */
void fm_call_tree_calls(struct fm_call_tree *tree, struct fm_document *doc, const char *format, size_t level,
                        const framemap_frame *child);

#endif
