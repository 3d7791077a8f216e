/* Readers of JSON profiles, one for each kind. Each adds the stacks of a document as traces, and returns whether the
 * document is of its kind and has a stack. Called by profile_document.c, which finds the documents. */
#ifndef FM_FORMATS_SAMPLES_PROFILE_READERS_H
#define FM_FORMATS_SAMPLES_PROFILE_READERS_H

#include "formats/samples/profile_tree.h"

bool fm_speedscope_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                        const struct fm_json *json);
bool fm_cpuprofile_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                        const struct fm_json *json);
bool fm_chrome_trace_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                          const struct fm_json *json);
bool fm_firefox_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                     const struct fm_json *json);

/* Makes a node from V8's callFrame, whose positions count from 0. */
struct fm_profile_node fm_profile_call_frame(const struct fm_profile_tree *tree, int32_t frame);

/* Sets the parents of nodes that are listed in "children" of other nodes. nodes: a JSON list of nodes, the first of
 * which is node number `first`; space: id space of the nodes (fm_profile_key). */
void fm_profile_link_children(struct fm_profile_tree *tree, int32_t nodes, uint32_t first, uint64_t space);

#endif
