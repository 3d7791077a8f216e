/* The vendors whose events have stacks as JSON objects, one for each frame, and the names of their members. Used by
 * event_read.c and event_print.c. */
#ifndef FM_FORMATS_EVENTS_EVENT_VENDORS_H
#define FM_FORMATS_EVENTS_EVENT_VENDORS_H

#include "core/text/text.h"

#define FM_EVENT_MARKS 6
#define FM_EVENT_SWIFT "crashReport" /* `kind` of the documents that Swift's runtime writes */
#define FM_EVENT_FARO "faro"         /* `kind` that is assumed for Grafana Faro's documents, which do not state one */

struct fm_event_vendor {
    const char *name;        /* name of the format */
    framemap_str document;   /* `kind` of the vendor's documents; empty: any kind */
    framemap_str frames_key; /* name of the member with the array of frames */
    /* Members of a frame by which the vendor is recognized: an array with the name `frames_key` is a stack of this
     * vendor only if at least one frame has one of these members. The list ends at the first empty name. */
    framemap_str marks[FM_EVENT_MARKS];
    bool outermost_first;
    bool counts_from_0;   /* lines and columns count from 0, not from 1 */
    bool method_is_whole; /* for Java, `function` is "a.b.Class.method" */
    /* Number of objects, 1 or 2, around the array of frames, up to and including the holder: the object that has the
     * exception and the thread. */
    unsigned holder;
    /* names of members of the holder, the object that has the exception and the thread */
    framemap_str type, message, thread_id, thread_name, platform;
    /* name of the holder's member with the type of the exception, for holders without the member `type` */
    framemap_str other_type;
    framemap_str types; /* member of the document with a list of types, the first of which is that of the exception */
    /* name of the member of the holder (the object with the exception and the thread) that contains `type` and
     * `message`; empty: the holder itself contains them */
    framemap_str thrown;
    bool thrown_in_document; /* `thrown` is a member of the document, and applies to the thread that crashed */
    /* a holder (the object that has the stack and its thread) with a member of this name is a span, so its `type` is
     * not an exception */
    framemap_str span;
    /* name of the member with the thread's id, for a holder (the object that has the stack) that is a thread and not an
     * exception */
    framemap_str own_thread_id;
    /* Names of a frame's members; empty: the vendor has no such member. */
    framemap_str function, class_name, file, path, line, column;
    framemap_str script_id; /* member with the debug id of a script */
    framemap_str address, load, package, package_id;
    /* member that states what `address` counts from: "rel:2" is the start of the third image of the event's list, of
     * WebAssembly the start of the module's file; "abs" or absent: memory */
    framemap_str address_mode;
    /* Member with the address as an offset in the image. It is used for frames with an image id. If `bare_hex` is set,
     * it is used for all frames, since a frame may have no other address. */
    framemap_str offset;
    bool bare_hex; /* addresses are hexadecimal without "0x" */
    /* members that describe an ELF file, used if a frame has no member `package` */
    framemap_str other_package, other_id;
    framemap_str old_function; /* member that keeps the function of the original frame */
    framemap_str old_values;   /* member that keeps the original position as an object; for JavaScript only */
    bool has_context;      /* frames have the members pre_context, context_line and post_context with source lines */
    framemap_str distance; /* member with the distance from the start of the function */
    framemap_str trust;    /* member that states how the frame was found */
    framemap_str inlines;  /* member with an array of the functions inlined into the frame, innermost first */
    bool is_call;          /* addresses are those of calls, not return addresses */
    bool causes_follow;    /* in a list of exceptions, each is the cause of the exception before it */
    bool causes_precede;   /* in a list of exceptions, each is the cause of the exception after it */
    /* Member that states which kind of address a frame has. If a frame of a stack has "returnAddress" there, frames
     * without an address represent frames that were left out. */
    framemap_str address_kind;
    /* member with an object that has file, line and column; empty: the frame itself has these three members */
    framemap_str place;
    /* symbol: member with an object that describes the symbol; symbol_name: member of that object with the function's
     * name as the runtime found it. If there is no `symbol`, symbol_name is a member of the frame. */
    framemap_str symbol, symbol_name;
    /* member with the frame as the JavaScript engine printed it, from which the column is read; in frames of .NET the
     * member has the assembly */
    framemap_str row;
    framemap_str readable; /* member that repeats the function as text, with the offset in the function */
    /* member with all that is known of the address as text: "f+12 [/l/liba.so]", "f+12 [a.cc]:L7" */
    framemap_str described;
    bool all_return; /* the address of the innermost frame is a return address, too */
};

/* Returns the vendor of an array of frames; NULL: unknown. key: the member that has the array; document: the document's
 * `kind`, empty if the document has no `kind`; has(context, mark): whether a frame has the member `mark`. */
const struct fm_event_vendor *fm_event_vendor_of(framemap_str key, framemap_str document,
                                                 bool (*has)(void *context, framemap_str mark), void *context);
/* Returns the vendor of a frame, given the name of its format (compared by pointer) and the frame's object; NULL:
 * unknown. Several vendors may share one format: their frames differ in the member names for function and line, or for
 * the address. */
const struct fm_event_vendor *fm_event_vendor_named(framemap_str format, framemap_str raw);

extern const char fm_event_sentry[], fm_event_bugsnag[], fm_event_measure[], fm_event_crashlytics[], fm_event_cdp[],
    fm_event_react_native[], fm_event_minidump[], fm_event_error[];

#endif
