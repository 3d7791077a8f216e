/* What a reader of debug info tells of an image, kept in order, so that two tellings can be held against each other:
 * the proof that a second reader is as good as the first. Claims, units, files, rows, functions with names and ranges,
 * faults in their words, and how all ended.
 *
 * Three things may differ and mean the same (dw_visitor.h): files may be announced any time before their use, so their
 * order is compared, and not their place among rows; a unit can be refused when the image is opened or when it is
 * walked, so a unit that is refused then is taken out together with its claim, and its error stands among the faults of
 * the opening; and those come in no order. */
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
    DW_EVENT_DONE, /* a part of the telling ended: its status, and its error if that is not OK */
    DW_EVENT_KINDS
};

/* Some events in a row. Memory is malloc's, so that the heap under test has only what is the reader's. */
struct dw_stream {
    uint64_t *words; /* of each event: its kind, its fields (dw_events.c has the table) */
    size_t count, capacity;
    char *texts;
    size_t text_size, text_capacity;
};

/* What a unit was told as. */
struct dw_told_unit {
    uint64_t offset, end;    /* in .debug_info, by its claim */
    size_t claim;            /* place in claims */
    size_t from, files_from; /* places of its events in bodies and files; they end with DONE */
    framemap_status status;  /* of its walk */
};

/* A telling. */
struct dw_events {
    struct dw_stream faults; /* of the opening, and of units that were refused later; sorted */
    struct dw_stream claims; /* of all units, refused ones too; the last event is DONE of the opening */
    struct dw_stream files;
    struct dw_stream bodies;
    struct dw_told_unit *units; /* by number */
    size_t unit_count, unit_capacity;
    size_t counts[DW_EVENT_KINDS];
    const char *unsound;  /* a promise of dw_visitor.h that was broken; NULL: none */
    uint32_t number;      /* of the unit that is walked */
    uint32_t announced;   /* files of it */
    size_t limit;         /* words; at so many the visitor stops as one without memory does. 0: none */
    bool full;            /* it did */
    bool silent;          /* faults are not kept */
    struct dw_stream *to; /* where faults go now */
};

/* Opens an image with a reader and walks all units, from the first to the last, or backwards: that must not matter. The
 * fields of *events but `limit` and `silent` are overwritten; dw_events_free when done. */
void dw_events_record(struct dw_events *events, const struct fm_dw_backend *reader, const struct fm_image *image,
                      const struct fm_mapper_host *host, bool backwards);
void dw_events_free(struct dw_events *events);

/* All events but DONE. */
size_t dw_events_total(const struct dw_events *events);
/* Units that the reader left to another one (UNSUPPORTED). */
size_t dw_events_left_over(const struct dw_events *events);
/* Whether some fault is of this code. */
bool dw_events_have_fault(const struct dw_events *events, framemap_status code);

/* Compares two tellings; false, and words for people to `to`, at the first difference: which unit, which entry, which
 * field, both events whole. Of units that either reader left over only the claims are compared. to NULL: no words. */
bool dw_events_equal(const struct dw_events *a, const char *a_name, const struct dw_events *b, const char *b_name,
                     FILE *to);

/* Whether one telling keeps what dw_visitor.h promises: numbers count up, files come before their use, what is entered
 * is left, no range is empty. */
bool dw_events_sound(const struct dw_events *events, const char *name, FILE *to);

#endif
