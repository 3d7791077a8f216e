/* The state of one call of fm_debuginfo_compile, shared by the files that carry it out: dwarf_compile.c opens and
 * closes the debug info, unit_rounds.c reads units, overlap_search.c compares units that claim one address,
 * unclaimed_code.c writes addresses without a unit from symbols. Private to these files. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_COMPILE_JOB_H
#define FM_MAPPERS_NATIVE_COMPILE_COMPILE_JOB_H

#include "core/thread_team.h"
#include "mappers/native/compile/address_owners.h"
#include "mappers/native/compile/batch_queue.h"
#include "mappers/native/compile/unit_worker.h"

struct fm_compile_outcome {
    framemap_status status;
    framemap_error error;
};

struct fm_compile_job {
    struct fm_image *image;
    unsigned flags;
    const struct fm_mapper_host *host;
    struct fm_builder *builder;
    struct fm_heap *heap;
    framemap_status status; /* status of the first call that failed */
    framemap_error error;
    struct fm_compile_outcome opening,
        reading; /* results of opening the debug info and of reading the symbols, which may be done at the same time */
    struct fm_arena symbol_arena;
    struct fm_symbol *read_symbols;
    size_t read_symbol_count;
    struct fm_symbol_fallback symbols;
    uint64_t *addresses; /* the addresses to compile, ascending; NULL: all */
    size_t address_count, address_capacity;
    struct fm_address_owners owners;
    const struct fm_dw_backend *backend;
    struct fm_dw_debug *debug;
    struct fm_unit_worker workers[FM_THREAD_TEAM_MOST];
    struct fm_batch_queue queue;
    /* The units of the current round: those that are read together. */
    uint32_t *units;
    size_t unit_count;
    /* for each unit: `walked`: it was read in some round; `dropped`: it was discarded because its entries are
     * damaged */
    bool *walked, *dropped;
    bool lost_some;  /* a unit was discarded in this round */
    unsigned rounds; /* number of rounds that were started */
    /* held by a thread while it releases pages; a thread that does not get it skips the release instead of waiting */
    fm_mutex release_lock;
    uint64_t released_at; /* offset of the unit in .debug_info before which pages were last released */
    /* Numbers of the builder's scopes plus 1, or 0 while a scope has not been created. */
    uint32_t image_scope, data_scope, split_scope, *section_scopes;
    /* indexed by section number: how many sections that take memory have this section's name; set only for the first
     * section of each name */
    uint32_t *namesakes;
    bool has_producer;
};

bool fm_compile_fail(struct fm_compile_job *job, framemap_status status, const framemap_error *error);
bool fm_compile_note_status(struct fm_compile_job *job, framemap_status status);
void fm_compile_warn(const struct fm_compile_job *job, const framemap_error *fault);
framemap_status fm_compile_outcome_status(const struct fm_compile_outcome *outcome, framemap_error *error);
unsigned fm_compile_threads(const struct fm_compile_job *job);
framemap_status fm_compile_open_worker(struct fm_compile_job *job, struct fm_unit_worker *unit_worker,
                                       framemap_error *error);

#endif
