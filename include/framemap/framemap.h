/* framemap: restores stack traces of client apps to source level.
 *
 * The calls, the most common ones first:
 *
 *     framemap_session_open       opens a session with the paths of symbol files
 *     framemap_session_restore    restores the stacks in a text: the main task in one call
 *     framemap_document_restore   does so for a document whose parts have lengths: an envelope of Sentry
 *     framemap_stream_open        does so for text that arrives in pieces
 *     framemap_rows_open          does so for one field of each row of a table
 *     framemap_trace_parse        parses a text to traces; framemap_trace_print writes traces
 *     framemap_convert            reads a text or profile in one format and writes it in another
 *     framemap_index_build        compiles the bytes of a symbol file to the bytes of an index
 *     framemap_index_open         opens an index in memory; framemap_index_open_file opens a file
 *     framemap_resolve            looks up one position of one index
 *     framemap_index_lookup_many  looks up hundreds of addresses of one index
 *     framemap_index_split        writes an index as values for a key-value store; a framemap_fetch requests them
 *     framemap_redis_open         connects to Redis: framemap_redis_push stores indexes, framemap_redis_fetch gets them
 *     framemap_sourcemap_write    writes an index of a source map as a source map, composed with others if requested
 *     framemap_inject             writes a debug id into a script and its source map
 *     framemap_retracer_text      restores a Java text as R8's retrace does
 *     framemap_dart_decoder_text  restores a Dart text as `flutter symbolize` does
 *     framemap_groups_add         groups restored stacks by their fingerprints (framemap_trace_fingerprint)
 *     framemap_sample_set_read    reads a profile; framemap_sample_tree_make weighs its functions
 *     framemap_file_open          opens a file safely as bytes; see also framemap_guard_mapped_files
 *     framemap_mapper_list        lists the kinds of symbol files; framemap_format_list lists the formats of stacks
 *
 * Threads: an opened index is immutable and may be shared; a session is locked internally; a scratch belongs to one
 * thread. Memory: every object is made with an allocator of the caller's choice; results are borrowed or owned as each
 * call documents. */
#ifndef FRAMEMAP_H
#define FRAMEMAP_H

#include <framemap/base.h>
#include <framemap/convert.h>
#include <framemap/dart.h>
#include <framemap/envelope.h>
#include <framemap/file.h>
#include <framemap/frame.h>
#include <framemap/group.h>
#include <framemap/index.h>
#include <framemap/inject.h>
#include <framemap/kv.h>
#include <framemap/redis.h>
#include <framemap/retrace.h>
#include <framemap/rows.h>
#include <framemap/samples.h>
#include <framemap/session.h>
#include <framemap/sourcemap.h>
#include <framemap/stream.h>
#include <framemap/trace.h>
#include <framemap/verify.h>
#include <framemap/weight_tree.h>

#endif
