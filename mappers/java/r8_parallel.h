/* Reads a big mapping with several threads: the text is cut into shards of whole classes, each shard is read into a
 * builder of its own, and the shards are joined to the main builder in the order of the text.
 *
 * A shard is read without the text before it; only the version from the head is known. Where anything depends on that
 * text (a fault, a warning with a line number, another version) the shard is discarded, and the main reader reads it
 * again in its turn. So messages and their order are those of a single thread. */
#ifndef FM_MAPPERS_JAVA_R8_PARALLEL_H
#define FM_MAPPERS_JAVA_R8_PARALLEL_H

#include "mappers/java/r8_reader.h"

/* Whether reading the remaining text with several threads pays: it is long enough, and there are threads and memory. */
bool fm_r8_parallel_pays(const struct fm_r8_reader *reader);
/* Reads the text from reader->at, which is after the head, to the end. Errors: those of fm_r8_read. */
framemap_status fm_r8_parallel_read(struct fm_r8_reader *reader);

#endif
