/* The UUID that Sentry's tools give a mapping of renamed classes. Called by api_identify.c and the session. */
#ifndef FM_API_MAPPING_UUID_H
#define FM_API_MAPPING_UUID_H

#include "core/text/guid.h"
#include <framemap/base.h>

/* Computes the UUID of a whole mapping. digits: 32 lower-case hexadecimal digits, without dashes. */
void fm_mapping_uuid(framemap_str bytes, char digits[FM_GUID_DIGITS]);

#endif
