/* Checks and errors that the calls of all three forms of a builder share. Included by the files that implement them. */
#ifndef FM_INDEX_WRITE_MODEL_RECORD_CHECKS_H
#define FM_INDEX_WRITE_MODEL_RECORD_CHECKS_H

#include "core/error.h"
#include "index/write/builder.h"

static inline framemap_status fm_no_such_record(framemap_error *error, const char *what)
{
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "this builder has no such %s", what);
}
static inline framemap_status fm_too_many_records(framemap_error *error, const char *what)
{
    return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 billion %s", what);
}
/* Whether no further record can get a number: FM_NONE is not a number, and codes in the file are one greater than
 * numbers. */
static inline bool fm_records_are_full(size_t count) { return count >= UINT32_MAX - 2; }
/* Whether a number is FM_NONE, or the number of one of `count` records. */
static inline bool fm_record_is_known(uint32_t number, size_t count) { return number == FM_NONE || number < count; }

#endif
