/* Restores native frames: the row `fm_restorer_native` of restore.c's table. Each image and each position is looked up
 * once per call. Independent of the other families. */
#include "api/value_keys.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/text.h"
#include "index/format/value_page.h"
#include "resolve/native/address.h"
#include "resolve/native/companion_file.h"
#include "resolve/resolve.h"
#include "session/restore/restorer.h"

/* An image that frames of this call need, looked up once. */
struct native_image {
    framemap_str name, id, arch;
    uint64_t file_offset; /* in the archive that `name` is; 0: it is none */
    struct fm_held_index held;
    const char *reason; /* why there is no index; lives as long as the traces */
    framemap_match matched_by;
    uint64_t frames; /* that found no symbols for it */
    /* Its index does not fit below the session's memory ceiling together with those held: its frames are left RAW for
     * a later pass. */
    bool later;
    unsigned pass; /* the last pass in which it was tried */
};

/* A position that was resolved. */
struct native_answer {
    size_t image;
    framemap_address_kind kind;
    uint64_t address;
    bool return_address;
    framemap_frame answer;
    uint32_t companion; /* number of the image with more debug info for this position; UINT32_MAX: none */
};

struct fm_native_job {
    struct native_image *images;
    size_t image_count, image_capacity;
    struct fm_table image_table;
    size_t images_held; /* images held at present */
    size_t waiting;     /* images that wait for the next pass */
    unsigned pass;      /* from 0 */
    /* Positions that were resolved already: a stack overflow repeats the same few a hundred thousand times. */
    struct native_answer *answers;
    size_t answer_count, answer_capacity;
    struct fm_table answer_table;
};

static const char no_image[] = "the text does not say which image the address is in";
static const char no_load[] = "the text does not say where the image starts in memory";
static const char below_load[] = "the address is below the start of its image";

/* --- images --- */

static bool image_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_native_job *native = context;
    const struct native_image *a = &native->images[number], *b = key;
    return fm_str_equal(a->id, b->id) && fm_str_equal(a->name, b->name) && fm_str_equal(a->arch, b->arch) &&
           a->file_offset == b->file_offset;
}

/* Finds the symbols of an image, in this pass for the first time. */
static framemap_status hold_image(struct fm_restore_job *job, struct native_image *row, framemap_error *error)
{
    struct fm_native_job *native = job->native;
    const framemap_image_query question = {
        .name = row->name, .id = row->id, .arch = row->arch, .file_offset = row->file_offset};
    framemap_status status =
        fm_session_hold_module(job->session, job->scope, &question, &row->held, &row->matched_by, error);
    if (status == FRAMEMAP_OK && row->held.index == NULL)
        status = fm_restore_hold_remote(job, FM_KEY_NATIVE, row->id, &row->held, error);
    if (status != FRAMEMAP_OK) return status;
    if (row->held.remote) row->matched_by = FRAMEMAP_MATCH_ID;
    row->pass = native->pass;
    row->later = row->held.over == FM_OVER_TOGETHER && native->images_held > 0;
    if (row->later) {
        native->waiting++;
        job->waited++;
    }
    if (row->held.index) native->images_held++;
    return FRAMEMAP_OK;
}

static framemap_status find_image(struct fm_restore_job *job, const struct native_image *want, size_t *out,
                                  framemap_error *error)
{
    struct fm_native_job *native = job->native;
    const uint64_t key = fm_hash_word(want->file_offset, fm_hash_key(native));
    const uint64_t hash = fm_hash_text(want->name, fm_hash_text(want->id, key));
    uint32_t found = fm_table_find(&native->image_table, hash, image_equal, native, want);
    *out = found;
    if (found != UINT32_MAX) {
        struct native_image *known = &native->images[found];
        if (!known->later || known->pass == native->pass) return FRAMEMAP_OK;
        framemap_status status = hold_image(job, known, error);
        const bool kept = status != FRAMEMAP_OK || fm_restore_keep_reason(job, &known->held, known->id, &known->reason);
        return kept ? status : fm_error_memory(error);
    }
    if (!FM_GROW(job->heap, native->images, native->image_capacity, native->image_count + 1))
        return fm_error_memory(error);
    struct native_image *row = &native->images[native->image_count];
    *row = *want;
    framemap_status status = hold_image(job, row, error);
    if (status != FRAMEMAP_OK) return status;
    *out = native->image_count++; /* from here on it is released with the job */
    if (!fm_restore_keep_reason(job, &row->held, row->id, &row->reason)) return fm_error_memory(error);
    return fm_table_add(&native->image_table, hash, (uint32_t)*out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- files with more debug info --- */

/* Counts a frame for the file with the rest of its image's debug info, as for images without symbols. */
static framemap_status want_companion(struct fm_restore_job *job, const framemap_query *query,
                                      const struct fm_view *view, const framemap_frame *answer, uint32_t *out,
                                      framemap_error *error)
{
    struct fm_native_job *native = job->native;
    struct native_image row = {.held = {.reason = answer->reason}, .reason = answer->reason};
    if (answer->reason == NULL || answer->status != FRAMEMAP_FRAME_SYMBOL) return FRAMEMAP_OK;
    if (!fm_resolve_companion(view, query, answer->reason, job->arena, &row.name, &row.id)) return FRAMEMAP_OK;
    if (!fm_arena_str(job->arena, row.name, &row.name) || !fm_arena_str(job->arena, row.id, &row.id))
        return fm_error_memory(error);
    const uint64_t hash = fm_hash_text(row.name, fm_hash_text(row.id, fm_hash_word(0, fm_hash_key(native))));
    *out = fm_table_find(&native->image_table, hash, image_equal, native, &row);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, native->images, native->image_capacity, native->image_count + 1))
        return fm_error_memory(error);
    *out = (uint32_t)native->image_count;
    native->images[native->image_count++] = row;
    return fm_table_add(&native->image_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- one position --- */

static bool answer_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_native_job *native = context;
    const struct native_answer *a = &native->answers[number], *b = key;
    return a->image == b->image && a->kind == b->kind && a->address == b->address &&
           a->return_address == b->return_address;
}

/* Resolves a query on an index, or on the value of a store that has its page. *view: what was asked; NULL: nothing. */
static framemap_status resolve_image(struct fm_restore_job *job, const struct fm_held_index *held,
                                     const framemap_query *query, const struct fm_view **view, framemap_frame *out,
                                     framemap_error *error)
{
    const struct fm_address_conversion conversion =
        fm_address_conversion_of(fm_view_identity(held->index->view), query);
    const char *reason = NULL;
    uint64_t position;
    framemap_status status = FRAMEMAP_OK;
    *view = held->index->view;
    if (held->remote && fm_address_to_position(&conversion, query->position, &position) == FM_ADDRESS_IN_IMAGE) {
        const uint64_t page = fm_page_of_position(position - query->return_address);
        status = fm_remote_page(job->remote, held->remote, page, view, &reason, error);
    } else if (held->remote) {
        *view = NULL;
    }
    if (status != FRAMEMAP_OK) return status;
    if (*view) return fm_resolve(*view, query, &job->scratch, out, error);
    *out = fm_restore_without_view(reason);
    return FRAMEMAP_OK;
}

static framemap_status resolve_native(struct fm_restore_job *job, struct native_answer *question,
                                      const framemap_frame **out, framemap_error *error)
{
    struct fm_native_job *native = job->native;
    const uint64_t key[4] = {question->image, question->kind, question->address, question->return_address};
    const uint64_t hash = fm_hash_text(fm_str((const char *)key, sizeof key), fm_hash_key(native));
    uint32_t found = fm_table_find(&native->answer_table, hash, answer_equal, native, question);
    if (found == UINT32_MAX) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.position = question->address;
        query.address_kind = question->kind;
        query.return_address = question->return_address;
        query.demangle = job->demangle;
        const struct fm_view *view;
        fm_arena_reset(&job->scratch);
        framemap_status status =
            resolve_image(job, &native->images[question->image].held, &query, &view, &question->answer, error);
        if (status == FRAMEMAP_E_CORRUPT) {
            question->answer =
                (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "the index for this image is damaged"};
        } else if (status != FRAMEMAP_OK) {
            return status;
        }
        question->companion = UINT32_MAX;
        status = want_companion(job, &query, view, &question->answer, &question->companion, error);
        if (status != FRAMEMAP_OK) return status;
        if (!fm_restore_keep(job, &question->answer)) return fm_error_memory(error);
        if (!FM_GROW(job->heap, native->answers, native->answer_capacity, native->answer_count + 1))
            return fm_error_memory(error);
        found = (uint32_t)native->answer_count;
        native->answers[native->answer_count++] = *question;
        if (!fm_table_add(&native->answer_table, hash, found)) return fm_error_memory(error);
    }
    *out = &native->answers[found].answer;
    if (native->answers[found].companion != UINT32_MAX) native->images[native->answers[found].companion].frames++;
    return FRAMEMAP_OK;
}

/* --- one frame --- */

static bool answered(const framemap_frame *answer) { return answer->status != FRAMEMAP_FRAME_NO_MATCH; }

/* "Not printed by an address in an image": only such an absolute address may carry a signature of the CPU. */
static void place_signed_address(framemap_frame *frame, const framemap_trace *trace, framemap_str arch,
                                 uint64_t *address)
{
    uint64_t clean = fm_address_clean(arch, frame->address);
    if (frame->has_load_address || clean == frame->address || !fm_arch_matches(arch, FM_STR("arm64"))) return;
    /* iOS has fewer address bits than macOS, so signatures start at a lower bit there. */
    const uint64_t tries[] = {clean, clean & 0x0000000fffffffffu};
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < trace->image_count; i++) {
            const framemap_image *image = &trace->images[i];
            if (image->load_address == 0 || tries[t] < image->load_address ||
                tries[t] - image->load_address >= image->size)
                continue;
            frame->has_load_address = true;
            frame->load_address = image->load_address;
            if (frame->module.size == 0 || fm_str_equal(frame->module, FM_STR("???"))) frame->module = image->name;
            if (frame->id.size == 0) frame->id = image->id;
            *address = tries[t];
            return;
        }
    }
}

/* "lib.so(name+0x12) [0x…]": the address is the linked one where the symbols agree that name and distance are found
 * there. */
static framemap_status try_as_linked(struct fm_restore_job *job, framemap_frame *frame, struct native_answer *question,
                                     framemap_error *error)
{
    const framemap_frame *answer;
    question->kind = FRAMEMAP_ADDRESS_LINKED;
    framemap_status status = resolve_native(job, question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    if (answered(answer) && answer->has_function_offset && answer->function_offset == frame->function_offset) {
        const framemap_frame *root = &answer->restored.frames[answer->restored.count - 1];
        if (fm_str_equal(root->function, frame->function) || fm_str_equal(root->symbol, frame->function)) {
            fm_restore_give(frame, answer);
            return FRAMEMAP_OK;
        }
    }
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_load;
    frame->matched_by = FRAMEMAP_MATCH_NONE;
    return FRAMEMAP_OK;
}

/* Some Android versions print the offset from the mapping and, next to it, the file offset of the mapping. For a
 * library inside an archive that is the offset of the library, which does not change the address. */
static bool offset_form(const framemap_frame *frame)
{
    if (frame->file_offset == 0 || frame->address_kind != FRAMEMAP_ADDRESS_LINKED) return false;
    return fm_str_find(frame->raw, FM_STR(".apk")) == FM_NOT_FOUND;
}

static framemap_status look_up_native(struct fm_restore_job *job, framemap_frame *frame, struct native_answer *question,
                                      framemap_error *error)
{
    const framemap_frame *answer, *second;
    framemap_status status = resolve_native(job, question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_frame first = *answer; /* the next lookup may move it */
    if (!answered(&first) && offset_form(frame) && question->address <= UINT64_MAX - frame->file_offset) {
        question->address += frame->file_offset;
        status = resolve_native(job, question, &second, error);
        if (status != FRAMEMAP_OK) return status;
        if (answered(second)) first = *second;
    }
    fm_restore_give(frame, &first);
    return FRAMEMAP_OK;
}

/* Converts an address in the process to an offset in its image. false: the frame's reason is set. */
static bool to_image(framemap_frame *frame, struct native_answer *question)
{
    question->kind = frame->address_kind;
    if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE) return true;
    if (question->address < frame->load_address) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = below_load;
        frame->matched_by = FRAMEMAP_MATCH_NONE;
        return false;
    }
    question->address -= frame->load_address;
    question->kind = FRAMEMAP_ADDRESS_IMAGE;
    return true;
}

/* The symbols of a running kernel have the addresses that they have in memory. */
static bool lists_addresses(const framemap_index *index)
{
    return fm_view_identity(index->view)->kind_row->code == FRAMEMAP_INDEX_KALLSYMS;
}

static framemap_status native_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                    framemap_error *error)
{
    struct fm_native_job *native = job->native;
    framemap_frame *frame = &trace->frames[number];
    if (frame->status != FRAMEMAP_FRAME_RAW) return FRAMEMAP_OK;
    if (frame->function.size && frame->file.size && frame->line) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
        return FRAMEMAP_OK;
    }
    framemap_str arch = frame->arch.size ? frame->arch : trace->arch;
    struct native_answer question = {.address = frame->address, .return_address = frame->return_address};
    bool absolute = frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    if (absolute) place_signed_address(frame, trace, arch, &question.address);
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_image;
    struct native_image want = {.name = fm_module_name(frame->module), .id = frame->id, .arch = arch};
    if (fm_is_archive_name(want.name)) want.file_offset = frame->file_offset;
    if (!frame->has_address || (want.name.size == 0 && want.id.size == 0)) return FRAMEMAP_OK;
    framemap_status status = find_image(job, &want, &question.image, error);
    if (status != FRAMEMAP_OK) return status;
    struct native_image *image = &native->images[question.image];
    if (image->later) {
        frame->status = FRAMEMAP_FRAME_RAW;
        frame->reason = NULL;
        return FRAMEMAP_OK;
    }
    if (image->held.index == NULL) {
        image->frames++;
        frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
        frame->reason = image->reason;
        return FRAMEMAP_OK;
    }
    frame->matched_by = image->matched_by;
    if (absolute && lists_addresses(image->held.index)) {
        question.kind = FRAMEMAP_ADDRESS_LINKED;
        return look_up_native(job, frame, &question, error);
    }
    if (absolute && !frame->has_load_address) return try_as_linked(job, frame, &question, error);
    return to_image(frame, &question) ? look_up_native(job, frame, &question, error) : FRAMEMAP_OK;
}

/* --- a whole call --- */

static framemap_status native_begin(struct fm_restore_job *job, framemap_error *error)
{
    struct fm_native_job *native = fm_heap_zalloc(job->heap, 1, sizeof *native);
    if (native == NULL) return fm_error_memory(error);
    fm_table_init(&native->image_table, job->heap);
    fm_table_init(&native->answer_table, job->heap);
    job->native = native;
    return FRAMEMAP_OK;
}

/* Restores the frames that were left RAW because their image had to wait until others were released. */
static framemap_status restore_waiting(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++) {
        const framemap_frame *frame = &trace->frames[f];
        if (frame->kind != FRAMEMAP_KIND_NATIVE || frame->status != FRAMEMAP_FRAME_RAW) continue;
        status = native_frame(job, trace, f, error);
        if (status == FRAMEMAP_OK) fm_restore_count(&job->summary, frame);
    }
    return status;
}

static void release_images(struct fm_restore_job *job)
{
    struct fm_native_job *native = job->native;
    for (size_t i = 0; i < native->image_count; i++) {
        framemap_session_release(job->session, native->images[i].held.index);
        native->images[i].held.index = NULL;
    }
    native->images_held = native->waiting = 0;
    native->pass++;
}

/* Further passes over the frames whose images waited. Each pass settles at least one image, so the loop ends. */
static framemap_status native_report_end(struct fm_restore_job *job, framemap_trace *traces, size_t count,
                                         framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && job->native->waiting > 0) {
        release_images(job);
        for (size_t t = 0; t < count && status == FRAMEMAP_OK; t++) status = restore_waiting(job, &traces[t], error);
    }
    return status;
}

static bool native_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; i < job->native->image_count && ok; i++) {
        const struct native_image *image = &job->native->images[i];
        const framemap_missing row = {.name = image->name,
                                      .id = image->id,
                                      .arch = image->arch,
                                      .frames = image->frames,
                                      .reason = image->reason,
                                      .kind = FRAMEMAP_KIND_NATIVE};
        if (image->frames) ok = fm_restore_miss(job, &row);
    }
    return ok;
}

static void native_end(struct fm_restore_job *job)
{
    struct fm_native_job *native = job->native;
    if (native == NULL) return;
    for (size_t i = 0; i < native->image_count; i++)
        framemap_session_release(job->session, native->images[i].held.index);
    fm_heap_free(job->heap, native->images, native->image_capacity * sizeof *native->images);
    fm_heap_free(job->heap, native->answers, native->answer_capacity * sizeof *native->answers);
    fm_table_free(&native->image_table);
    fm_table_free(&native->answer_table);
    fm_heap_free(job->heap, native, sizeof *native);
    job->native = NULL;
}

const struct fm_restorer fm_restorer_native = {.kind = FRAMEMAP_KIND_NATIVE,
                                               .begin = native_begin,
                                               .frame = native_frame,
                                               .report_end = native_report_end,
                                               .missing = native_missing,
                                               .end = native_end};
