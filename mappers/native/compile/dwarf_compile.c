/* Debug info and symbols of an image to the builder. Units are walked by a crew, each into a pack of its own; the
 * builder takes the packs in the order of the units, so that nothing of what comes out or is told hangs on the number
 * of threads. */
#include "core/error.h"
#include "core/text/buffer.h"
#include "core/thread_team.h"
#include "mappers/native/compile/address_owners.h"
#include "mappers/native/compile/batch_queue.h"
#include "mappers/native/compile/unit_worker.h"
#include "mappers/native/dwarf/dw_libdwarf.h"
#include "mappers/native/dwarf/dw_sections.h"
#include "mappers/native/image/sorted_keys.h"

/* The reader that walks what the chosen one can't; opened when it is needed, one thread at a time. */
struct second {
    fm_mutex lock;
    bool tried;
    framemap_status status; /* of opening it */
    framemap_error error;
    struct fm_dw_debug *debug;
    struct fm_dw_worker *worker;
    uint64_t *offsets; /* of its units, by its numbers: rising */
    size_t count, capacity;
};

struct outcome {
    framemap_status status;
    framemap_error error;
};

struct compile {
    struct fm_image *image;
    unsigned flags;
    const struct fm_mapper_host *host;
    struct fm_builder *builder;
    struct fm_heap *heap;
    framemap_status status; /* of the first call that failed */
    framemap_error error;
    struct outcome opening, reading; /* of the debug info, of the symbols */
    struct fm_arena symbol_arena;
    struct fm_symbol *read_symbols;
    size_t read_symbol_count;
    struct fm_symbol_fallback symbols;
    uint64_t *addresses; /* that alone are asked for, rising; NULL: all */
    size_t address_count, address_capacity;
    struct fm_address_owners owners;
    const struct fm_dw_reader *reader;
    struct fm_dw_debug *debug;
    struct second second;
    struct fm_unit_work works[FM_THREAD_TEAM_MOST];
    struct fm_batch_queue relay;
    /* A round: units that are walked together. */
    uint32_t *units;
    size_t unit_count;
    bool *walked, *dropped; /* by unit: some round walked it; its entries can't be trusted */
    bool lost_some;         /* in this round */
    unsigned rounds;        /* before this one */
    fm_mutex letting_go;    /* whoever does it; others leave it to that one */
    uint64_t let_go_at;     /* offset of the unit before which pages were let go of last */
    /* Of the builder, made when they are needed: number + 1. */
    uint32_t image_scope, data_scope, split_scope, *section_scopes;
    uint32_t *namesakes; /* at the first section of a name: how many sections of the name take memory */
    bool has_producer;
};

static bool fail(struct compile *compile, framemap_status status, const framemap_error *error)
{
    if (compile->status == FRAMEMAP_OK) {
        compile->status = status;
        compile->error = *error;
    }
    return false;
}

static bool keep(struct compile *compile, framemap_status status)
{
    if (status != FRAMEMAP_OK && compile->status == FRAMEMAP_OK) compile->status = status;
    return status == FRAMEMAP_OK;
}

static void tell(const struct compile *compile, const framemap_error *fault)
{
    if (compile->host->warning != NULL) compile->host->warning(compile->host->context, fault);
}

/* --- packs to the builder: one at a time, in order --- */

/* Object files can have many sections of one name, of groups for instance: those keys have the number, too, ".text@7".
 */
static framemap_status section_scope(struct compile *compile, uint32_t number, uint32_t *out)
{
    const struct fm_section *section = &compile->image->sections[number];
    struct fm_buf key;

    fm_buf_init(&key, compile->heap);
    fm_buf_str(&key, section->name);
    if (compile->namesakes[fm_image_section(compile->image, section->name)] > 1)
        fm_buf_printf(&key, "@%u", (unsigned)section->number);
    const framemap_status status = key.failed
                                       ? fm_error_memory(&compile->error)
                                       : fm_builder_scope(compile->builder, fm_buf_view(&key), out, &compile->error);
    fm_buf_free(&key);
    return status;
}

static framemap_status scope_of(struct compile *compile, uint32_t target, uint32_t *out)
{
    uint32_t *known = target == FM_DW_SCOPE_IMAGE   ? &compile->image_scope
                      : target == FM_DW_SCOPE_DATA  ? &compile->data_scope
                      : target == FM_DW_SCOPE_SPLIT ? &compile->split_scope
                                                    : &compile->section_scopes[target];
    framemap_status status = FRAMEMAP_OK;

    if (*known == 0) {
        uint32_t scope = 0;
        if (target == FM_DW_SCOPE_IMAGE)
            status = fm_builder_scope(compile->builder, (framemap_str)FM_STR_INIT(""), &scope, &compile->error);
        else if (target == FM_DW_SCOPE_DATA)
            status = fm_builder_scope(compile->builder, FM_STR("data"), &scope, &compile->error);
        else if (target == FM_DW_SCOPE_SPLIT)
            status = fm_builder_scope(compile->builder, FM_STR(FM_SCOPE_SPLIT), &scope, &compile->error);
        else
            status = section_scope(compile, target, &scope);
        if (status == FRAMEMAP_OK) *known = scope + 1;
    }
    *out = *known - 1;
    return status;
}

static framemap_status build(struct compile *compile, const struct fm_unit_batch *pack)
{
    const struct fm_batch records = {.strings = pack->strings,
                                     .hashes = pack->hashes,
                                     .files = pack->files,
                                     .functions = pack->functions,
                                     .nodes = pack->nodes,
                                     .roots = pack->roots,
                                     .aliases = pack->aliases,
                                     .rows = pack->rows,
                                     .runs = pack->runs,
                                     .string_count = pack->string_count,
                                     .file_count = pack->file_count,
                                     .function_count = pack->function_count,
                                     .node_count = pack->node_count,
                                     .root_count = pack->root_count,
                                     .alias_count = pack->alias_count,
                                     .row_count = pack->row_count,
                                     .run_count = pack->run_count};

    for (size_t i = 0; i < pack->run_count; i++) {
        const framemap_status status = scope_of(compile, pack->runs[i].scope, &pack->runs[i].scope);
        if (status != FRAMEMAP_OK) return status;
    }
    return fm_builder_add_batch(compile->builder, &records, &compile->error);
}

static framemap_status note_producer(struct compile *compile, framemap_str producer)
{
    if (compile->has_producer || producer.size == 0) return FRAMEMAP_OK;
    compile->has_producer = true;
    return fm_builder_attribute(compile->builder, FM_STR("producer"), producer, &compile->error);
}

/* What is wrong in a unit is told when it is walked first. */
static bool take_pack(void *context, size_t item, const struct fm_unit_batch *pack)
{
    struct compile *compile = context;
    const uint32_t unit = compile->units[item];
    const bool again = compile->walked[unit];

    compile->walked[unit] = true;
    if (pack->status != FRAMEMAP_OK) return fail(compile, pack->status, &pack->error);
    if (pack->unit_lost) {
        tell(compile, &pack->error);
        compile->dropped[unit] = compile->lost_some = true;
        return true;
    }
    for (size_t i = 0; i < pack->fault_count && !again; i++) tell(compile, &pack->faults[i]);
    return keep(compile, note_producer(compile, pack->producer)) && keep(compile, build(compile, pack));
}

/* --- units, in the crew --- */

static bool note_offset(void *context, const struct fm_dw_claim *claim)
{
    struct compile *compile = context;
    struct second *second = &compile->second;

    if (!FM_GROW(compile->heap, second->offsets, second->capacity, second->count + 1)) return false;
    second->offsets[second->count++] = claim->offset;
    return true;
}

static void tell_nobody(void *context, const framemap_error *fault) { (void)context, (void)fault; }

static framemap_status open_second(struct compile *compile)
{
    const struct fm_dw_survey survey = {compile, note_offset, tell_nobody}; /* the first reader has told */
    struct second *second = &compile->second;

    if (second->tried) return second->status;
    second->tried = true;
    second->status = fm_dw_libdwarf.open(compile->image, compile->host, &survey, &second->debug, &second->error);
    if (second->status == FRAMEMAP_OK)
        second->status = fm_dw_libdwarf.worker(second->debug, &second->worker, &second->error);
    return second->status;
}

/* A unit that the first reader says another may read. */
static void walk_second(struct compile *compile, struct fm_unit_work *work, uint32_t unit,
                        const struct fm_segment *gained, size_t count, struct fm_unit_batch *pack)
{
    struct second *second = &compile->second;
    const framemap_error first = pack->error;
    size_t number = 0;

    fm_mutex_lock(&second->lock);
    fm_unit_batch_clear(pack);
    const framemap_status status = open_second(compile);
    while (number < second->count && second->offsets[number] != compile->owners.offsets[unit]) number++;
    if (status != FRAMEMAP_OK) {
        pack->status = status;
        pack->error = second->error;
    } else if (number < second->count) {
        fm_unit_work_do(work, &fm_dw_libdwarf, second->worker, (uint32_t)number, gained, count, pack);
    } else {
        pack->unit_lost = true;
        pack->error = first;
    }
    fm_mutex_unlock(&second->lock);
}

static framemap_status ready_worker(struct compile *compile, struct fm_unit_work *work, framemap_error *error)
{
    return work->worker != NULL ? FRAMEMAP_OK : compile->reader->worker(compile->debug, &work->worker, error);
}

static bool walk_unit(struct compile *compile, struct fm_unit_work *work, uint32_t unit, struct fm_unit_batch *pack)
{
    size_t count;
    const struct fm_segment *gained = fm_address_owners_gained(&compile->owners, unit, &count);

    pack->status = ready_worker(compile, work, &pack->error);
    if (pack->status != FRAMEMAP_OK) return false;
    work->only_intervals = compile->addresses != NULL;
    const framemap_status status = fm_unit_work_do(work, compile->reader, work->worker, unit, gained, count, pack);
    if (status == FRAMEMAP_E_UNSUPPORTED && compile->reader != &fm_dw_libdwarf && fm_dw_library_here())
        walk_second(compile, work, unit, gained, count, pack);
    return pack->status == FRAMEMAP_OK;
}

static bool do_unit(void *context, unsigned worker, size_t item)
{
    struct compile *compile = context;
    struct fm_unit_batch *pack = fm_batch_queue_pack(&compile->relay);

    if (pack == NULL) {
        fm_batch_queue_stop(&compile->relay);
        return false;
    }
    const bool good = walk_unit(compile, &compile->works[worker], compile->units[item], pack);
    return fm_batch_queue_give(&compile->relay, item, pack) && good;
}

/* --- rounds --- */

#define ROUNDS_ONE_BY_ONE 8u

/* The first round walks all units, so that what is wrong in them is told; the next ones those that now answer for more.
 * Where only some addresses are asked for, just units that answer for one are walked, unless damage goes on and on:
 * with all walked, the next round is the last. */
static void choose_units(struct compile *compile)
{
    const bool all = compile->addresses == NULL || compile->rounds >= ROUNDS_ONE_BY_ONE;

    compile->unit_count = 0;
    for (uint32_t i = 0; i < compile->owners.unit_count; i++) {
        size_t count;
        if (compile->dropped[i]) continue;
        if ((all && !compile->walked[i]) || fm_address_owners_gained(&compile->owners, i, &count) != NULL)
            compile->units[compile->unit_count++] = i;
    }
    compile->rounds++;
}

/* Pages of debug info that were read lately are let go of when so many bytes of units are done: who reads on has few of
 * them to fetch again. */
#define LET_GO_BYTES ((uint64_t)4 << 20)

/* Texts up to so many bytes stay until all units are walked: any unit asks for them all over the section, and has to
 * fetch again what was let go of. */
#define TEXTS_KEPT ((uint64_t)16 << 20)

static bool is_texts(const struct fm_section *section)
{
    return fm_str_equal(section->name, FM_STR(".debug_str")) || fm_str_equal(section->name, FM_STR(".debug_line_str"));
}

static void let_go_of(struct compile *compile, bool all)
{
    const struct fm_mapper_host *host = compile->host;
    const struct fm_image *image = compile->image;

    if (host->let_go == NULL || !fm_mutex_try(&compile->letting_go)) return;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        const uint64_t at = fm_image_stored_at(image, i);
        if ((section->flags & FM_SECTION_ALLOC) != 0 || at == 0 || !fm_str_starts(section->name, FM_STR(".debug_")))
            continue;
        if (!all && section->stored.size <= TEXTS_KEPT && is_texts(section)) continue;
        host->let_go(host->passed_context, (size_t)at, section->stored.size);
    }
    fm_mutex_unlock(&compile->letting_go);
}

static void let_go(void *context) { let_go_of(context, false); }

static void let_go_now_and_then(struct compile *compile, uint32_t unit)
{
    const uint64_t done = compile->owners.offsets[unit];

    if (done > 0 && done >= compile->let_go_at && done - compile->let_go_at < LET_GO_BYTES) return;
    compile->let_go_at = done;
    let_go(compile);
}

static bool report(struct compile *compile, uint64_t done, uint64_t total)
{
    const struct fm_mapper_host *host = compile->host;

    if (host->progress == NULL || host->progress(host->context, done, total)) return true;
    return keep(compile, fm_error_set(&compile->error, FRAMEMAP_E_LIMIT, "stopped by the caller"));
}

static bool take_and_report(void *context, size_t item, const struct fm_unit_batch *pack)
{
    struct compile *compile = context;

    let_go_now_and_then(compile, compile->units[item]);
    return report(compile, item, compile->unit_count) && take_pack(compile, item, pack);
}

static unsigned threads_of(const struct compile *compile)
{
    return compile->reader->threads ? compile->host->threads : 1;
}

static framemap_status walk_round(struct compile *compile, framemap_error *error)
{
    choose_units(compile);
    compile->lost_some = false;
    fm_batch_queue_begin(&compile->relay);
    if (fm_thread_team_run(threads_of(compile), compile->unit_count, do_unit, compile)) return FRAMEMAP_OK;
    if (compile->status == FRAMEMAP_OK) return fm_error_memory(error);
    if (error != NULL) *error = compile->error;
    return compile->status;
}

/* --- units that claim the same addresses, in the crew: what each of them has there --- */

struct search {
    struct compile *compile;
    enum fm_unit_evidence_kind kind;
    const uint32_t *units;
    const struct fm_unit_overlaps *contest;
    struct outcome outcomes[FM_THREAD_TEAM_MOST]; /* by worker */
    uint64_t passed[FM_THREAD_TEAM_MOST];         /* bytes of units read since pages were let go of */
};

static bool search_unit(void *context, unsigned worker, size_t item)
{
    struct search *search = context;
    struct compile *compile = search->compile;
    struct fm_unit_work *work = &compile->works[worker];
    struct outcome *outcome = &search->outcomes[worker];
    const uint32_t unit = search->units[item];

    outcome->status = ready_worker(compile, work, &outcome->error);
    if (outcome->status == FRAMEMAP_OK)
        outcome->status = fm_unit_evidence_add(&work->evidence, compile->reader, work->worker, unit, search->kind,
                                               search->contest, &outcome->error);
    if (unit + 1 < compile->owners.unit_count)
        search->passed[worker] += compile->owners.offsets[unit + 1] - compile->owners.offsets[unit];
    if (search->passed[worker] >= LET_GO_BYTES) {
        search->passed[worker] = 0;
        let_go(compile);
    }
    return outcome->status == FRAMEMAP_OK;
}

static bool look(void *context, enum fm_unit_evidence_kind kind, const uint32_t *units, size_t count,
                 struct fm_unit_overlaps *contest)
{
    struct compile *compile = context;
    struct search *search = fm_heap_zalloc(compile->heap, 1, sizeof *search);

    if (search == NULL) return false;
    *search = (struct search){.compile = compile, .kind = kind, .units = units, .contest = contest};
    bool good = fm_thread_team_run(threads_of(compile), count, search_unit, search);
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) {
        good = good && fm_unit_evidence_give(&compile->works[i].evidence, contest);
        if (search->outcomes[i].status != FRAMEMAP_OK)
            fail(compile, search->outcomes[i].status, &search->outcomes[i].error);
    }
    fm_heap_free(compile->heap, search, sizeof *search);
    return good;
}

static framemap_status settle(struct compile *compile, framemap_error *error)
{
    if (fm_address_owners_settle(&compile->owners, compile->dropped)) return FRAMEMAP_OK;
    if (compile->status == FRAMEMAP_OK) return fm_error_memory(error);
    if (error != NULL) *error = compile->error;
    return compile->status;
}

/* What units claim that can't be trusted goes to others, which are asked for it alone: once more, since by then all
 * have been walked. */
static framemap_status walk_units(struct compile *compile, framemap_error *error)
{
    const size_t count = compile->owners.unit_count;
    framemap_status status = FRAMEMAP_OK;

    compile->units = fm_heap_zalloc(compile->heap, count, sizeof *compile->units);
    compile->walked = fm_heap_zalloc(compile->heap, count, sizeof *compile->walked);
    compile->dropped = fm_heap_zalloc(compile->heap, count, sizeof *compile->dropped);
    if (compile->units == NULL || compile->walked == NULL || compile->dropped == NULL) return fm_error_memory(error);
    do {
        status = settle(compile, error);
        if (status == FRAMEMAP_OK) status = walk_round(compile, error);
    } while (status == FRAMEMAP_OK && compile->lost_some);
    return status;
}

/* --- only some addresses --- */

/* The start of the nearest code symbol at or below an address, or the address. */
static uint64_t symbol_start(const struct fm_segments *code, uint64_t address)
{
    const size_t at = fm_segments_from(code, address);

    if (at < code->count && code->items[at].low <= address) return code->items[at].low;
    return at > 0 ? code->items[at - 1].low : address;
}

static void sort_addresses(struct compile *compile, struct fm_key *keys)
{
    size_t kept = 0;

    for (size_t i = 0; i < compile->address_count; i++) {
        if (kept == 0 || compile->addresses[kept - 1] != keys[i].key) compile->addresses[kept++] = keys[i].key;
    }
    compile->address_count = kept;
}

/* Beside each address where its symbol starts is asked for: other names of the symbol are of what is there. A
 * relocatable file has no addresses. */
static bool note_addresses(struct compile *compile)
{
    const struct fm_mapper_host *host = compile->host;
    const size_t most = host->position_count;

    if (host->positions == NULL || compile->image->relocatable || most > SIZE_MAX / 4) return true;
    struct fm_key *keys = fm_heap_zalloc(compile->heap, 2 * most, sizeof *keys);
    compile->addresses = fm_heap_zalloc(compile->heap, 2 * most, sizeof *compile->addresses);
    if (compile->addresses != NULL) compile->address_capacity = 2 * most;
    bool good = keys != NULL && compile->addresses != NULL;
    for (size_t i = 0; i < most && good; i++) {
        if (host->positions[i] == UINT64_MAX) continue;
        keys[compile->address_count++].key = host->positions[i];
        keys[compile->address_count++].key = symbol_start(&compile->symbols.code, host->positions[i]);
    }
    good = good && fm_keys_sort(compile->heap, keys, compile->address_count, NULL, NULL);
    if (good) sort_addresses(compile, keys);
    fm_heap_free(compile->heap, keys, 2 * most * sizeof *keys);
    compile->owners.addresses = compile->addresses;
    compile->owners.address_count = compile->address_count;
    return good;
}

/* --- opening --- */

static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct compile *compile = context;

    return fm_address_owners_claim(&compile->owners, claim);
}

static void on_fault(void *context, const framemap_error *fault) { tell(context, fault); }

static void close_readers(struct compile *compile)
{
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) compile->reader->worker_free(compile->works[i].worker);
    compile->reader->close(compile->debug);
    fm_dw_libdwarf.worker_free(compile->second.worker);
    fm_dw_libdwarf.close(compile->second.debug);
}

static framemap_status open_debug_info(struct compile *compile)
{
    const struct fm_dw_survey survey = {compile, on_claim, on_fault};

    fm_dw_sections_inflate(compile->image, compile->host->threads);
    return compile->reader->open(compile->image, compile->host, &survey, &compile->debug, &compile->opening.error);
}

/* The symbols have an arena of their own, since the reader uses the image's at the same time. */
static framemap_status read_symbols(struct compile *compile)
{
    struct fm_image twin = *compile->image;
    framemap_error *error = &compile->reading.error;

    if (compile->flags & FM_DEBUGINFO_READ_SYMBOLS) {
        twin.arena = &compile->symbol_arena;
        const framemap_status status = fm_image_symbols(&twin, error);
        if (status != FRAMEMAP_OK) return status;
    }
    if (!fm_symbol_fallback_build(&twin, compile->heap, &compile->symbols)) return fm_error_memory(error);
    compile->read_symbols = twin.symbols;
    compile->read_symbol_count = twin.symbol_count;
    return FRAMEMAP_OK;
}

static bool prepare_item(void *context, unsigned worker, size_t item)
{
    struct compile *compile = context;

    (void)worker;
    if (item == 0)
        compile->opening.status = open_debug_info(compile);
    else
        compile->reading.status = read_symbols(compile);
    return true;
}

static framemap_status told(const struct outcome *outcome, framemap_error *error)
{
    if (outcome->status != FRAMEMAP_OK && error != NULL) *error = outcome->error;
    return outcome->status;
}

/* Opens the debug info, and meanwhile reads the symbols where that is to be done. A relocatable file's sections note
 * what could not be relocated: one thread at a time. */
static framemap_status prepare(struct compile *compile, framemap_error *error)
{
    const bool together = (compile->flags & FM_DEBUGINFO_READ_SYMBOLS) != 0 && !compile->image->relocatable;

    if (!together) {
        if ((compile->reading.status = read_symbols(compile)) != FRAMEMAP_OK) return told(&compile->reading, error);
        compile->image->symbols = compile->read_symbols;
        compile->image->symbol_count = compile->read_symbol_count;
        if (!note_addresses(compile)) return fm_error_memory(error);
        compile->opening.status = open_debug_info(compile);
        return told(&compile->opening, error);
    }
    fm_thread_team_run(compile->host->threads, 2, prepare_item, compile);
    compile->image->symbols = compile->read_symbols;
    compile->image->symbol_count = compile->read_symbol_count;
    const framemap_status status = told(&compile->reading, error);
    return status == FRAMEMAP_OK ? told(&compile->opening, error) : status;
}

static framemap_status read_debug_info(struct compile *compile, framemap_error *error)
{
    framemap_status status = prepare(compile, error);

    if (status == FRAMEMAP_OK) status = walk_units(compile, error);
    close_readers(compile);
    let_go_of(compile, true);
    return status;
}

/* --- what no unit claims --- */

#define SEGMENTS_AT_ONCE ((size_t)4096) /* of symbols: one pack */

/* What is left is cut into parts, code before data, which the crew writes as it writes units. */
struct left {
    struct compile *compile;
    struct fm_segments some; /* of the code symbols, where only some addresses are asked for */
    const struct fm_segments *code, *data;
    size_t code_parts, data_parts;
};

static size_t parts_of(size_t count) { return count / SEGMENTS_AT_ONCE + (count % SEGMENTS_AT_ONCE != 0 ? 1 : 0); }

static struct fm_segments part_of(const struct fm_segments *segments, size_t part)
{
    const size_t first = part * SEGMENTS_AT_ONCE, count = segments->count - first;
    return (struct fm_segments){.items = segments->items + first,
                                .count = count < SEGMENTS_AT_ONCE ? count : SEGMENTS_AT_ONCE};
}

static framemap_status put_unowned(const struct compile *compile, struct fm_unit_output *output,
                                   const struct fm_segment *code, size_t *owner, framemap_error *error)
{
    const struct fm_segments *owners = &compile->owners.by_address;
    framemap_status status = FRAMEMAP_OK;
    uint64_t low = code->low;

    while (*owner < owners->count && owners->items[*owner].high <= low) ++*owner;
    for (size_t i = *owner; i < owners->count && owners->items[i].low < code->high && status == FRAMEMAP_OK; i++) {
        status = fm_unit_output_interval(output, NULL, low, owners->items[i].low, error);
        low = owners->items[i].high;
    }
    return status == FRAMEMAP_OK ? fm_unit_output_interval(output, NULL, low, code->high, error) : status;
}

static framemap_status put_code(const struct compile *compile, struct fm_unit_output *output, struct fm_segments part,
                                framemap_error *error)
{
    size_t owner = fm_segments_from(&compile->owners.by_address, part.items[0].low);
    framemap_status status = FRAMEMAP_OK;

    for (size_t i = 0; i < part.count && status == FRAMEMAP_OK; i++)
        status = put_unowned(compile, output, &part.items[i], &owner, error);
    return status;
}

/* Whether one of the addresses that are asked for is in the segment. */
static bool is_asked_for(const struct compile *compile, const struct fm_segment *segment)
{
    size_t low = 0;
    size_t high = compile->address_count;

    if (compile->addresses == NULL) return true;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compile->addresses[middle] < segment->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low < compile->address_count && compile->addresses[low] < segment->high;
}

static framemap_status put_data(const struct compile *compile, struct fm_unit_output *output, struct fm_segments part,
                                framemap_error *error)
{
    for (size_t i = 0; i < part.count; i++) {
        if (is_asked_for(compile, &part.items[i]) && !fm_unit_output_data(output, &part.items[i]))
            return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

static bool do_part(void *context, unsigned worker, size_t item)
{
    const struct left *left = context;
    struct compile *compile = left->compile;
    struct fm_unit_output *output = &compile->works[worker].output;
    struct fm_unit_batch *pack = fm_batch_queue_pack(&compile->relay);

    if (pack == NULL) {
        fm_batch_queue_stop(&compile->relay);
        return false;
    }
    fm_unit_output_begin(output, pack);
    if (item < left->code_parts)
        pack->status = put_code(compile, output, part_of(left->code, item), &pack->error);
    else
        pack->status = put_data(compile, output, part_of(left->data, item - left->code_parts), &pack->error);
    const bool good = pack->status == FRAMEMAP_OK;
    return fm_batch_queue_give(&compile->relay, item, pack) && good;
}

static bool take_part(void *context, size_t item, const struct fm_unit_batch *pack)
{
    struct compile *compile = context;

    (void)item;
    if (pack->status != FRAMEMAP_OK) return fail(compile, pack->status, &pack->error);
    return pack->run_count == 0 || keep(compile, build(compile, pack));
}

static framemap_status write_left(struct left *left, framemap_error *error)
{
    struct compile *compile = left->compile;

    left->code_parts = parts_of(left->code->count);
    left->data_parts = parts_of(left->data->count);
    compile->relay.take = take_part;
    fm_batch_queue_begin(&compile->relay);
    if (fm_thread_team_run(compile->host->threads, left->code_parts + left->data_parts, do_part, left))
        return FRAMEMAP_OK;
    if (compile->status == FRAMEMAP_OK) return fm_error_memory(error);
    if (error != NULL) *error = compile->error;
    return compile->status;
}

static framemap_status write_symbols(struct compile *compile, framemap_error *error)
{
    struct left left = {.compile = compile,
                        .some = {.heap = compile->heap},
                        .code = &compile->symbols.code,
                        .data = &compile->symbols.data};
    framemap_status status = FRAMEMAP_OK;

    if (compile->addresses != NULL) {
        left.code = &left.some;
        if (!fm_segments_clip(&compile->symbols.code, compile->addresses, compile->address_count, &left.some))
            status = fm_error_memory(error);
    }
    if (status == FRAMEMAP_OK) status = write_left(&left, error);
    fm_segments_free(&left.some);
    return status;
}

/* --- all of it --- */

/* An index of a linked image has a scope for its addresses even where nothing is known of its code: that scope tells
 * such an index from one of an object file, whose sections each count from 0. */
static framemap_status complete_scopes(struct compile *compile, framemap_error *error)
{
    uint32_t scope;

    if (compile->image->by_section || fm_builder_count(compile->builder) == 0) return FRAMEMAP_OK;
    const framemap_status status = scope_of(compile, FM_DW_SCOPE_IMAGE, &scope);
    if (status != FRAMEMAP_OK && error != NULL) *error = compile->error;
    return status;
}

static bool count_namesakes(struct compile *compile)
{
    const struct fm_image *image = compile->image;

    if (image->section_count == 0) return true;
    compile->section_scopes = fm_heap_zalloc(compile->heap, image->section_count, sizeof *compile->section_scopes);
    compile->namesakes = fm_heap_zalloc(compile->heap, image->section_count, sizeof *compile->namesakes);
    if (compile->section_scopes == NULL || compile->namesakes == NULL) return false;
    for (uint32_t i = 0; i < image->section_count && image->by_section; i++) {
        const struct fm_section *section = &image->sections[i];
        const bool counts = (section->flags & FM_SECTION_ALLOC) != 0 && section->size > 0;
        const uint32_t first = counts ? fm_image_section(image, section->name) : UINT32_MAX;
        if (first != UINT32_MAX) compile->namesakes[first]++;
    }
    return true;
}

static framemap_status run(struct compile *compile, framemap_error *error)
{
    if (!count_namesakes(compile)) return fm_error_memory(error);
    framemap_status status = read_debug_info(compile, error);
    if (status == FRAMEMAP_OK) status = write_symbols(compile, error);
    return status == FRAMEMAP_OK ? complete_scopes(compile, error) : status;
}

static void begin_compile(struct compile *compile)
{
    fm_address_owners_init(&compile->owners, compile->heap);
    compile->owners.look = look;
    compile->owners.look_context = compile;
    fm_batch_queue_init(&compile->relay, compile->heap, fm_builder_key(compile->builder), take_and_report, compile);
    fm_mutex_init(&compile->second.lock);
    fm_mutex_init(&compile->letting_go);
    fm_arena_init(&compile->symbol_arena, compile->heap);
    compile->symbols.code.heap = compile->symbols.data.heap = compile->heap;
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++)
        fm_unit_work_init(&compile->works[i], compile->heap, compile->image, &compile->symbols, compile->flags, let_go,
                          compile);
}

static void end_compile(struct compile *compile)
{
    const size_t units = compile->owners.unit_count;

    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) fm_unit_work_free(&compile->works[i]);
    fm_batch_queue_free(&compile->relay);
    fm_mutex_destroy(&compile->second.lock);
    fm_mutex_destroy(&compile->letting_go);
    fm_heap_free(compile->heap, compile->second.offsets, compile->second.capacity * sizeof *compile->second.offsets);
    fm_heap_free(compile->heap, compile->section_scopes,
                 compile->image->section_count * sizeof *compile->section_scopes);
    if (compile->namesakes != NULL)
        fm_heap_free(compile->heap, compile->namesakes, compile->image->section_count * sizeof *compile->namesakes);
    fm_heap_free(compile->heap, compile->units, units * sizeof *compile->units);
    fm_heap_free(compile->heap, compile->walked, units * sizeof *compile->walked);
    fm_heap_free(compile->heap, compile->dropped, units * sizeof *compile->dropped);
    fm_heap_free(compile->heap, compile->addresses, compile->address_capacity * sizeof *compile->addresses);
    fm_address_owners_free(&compile->owners);
    fm_symbol_fallback_free(&compile->symbols);
    fm_arena_free(&compile->symbol_arena);
    if (compile->flags & FM_DEBUGINFO_READ_SYMBOLS) {
        compile->image->symbols = NULL;
        compile->image->symbol_count = 0;
    }
}

framemap_status fm_debuginfo_compile_by(const struct fm_dw_reader *reader, struct fm_image *image, unsigned flags,
                                        const struct fm_mapper_host *host, struct fm_builder *builder,
                                        framemap_error *error)
{
    struct compile *compile = fm_heap_zalloc(host->heap, 1, sizeof *compile);

    if (compile == NULL) return fm_error_memory(error);
    compile->reader = reader;
    compile->image = image;
    compile->flags = flags;
    compile->host = host;
    compile->builder = builder;
    compile->heap = host->heap;
    begin_compile(compile);
    const framemap_status status = run(compile, error);
    end_compile(compile);
    fm_heap_free(host->heap, compile, sizeof *compile);
    return status;
}

framemap_status fm_debuginfo_compile(struct fm_image *image, unsigned flags, const struct fm_mapper_host *host,
                                     struct fm_builder *builder, framemap_error *error)
{
    const struct fm_dw_reader *reader = fm_dw_reader_named(host->reader);

    if (reader == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "no debug-info reader of the name %s", host->reader);
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
    if (status != FRAMEMAP_OK || image->altlink.size == 0 || !image->has_debug_info) return status;
    status = fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_ALTERNATE), image->altlink, error);
    if (status != FRAMEMAP_OK || image->altlink_id[0] == '\0') return status;
    return fm_builder_attribute(builder, FM_STR(FM_ATTRIBUTE_ALTERNATE_ID), framemap_str_of(image->altlink_id), error);
}
