/* The UUIDs of mappings of renamed classes, which Sentry's events name (debug_meta.images of type "proguard"). Called
 * by java_mapping_choice.c. */
#ifndef FM_SESSION_CATALOG_MAPPING_UUIDS_H
#define FM_SESSION_CATALOG_MAPPING_UUIDS_H

#include "session/session_state.h"

/* Whether an id has the form of a mapping's UUID (32 digits), and not the form of the ids that R8 writes. */
bool fm_is_mapping_uuid(framemap_str id);
/* Whether a mapping is named by its UUID: the UUID is the name of the file or of its folder. Sentry's Gradle plugin
 * makes a random UUID before R8 runs, so the UUID cannot be computed from the bytes of the mapping. uuid: a text
 * that fm_is_mapping_uuid accepts. */
bool fm_mapping_is_named(const struct fm_entry *entry, framemap_str uuid);
/* Computes whether `uuid` is the UUID that is derived from the bytes of a mapping, and stores the result in *out. The
 * mapping is read at the first such call of a session; indexes have no such UUID. Takes the session's lock. Errors:
 * MEMORY. */
framemap_status fm_mapping_has_uuid(framemap_session *session, const struct fm_entry *entry, framemap_str uuid,
                                    bool *out, framemap_error *error);

#endif
