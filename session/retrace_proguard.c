/* Printing as ProGuard's retrace does. */
#include "session/retracer.h"

framemap_status fm_retrace_put_as_proguard(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                           const struct fm_java_answer *answer, framemap_error *error)
{
    for (size_t i = 0; i < answer->chain_count; i++)
        for (size_t k = 0; k < answer->chains[i].count; k++) {
            framemap_status status = fm_retrace_put_frame(retracer, sight, &answer->chains[i].frames[k], &retracer->out, error);
            fm_buf_byte(&retracer->out, '\n');
            if (status == FRAMEMAP_OK) status = fm_retrace_flush(retracer, false, error);
            if (status != FRAMEMAP_OK) return status;
        }
    return FRAMEMAP_OK;
}
