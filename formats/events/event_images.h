/* The state of reading an event: its JSON document, and the images that it lists. Called by event_read.c, which
 * reads the stacks. */
#ifndef FM_FORMATS_EVENTS_EVENT_IMAGES_H
#define FM_FORMATS_EVENTS_EVENT_IMAGES_H

#include "formats/json_document.h"

struct fm_event_level {
    int32_t value; /* an object or array of the document that contains the stack */
    int32_t next;  /* the key or element of `value` to visit next */
    /* Number, plus one, of the trace that gets an exception nested in `value` as its cause; 0: there is none. If
     * `value` is an exception, it is that exception's trace. If `value` is a list of exceptions linked as causes, it is
     * the trace of the last exception read. */
    uint64_t thrown1;
    /* in a list in which causes precede the exceptions that they caused: the last exception read has a "parent_id" */
    bool has_parent;
};

#define FM_EVENT_WAITING 32
/* An exception in a list in which causes precede the exceptions that they caused. It waits until the exception that it
 * caused is read. */
struct fm_event_waiting {
    int32_t list;
    uint64_t number; /* number of the waiting exception's trace */
    uint64_t parent; /* its "parent_id": the id of the exception that it caused */
};

struct fm_event_reader {
    struct fm_document *doc;
    const struct fm_json *json;
    struct fm_json_lines lines;
    struct fm_event_level *levels; /* the objects and arrays around the stack that is read, outermost first */
    size_t depth;                  /* number of elements in `levels` */
    framemap_str platform;         /* the event's "platform" */
    framemap_str kind;             /* the document's "kind" */
    /* the list of images: Sentry's debug_meta.images, KSCrash's or Swift's list, or the modules of a minidump; -1: the
     * event has no list */
    int32_t images;
    /* the object with "crash_info", which rust-minidump writes; -1: there is no such object */
    int32_t dump;
    int32_t crashed;        /* index of the crashed thread in rust-minidump's "threads"; -1: not stated */
    framemap_str mapping;   /* for Sentry: the UUID of the only mapping of renamed classes among the images */
    int32_t *image_values;  /* the elements of `images`, so that one can be found by its number */
    size_t image_count;     /* number of elements in `image_values` */
    framemap_image *listed; /* the images of the event that have an address */
    size_t listed_count;
    struct fm_event_waiting waiting[FM_EVENT_WAITING];
    size_t waiting_count;
    bool any;
};

/* Returns the value of a member of an object; -1 if there is no such member, or `object` is not an object. If
 * several members have the name, the last one is returned. */
int32_t fm_event_member(const struct fm_event_reader *reader, int32_t object, framemap_str name);
/* Returns a string member of an object, decoded in memory of the document; absent if there is no such member. */
framemap_str fm_event_text(const struct fm_event_reader *reader, int32_t object, framemap_str name);
/* Reads a member that is a JSON number, or a string with a number such as "12" or "0x1f". */
bool fm_event_number(const struct fm_event_reader *reader, int32_t object, framemap_str name, uint64_t *out);
/* Reads a member that is an address: a number or a string. bare: the string is hexadecimal without "0x", such as
 * "0000000102324000". */
bool fm_event_address(const struct fm_event_reader *reader, int32_t object, framemap_str name, bool bare,
                      uint64_t *out);

/* Sets `listed` to those images that have an address, and `image_values` to all images. */
void fm_event_list_images(struct fm_event_reader *reader);
/* Reads path, name, id and architecture of an image of the event's list, which need not have an address. *is_wasm:
 * whether it is a WebAssembly module. Returns false if the list has no image of that number. */
bool fm_event_numbered_image(const struct fm_event_reader *reader, uint64_t number, framemap_image *out, bool *is_wasm);
/* Adds the images in `listed` to the current report, as if they were printed on the last line of the event. */
void fm_event_add_images(struct fm_event_reader *reader, const struct fm_json_document *document);
/* Returns the UUID of the mapping of renamed classes; absent if the event lists several mappings. */
framemap_str fm_event_mapping(const struct fm_event_reader *reader);
/* Returns the debug id of a script, from the images of the event. */
framemap_str fm_event_script_id(const struct fm_event_reader *reader, framemap_str file, framemap_str path);

#endif
