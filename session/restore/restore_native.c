/* Native frames to their source. */
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/text.h"
#include "resolve/native/address.h"
#include "resolve/native/companion_file.h"
#include "resolve/resolve.h"
#include "session/restore/restore_job.h"

/* An image that frames of this call want, looked up once. */
struct fm_wanted {
    framemap_str name, id, arch;
    struct fm_held held;
    const char *reason; /* why there is no index, for as long as the traces live */
    framemap_match matched_by;
    uint64_t frames; /* that wanted it in vain */
    /* It goes over the session's ceiling together with what is held: its frames wait for a later pass. */
    bool later;
    unsigned pass; /* the last one in which it was tried */
};

struct fm_asked {
    size_t image;
    framemap_address_kind kind;
    uint64_t address;
    bool return_address;
    framemap_frame answer;
    uint32_t companion; /* of wanted: a file that has more of the answer; UINT32_MAX: none */
};

static const char no_image[] = "the text does not say which image the address is in";
static const char no_load[] = "the text does not say where the image begins in memory";
static const char below_load[] = "the address is below the image that it is said to be in";

/* --- images --- */

static bool wanted_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_restore_job *job = context;
    const struct fm_wanted *a = &job->wanted[number], *b = key;
    return fm_str_equal(a->id, b->id) && fm_str_equal(a->name, b->name) && fm_str_equal(a->arch, b->arch);
}

/* Finds the symbols of an image, in this pass for the first time. */
static framemap_status hold_image(struct fm_restore_job *job, struct fm_wanted *row, framemap_error *error)
{
    const framemap_want question = {.name = row->name, .id = row->id, .arch = row->arch};
    framemap_status status = fm_session_hold_module(job->session, &question, &row->held, &row->matched_by, error);
    if (status != FRAMEMAP_OK) return status;
    row->pass = job->pass;
    row->later = row->held.over == FM_OVER_TOGETHER && job->images_held > 0;
    if (row->later) {
        job->waiting++;
        job->waited++;
    }
    if (row->held.index) job->images_held++;
    return FRAMEMAP_OK;
}

static framemap_status find_image(struct fm_restore_job *job, const struct fm_wanted *want, size_t *out,
                                  framemap_error *error)
{
    const uint64_t hash = fm_hash_text(want->name, fm_hash_text(want->id, fm_hash_key(job)));
    uint32_t found = fm_table_find(&job->wanted_table, hash, wanted_equal, job, want);
    *out = found;
    if (found != UINT32_MAX) {
        struct fm_wanted *known = &job->wanted[found];
        if (!known->later || known->pass == job->pass) return FRAMEMAP_OK;
        framemap_status status = hold_image(job, known, error);
        const bool kept = status != FRAMEMAP_OK || fm_restore_keep_reason(job, &known->held, known->id, &known->reason);
        return kept ? status : fm_error_memory(error);
    }
    if (!FM_GROW(job->heap, job->wanted, job->wanted_capacity, job->wanted_count + 1)) return fm_error_memory(error);
    struct fm_wanted *row = &job->wanted[job->wanted_count];
    *row = *want;
    framemap_status status = hold_image(job, row, error);
    if (status != FRAMEMAP_OK) return status;
    *out = job->wanted_count++; /* from here on the row is released with the job */
    if (!fm_restore_keep_reason(job, &row->held, row->id, &row->reason)) return fm_error_memory(error);
    return fm_table_add(&job->wanted_table, hash, (uint32_t)*out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- files that would have told more --- */

/* Counts a frame for a file that its image's debug info is in, beside those that images were wanted from. */
static framemap_status want_companion(struct fm_restore_job *job, const framemap_query *query,
                                      const framemap_index *index, const framemap_frame *answer, uint32_t *out,
                                      framemap_error *error)
{
    struct fm_wanted row = {.held = {.reason = answer->reason}, .reason = answer->reason};
    if (answer->reason == NULL || answer->status != FRAMEMAP_FRAME_SYMBOL) return FRAMEMAP_OK;
    if (!fm_resolve_companion(index->view, query, answer->reason, job->arena, &row.name, &row.id)) return FRAMEMAP_OK;
    if (!fm_arena_str(job->arena, row.name, &row.name) || !fm_arena_str(job->arena, row.id, &row.id))
        return fm_error_memory(error);
    const uint64_t hash = fm_hash_text(row.name, fm_hash_text(row.id, fm_hash_key(job)));
    *out = fm_table_find(&job->wanted_table, hash, wanted_equal, job, &row);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, job->wanted, job->wanted_capacity, job->wanted_count + 1)) return fm_error_memory(error);
    *out = (uint32_t)job->wanted_count;
    job->wanted[job->wanted_count++] = row;
    return fm_table_add(&job->wanted_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- one position --- */

static bool asked_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_restore_job *job = context;
    const struct fm_asked *a = &job->asked[number], *b = key;
    return a->image == b->image && a->kind == b->kind && a->address == b->address &&
           a->return_address == b->return_address;
}

static framemap_status ask(struct fm_restore_job *job, struct fm_asked *question, const framemap_frame **out,
                           framemap_error *error)
{
    const uint64_t key[4] = {question->image, question->kind, question->address, question->return_address};
    const uint64_t hash = fm_hash_text(fm_str((const char *)key, sizeof key), fm_hash_key(job));
    uint32_t found = fm_table_find(&job->asked_table, hash, asked_equal, job, question);
    if (found == UINT32_MAX) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.position = question->address;
        query.address_kind = question->kind;
        query.return_address = question->return_address;
        query.demangle = job->demangle;
        const framemap_index *index = job->wanted[question->image].held.index;
        fm_arena_reset(&job->scratch);
        framemap_status status = fm_resolve(index->view, &query, &job->scratch, &question->answer, error);
        if (status == FRAMEMAP_E_CORRUPT) {
            question->answer =
                (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "the index for this image is damaged"};
        } else if (status != FRAMEMAP_OK) {
            return status;
        }
        question->companion = UINT32_MAX;
        status = want_companion(job, &query, index, &question->answer, &question->companion, error);
        if (status != FRAMEMAP_OK) return status;
        if (!fm_restore_keep(job, &question->answer)) return fm_error_memory(error);
        if (!FM_GROW(job->heap, job->asked, job->asked_capacity, job->asked_count + 1)) return fm_error_memory(error);
        found = (uint32_t)job->asked_count;
        job->asked[job->asked_count++] = *question;
        if (!fm_table_add(&job->asked_table, hash, found)) return fm_error_memory(error);
    }
    *out = &job->asked[found].answer;
    if (job->asked[found].companion != UINT32_MAX) job->wanted[job->asked[found].companion].frames++;
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
    /* iOS has fewer address bits than macOS: signatures begin lower there. */
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
static framemap_status try_as_linked(struct fm_restore_job *job, framemap_frame *frame, struct fm_asked *question,
                                     framemap_error *error)
{
    const framemap_frame *answer;
    question->kind = FRAMEMAP_ADDRESS_LINKED;
    framemap_status status = ask(job, question, &answer, error);
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

/* Some Android versions print the distance from the mapping and, beside it, where the mapping begins in the file. In an
 * archive that offset is the library's own, and says nothing about the address. */
static bool offset_form(const framemap_frame *frame)
{
    if (frame->file_offset == 0 || frame->address_kind != FRAMEMAP_ADDRESS_LINKED) return false;
    return fm_str_find(frame->raw, FM_STR(".apk")) == FM_NOT_FOUND;
}

static framemap_status look_up(struct fm_restore_job *job, framemap_frame *frame, struct fm_asked *question,
                               framemap_error *error)
{
    const framemap_frame *answer, *second;
    framemap_status status = ask(job, question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_frame first = *answer; /* the next question may move it */
    if (!answered(&first) && offset_form(frame) && question->address <= UINT64_MAX - frame->file_offset) {
        question->address += frame->file_offset;
        status = ask(job, question, &second, error);
        if (status != FRAMEMAP_OK) return status;
        if (answered(second)) first = *second;
    }
    fm_restore_give(frame, &first);
    return FRAMEMAP_OK;
}

/* Brings an address of the process down to its image. false: the frame says why not. */
static bool to_image(framemap_frame *frame, struct fm_asked *question)
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

framemap_status fm_restore_native_frame(struct fm_restore_job *job, const framemap_trace *trace, framemap_frame *frame,
                                        framemap_error *error)
{
    framemap_str arch = frame->arch.size ? frame->arch : trace->arch;
    struct fm_asked question = {.address = frame->address, .return_address = frame->return_address};
    bool absolute = frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    if (absolute) place_signed_address(frame, trace, arch, &question.address);
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_image;
    struct fm_wanted want = {.name = fm_module_name(frame->module), .id = frame->id, .arch = arch};
    if (!frame->has_address || (want.name.size == 0 && want.id.size == 0)) return FRAMEMAP_OK;
    framemap_status status = find_image(job, &want, &question.image, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_wanted *image = &job->wanted[question.image];
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
    if (absolute && !frame->has_load_address) return try_as_linked(job, frame, &question, error);
    return to_image(frame, &question) ? look_up(job, frame, &question, error) : FRAMEMAP_OK;
}

/* --- a whole call --- */

void fm_restore_native_begin(struct fm_restore_job *job)
{
    fm_table_init(&job->wanted_table, job->heap);
    fm_table_init(&job->asked_table, job->heap);
}

bool fm_restore_native_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; i < job->wanted_count && ok; i++) {
        const struct fm_wanted *image = &job->wanted[i];
        framemap_missing row = {image->name,   image->id,     image->arch,
                                image->frames, image->reason, FRAMEMAP_KIND_NATIVE};
        if (image->frames) ok = fm_missing_add(&job->session->missing, &row);
    }
    return ok;
}

bool fm_restore_native_again(struct fm_restore_job *job)
{
    if (job->waiting == 0) return false;
    for (size_t i = 0; i < job->wanted_count; i++) {
        framemap_session_release(job->session, job->wanted[i].held.index);
        job->wanted[i].held.index = NULL;
    }
    job->images_held = job->waiting = 0;
    job->pass++;
    return true;
}

void fm_restore_native_end(struct fm_restore_job *job)
{
    for (size_t i = 0; i < job->wanted_count; i++) framemap_session_release(job->session, job->wanted[i].held.index);
    fm_heap_free(job->heap, job->wanted, job->wanted_capacity * sizeof *job->wanted);
    fm_heap_free(job->heap, job->asked, job->asked_capacity * sizeof *job->asked);
    fm_table_free(&job->wanted_table);
    fm_table_free(&job->asked_table);
}
