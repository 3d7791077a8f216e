/* Reads the outputs "json" and "json-document" of framemap: a trace or a list of images on each line. Used by the
 * row of the output "json". */
#ifndef FM_FORMATS_EVENTS_JSON_TRACES_H
#define FM_FORMATS_EVENTS_JSON_TRACES_H

#include "formats/format.h"
#include "formats/json_document.h"

struct fm_json_traces {
    struct fm_json_document document;
    bool lists;             /* the images of the report `report` have been read */
    uint64_t report;        /* number of the current report in the JSON */
    enum fm_line_role role; /* result for the last physical line, returned again for each piece of that line */
};

bool fm_json_traces_is_significant(const struct fm_line *line);
/* Implements `offer` of struct fm_format. name: the format's name, as a pointer to the name in the caller's row. */
enum fm_line_role fm_json_traces_offer(struct fm_json_traces *state, const char *name, struct fm_document *doc,
                                       const struct fm_line *line);

#endif
