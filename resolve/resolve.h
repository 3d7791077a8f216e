/* Index view + query to frames: inline chains, alternatives, names made readable. Never sees foreign bytes. */
#ifndef FM_RESOLVE_H
#define FM_RESOLVE_H

#include "core/heap.h"
#include "index/view.h"
#include <framemap/index.h>

/* Answers one query into arena memory (strings may also be borrowed from the view). *out is written on success; see framemap_resolve. */
framemap_status fm_resolve(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena, framemap_frame *out,
                           framemap_error *error);

/* A name made readable: in the arena, or the input itself when it is not mangled or can't be read. Never fails on a hostile name:
 * bounded in time, stack and memory. symbol suffixes (".cold", "@@GLIBC_2.2.5") are kept as each style keeps them. */
framemap_str fm_demangle(framemap_str symbol, framemap_demangle style, struct fm_arena *arena);

/* Removes what a CPU or its tools put into a code address: the thumb bit of ARM, pointer-authentication bits of arm64e. */
uint64_t fm_address_clean(framemap_str arch, uint64_t address);

#endif
