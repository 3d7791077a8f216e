/* Index view + query to frames: inline chains, alternatives, names made readable. Never sees foreign bytes. */
#ifndef FM_RESOLVE_RESOLVE_H
#define FM_RESOLVE_RESOLVE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Answers one query into arena memory (strings may also be borrowed from the view). *out is written on success; see
 * framemap_resolve. */
/* The reasons of answers that other files would complete: FRAMEMAP_FRAME_SYMBOL, with the frames that are known. */
extern const char fm_no_lines[];      /* the debug info of the code is in a .dwo file */
extern const char fm_no_names[];      /* names of functions are in a file that dwz made */
extern const char fm_not_relocated[]; /* no lines: debug info of an object file has relocations of kinds that are not
                                         known. No other file has them */
/* Which file that is, for the reason of an answer to the query; text of the view or the arena, id may be absent. false:
 * none of these reasons, or no file is known. */
bool fm_resolve_companion(const struct fm_view *view, const framemap_query *query, const char *reason,
                          struct fm_arena *arena, framemap_str *path, framemap_str *id);

framemap_status fm_resolve(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                           framemap_frame *out, framemap_error *error);

/* Many positions at once, for views of positions: see framemap_index_lookup_many. frame_room: how many frames the last
 * list of the same caller had room for, 0 at first; brought up to date, so that a warm call takes memory once. */
framemap_status fm_resolve_many(const struct fm_view *view, const framemap_query *query, const uint64_t *positions,
                                size_t count, struct fm_arena *arena, size_t *frame_room, framemap_location_list *out,
                                framemap_error *error);

/* One of them alone. */
framemap_status fm_resolve_brief(const struct fm_view *view, const framemap_query *query, uint64_t position,
                                 struct fm_arena *arena, framemap_location_list *out, framemap_error *error);

/* A name made readable: in the arena, or the input itself when it is not mangled or can't be read. Never fails on a
 * hostile name: bounded in time, stack and memory. symbol suffixes (".cold", "@@GLIBC_2.2.5") are kept as each style
 * keeps them. */
framemap_str fm_demangle(framemap_str symbol, framemap_demangle style, struct fm_arena *arena);

/* Removes what a CPU or its tools put into a code address: the thumb bit of ARM, pointer-authentication bits of arm64e.
 */
uint64_t fm_address_clean(framemap_str arch, uint64_t address);

#endif
