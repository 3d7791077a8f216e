/* Reads what the outputs "json" and "json-document" wrote: a trace or a list of images a line. Slots of the row of the
 * output "json". */
#ifndef FM_FORMATS_EVENTS_JSON_TRACES_H
#define FM_FORMATS_EVENTS_JSON_TRACES_H

#include "formats/format.h"
#include "formats/json_document.h"

struct fm_json_traces {
    struct fm_json_document document;
    bool lists;             /* the images of `report` were read */
    uint64_t report;        /* number of the report, as the lines of the JSON count it */
    enum fm_line_role role; /* role of the last physical line */
};

bool fm_json_traces_is_significant(const struct fm_line *line);
/* The slot `offer` of fm_format. name: the name in the row of the caller's format. */
enum fm_line_role fm_json_traces_offer(struct fm_json_traces *state, const char *name, struct fm_document *doc,
                                       const struct fm_line *line);

#endif
