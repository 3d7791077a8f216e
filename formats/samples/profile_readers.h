/* Readers of JSON profiles: each adds the stacks of one kind. Called by profile_document.c, which finds the documents.
 * Each returns whether the document is of its kind and had a stack. */
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

/* Returns a node from V8's callFrame: positions from 0. */
struct fm_profile_node fm_profile_call_frame(const struct fm_profile_tree *tree, int32_t frame);

/* Sets the parents of nodes whose "children" name them. nodes: a list, of which the first is node number `first`;
 * space: key space (fm_profile_key). */
void fm_profile_link_children(struct fm_profile_tree *tree, int32_t nodes, uint32_t first, uint64_t space);

#endif
