/* The functions, lines and inlined calls of a Go program without debug info, from the table that its runtime uses
 * (go_table.h). They are offered as a backend (dw_visitor.h), in which a unit is some consecutive functions. Called by
 * compile/. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_BACKEND_H
#define FM_MAPPERS_NATIVE_GO_GO_BACKEND_H

#include "mappers/native/dwarf/dw_visitor.h"

/* Returns Go's backend if an image has Go's table of functions and no debug info; otherwise returns `reader`. */
const struct fm_dw_backend *fm_go_backend_for(const struct fm_image *image, const struct fm_dw_backend *reader);

#endif
