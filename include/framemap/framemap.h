/* framemap: stack traces of client apps back to source level.
 *
 * The calls in the order a user meets them:
 *
 *     framemap_session_open      with the paths of symbol files
 *     framemap_session_restore   text in, text out: the main job in one call
 *     framemap_trace_parse       text to traces, framemap_trace_print back
 *     framemap_index_build       symbol bytes to index bytes
 *     framemap_index_open        from memory or a file
 *     framemap_resolve           one query on one index
 *     framemap_index_lookup_many addresses by the hundred on one index, in brief
 *     framemap_sourcemap_write   an index of a source map as a source map: flat, and composed with those of earlier
 * steps framemap_retracer_text     a Java text as R8's retrace prints it framemap_file_open         a file as bytes,
 * safely; framemap_guard_mapped_files framemap_mapper_list, framemap_format_list
 *
 * Threads: an opened index is immutable and shared freely; a session is locked inside; scratch belongs to one thread.
 * Memory: every call that allocates takes an allocator; results are borrowed or owned as each call says.
 */
#ifndef FRAMEMAP_H
#define FRAMEMAP_H

#include <framemap/base.h>
#include <framemap/convert.h>
#include <framemap/dart.h>
#include <framemap/file.h>
#include <framemap/frame.h>
#include <framemap/index.h>
#include <framemap/retrace.h>
#include <framemap/session.h>
#include <framemap/trace.h>

#endif
