/* Writes an index of the class form. Tables are measured first and then packed directly to the file's memory, so that
 * no other copy exists. */
#include "core/error.h"
#include "core/thread_team.h"
#include "index/format/bits.h"
#include "index/write/model/builder_model.h"

#define HASH_LEAST 16 /* least number of keys for a hash table; fewer are found as fast by binary search */

/* A walk over the methods, or fields, of all classes in the order of their rows, which are requested from row 0 on. */
struct class_walk {
    size_t class_at; /* index in class_order of the current class */
    uint32_t within; /* number of the next method or field, counted in the current class */
    uint64_t passed; /* bytes of spans of the rows so far */
};
struct class_encoder {
    struct fm_builder *b;
    struct fm_class_form *form;
    uint32_t *class_order;            /* for each class of the file, in order: its number in the builder */
    uint32_t *name_order, *name_rank; /* name_order: names by number in the file; name_rank: the inverse */
    uint32_t *class_slots, *name_slots;
    size_t class_slot_count, name_slot_count;
    uint64_t method_count, field_count, span_size, span_count;
    struct class_walk methods, fields;
    /* numbers of the first method and the first field of the class whose row is requested next */
    uint64_t first_method, first_field;
    struct fm_output_section outputs[FMX_SECTION_END];
};

static const struct fm_class_record *class_in(const struct class_encoder *f, size_t place)
{
    return &f->form->classes[f->class_order[place]];
}
static framemap_str name_text(const struct class_encoder *f, uint32_t name)
{
    return fm_string_pool_text(&f->b->strings, f->form->names[name].text);
}

/* --- writing hash tables --- */

static framemap_str class_key(const void *context, size_t place)
{
    const struct class_encoder *f = context;
    return fm_string_pool_text(&f->b->strings, class_in(f, place)->residual);
}
/* Returns the key of a name for the hash table; absent if the name has no source file, since only names with a source
 * file are looked up. */
static framemap_str name_key(const void *context, size_t place)
{
    const struct class_encoder *f = context;
    const uint32_t name = f->name_order[place];
    return f->form->names[name].source == FM_NONE ? (framemap_str){NULL, 0} : name_text(f, name);
}

static bool make_class_hash(struct class_encoder *f)
{
    const size_t count = f->form->class_count;
    return count < HASH_LEAST ||
           fm_fill_slots(f->b->heap, count, count, class_key, f, &f->class_slots, &f->class_slot_count);
}

static bool make_name_hash(struct class_encoder *f)
{
    const size_t count = f->form->name_count;
    size_t keys = 0;
    for (size_t i = 0; i < count; i++) keys += f->form->names[i].source != FM_NONE;
    return count < HASH_LEAST ||
           fm_fill_slots(f->b->heap, count, keys, name_key, f, &f->name_slots, &f->name_slot_count);
}

/* --- sorting records --- */

/* Totals of some classes that were sorted. */
struct sorted {
    framemap_status status;
    uint64_t methods, fields, span_bytes, spans;
};
#define SORTED_AT_ONCE ((size_t)128) /* number of classes that one thread sorts at a time */

static framemap_status sort_class(const struct class_encoder *f, const struct fm_class_record *class,
                                  struct sorted *out)
{
    const struct fm_class_part *part = fm_class_part(f->form, class->part);
    out->methods += class->method_count;
    out->fields += class->field_count;
    for (uint32_t i = 0; i < class->method_count; i++) {
        const struct fm_method_record *method = &part->methods[class->first_method + i];
        out->span_bytes += method->size;
        out->spans += fm_encoded_span_count(part->span_bytes + method->at);
    }
    return class->is_sorted ? FRAMEMAP_OK : fm_sort_class(f->b->heap, &f->b->strings, part, class);
}

struct sort_job {
    const struct class_encoder *finish;
    struct sorted *sorted;
};

static bool sort_some(void *context, unsigned worker, size_t item)
{
    const struct sort_job *job = context;
    const size_t first = item * SORTED_AT_ONCE, left = job->finish->form->class_count - first;
    struct sorted sorted = {.status = FRAMEMAP_OK};
    (void)worker;
    for (size_t i = 0; i < left && i < SORTED_AT_ONCE && sorted.status == FRAMEMAP_OK; i++)
        sorted.status = sort_class(job->finish, class_in(job->finish, first + i), &sorted);
    job->sorted[item] = sorted;
    return sorted.status == FRAMEMAP_OK;
}

static void take_sorted(struct class_encoder *f, const struct sorted *sorted, framemap_status *status)
{
    if (*status == FRAMEMAP_OK) *status = sorted->status;
    f->method_count += sorted->methods;
    f->field_count += sorted->fields;
    f->span_size += sorted->span_bytes;
    f->span_count += sorted->spans;
}

static framemap_status sort_classes(struct class_encoder *f, framemap_error *error)
{
    const size_t count = (f->form->class_count + SORTED_AT_ONCE - 1) / SORTED_AT_ONCE;
    struct sort_job job = {f, fm_heap_zalloc(f->b->heap, count, sizeof *job.sorted)};
    framemap_status status = FRAMEMAP_OK;
    if (job.sorted == NULL) return fm_error_memory(error);
    fm_thread_team_run(f->b->threads, count, sort_some, &job);
    for (size_t i = 0; i < count; i++) take_sorted(f, &job.sorted[i], &status);
    fm_heap_free(f->b->heap, job.sorted, count * sizeof *job.sorted);
    if (status == FRAMEMAP_E_ARGUMENT) return fm_error_set(error, status, FM_METHOD_TWICE);
    return status == FRAMEMAP_OK ? status : fm_error_memory(error);
}

static bool order_classes(struct class_encoder *f)
{
    const struct fm_class_form *form = f->form;
    const struct fm_keyed keys = {&f->b->strings, form->classes, sizeof *form->classes,
                                  offsetof(struct fm_class_record, residual)};
    f->class_order = fm_order_by_text(f->b->heap, &keys, form->class_count);
    return f->class_order != NULL && make_class_hash(f);
}

static bool order_names(struct class_encoder *f)
{
    const struct fm_class_form *form = f->form;
    const struct fm_keyed keys = {&f->b->strings, form->names, sizeof *form->names,
                                  offsetof(struct fm_name_record, text)};
    f->name_order = fm_order_by_text(f->b->heap, &keys, form->name_count);
    f->name_rank = fm_heap_zalloc(f->b->heap, form->name_count, sizeof *f->name_rank);
    if (f->name_order == NULL || f->name_rank == NULL) return false;
    for (size_t i = 0; i < form->name_count; i++) f->name_rank[f->name_order[i]] = (uint32_t)i;
    return make_name_hash(f);
}

static bool order_one(void *context, unsigned worker, size_t item)
{
    (void)worker;
    return item == 0 ? order_classes(context) : order_names(context);
}

/* Sorts classes and names and builds their hash tables, then sorts the contents of classes. */
static framemap_status sort_classes_and_names(struct class_encoder *f, framemap_error *error)
{
    return fm_thread_team_run(f->b->threads, 2, order_one, f) ? sort_classes(f, error) : fm_error_memory(error);
}

/* --- making the rows of tables --- */

static void put_class_string(const struct class_encoder *f, uint32_t string, uint64_t fields[2])
{
    fm_pooled_text(f->b, string, fields);
}

static void name_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct class_encoder *f = context;
    const struct fm_name_record *name = &f->form->names[f->name_order[i]];
    put_class_string(f, name->text, &fields[NAME_TEXT]);
    put_class_string(f, name->source, &fields[NAME_SOURCE]);
}
FM_OUTPUT_ROWS(name)

static void name_slot_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    fields[HASH_NAME] = ((const struct class_encoder *)context)->name_slots[i];
}
FM_OUTPUT_ROWS(name_slot)
static void class_slot_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    fields[HASH_CLASS] = ((const struct class_encoder *)context)->class_slots[i];
}
FM_OUTPUT_ROWS(class_slot)

static void class_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct class_encoder *f = context;
    const struct fm_class_record *class = class_in(f, (size_t)i);
    if (i == 0) f->first_method = f->first_field = 0;
    put_class_string(f, class->residual, &fields[CLASS_TEXT]);
    fields[CLASS_NAME] = f->name_rank[class->name];
    fields[CLASS_FLAGS] = class->flags;
    fields[CLASS_METHOD] = f->first_method;
    fields[CLASS_FIELD] = f->first_field;
    f->first_method += class->method_count;
    f->first_field += class->field_count;
}
FM_OUTPUT_ROWS(class)

static void method_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct class_encoder *f = context;
    struct class_walk *walk = &f->methods;
    if (i == 0) *walk = (struct class_walk){0, 0, 0};
    while (walk->within == class_in(f, walk->class_at)->method_count) {
        walk->class_at++;
        walk->within = 0;
    }
    const struct fm_class_record *class = class_in(f, walk->class_at);
    const struct fm_method_record *method =
        &fm_class_part(f->form, class->part)->methods[class->first_method + walk->within++];
    put_class_string(f, method->name, &fields[METHOD_TEXT]);
    fields[METHOD_SPANS] = walk->passed;
    walk->passed += method->size;
}
FM_OUTPUT_ROWS(method)

static void field_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct class_encoder *f = context;
    struct class_walk *walk = &f->fields;
    if (i == 0) *walk = (struct class_walk){0, 0, 0};
    while (walk->within == class_in(f, walk->class_at)->field_count) {
        walk->class_at++;
        walk->within = 0;
    }
    const struct fm_class_record *class = class_in(f, walk->class_at);
    const struct fm_field_record *field =
        &fm_class_part(f->form, class->part)->fields[class->first_field + walk->within++];
    put_class_string(f, field->name, &fields[FIELD_TEXT]);
    fields[FIELD_MEMBER] = field->member;
}
FM_OUTPUT_ROWS(field)

static void member_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct class_encoder *f = context;
    const struct fm_member *member = &f->form->members[i];
    fields[MEMBER_HOLDER] = f->name_rank[member->holder];
    put_class_string(f, member->name, &fields[MEMBER_NAME]);
    put_class_string(f, member->type, &fields[MEMBER_TYPE]);
    put_class_string(f, member->arguments, &fields[MEMBER_ARGUMENTS]);
}
FM_OUTPUT_ROWS(member)

/* Returns the index of a list's first note; after the last list, the end of its notes. */
static void list_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct fm_class_form *form = ((const struct class_encoder *)context)->form;
    fields[LIST_NOTE] = i < form->list_count ? form->lists[i].first : form->note_count;
}
FM_OUTPUT_ROWS(list)

static void note_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    const struct class_encoder *f = context;
    const struct fm_note *note = &f->form->notes[i];
    fields[NOTE_KIND] = note->kind;
    put_class_string(f, note->text, &fields[NOTE_TEXT]);
    fields[NOTE_FROM] = fm_zigzag(note->from);
    fields[NOTE_TO] = fm_zigzag(note->to);
    fields[NOTE_COUNT] = fm_zigzag(note->count);
}
FM_OUTPUT_ROWS(note)

/* --- writing the sections --- */

static unsigned char *put_spans(const struct fm_class_part *part, const struct fm_class_record *class,
                                unsigned char *to)
{
    const struct fm_method_record *methods = part->methods + class->first_method;
    for (uint32_t i = 0; i < class->method_count; i++) {
        memcpy(to, part->span_bytes + methods[i].at, methods[i].size);
        to += methods[i].size;
    }
    return to;
}

/* Copies the spans of all methods of a class with one memcpy: their methods were in order when the spans were packed,
 * so the spans are adjacent. */
static unsigned char *put_row_of_spans(const struct fm_class_part *part, const struct fm_class_record *class,
                                       unsigned char *to)
{
    const struct fm_method_record *first = part->methods + class->first_method, *last = first + class->method_count - 1;
    const size_t size = (size_t)(last->at + last->size - first->at);
    memcpy(to, part->span_bytes + first->at, size);
    return to + size;
}

/* Writes all spans, method by method in the order of METHODS. */
static void copy_spans(void *context, const struct fm_output_section *output, unsigned char *to)
{
    const struct class_encoder *f = context;
    (void)output;
    for (size_t i = 0; i < f->form->class_count; i++) {
        const struct fm_class_record *class = class_in(f, i);
        const struct fm_class_part *part = fm_class_part(f->form, class->part);
        if (class->method_count > 0)
            to = class->is_sorted ? put_row_of_spans(part, class, to) : put_spans(part, class, to);
    }
}

static void drop_span_bytes(struct fm_heap *heap, struct fm_class_part *part)
{
    fm_heap_free_big(heap, part->span_bytes, part->span_capacity);
    part->span_bytes = NULL;
    part->span_capacity = 0;
}

/* Frees the packed spans after they were copied, since no other section reads them. */
static void drop_spans(void *context)
{
    struct fm_class_form *form = ((struct class_encoder *)context)->form;
    struct fm_heap *heap = ((struct class_encoder *)context)->b->heap;
    drop_span_bytes(heap, &form->own);
    for (size_t i = 0; i < form->part_count; i++) drop_span_bytes(heap, form->parts[i]);
}

static void copy_strings(void *context, const struct fm_output_section *output, unsigned char *to)
{
    memcpy(to, ((const struct class_encoder *)context)->b->strings.bytes, (size_t)output->count);
}

static void drop_strings(void *context) { fm_string_pool_drop_bytes(&((struct class_encoder *)context)->b->strings); }

/* The tables, in the order in which they are packed: those that take longest come first. */
static const unsigned row_sections[] = {FMX_MEMBERS, FMX_METHODS,    FMX_CLASS_FIELDS, FMX_CLASSES,   FMX_NAMES,
                                        FMX_NOTES,   FMX_NOTE_LISTS, FMX_CLASS_HASH,   FMX_NAME_HASH, FMX_ATTRIBUTES};

static uint64_t count_rows(const struct class_encoder *f, unsigned section, fm_output_rows *rows)
{
    const struct fm_class_form *form = f->form;
    switch (section) {
    case FMX_MEMBERS: *rows = member_rows; return form->member_count;
    case FMX_METHODS: *rows = method_rows; return f->method_count;
    case FMX_CLASS_FIELDS: *rows = field_rows; return f->field_count;
    case FMX_CLASSES: *rows = class_rows; return form->class_count;
    case FMX_NAMES: *rows = name_rows; return form->name_count;
    case FMX_NOTES: *rows = note_rows; return form->note_count;
    case FMX_NOTE_LISTS: *rows = list_rows; return form->list_count ? form->list_count + 1 : 0;
    case FMX_CLASS_HASH: *rows = class_slot_rows; return f->class_slot_count;
    default: *rows = name_slot_rows; return f->name_slot_count;
    }
}

static bool plan_section(void *context, unsigned worker, size_t item)
{
    struct class_encoder *f = context;
    const unsigned section = row_sections[item];
    fm_output_rows rows;
    (void)worker;
    if (section == FMX_ATTRIBUTES) {
        fm_output_section_plan(&f->outputs[section], f->b->attribute_count, fm_pooled_attribute_rows, f->b);
    } else {
        const uint64_t count = count_rows(f, section, &rows);
        fm_output_section_plan(&f->outputs[section], count, rows, f);
    }
    return true;
}

static void plan_sections(struct class_encoder *f)
{
    fm_sort_attributes(f->b);
    fm_thread_team_run(f->b->threads, sizeof row_sections / sizeof *row_sections, plan_section, f);
    f->outputs[FMX_SPANS] = (struct fm_output_section){
        .count = f->span_size, .bits.bits = f->span_size * 8, .fill = copy_spans, .done = drop_spans, .context = f};
    f->outputs[FMX_STRINGS] = (struct fm_output_section){.count = f->b->strings.size,
                                                         .bits.bits = (uint64_t)f->b->strings.size * 8,
                                                         .fill = copy_strings,
                                                         .done = drop_strings,
                                                         .context = f};
}

/* Frees the hash tables of the builder. */
static void drop_tables(struct class_encoder *f)
{
    fm_table_free(&f->b->strings.table);
    fm_table_free(&f->form->name_table);
    fm_table_free(&f->form->member_table);
    fm_table_free(&f->form->list_table);
    fm_table_free(&f->form->class_table);
}

static void finish_free(struct class_encoder *f)
{
    struct fm_heap *heap = f->b->heap;
    fm_heap_free(heap, f->class_order, f->form->class_count * sizeof *f->class_order);
    fm_heap_free(heap, f->name_order, f->form->name_count * sizeof *f->name_order);
    fm_heap_free(heap, f->name_rank, f->form->name_count * sizeof *f->name_rank);
    fm_heap_free(heap, f->class_slots, f->class_slot_count * sizeof *f->class_slots);
    fm_heap_free(heap, f->name_slots, f->name_slot_count * sizeof *f->name_slots);
}

static framemap_status check_used(const struct fm_builder *b, framemap_error *error)
{
    const struct fm_class_form *form = &b->classes;
    if (b->position_count > 0 || b->scope_keys.count > 0 || b->number_count > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "positions and classes in one index");
    for (size_t i = 0; form->class_count == 0 && i < form->name_count; i++)
        if (form->names[i].source != FM_NONE) return FRAMEMAP_OK;
    return form->class_count > 0 || form->is_wanted
               ? FRAMEMAP_OK
               : fm_error_set(error, FRAMEMAP_E_EMPTY, "the file has nothing to look up");
}

static bool have_lines(const struct fm_class_form *form)
{
    bool have = form->own.has_lines;
    for (size_t i = 0; i < form->part_count && !have; i++) have = form->parts[i]->has_lines;
    return have;
}

framemap_status fm_finish_classes(struct fm_builder *b, struct fm_built *out, framemap_error *error)
{
    struct class_encoder f = {.b = b, .form = &b->classes};
    framemap_status status = check_used(b, error);
    if (status != FRAMEMAP_OK) return status;
    drop_tables(&f);
    status = sort_classes_and_names(&f, error);
    if (status == FRAMEMAP_OK && !fm_order_notes(f.form, b->heap)) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK) {
        plan_sections(&f);
        const struct fm_header header = {.base = b->base,
                                         .positions = f.span_count,
                                         .address_bits = b->address_bits,
                                         .flags =
                                             (uint8_t)(FMX_FLAG_CLASSES | (b->big_endian ? FMX_FLAG_BIG_ENDIAN : 0u) |
                                                       (have_lines(f.form) ? FMX_FLAG_LINES : 0u))};
        if (!fm_output_sections_join(b->heap, f.outputs, &header, b->threads, &out->data, &out->size))
            status = fm_error_memory(error);
    }
    finish_free(&f);
    return status;
}
