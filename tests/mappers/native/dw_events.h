/* Records what a DWARF backend reports of an image, in order: claims, units, files, rows, functions with names and
 * ranges, fault messages, and the final status. Tests compare the backends by these recordings.
 *
 * Differences that dw_visitor.h allows do not matter:
 * - A file may be reported at any time before its use. The order of the files is compared, but not their position among
 *   the rows.
 * - A damaged unit may be rejected when the image is opened or when the unit is walked. If it is rejected in the walk,
 *   its claim is removed, and its error is recorded among the faults of opening the image.
 * - The faults of opening may come in any order, so they are sorted. */
#ifndef FM_TESTS_MAPPERS_NATIVE_DW_EVENTS_H
#define FM_TESTS_MAPPERS_NATIVE_DW_EVENTS_H

#include "mappers/native/dwarf/dw_visitor.h"

#include <stdio.h>

enum dw_event_kind {
    DW_EVENT_CLAIM,
    DW_EVENT_UNIT,
    DW_EVENT_FILE,
    DW_EVENT_ROW,
    DW_EVENT_ENTER,
    DW_EVENT_LEAVE,
    DW_EVENT_UNIT_END,
    DW_EVENT_FAULT,
    DW_EVENT_DONE, /* ends a part of the recording; has a status and, if it is not OK, an error */
    DW_EVENT_KINDS
};

/* Consecutive events. Their memory comes from malloc, so that the heap under test counts only the backend's memory. */
struct dw_stream {
    uint64_t *words; /* for each event the kind, then the fields (table in dw_event_stream.c) */
    size_t count, capacity;
    char *texts;
    size_t text_size, text_capacity;
};

/* What was recorded of one unit. */
struct dw_recorded_unit {
    uint64_t offset, end;    /* start and end in .debug_info, from the unit's claim */
    size_t claim;            /* index of the unit's claim in `claims` */
    size_t from, files_from; /* indexes of the unit's events in `bodies` and `files`; both lists of events end with
                                DONE */
    framemap_status status;  /* status of the unit's walk */
};

/* A recording. */
struct dw_events {
    struct dw_stream faults; /* faults of opening the image, and of units that were rejected later; sorted */
    struct dw_stream claims; /* claims of all units, also of rejected ones; the last event is DONE, with the status of
                                opening the image */
    struct dw_stream files;
    struct dw_stream bodies;
    struct dw_recorded_unit *units; /* indexed by unit number */
    size_t unit_count, unit_capacity;
    size_t counts[DW_EVENT_KINDS];
    const char *unsound;  /* the rule of dw_visitor.h that the backend broke; NULL: it broke none */
    uint32_t number;      /* number of the current unit */
    uint32_t announced;   /* number of the unit's files that were reported */
    size_t limit;         /* after this many events, the visitor stops as if out of memory; 0: no limit */
    bool full;            /* there were more than `limit` events, so that the visitor stopped */
    bool silent;          /* whether faults are not recorded */
    struct dw_stream *to; /* stream to which faults are added at present */
};

/* Opens an image with a backend and walks all units, forwards or backwards, which must give the same recording.
 * Overwrites all members of *events except `limit` and `silent`. Free the result with dw_events_free. */
void dw_events_record(struct dw_events *events, const struct fm_dw_backend *reader, const struct fm_image *image,
                      const struct fm_mapper_host *host, bool backwards);
void dw_events_free(struct dw_events *events);

/* Returns the number of events in a recording, without DONE events. */
size_t dw_events_total(const struct dw_events *events);
/* Whether any recorded fault has this code. */
bool dw_events_have_fault(const struct dw_events *events, framemap_status code);

/* Compares two recordings. At the first difference returns false and describes it to `to`: unit, entry, field, and
 * both events. `to` may be NULL. */
bool dw_events_equal(const struct dw_events *a, const char *a_name, const struct dw_events *b, const char *b_name,
                     FILE *to);

/* Whether a recording obeys the rules of dw_visitor.h: numbers ascend, files are reported before their use, entered
 * functions are left, no range is empty. */
bool dw_events_sound(const struct dw_events *events, const char *name, FILE *to);

#endif
