/* Implements java_join.h: checks whether a Java row directly follows the last row of a native stack (or, after some
 * lines about locks, that of a mixed one), and then makes both one stack of the format "android-anr". */
#include "formats/java/java_join.h"
#include "formats/parsers.h"

const char fm_android_anr_name[] = "android-anr";

bool fm_java_joins_thread(struct fm_document *doc, const struct fm_line *line)
{
    /* A row is at most this many lines below the previous one: lines such as "- waiting on <0x0cd03f02> (a
     * java.lang.Object)" may be between the two. */
    enum { LOCKS = 3 };
    framemap_trace *native = fm_document_open(doc, fm_android_tombstone.info.name);
    framemap_trace *trace = native ? native : fm_document_open(doc, fm_android_anr_name);
    if (trace == NULL || trace->frame_count == 0) return false;
    const uint64_t distance = line->text_number1 - trace->frames[trace->frame_count - 1].raw_line;
    if (distance > (native ? 1 : LOCKS) || trace->exception.size > 0 || trace->role != FRAMEMAP_ROLE_NONE) return false;
    trace->format = fm_str(fm_android_anr_name, sizeof fm_android_anr_name - 1);
    return true;
}
