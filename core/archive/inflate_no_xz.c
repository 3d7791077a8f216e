/* Replaces inflate_xz.c in a build without liblzma (FRAMEMAP_WITH_XZ=OFF): opening xz data fails with a message. */
#include "core/archive/inflate_xz.h"

#include "core/error.h"

bool fm_xz_is_read(void) { return false; }

framemap_status fm_xz_open(struct fm_heap *heap, struct fm_xz **out, framemap_error *error)
{
    (void)heap, (void)out;
    return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                        "it has xz data, which this build of framemap does not read: unpack it first (unxz)");
}

void fm_xz_free(struct fm_xz *xz) { (void)xz; }

framemap_status fm_xz_step(struct fm_xz *xz, struct fm_xz_step *step, framemap_error *error)
{
    (void)xz, (void)step;
    return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "xz data is not read");
}
