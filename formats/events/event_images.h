/* The document of an event while it is read, its members, and the images that it lists. Called by event_read.c, which
 * reads the stacks. */
#ifndef FM_FORMATS_EVENTS_EVENT_IMAGES_H
#define FM_FORMATS_EVENTS_EVENT_IMAGES_H

#include "formats/json_document.h"

struct fm_event_level {
    int32_t value; /* a container of the stack: an object or array */
    int32_t next;  /* the key or element to be visited next */
    /* One more than the number of a trace; 0: none. If the value is an exception, that of its trace; if the value is
     * a list in which causes follow or precede, that of the last exception. An exception within the value is its
     * cause. */
    uint64_t thrown1;
    bool has_parent; /* the last exception of a list in which causes precede has a parent */
};

#define FM_EVENT_WAITING 32
/* An exception of a list in which causes precede, until the one that it caused is read. */
struct fm_event_waiting {
    int32_t list;
    uint64_t number; /* number of the list's trace */
    uint64_t parent; /* id of the exception that these exceptions caused */
};

struct fm_event_reader {
    struct fm_document *doc;
    const struct fm_json *json;
    struct fm_json_lines lines;
    struct fm_event_level *levels; /* the containers around the stack that is read, the outermost first */
    size_t depth;                  /* number of levels */
    framemap_str platform;         /* the event's "platform" */
    framemap_str kind;             /* the document's "kind" */
    int32_t images;         /* Sentry's debug_meta.images, KSCrash's, Swift's, or the modules of a minidump; -1: none */
    int32_t dump;           /* what rust-minidump wrote: the object with crash_info; -1: none */
    int32_t crashed;        /* index of the crashed thread in the dump's threads; -1: not given */
    framemap_str mapping;   /* Sentry: the UUID of the only mapping among the images */
    framemap_image *listed; /* the images that have an address */
    size_t listed_count;
    struct fm_event_waiting waiting[FM_EVENT_WAITING];
    size_t waiting_count;
    bool any;
};

/* Returns the value of an object's member; -1: there is none, or the value is not an object. If several members have
 * the name, the last one counts. */
int32_t fm_event_member(const struct fm_event_reader *reader, int32_t object, framemap_str name);
/* Returns a string of an object, decoded into the document; absent if it has none of that name. */
framemap_str fm_event_text(const struct fm_event_reader *reader, int32_t object, framemap_str name);
/* Reads a number, as a JSON number or as a string: "12", "0x1f". */
bool fm_event_number(const struct fm_event_reader *reader, int32_t object, framemap_str name, uint64_t *out);
/* Reads an address, as a number or a string. bare: the string is hexadecimal without "0x": "0000000102324000". */
bool fm_event_address(const struct fm_event_reader *reader, int32_t object, framemap_str name, bool bare,
                      uint64_t *out);

/* Sets `listed` to those images that have an address. */
void fm_event_list_images(struct fm_event_reader *reader);
/* Adds the listed images to the document of stacks, as if they were on the last line of the event. */
void fm_event_add_images(struct fm_event_reader *reader, const struct fm_json_document *document);
/* Returns the UUID of the mapping of renamed classes; absent if the event has several. */
framemap_str fm_event_mapping(const struct fm_event_reader *reader);
/* Returns the debug id of a script, from the images of the event. */
framemap_str fm_event_script_id(const struct fm_event_reader *reader, framemap_str file, framemap_str path);

#endif
