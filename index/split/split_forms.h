/* The values of each form of an index, and the head. Called by split.c. */
#ifndef FM_INDEX_SPLIT_SPLIT_FORMS_H
#define FM_INDEX_SPLIT_SPLIT_FORMS_H

#include "index/split/splitter.h"

framemap_status fm_split_positions(struct fm_splitter *splitter);
framemap_status fm_split_segments(struct fm_splitter *splitter);
framemap_status fm_split_classes(struct fm_splitter *splitter);
/* Writes the head, once all other values are written. */
framemap_status fm_split_head(struct fm_splitter *splitter);

#endif
