/* Implements framemap_session_restore_samples: restores each distinct frame of a set of samples once, and builds a new
 * tree in which inlined functions are frames of their own. Implements framemap_session_sample_set_open: opens a set
 * that restores whole stacks while it reads texts. */
#include <framemap/samples.h>

#include "core/error.h"
#include "formats/java/java_file_name.h"
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_copy.h"
#include "session/restore/java_signature.h"
#include "session/restore/restorer.h"

#define BATCH ((uint32_t)4096) /* number of frames that are restored together */

struct remake {
    struct fm_sample_copy copy;
    framemap_session *session;
    const framemap_scope *scope;
};

/* Returns the mark that async-profiler writes after a method: "_[j]" for compiled, "_[i]" for inlined, "_[0]" for
 * interpreted, "_[1]" for compiled by C1. */
static framemap_str java_mark(framemap_str name)
{
    static const framemap_str marks[] = {FM_STR_INIT("_[j]"), FM_STR_INIT("_[i]"), FM_STR_INIT("_[0]"),
                                         FM_STR_INIT("_[1]")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_ends(name, marks[i])) return marks[i];
    return fm_str(NULL, 0);
}

static bool is_java_name(framemap_str name)
{
    bool package = false;
    for (size_t i = 0; i < name.size; i++) {
        const unsigned char c = (unsigned char)name.data[i];
        if (c == '/') package = true;
        if (c <= ' ' || (c < 0x80 && strchr("()[]{};:,*&@'\"\\", c))) return false;
    }
    return package && name.size > 0;
}

/* Splits a name into class and method. These forms are known: async-profiler's "a/b$c.d_[j]"; the same without the mark
 * "_[j]", if it has a package ("a/b$c.d"); perf-map-agent's "La/b$c;::d". */
static bool split_java(framemap_str name, framemap_str *class_name, framemap_str *method)
{
    const framemap_str mark = java_mark(name), plain = fm_str(name.data, name.size - mark.size);
    const size_t colons = fm_str_find(plain, FM_STR(";::")), dot = fm_str_find_last_byte(plain, '.');
    if (plain.size && plain.data[0] == 'L' && colons != FM_NOT_FOUND) {
        *class_name = fm_str_slice(plain, 1, colons);
        *method = fm_str_from(plain, colons + 3);
        return true;
    }
    if (dot == FM_NOT_FOUND || (mark.size == 0 && !is_java_name(plain))) return false;
    *class_name = fm_str(plain.data, dot);
    *method = fm_str_from(plain, dot + 1);
    return true;
}

/* Changes a native frame into a frame of Java if its function is a method in code that Android compiled. Without
 * symbols, such a frame does not count as lacking symbols. Returns false for any other frame. */
static bool take_method(framemap_frame *frame)
{
    if (!fm_method_name(frame->module, frame->function, &frame->class_name, &frame->function)) return false;
    frame->kind = FRAMEMAP_KIND_JAVA;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return true;
}

/* Whether a script is part of Node or of the browser, so that no source map is expected for it. */
static bool is_of_engine(framemap_str file)
{
    return fm_str_starts(file, FM_STR("node:")) || fm_str_starts(file, FM_STR("internal/")) ||
           fm_str_starts(file, FM_STR("extensions::"));
}

/* Whether a function is a method of Java with its file, as in a profile that was made from stacks: "a.b.c" at
 * "SourceFile:7". */
static bool is_java_row(const framemap_frame *frame)
{
    const enum fm_java_source_kind kind = fm_java_source_kind_of(frame->file);
    const size_t dot = fm_str_find_last_byte(frame->function, '.');
    if (frame->column > 0 || dot == FM_NOT_FOUND || dot == 0) return false;
    if (kind != FM_JAVA_SOURCE_FILE && kind != FM_JAVA_SOURCE_NONE) return false;
    return fm_str_find_byte(frame->function, ' ') == FM_NOT_FOUND;
}

static void set_method(framemap_frame *frame)
{
    const size_t dot = fm_str_find_last_byte(frame->function, '.');
    frame->kind = FRAMEMAP_KIND_JAVA;
    frame->class_name = fm_str(frame->function.data, dot);
    frame->function = fm_str_from(frame->function, dot + 1);
}

/* Returns a frame of the set in the form in which a parser of texts would return it. A frame whose name is a method is
 * a Java frame; a frame with file, line and column, but no address, is a JavaScript frame. */
static framemap_frame raw_frame(const struct remake *job, uint32_t number, struct fm_arena *arena)
{
    const framemap_sample_set *set = job->copy.from;
    const struct fm_sample_frame *given = &set->frames[number];
    framemap_frame frame = {.kind = FRAMEMAP_KIND_NATIVE,
                            .index = -1,
                            .module = fm_samples_text(set, given->module),
                            .id = fm_samples_text(set, given->build_id),
                            .function = fm_samples_text(set, given->function),
                            .file = fm_samples_text(set, given->file),
                            .line = given->line1,
                            .column = given->column1,
                            .has_address = (given->flags & FM_FRAME_ADDRESS) != 0,
                            .has_load_address = (given->flags & FM_FRAME_LOAD) != 0,
                            .return_address = (given->flags & FM_FRAME_RETURN) != 0,
                            .maps_file = (given->flags & FM_FRAME_MAPS_FILE) != 0,
                            .address = given->address,
                            .load_address = given->load_address,
                            .address_kind = (framemap_address_kind)given->address_kind};
    if (given->flags & FM_FRAME_RESTORED) return (framemap_frame){.kind = FRAMEMAP_KIND_OTHER, .index = -1};
    /* A JIT compiler generated this code, so its addresses are in no file. */
    const bool generated = fm_str_find(frame.function, FM_STR(";::")) != FM_NOT_FOUND;
    if (frame.has_address && take_method(&frame)) return frame;
    if (frame.has_address && !generated) return frame;
    frame.has_address = false;
    const bool is_script = frame.line && frame.column && !is_of_engine(frame.file);
    frame.kind = is_script ? FRAMEMAP_KIND_JS : FRAMEMAP_KIND_OTHER;
    framemap_str class_name, method;
    if (given->flags & FM_FRAME_JAVA || is_java_row(&frame)) { /* the class name contains dots already, not slashes */
        set_method(&frame);
        return frame;
    }
    if (frame.file.size || !split_java(frame.function, &class_name, &method)) return frame;
    char *name = fm_arena_alloc(arena, class_name.size + 1);
    if (name == NULL) return frame;
    for (size_t i = 0; i < class_name.size; i++) name[i] = class_name.data[i] == '/' ? '.' : class_name.data[i];
    frame.kind = FRAMEMAP_KIND_JAVA;
    frame.class_name = fm_str(name, class_name.size);
    frame.function = method;
    return frame;
}

/* Adds the frames that replace a frame of the set. Profiles have no line numbers, so the name of a method may mean
 * several methods. In that case, the outermost frame of one of these methods is added, and marked as ambiguous, as in
 * texts. */
static void add_chain(struct remake *job, uint32_t number, const framemap_frame *frame)
{
    framemap_sample_set *set = job->copy.to;
    const struct fm_sample_frame base = fm_sample_copy_frame(&job->copy, number);
    const framemap_str mark =
        frame->kind == FRAMEMAP_KIND_JAVA ? java_mark(fm_samples_text(set, base.function)) : fm_str(NULL, 0);
    fm_sample_copy_begin(&job->copy, number);
    for (size_t i = fm_samples_first_shown(frame); i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        struct fm_sample_frame one = base;
        if (source->function.size) one.function = fm_samples_name(set, frame, source, mark);
        one.file = fm_samples_string(set, source->file);
        one.line1 = source->line;
        one.column1 = source->column;
        if (i + 1 < frame->restored.count) one.flags |= FM_FRAME_INLINED;
        fm_sample_copy_add(&job->copy, &one);
    }
    if (frame->restored.count == 0) fm_sample_copy_add(&job->copy, &base);
}

static framemap_status restore_batch(struct remake *job, uint32_t from, uint32_t count, framemap_error *error)
{
    const framemap_restore_options options = {
        .size = sizeof options, .demangle = FRAMEMAP_DEMANGLE_LLVM, .scope = job->scope};
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, &job->copy.to->heap.hook, 0);
    fm_arena_init(&arena, &heap);
    framemap_trace trace = {.frames = FM_ARENA_ARRAY(&arena, framemap_frame, count), .frame_count = count};
    framemap_status status = trace.frames ? FRAMEMAP_OK : fm_error_memory(error);
    for (uint32_t i = 0; i < count && status == FRAMEMAP_OK; i++) trace.frames[i] = raw_frame(job, from + i, &arena);
    if (status == FRAMEMAP_OK) status = fm_restore_all(job->session, &arena, &trace, 1, &options, NULL, error);
    for (uint32_t i = 0; i < count && status == FRAMEMAP_OK; i++) add_chain(job, from + i, &trace.frames[i]);
    fm_arena_free(&arena);
    return status;
}

static framemap_status remake(struct remake *job, framemap_error *error)
{
    const uint32_t frames = (uint32_t)job->copy.from->frame.count;
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t from = 0; from < frames && status == FRAMEMAP_OK; from += BATCH)
        status = restore_batch(job, from, frames - from < BATCH ? frames - from : BATCH, error);
    if (status != FRAMEMAP_OK) return status;
    fm_sample_copy_rest(&job->copy);
    return fm_samples_status(job->copy.to, error);
}

framemap_status framemap_session_restore_samples(framemap_session *session, const framemap_sample_set *set,
                                                 const framemap_scope *scope, framemap_sample_set **out,
                                                 framemap_error *error)
{
    if (session == NULL || set == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    const framemap_sample_options options = {.size = sizeof options, .allocator = &set->heap.hook};
    struct remake job = {.session = session, .scope = scope};
    framemap_sample_set *restored = NULL;
    framemap_status status = framemap_sample_set_open(&options, &restored, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_sample_copy_open(&job.copy, set, restored) ? remake(&job, error) : fm_samples_status(restored, error);
    fm_sample_copy_close(&job.copy);
    if (status == FRAMEMAP_OK)
        *out = restored;
    else
        framemap_sample_set_close(restored);
    return status;
}

static framemap_status restore_stacks(const framemap_sample_set *set, struct fm_arena *arena, framemap_trace *traces,
                                      size_t count, framemap_error *error)
{
    const framemap_restore_options options = {
        .size = sizeof options, .demangle = FRAMEMAP_DEMANGLE_LLVM, .scope = set->scope};
    return fm_restore_all(set->session, arena, traces, count, &options, NULL, error);
}

framemap_status framemap_session_sample_set_open(framemap_session *session, const framemap_scope *scope,
                                                 const framemap_sample_options *options, framemap_sample_set **out,
                                                 framemap_error *error)
{
    if (session == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    const framemap_status status = framemap_sample_set_open(options, out, error);
    if (status != FRAMEMAP_OK) return status;
    (*out)->restore = restore_stacks;
    (*out)->session = session;
    (*out)->scope = scope;
    return FRAMEMAP_OK;
}
