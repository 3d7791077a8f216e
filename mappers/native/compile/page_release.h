/* Lets the caller drop pages of a mapped file whose debug info has been read (framemap_build_options.release_range).
 * Called while units are read. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_PAGE_RELEASE_H
#define FM_MAPPERS_NATIVE_COMPILE_PAGE_RELEASE_H

#include "mappers/native/compile/compile_job.h"

/* Pages are released each time that units of this many bytes have been read. A released page that is needed again has
 * to be read again; the value is so large that this is rare. */
#define FM_COMPILE_RELEASE_BYTES ((uint64_t)4 << 20)

/* Releases all debug sections, except string sections that are small. `job` is a struct fm_compile_job: the function is
 * also a callback. Any thread; returns at once while another thread releases. */
void fm_compile_release_pages(void *job);

/* Releases all debug sections. */
void fm_compile_release_all_pages(struct fm_compile_job *job);

#endif
