/* Numbers of the fields in pprof's messages (profile.proto). Also declares the reader of pprof_samples.c; the row of
 * the format is in pprof_write.c. */
#ifndef FM_FORMATS_PROFILES_PPROF_FIELDS_H
#define FM_FORMATS_PROFILES_PPROF_FIELDS_H

#include "formats/profiles/profile_format.h"

#define FM_PPROF_LABELS 64 /* maximum number of labels of one sample; further labels are ignored */

enum {
    PPROF_SAMPLE_TYPE = 1,
    PPROF_SAMPLE = 2,
    PPROF_MAPPING = 3,
    PPROF_LOCATION = 4,
    PPROF_FUNCTION = 5,
    PPROF_STRING = 6,
    PPROF_PERIOD_TYPE = 11,
    PPROF_PERIOD = 12,
    PPROF_DEFAULT_TYPE = 14
};
enum { PPROF_SAMPLE_LOCATION = 1, PPROF_SAMPLE_VALUE = 2, PPROF_SAMPLE_LABEL = 3 };
enum { PPROF_LABEL_KEY = 1, PPROF_LABEL_TEXT = 2, PPROF_LABEL_NUMBER = 3, PPROF_LABEL_UNIT = 4 };
enum {
    PPROF_MAPPING_START = 2,
    PPROF_MAPPING_LIMIT = 3,
    PPROF_MAPPING_OFFSET = 4,
    PPROF_MAPPING_FILE = 5,
    PPROF_MAPPING_BUILD_ID = 6,
    PPROF_MAPPING_HAS_FUNCTIONS = 7
};
enum { PPROF_LOCATION_MAPPING = 2, PPROF_LOCATION_ADDRESS = 3, PPROF_LOCATION_LINE = 4 };
enum { PPROF_LINE_FUNCTION = 1, PPROF_LINE_LINE = 2, PPROF_LINE_COLUMN = 3 };
enum { PPROF_FUNCTION_NAME = 2, PPROF_FUNCTION_SYSTEM_NAME = 3, PPROF_FUNCTION_FILE = 4 };

framemap_status fm_samples_read_pprof(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_pprof(framemap_str head);

#endif
