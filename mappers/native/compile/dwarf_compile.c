/* Compiles the debug info and symbols of an image. Worker threads read units into batches; batches are merged into
 * the builder in unit order, so output and diagnostics do not depend on the number of threads. Addresses without a
 * unit are then described from symbols. */
#include "mappers/native/compile/dwarf_compile.h"

#include "core/error.h"
#include "core/text/text.h"
#include "mappers/native/compile/batch_builder.h"
#include "mappers/native/compile/compile_job.h"
#include "mappers/native/compile/overlap_search.h"
#include "mappers/native/compile/page_release.h"
#include "mappers/native/compile/requested_addresses.h"
#include "mappers/native/compile/unclaimed_code.h"
#include "mappers/native/compile/unit_rounds.h"
#include "mappers/native/debug_map/map_backend.h"
#include "mappers/native/dwarf/dw_sections.h"
#include "mappers/native/go/go_backend.h"

/* --- opening the debug info and reading the symbols --- */

static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct fm_compile_job *job = context;

    return fm_address_owners_claim(&job->owners, claim);
}

static void on_fault(void *context, const framemap_error *fault) { fm_compile_warn(context, fault); }

static void close_backends(struct fm_compile_job *job)
{
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) job->backend->worker_free(job->workers[i].worker);
    job->backend->close(job->debug);
}

static framemap_status open_debug_info(struct fm_compile_job *job)
{
    const struct fm_dw_open_callbacks survey = {job, on_claim, on_fault};

    fm_dw_sections_inflate(job->image, job->host->threads);
    return job->backend->open(job->image, job->host, &survey, &job->debug, &job->opening.error);
}

/* Reads the symbols into an arena of their own, because another thread may use the image's arena at the same time. */
static framemap_status read_symbols(struct fm_compile_job *job)
{
    struct fm_image twin = *job->image;
    framemap_error *error = &job->reading.error;

    if (job->flags & FM_DEBUGINFO_READ_SYMBOLS) {
        twin.arena = &job->symbol_arena;
        const framemap_status status = fm_image_symbols(&twin, error);
        if (status != FRAMEMAP_OK) return status;
    }
    if (!fm_symbol_fallback_build(&twin, job->heap, &job->symbols)) return fm_error_memory(error);
    job->read_symbols = twin.symbols;
    job->read_symbol_count = twin.symbol_count;
    return FRAMEMAP_OK;
}

static bool prepare_item(void *context, unsigned worker, size_t item)
{
    struct fm_compile_job *job = context;

    (void)worker;
    if (item == 0)
        job->opening.status = open_debug_info(job);
    else
        job->reading.status = read_symbols(job);
    return true;
}

/* Opens the debug info, and if requested reads the symbols at the same time. For relocatable files the symbols are read
 * first, because both steps count, in the sections of the image, the relocations that could not be applied. */
static framemap_status prepare(struct fm_compile_job *job, framemap_error *error)
{
    const bool together = (job->flags & FM_DEBUGINFO_READ_SYMBOLS) != 0 && !job->image->relocatable;

    if (!together) {
        if ((job->reading.status = read_symbols(job)) != FRAMEMAP_OK)
            return fm_compile_outcome_status(&job->reading, error);
        job->image->symbols = job->read_symbols;
        job->image->symbol_count = job->read_symbol_count;
        if (!fm_compile_list_addresses(job)) return fm_error_memory(error);
        job->opening.status = open_debug_info(job);
        return fm_compile_outcome_status(&job->opening, error);
    }
    fm_thread_team_run(job->host->threads, 2, prepare_item, job);
    job->image->symbols = job->read_symbols;
    job->image->symbol_count = job->read_symbol_count;
    const framemap_status status = fm_compile_outcome_status(&job->reading, error);
    return status == FRAMEMAP_OK ? fm_compile_outcome_status(&job->opening, error) : status;
}

static framemap_status read_debug_info(struct fm_compile_job *job, framemap_error *error)
{
    framemap_status status = prepare(job, error);

    if (status == FRAMEMAP_OK) status = fm_compile_walk_units(job, error);
    close_backends(job);
    fm_compile_release_all_pages(job);
    return status;
}

/* --- compiling the whole image --- */

/* Creates the missing scopes. The index of a linked image always has a scope for its addresses, even if all of its code
 * is unknown: this distinguishes it from the index of an object file, which is addressed by section. */
static framemap_status complete_scopes(struct fm_compile_job *job, framemap_error *error)
{
    uint32_t scope;

    if (job->image->by_section || fm_builder_count(job->builder) == 0) return FRAMEMAP_OK;
    const framemap_status status = fm_compile_scope(job, FM_DW_SCOPE_IMAGE, &scope);
    if (status != FRAMEMAP_OK && error != NULL) *error = job->error;
    return status;
}

static framemap_status run(struct fm_compile_job *job, framemap_error *error)
{
    if (!fm_compile_count_namesakes(job)) return fm_error_memory(error);
    framemap_status status = read_debug_info(job, error);
    if (status == FRAMEMAP_OK) status = fm_compile_write_symbols(job, error);
    return status == FRAMEMAP_OK ? complete_scopes(job, error) : status;
}

static void begin_compile(struct fm_compile_job *job)
{
    fm_address_owners_init(&job->owners, job->heap);
    job->owners.collect = fm_compile_collect_evidence;
    job->owners.collect_context = job;
    fm_batch_queue_init(&job->queue, job->heap, fm_builder_key(job->builder), NULL, job);
    fm_mutex_init(&job->release_lock);
    fm_arena_init(&job->symbol_arena, job->heap);
    job->symbols.code.heap = job->symbols.data.heap = job->heap;
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++)
        fm_unit_worker_init(&job->workers[i], job->heap, job->image, &job->symbols, job->flags,
                            fm_compile_release_pages, job);
}

static void end_compile(struct fm_compile_job *job)
{
    const size_t units = job->owners.unit_count;

    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) fm_unit_worker_free(&job->workers[i]);
    fm_batch_queue_free(&job->queue);
    fm_mutex_destroy(&job->release_lock);
    fm_heap_free(job->heap, job->section_scopes, job->image->section_count * sizeof *job->section_scopes);
    if (job->namesakes != NULL)
        fm_heap_free(job->heap, job->namesakes, job->image->section_count * sizeof *job->namesakes);
    fm_heap_free(job->heap, job->units, units * sizeof *job->units);
    fm_heap_free(job->heap, job->walked, units * sizeof *job->walked);
    fm_heap_free(job->heap, job->dropped, units * sizeof *job->dropped);
    fm_heap_free(job->heap, job->addresses, job->address_capacity * sizeof *job->addresses);
    fm_address_owners_free(&job->owners);
    fm_symbol_fallback_free(&job->symbols);
    fm_arena_free(&job->symbol_arena);
    if (job->flags & FM_DEBUGINFO_READ_SYMBOLS) {
        job->image->symbols = NULL;
        job->image->symbol_count = 0;
    }
}

framemap_status fm_debuginfo_compile_by(const struct fm_dw_backend *reader, struct fm_image *image, unsigned flags,
                                        const struct fm_mapper_host *host, struct fm_builder *builder,
                                        framemap_error *error)
{
    struct fm_compile_job *job = fm_heap_zalloc(host->heap, 1, sizeof *job);

    if (job == NULL) return fm_error_memory(error);
    /* .gnu_debugdata is read here, before a second thread reads symbols. */
    framemap_status status = fm_image_read_debugdata(image, error);
    job->backend = fm_go_backend_for(image, fm_map_backend_for(image, reader));
    job->image = image;
    job->flags = flags;
    job->host = host;
    job->builder = builder;
    job->heap = host->heap;
    begin_compile(job);
    if (status == FRAMEMAP_OK) status = run(job, error);
    end_compile(job);
    fm_heap_free(host->heap, job, sizeof *job);
    return status;
}

framemap_status fm_debuginfo_compile(struct fm_image *image, unsigned flags, const struct fm_mapper_host *host,
                                     struct fm_builder *builder, framemap_error *error)
{
    const struct fm_dw_backend *reader = fm_dw_backend_named(host->reader);

    if (reader == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no debug-info reader named \"%s\"", host->reader);
    return fm_debuginfo_compile_by(reader, image, flags, host, builder, error);
}

framemap_status fm_debuginfo_about(const struct fm_image *image, framemap_str kind, framemap_str name,
                                   struct fm_builder *builder, framemap_error *error)
{
    const struct fm_builder_about about = {
        .kind = kind,
        .id = framemap_str_of(image->id),
        .arch = framemap_str_of(image->arch),
        .name = fm_str_basename(name),
        .base = image->base,
        .address_bits = image->is64 ? 64 : 32,
        .big_endian = image->big_endian,
        .keys = FM_SCOPE_NAMED,
    };
    framemap_status status = fm_builder_about(builder, &about, error);
    if (status != FRAMEMAP_OK || image->altlink.size == 0 || !image->has_debug_info || image->alternate != NULL)
        return status;
    status = fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_ALTERNATE), image->altlink, error);
    if (status != FRAMEMAP_OK || image->altlink_id[0] == '\0') return status;
    return fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_ALTERNATE_ID), framemap_str_of(image->altlink_id), error);
}
