/* JOB */
#ifndef FM_MAPPERS_NATIVE_COMPILE_COMPILE_JOB_H
#define FM_MAPPERS_NATIVE_COMPILE_COMPILE_JOB_H

#include "core/thread_team.h"
#include "mappers/native/compile/address_owners.h"
#include "mappers/native/compile/batch_queue.h"
#include "mappers/native/compile/unit_worker.h"

/* The reader that walks what the chosen one can't; opened when it is needed, one thread at a time. */
struct fm_compile_fallback {
    fm_mutex lock;
    bool tried;
    framemap_status status; /* of opening it */
    framemap_error error;
    struct fm_dw_debug *debug;
    struct fm_dw_worker *worker;
    uint64_t *offsets; /* of its units, by its numbers: rising */
    size_t count, capacity;
};

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
    framemap_status status; /* of the first call that failed */
    framemap_error error;
    struct fm_compile_outcome opening, reading; /* of the debug info, of the symbols */
    struct fm_arena symbol_arena;
    struct fm_symbol *read_symbols;
    size_t read_symbol_count;
    struct fm_symbol_fallback symbols;
    uint64_t *addresses; /* that alone are asked for, rising; NULL: all */
    size_t address_count, address_capacity;
    struct fm_address_owners owners;
    const struct fm_dw_backend *backend;
    struct fm_dw_debug *debug;
    struct fm_compile_fallback fallback;
    struct fm_unit_worker workers[FM_THREAD_TEAM_MOST];
    struct fm_batch_queue queue;
    /* A round: units that are walked together. */
    uint32_t *units;
    size_t unit_count;
    bool *walked, *dropped; /* by unit: some round walked it; its entries can't be trusted */
    bool lost_some;         /* in this round */
    unsigned rounds;        /* before this one */
    fm_mutex release_lock;  /* whoever does it; others leave it to that one */
    uint64_t released_at;   /* offset of the unit before which pages were let go of last */
    /* Of the builder, made when they are needed: number + 1. */
    uint32_t image_scope, data_scope, split_scope, *section_scopes;
    uint32_t *namesakes; /* at the first section of a name: how many sections of the name take memory */
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
