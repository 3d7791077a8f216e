/* Before the frames of a batch are restored, requests the values that they need from the session's store, with one
 * request for all. Called by restore.c. The needed values are computed from the text of a frame alone; if the text does
 * not suffice, the frame's restorer makes another request later. */
#include "api/value_keys.h"
#include "core/text/text.h"
#include "index/format/value_page.h"
#include "resolve/native/address.h"
#include "session/catalog/scoped_find.h"
#include "session/restore/java_signature.h"
#include "session/restore/restorer.h"

static framemap_str tenant_of(const struct fm_restore_job *job)
{
    return job->scope ? job->scope->tenant : (framemap_str){NULL, 0};
}

/* Whether the symbol paths have the build. The store is then not queried for it. */
static bool is_local(const struct fm_restore_job *job, const char *family, framemap_str id)
{
    framemap_session *session = job->session;
    const framemap_image_query image = {.id = id};
    const struct fm_js_map_query map = {.id = id};
    const struct fm_entry *entry;
    struct fm_js_map_choice choice = {.count = 0};
    framemap_match ignored;
    fm_mutex_lock(&session->lock);
    const bool found = strcmp(family, FM_KEY_JAVASCRIPT) == 0
                           ? fm_scoped_map(&session->labels, job->scope, &map, &choice) && choice.count > 0
                           : fm_scoped_find(&session->labels, job->scope, &image, &entry, &ignored) == FM_FOUND;
    fm_mutex_unlock(&session->lock);
    return found;
}

/* The build of the previous frame. It is stored because most frames of a stack belong to one build. */
struct last_build {
    struct fm_restore_job *job;
    const char *family; /* family of the previous frame; NULL: there is no previous frame */
    framemap_str id;
    uint32_t number; /* number of the build in the store; 0: the symbol paths have the build */
};

/* The values that a frame needs: of a build, and of a class in it. */
struct wants {
    struct last_build *last;
    const char *family;
    bool has_page;
    uint64_t page;
    framemap_str class_name; /* class to request; absent: the frame needs no class */
};

static framemap_status find_build(struct last_build *last, const char *family, framemap_str id, framemap_error *error)
{
    struct fm_restore_job *job = last->job;
    if (last->family && strcmp(last->family, family) == 0 && fm_str_equal(last->id, id)) return FRAMEMAP_OK;
    *last = (struct last_build){.job = job, .family = family, .id = id};
    if (is_local(job, family, id)) return FRAMEMAP_OK;
    return fm_remote_build(job->remote, tenant_of(job), family, id, &last->number, error);
}

static framemap_status want_of_build(const struct wants *wants, framemap_str id, framemap_error *error)
{
    struct fm_remote *remote = wants->last->job->remote;
    if (id.size == 0) return FRAMEMAP_OK;
    framemap_status status = find_build(wants->last, wants->family, id, error);
    const uint32_t build = wants->last->number;
    if (status != FRAMEMAP_OK || build == 0) return status;
    if (wants->has_page) status = fm_remote_want_page(remote, build, wants->page, error);
    if (status == FRAMEMAP_OK && wants->class_name.size > 0)
        status = fm_remote_want_class(remote, build, wants->class_name, error);
    return status;
}

/* Requests the builds with ids of the scope, since a frame without an id may belong to any of them. */
static framemap_status want_of_scope(const struct wants *wants, framemap_str id, framemap_error *error)
{
    const framemap_scope *scope = wants->last->job->scope;
    framemap_status status = FRAMEMAP_OK;
    if (id.size > 0) return want_of_build(wants, id, error);
    for (size_t i = 0; scope && i < scope->id_count && status == FRAMEMAP_OK; i++)
        status = want_of_build(wants, scope->ids[i], error);
    return status;
}

/* Finds the page of a native or Dart frame, from the frame alone. Returns false if the frame has no address in its
 * image. */
static bool page_of(const framemap_frame *frame, uint64_t *page)
{
    uint64_t address = frame->address;
    if (!frame->has_address) return false;
    if (frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE) {
        if (!frame->has_load_address || address < frame->load_address) return false;
        address -= frame->load_address;
    }
    *page = fm_page_of_position(address - (frame->return_address && address > 0));
    return true;
}

static framemap_status want_address(struct last_build *last, const framemap_frame *frame, framemap_error *error)
{
    struct wants wants = {.last = last, .family = FM_KEY_NATIVE};
    wants.has_page = page_of(frame, &wants.page);
    return want_of_build(&wants, frame->id, error);
}

static framemap_status want_line(struct last_build *last, const framemap_frame *frame, framemap_error *error)
{
    const bool is_bytecode = frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE;
    const uint64_t column = is_bytecode ? frame->address : frame->column;
    struct wants wants = {.last = last, .family = FM_KEY_JAVASCRIPT};
    wants.has_page = frame->line > 0 && column <= UINT32_MAX && (is_bytecode || column > 0);
    wants.page = fm_page_of_segment(frame->line - 1, (uint32_t)(is_bytecode ? column : column - 1));
    return want_of_scope(&wants, frame->id, error);
}

static framemap_status want_class(struct last_build *last, framemap_str id, framemap_str name, framemap_error *error)
{
    const struct wants wants = {.last = last, .family = FM_KEY_JAVA, .class_name = name};
    return want_of_scope(&wants, id, error);
}

static framemap_status want_frame(struct last_build *last, const framemap_frame *frame, framemap_error *error)
{
    switch (frame->kind) {
    case FRAMEMAP_KIND_NATIVE:
    case FRAMEMAP_KIND_DART:
        return frame->status == FRAMEMAP_FRAME_RAW ? want_address(last, frame, error) : FRAMEMAP_OK;
    case FRAMEMAP_KIND_JS: return frame->status == FRAMEMAP_FRAME_RAW ? want_line(last, frame, error) : FRAMEMAP_OK;
    case FRAMEMAP_KIND_JAVA: return want_class(last, frame->id, frame->class_name, error);
    default: return FRAMEMAP_OK;
    }
}

/* Requests the classes that the text mentions outside of frames of Java. id: the id of the first mention that has an
 * id. */
static framemap_status want_mentions(struct last_build *last, const framemap_trace *trace, framemap_error *error)
{
    framemap_str id = {NULL, 0};
    bool has_java = false;
    framemap_status status = FRAMEMAP_OK;
    for (size_t f = 0; f < trace->frame_count && id.size == 0; f++) {
        if (trace->frames[f].kind != FRAMEMAP_KIND_JAVA) continue;
        has_java = true;
        id = trace->frames[f].id;
    }
    for (size_t m = 0; has_java && m < trace->mention_count && status == FRAMEMAP_OK; m++)
        if (fm_str_find_byte(trace->mentions[m].raw, '/') == FM_NOT_FOUND)
            status = want_class(last, id, trace->mentions[m].raw, error);
    for (size_t f = 0; f < trace->frame_count && status == FRAMEMAP_OK; f++) {
        const framemap_frame *frame = &trace->frames[f];
        framemap_str class_name, method;
        if (frame->kind == FRAMEMAP_KIND_NATIVE && fm_method_name(frame->module, frame->function, &class_name, &method))
            status = want_class(last, id, class_name, error);
    }
    return status;
}

framemap_status fm_restore_ask(struct fm_restore_job *job, const framemap_trace *traces, size_t count,
                               framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    struct last_build last = {.job = job};
    for (size_t t = 0; t < count && status == FRAMEMAP_OK; t++) {
        for (size_t f = 0; f < traces[t].frame_count && status == FRAMEMAP_OK; f++)
            status = want_frame(&last, &traces[t].frames[f], error);
        if (status == FRAMEMAP_OK) status = want_mentions(&last, &traces[t], error);
    }
    return status == FRAMEMAP_OK ? fm_remote_fetch(job->remote, error) : status;
}

framemap_frame fm_restore_without_view(const char *reason)
{
    return (framemap_frame){.status = reason ? FRAMEMAP_FRAME_MISSING_SYMBOLS : FRAMEMAP_FRAME_NO_MATCH,
                            .reason = reason ? reason : fm_nothing_there};
}

framemap_status fm_restore_hold_remote(struct fm_restore_job *job, const char *family, framemap_str id,
                                       struct fm_held_index *held, framemap_error *error)
{
    uint32_t build;
    framemap_index *index;
    const char *reason;
    if (job->remote == NULL || id.size == 0) return FRAMEMAP_OK;
    framemap_status status = fm_remote_build(job->remote, tenant_of(job), family, id, &build, error);
    if (status == FRAMEMAP_OK) status = fm_remote_head(job->remote, build, &index, &reason, error);
    if (status != FRAMEMAP_OK) return status;
    if (index)
        *held = (struct fm_held_index){.index = index, .remote = build};
    else if (reason)
        *held = (struct fm_held_index){.reason = reason};
    return FRAMEMAP_OK;
}
