/* Reports the error that all files of resolve/java share. */
#include "resolve/java/java_rules.h"

#include "core/error.h"

framemap_status fm_java_damaged(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a method's records can't be read");
}
