/* The vendors whose events have stacks as JSON objects, one per frame, and the names of their members. Read by
 * event_read.c and event_print.c. */
#ifndef FM_FORMATS_EVENTS_EVENT_VENDORS_H
#define FM_FORMATS_EVENTS_EVENT_VENDORS_H

#include "core/text/text.h"

#define FM_EVENT_MARKS 6
#define FM_EVENT_SWIFT "crashReport" /* `kind` of the documents of Swift's runtime */
#define FM_EVENT_FARO "faro"         /* `kind` for Grafana Faro's documents, which state none */

struct fm_event_vendor {
    const char *name;        /* name of the format */
    framemap_str document;   /* value of `kind` in the vendor's documents; empty: any */
    framemap_str frames_key; /* the member with the array of frames */
    /* At least one frame of a stack has one of these members; otherwise an array of that name is not a stack of this
     * vendor. Empty ones end the list. */
    framemap_str marks[FM_EVENT_MARKS];
    bool outermost_first;
    bool counts_from_0;   /* lines and columns count from 0, not from 1 */
    bool method_is_whole; /* `function` is "a.b.Class.method" in Java */
    unsigned holder; /* the number of object levels, 1 or 2, from the array of frames up to the holder, the object with
                        exception and thread */
    framemap_str type, message, thread_id, thread_name, platform; /* names of members of the holder */
    framemap_str other_type; /* member of the holder that gives the type if there is no `type` */
    framemap_str thrown;     /* member of the holder: the object with `type` and `message`; empty: the holder itself */
    bool thrown_in_document; /* `thrown` is a member of the document, for the thread that crashed */
    framemap_str span;       /* a holder that has this member is a span: its `type` is not an exception's */
    framemap_str own_thread_id; /* member of the holder if that is a thread and not an exception */
    /* Members of a frame; empty: the vendor has none. */
    framemap_str function, class_name, file, path, line, column;
    framemap_str address, load, package, package_id;
    framemap_str offset; /* member with the address as an offset in the image, for frames with an image id; with
                            `bare_hex` for all frames, which may have no other address */
    bool bare_hex;       /* addresses are hexadecimal without "0x" */
    framemap_str other_package, other_id; /* members that describe an ELF file, used if the frame has no package */
    framemap_str old_function;            /* member that keeps the function that was replaced */
    framemap_str old_values;              /* an object with the position that was replaced, JavaScript only */
    bool has_context;                     /* pre_context, context_line, post_context */
    framemap_str distance;                /* member with the distance from the start of the function */
    framemap_str trust;                   /* member that says how the frame was found */
    framemap_str inlines;                 /* an array of the functions inlined into the frame's, the innermost first */
    bool is_call;                         /* addresses are those of calls, not of what they return to */
    bool causes_follow;                   /* in a list of exceptions, each is the cause of the one before */
    bool causes_precede;                  /* in a list of exceptions, each is the cause of the one after */
    framemap_str address_kind;        /* member that says what kind of address a frame has; with "returnAddress", frames
                                         without an address were left out */
    framemap_str place;               /* the object that has file, line and column; empty: the frame itself */
    framemap_str symbol, symbol_name; /* an object, and its member with the function as the runtime found it; without an
                                         object, the member of the frame itself */
    framemap_str row;      /* member with the frame as the engine printed it, from which the column is read; or with an
                              assembly of .NET */
    framemap_str readable; /* member with the function once more, followed by the offset in it as text */
};

/* Returns the vendor of an array; NULL: none. key: the member that holds it. document: `kind` of the document; empty:
 * it has none. has(context, mark): whether a frame has a member. */
const struct fm_event_vendor *fm_event_vendor_of(framemap_str key, framemap_str document,
                                                 bool (*has)(void *context, framemap_str mark), void *context);
/* Returns the vendor of a format's name, which is compared by pointer, and of a frame's object: several vendors may
 * have one format; their frames then differ in the names of function and line, or of the address. NULL: none. */
const struct fm_event_vendor *fm_event_vendor_named(framemap_str format, framemap_str raw);

extern const char fm_event_sentry[], fm_event_bugsnag[], fm_event_measure[], fm_event_crashlytics[], fm_event_cdp[],
    fm_event_react_native[], fm_event_minidump[], fm_event_error[];

#endif
