/* Public functions that return the names of the codes in base.h and frame.h, and the version. */
#include <framemap/frame.h>
#include <string.h>

const char *framemap_version(void) { return FRAMEMAP_VERSION_STRING; }

framemap_str framemap_str_of(const char *text) { return (framemap_str){text, text ? strlen(text) : 0}; }

const char *framemap_status_text(framemap_status status)
{
    switch (status) {
    case FRAMEMAP_OK: return "done";
    case FRAMEMAP_E_ARGUMENT: return "wrong argument";
    case FRAMEMAP_E_UNSUPPORTED: return "not supported";
    case FRAMEMAP_E_MEMORY: return "out of memory";
    case FRAMEMAP_E_LIMIT: return "limit passed";
    case FRAMEMAP_E_IO: return "file cannot be read or written";
    case FRAMEMAP_E_FORMAT: return "unknown kind of file";
    case FRAMEMAP_E_TRUNCATED: return "file is cut short";
    case FRAMEMAP_E_CORRUPT: return "file is damaged";
    case FRAMEMAP_E_VERSION: return "unknown version of the format";
    case FRAMEMAP_E_MISMATCH: return "file is not the requested one";
    case FRAMEMAP_E_EMPTY: return "nothing to look up";
    case FRAMEMAP_E_INTERNAL: return "internal error";
    }
    return "unknown status";
}

const char *framemap_frame_status_name(framemap_frame_status status)
{
    switch (status) {
    case FRAMEMAP_FRAME_RAW: return "raw";
    case FRAMEMAP_FRAME_OK: return "ok";
    case FRAMEMAP_FRAME_SYMBOL: return "symbol";
    case FRAMEMAP_FRAME_MISSING_SYMBOLS: return "missing-symbols";
    case FRAMEMAP_FRAME_UNKNOWN_IMAGE: return "unknown-image";
    case FRAMEMAP_FRAME_NO_MATCH: return "no-match";
    case FRAMEMAP_FRAME_AMBIGUOUS: return "ambiguous";
    case FRAMEMAP_FRAME_MALFORMED: return "malformed";
    case FRAMEMAP_FRAME_NOT_NEEDED: return "not-needed";
    }
    return "unknown";
}

const char *framemap_match_name(framemap_match match)
{
    switch (match) {
    case FRAMEMAP_MATCH_NONE: return "none";
    case FRAMEMAP_MATCH_ID: return "id";
    case FRAMEMAP_MATCH_MAP_ID: return "map-id";
    case FRAMEMAP_MATCH_DEBUG_ID: return "debug-id";
    case FRAMEMAP_MATCH_NAME: return "name";
    case FRAMEMAP_MATCH_CLASS: return "class";
    case FRAMEMAP_MATCH_CONTENT: return "content";
    case FRAMEMAP_MATCH_ONLY_MAP: return "only-map";
    case FRAMEMAP_MATCH_SCOPE: return "scope";
    }
    return "unknown";
}

const char *framemap_kind_name(framemap_kind kind)
{
    switch (kind) {
    case FRAMEMAP_KIND_UNKNOWN: return "unknown";
    case FRAMEMAP_KIND_NATIVE: return "native";
    case FRAMEMAP_KIND_JAVA: return "java";
    case FRAMEMAP_KIND_JS: return "js";
    case FRAMEMAP_KIND_DART: return "dart";
    case FRAMEMAP_KIND_OTHER: return "other";
    case FRAMEMAP_KIND_MARKER: return "marker";
    }
    return "unknown";
}

const char *framemap_marker_name(framemap_marker marker)
{
    switch (marker) {
    case FRAMEMAP_MARKER_NONE: return "";
    case FRAMEMAP_MARKER_ASYNC_GAP: return "async-gap";
    case FRAMEMAP_MARKER_SKIPPED: return "skipped";
    case FRAMEMAP_MARKER_ELIDED: return "elided";
    case FRAMEMAP_MARKER_REPEATED: return "repeated";
    case FRAMEMAP_MARKER_INVALID: return "invalid";
    case FRAMEMAP_MARKER_INNER_END: return "inner-end";
    }
    return "unknown";
}

const char *framemap_why_name(framemap_why why)
{
    switch (why) {
    case FRAMEMAP_WHY_NONE: return "";
    case FRAMEMAP_WHY_NO_SYMBOLS: return "no-symbols";
    case FRAMEMAP_WHY_OTHER_ID: return "other-id";
    case FRAMEMAP_WHY_NO_IMAGE: return "no-image";
    case FRAMEMAP_WHY_ANONYMOUS_MEMORY: return "anonymous-memory";
    case FRAMEMAP_WHY_NO_ENTRY: return "no-entry";
    case FRAMEMAP_WHY_NO_LINES: return "no-lines";
    case FRAMEMAP_WHY_SEVERAL_FIT: return "several-fit";
    case FRAMEMAP_WHY_MALFORMED: return "malformed";
    case FRAMEMAP_WHY_CHANGED_WHILE_READ: return "changed-while-read";
    case FRAMEMAP_WHY_OVER_MEMORY: return "over-memory";
    case FRAMEMAP_WHY_OVER_LIMIT: return "over-limit";
    case FRAMEMAP_WHY_OTHER_LABELS: return "other-labels";
    }
    return "unknown";
}

const char *framemap_role_name(framemap_role role)
{
    switch (role) {
    case FRAMEMAP_ROLE_NONE: return "";
    case FRAMEMAP_ROLE_CAUSE: return "cause";
    case FRAMEMAP_ROLE_SUPPRESSED: return "suppressed";
    case FRAMEMAP_ROLE_CIRCULAR: return "circular";
    case FRAMEMAP_ROLE_FREED_BY: return "freed-by";
    case FRAMEMAP_ROLE_ALLOCATED_BY: return "allocated-by";
    case FRAMEMAP_ROLE_THREAD_CREATED: return "thread-created";
    case FRAMEMAP_ROLE_PREVIOUS_ACCESS: return "previous-access";
    case FRAMEMAP_ROLE_LEAK: return "leak";
    }
    return "unknown";
}

const char *framemap_closed_by_name(framemap_closed_by closed_by)
{
    switch (closed_by) {
    case FRAMEMAP_CLOSED_BY_END: return "end";
    case FRAMEMAP_CLOSED_BY_DEADLINE: return "deadline";
    case FRAMEMAP_CLOSED_BY_SIZE: return "size";
    }
    return "unknown";
}

const char *framemap_image_symbols_name(framemap_image_symbols symbols)
{
    switch (symbols) {
    case FRAMEMAP_SYMBOLS_NOT_NEEDED: return "not-needed";
    case FRAMEMAP_SYMBOLS_FOUND: return "found";
    case FRAMEMAP_SYMBOLS_MISSING: return "missing";
    case FRAMEMAP_SYMBOLS_MISMATCH: return "mismatch";
    }
    return "unknown";
}
