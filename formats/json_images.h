/* Images that a JSON document lists for the stacks in its strings, in Datadog's errors of Apple's systems; the document
 * is one line:
 *
 *     {"error":{"stack":"0   App   0x0000000104e5f2a8 0x104e50000 + 62120\n…","binary_images":[
 *         {"uuid":"…","name":"App","load_address":"0x104e50000","max_address":"0x104e6ffff","arch":"arm64"}]}}
 *
 * Called by apple_symbols.c, which reads the rows. */
#ifndef FM_FORMATS_JSON_IMAGES_H
#define FM_FORMATS_JSON_IMAGES_H

#include "formats/json_document.h"

struct fm_json_images {
    /* `text` is the list of images; `seen1` is the last line that was searched for a list */
    struct fm_json_document document;
    bool listed; /* the images of the list in `document` were added to the report */
};

/* Called before each stack that begins on `line`. Ends the report of an earlier document. If the stack is in a string
 * of a JSON document that lists images, begins a report with these images. Searches each line once. */
void fm_json_images_begin(struct fm_json_images *images, struct fm_document *doc, const struct fm_line *line);

#endif
