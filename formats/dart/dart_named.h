/* Parses rows that have names, as the Dart VM prints them if symbols were not split off, and as its decoder prints
 * them; also parses the lines between rows that are not frames:
 *
 *     #0      main.<anonymous closure> (package:app/main.dart:12:3)
 *     <asynchronous suspension>
 *     ...     Normal element mounting (125 frames)
 *     (elided 12 frames from class _RawReceivePort and dart:async)
 *
 * Called by dart_trace.c and dart_terse.c. */
#ifndef FM_FORMATS_DART_DART_NAMED_H
#define FM_FORMATS_DART_DART_NAMED_H

#include "formats/format.h"

struct fm_dart_named {
    int64_t index;
    size_t from; /* offset of '#' in the line; words of a logger may precede it */
    framemap_str function, file;
    uint32_t line, column;
};
/* Parses a row with a name in linear time. Returns false if the text is not such a row. */
bool fm_dart_named_parse(framemap_str body, struct fm_dart_named *row);

struct fm_dart_marker {
    framemap_marker marker;
    bool has_index, has_count;
    bool restarts; /* rows after the marker are numbered from 0 again */
    int64_t index;
    uint64_t count;
};
/* Parses a marker, a line that has a meaning only between the rows of a trace. Takes linear time. Returns false if
 * the text is not a marker. */
bool fm_dart_marker_parse(framemap_str body, struct fm_dart_marker *out);
/* Adds a marker to the current trace. */
void fm_dart_marker_add(struct fm_document *doc, const struct fm_line *line, const struct fm_dart_marker *marker);

/* Whether a text names a Dart source: "package:a/b.dart", "dart:async", "/a/b.dart", "file:///a/b". */
bool fm_dart_is_source(framemap_str file);

/* Returns the text without blanks around it and without "flutter: ", which `flutter run` prints before each line. */
framemap_str fm_dart_untagged(framemap_str body);

#endif
