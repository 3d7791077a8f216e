/* Implementation of class_builder.h: names, members, notes, class blocks. */
#include "core/error.h"
#include "index/write/model/builder_model.h"
#include "index/write/model/record_checks.h"

/* --- adding names, members and notes --- */

/* Hashes the number of a string, for tables whose key is one string. */
static uint64_t string_hash(uint32_t string) { return string * UINT64_C(0x9E3779B97F4A7C15); }
void fm_class_name_hint(const struct fm_class_form *form, uint32_t text)
{
    fm_table_hint(&form->name_table, string_hash(text));
}
void fm_class_number_hint(const struct fm_class_form *form, uint32_t residual)
{
    fm_table_hint(&form->class_table, string_hash(residual));
}

static bool name_equal(const void *context, uint32_t id, const void *key)
{
    return ((const struct fm_name_record *)context)[id].text == *(const uint32_t *)key;
}

void fm_builder_classes(struct fm_builder *b)
{
    b->classes.is_wanted = true;
    fm_string_pool_becomes_big(&b->strings);
}

framemap_status fm_class_name(struct fm_builder *b, uint32_t text, uint32_t *out, framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    *out = fm_table_find(&form->name_table, string_hash(text), name_equal, form->names, &text);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(form->name_count)) return fm_too_many_records(error, "names");
    if (!FM_GROW(b->heap, form->names, form->name_capacity, form->name_count + 1) ||
        !fm_table_add(&form->name_table, string_hash(text), (uint32_t)form->name_count))
        return fm_error_memory(error);
    *out = (uint32_t)form->name_count;
    form->names[form->name_count++] = (struct fm_name_record){.text = text, .source = FM_NONE};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_name(struct fm_builder *b, framemap_str original, uint32_t *out, framemap_error *error)
{
    uint32_t text;
    if (b->sink != NULL) return b->sink->name(b->sink_context, original, out, error);
    framemap_status status = fm_builder_string(b, original, &text, error);
    return status == FRAMEMAP_OK ? fm_class_name(b, text, out, error) : status;
}

framemap_status fm_builder_name_source(struct fm_builder *b, uint32_t name, framemap_str source, framemap_error *error)
{
    if (b->sink != NULL) return b->sink->name_source(b->sink_context, name, source, error);
    if (name >= b->classes.name_count) return fm_no_such_record(error, "name");
    return fm_builder_string(b, source, &b->classes.names[name].source, error);
}

static bool member_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_member *a = (const struct fm_member *)context + id, *b = key;
    return a->holder == b->holder && a->name == b->name && a->type == b->type && a->arguments == b->arguments;
}

static framemap_status check_member(const struct fm_builder *b, const struct fm_member *member, framemap_error *error)
{
    const size_t strings = b->strings.count;
    if (member->holder >= b->classes.name_count) return fm_no_such_record(error, "name");
    if (member->name >= strings || !fm_record_is_known(member->type, strings) ||
        !fm_record_is_known(member->arguments, strings))
        return fm_no_such_record(error, "string");
    return FRAMEMAP_OK;
}

static framemap_status push_member(struct fm_builder *b, const struct fm_member *member, uint32_t *out,
                                   framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    if (fm_records_are_full(form->member_count)) return fm_too_many_records(error, "members");
    if (!FM_GROW_BIG(b->heap, form->members, form->member_capacity, form->member_count + 1))
        return fm_error_memory(error);
    *out = (uint32_t)form->member_count;
    form->members[form->member_count++] = *member;
    return FRAMEMAP_OK;
}

/* Hashes a member with a secret key, as strings are hashed, because the author of a mapping controls the numbers in a
 * member. */
static uint64_t member_hash(const struct fm_builder *b, const struct fm_member *member)
{
    uint64_t hash = (((uint64_t)member->holder << 32 | member->name) ^ b->strings.key) * UINT64_C(0x9E3779B185EBCA87);
    hash = ((hash ^ hash >> 31) + ((uint64_t)member->type << 32 | member->arguments)) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (hash ^ hash >> 29) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Enters all members of an original class in the hash table; from then on, members that are added to the class are
 * entered immediately. Called when a member is added that the class may already have. */
static bool hash_name(struct fm_builder *b, uint32_t number)
{
    struct fm_class_form *form = &b->classes;
    struct fm_name_record *name = &form->names[number];
    if (form->owner == number) form->owner = FM_NONE;
    if (name->is_hashed) return true;
    name->is_hashed = true;
    for (uint32_t i = name->first; i < name->end && !form->apart; i++)
        if (form->members[i].holder == number &&
            !fm_table_add(&form->member_table, member_hash(b, &form->members[i]), i))
            return false;
    return true;
}

static framemap_status find_member(struct fm_builder *b, const struct fm_member *member, uint64_t hash, uint32_t *out,
                                   framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    *out = fm_table_find(&form->member_table, hash, member_equal, form->members, member);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    const framemap_status status = push_member(b, member, out, error);
    if (status != FRAMEMAP_OK) return status;
    return fm_table_add(&form->member_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Appends a member without looking for an equal one. In a shard equal members may have several numbers; joining makes
 * them one. */
static framemap_status append_member(struct fm_builder *b, const struct fm_member *member, uint64_t hash, uint32_t *out,
                                     framemap_error *error)
{
    if (!hash_name(b, member->holder)) return fm_error_memory(error);
    return b->classes.apart ? push_member(b, member, out, error) : find_member(b, member, hash, out, error);
}

/* Whether members of an original class need no lookup, because so far only the class block of that class has added
 * members of it. */
static bool is_own(struct fm_class_form *form, uint32_t holder)
{
    const struct fm_name_record *name = &form->names[holder];
    if (form->owner == holder) return true;
    if (name->is_hashed || name->end != 0) return false;
    form->owner = holder;
    form->names[holder].first = (uint32_t)form->member_count;
    return true;
}

static framemap_status add_own(struct fm_builder *b, const struct fm_member *member, uint32_t *out,
                               framemap_error *error)
{
    const framemap_status status = push_member(b, member, out, error);
    b->classes.names[member->holder].end = (uint32_t)b->classes.member_count;
    return status;
}

framemap_status fm_builder_member(struct fm_builder *b, const struct fm_member *member, uint32_t *out,
                                  framemap_error *error)
{
    if (b->sink != NULL) return b->sink->member(b->sink_context, member, out, error);
    const framemap_status status = check_member(b, member, error);
    return status == FRAMEMAP_OK ? append_member(b, member, member_hash(b, member), out, error) : status;
}

/* Adds a member. hash: hash of the member; it is not used if the member needs no lookup or the builder belongs to a
 * shard. */
static framemap_status add_one(struct fm_builder *b, const struct fm_member *member, bool own, uint64_t hash,
                               uint32_t *out, framemap_error *error)
{
    const framemap_status status = check_member(b, member, error);
    if (status != FRAMEMAP_OK) return status;
    if (!own) return append_member(b, member, hash, out, error);
    return is_own(&b->classes, member->holder) ? add_own(b, member, out, error)
                                               : append_member(b, member, member_hash(b, member), out, error);
}

/* Adds the first members of the list, up to the first one that does not belong to the class whose block is open; nearly
 * all belong to it. These members need no lookup. Returns how many were added. The builder must have room for the whole
 * list. */
static size_t add_run(struct fm_builder *b, const struct fm_member *members, size_t count, uint64_t own, uint32_t *out)
{
    struct fm_class_form *form = &b->classes;
    const uint32_t owner = form->owner;
    size_t i = 0;
    for (; i < count && (own >> i & 1) != 0 && members[i].holder == owner &&
           check_member(b, &members[i], NULL) == FRAMEMAP_OK;
         i++) {
        out[i] = (uint32_t)(form->member_count + i);
        form->members[form->member_count + i] = members[i];
    }
    form->member_count += i;
    if (i > 0) form->names[owner].end = (uint32_t)form->member_count;
    return i;
}

static framemap_status pass_members(struct fm_builder *b, const struct fm_member *members, size_t count, uint32_t *out,
                                    framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = b->sink->member(b->sink_context, &members[i], &out[i], error);
    return status;
}

framemap_status fm_builder_members(struct fm_builder *b, const struct fm_member *members, size_t count, uint64_t own,
                                   uint32_t *out, framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    uint64_t hashes[FM_MEMBERS_MOST];
    framemap_status status = FRAMEMAP_OK;
    if (b->sink != NULL) return pass_members(b, members, count, out, error);
    if (fm_records_are_full(form->member_count + count)) return fm_too_many_records(error, "members");
    if (!FM_GROW_BIG(b->heap, form->members, form->member_capacity, form->member_count + count))
        return fm_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        const bool looked_for = (own >> i & 1) == 0 && !form->apart;
        hashes[i] = looked_for ? member_hash(b, &members[i]) : 0;
        if (looked_for) fm_table_hint(&form->member_table, hashes[i]);
    }
    for (size_t i = 0; i < count && status == FRAMEMAP_OK;) {
        i += add_run(b, members + i, count - i, own >> i, out + i);
        if (i == count) break;
        status = add_one(b, &members[i], (own >> i & 1) != 0, hashes[i], &out[i], error);
        i++;
    }
    return status;
}

/* the most members, and the most bytes of strings, for which hash tables are enlarged in advance: in larger mappings,
 * refilling hash tables takes little of the total time */
#define EXPECTED_MOST ((size_t)1 << 22)

static void expect_rows(struct fm_builder *b, size_t parts)
{
    struct fm_class_form *form = &b->classes;
    struct fm_class_part *own = &form->own;
    if (fm_class_may_expect(b->heap, form->member_count, sizeof *form->members, parts))
        (void)FM_GROW_BIG(b->heap, form->members, form->member_capacity, form->member_count * parts);
    if (fm_class_may_expect(b->heap, own->method_count, sizeof *own->methods, parts))
        (void)FM_GROW_BIG(b->heap, own->methods, own->method_capacity, own->method_count * parts);
    if (fm_class_may_expect(b->heap, own->span_size, 1, parts))
        (void)FM_GROW_BIG(b->heap, own->span_bytes, own->span_capacity, own->span_size * parts);
    if (fm_class_may_expect(b->heap, b->strings.size, 1, parts))
        (void)fm_string_pool_room(&b->strings, b->strings.size * parts, 0);
}

/* Reserves memory for the records of all parts. Up to two thirds of the strings of the other parts are expected to be
 * new. If there is not enough memory now, it is requested again when needed. */
void fm_builder_expect(struct fm_builder *b, size_t parts)
{
    struct fm_class_form *form = &b->classes;
    struct fm_string_pool *strings = &b->strings;
    form->expected_parts = parts;
    if (parts < 2 || b->sink != NULL) return;
    expect_rows(b, parts);
    if (form->member_count > EXPECTED_MOST / parts || strings->size > EXPECTED_MOST / parts) return;
    if (fm_string_pool_room(strings, 0, strings->count * parts / 3 * 2) &&
        fm_table_reserve(&form->name_table, form->name_count * parts))
        (void)fm_table_reserve(&form->class_table, form->class_count * parts);
}

struct list_key {
    const struct fm_note *notes;
    size_t count;
};

static bool note_equal(const struct fm_note *a, const struct fm_note *b)
{
    return a->kind == b->kind && a->text == b->text && a->from == b->from && a->to == b->to && a->count == b->count;
}

static bool list_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_class_form *form = context;
    const struct list_key *wanted = key;
    const struct fm_list_record *list = &form->lists[id];
    if (list->count != wanted->count) return false;
    for (size_t i = 0; i < list->count; i++)
        if (!note_equal(&form->notes[list->first + i], &wanted->notes[i])) return false;
    return true;
}

static framemap_status check_notes(const struct fm_builder *b, const struct fm_note *notes, size_t count,
                                   framemap_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (notes[i].kind < FM_NOTE_REWRITE || notes[i].kind > FM_NOTE_HIDDEN)
            return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an unknown kind of note");
        if (!fm_record_is_known(notes[i].text, b->strings.count)) return fm_no_such_record(error, "string");
    }
    return FRAMEMAP_OK;
}

framemap_status fm_builder_notes(struct fm_builder *b, const struct fm_note *notes, size_t count, uint32_t *out,
                                 framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    const struct list_key key = {notes, count};
    if (b->sink != NULL) return b->sink->notes(b->sink_context, notes, count, out, error);
    framemap_status status = check_notes(b, notes, count, error);
    *out = FM_NONE;
    if (status != FRAMEMAP_OK || count == 0) return status;
    const uint64_t hash = fm_hash64(notes, count * sizeof *notes, 0);
    *out = fm_table_find(&form->list_table, hash, list_equal, form, &key);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(form->list_count)) return fm_too_many_records(error, "lists of notes");
    if (!FM_GROW(b->heap, form->lists, form->list_capacity, form->list_count + 1) ||
        !FM_GROW(b->heap, form->notes, form->note_capacity, form->note_count + count) ||
        !fm_table_add(&form->list_table, hash, (uint32_t)form->list_count))
        return fm_error_memory(error);
    *out = (uint32_t)form->list_count;
    form->lists[form->list_count++] = (struct fm_list_record){form->note_count, count};
    memcpy(form->notes + form->note_count, notes, count * sizeof *notes);
    form->note_count += count;
    return FRAMEMAP_OK;
}

/* --- starting and ending class blocks --- */

static bool class_equal(const void *context, uint32_t id, const void *key)
{
    return ((const struct fm_class_record *)context)[id].residual == *(const uint32_t *)key;
}

framemap_status fm_class_number(struct fm_builder *b, uint32_t residual, uint32_t *out, framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    *out = fm_table_find(&form->class_table, string_hash(residual), class_equal, form->classes, &residual);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(form->class_count)) return fm_too_many_records(error, "classes");
    if (!FM_GROW(b->heap, form->classes, form->class_capacity, form->class_count + 1) ||
        !fm_table_add(&form->class_table, string_hash(residual), (uint32_t)form->class_count))
        return fm_error_memory(error);
    *out = (uint32_t)form->class_count;
    form->classes[form->class_count++] = (struct fm_class_record){.residual = residual};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_class(struct fm_builder *b, framemap_str residual, uint32_t original_name, uint32_t flags,
                                 framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    uint32_t text, number;
    if (b->sink != NULL) return b->sink->class_block(b->sink_context, residual, original_name, flags, error);
    if (original_name >= form->name_count) return fm_no_such_record(error, "name");
    if (flags & ~(uint32_t)FM_CLASS_SYNTHETIC)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a flag that is not defined for classes");
    framemap_status status = fm_builder_string(b, residual, &text, error);
    if (status == FRAMEMAP_OK) status = fm_class_number(b, text, &number, error);
    if (status != FRAMEMAP_OK) return status;
    form->open = number;
    form->owner = FM_NONE;
    form->classes[number] = (struct fm_class_record){.residual = text,
                                                     .name = original_name,
                                                     .flags = flags,
                                                     .first_method = (uint32_t)form->own.method_count,
                                                     .first_field = (uint32_t)form->own.field_count};
    return FRAMEMAP_OK;
}

static framemap_status check_span(const struct fm_builder *b, const struct fm_span *span, bool first,
                                  framemap_error *error)
{
    const struct fm_class_form *form = &b->classes;
    if (span->flags & ~63u || ((span->flags & FM_SPAN_PAIR) != 0 && (span->flags & FM_SPAN_ORIGINAL) == 0))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a flag that is not defined for spans");
    if (span->member >= form->member_count) return fm_no_such_record(error, "member");
    if ((first || (span->flags & FM_SPAN_PART) != 0) && span->entry >= form->member_count)
        return fm_no_such_record(error, "member");
    if (!fm_record_is_known(span->notes, form->list_count)) return fm_no_such_record(error, "list of notes");
    if ((span->flags & FM_SPAN_RESIDUAL) != 0 && span->residual_from > span->residual_to)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a residual line range ends before it begins");
    return FRAMEMAP_OK;
}

/* --- adding methods and fields --- */

/* Stores the spans of a shard's method unpacked, because a shard does not know the numbers that they will have in the
 * index. */
static framemap_status keep_spans(struct fm_builder *b, const struct fm_span *spans, size_t count,
                                  struct fm_method_record *method, framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    if (!FM_GROW(b->heap, form->raw, form->raw_capacity, form->raw_count + count)) return fm_error_memory(error);
    /* copied in a loop and not by a call, because most methods have a single span */
    for (size_t i = 0; i < count; i++) form->raw[form->raw_count + i] = spans[i];
    method->at = form->raw_count;
    method->size = (uint32_t)count;
    form->raw_count += count;
    return FRAMEMAP_OK;
}

static framemap_status pack_spans(struct fm_builder *b, const struct fm_span *spans, size_t count,
                                  struct fm_method_record *method, framemap_error *error)
{
    struct fm_class_part *own = &b->classes.own;
    method->at = own->span_size;
    framemap_status status = fm_encode_spans(b, own, spans, count, error);
    method->size = (uint32_t)(own->span_size - method->at);
    return status;
}

framemap_status fm_builder_method(struct fm_builder *b, framemap_str residual, const struct fm_span *spans,
                                  size_t count, framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    struct fm_class_part *own = &form->own;
    if (b->sink != NULL) return b->sink->method(b->sink_context, residual, spans, count, error);
    if (form->open == FM_NONE) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a method outside of a class");
    if (count == 0) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a method without a span");
    if (fm_records_are_full(own->method_count) || fm_records_are_full(count))
        return fm_too_many_records(error, "methods or spans");
    if (!FM_GROW_BIG(b->heap, own->methods, own->method_capacity, own->method_count + 1)) return fm_error_memory(error);
    /* the record is filled in place, since copying a struct that was just stored would stall */
    struct fm_method_record *method = &own->methods[own->method_count];
    framemap_status status = fm_builder_string(b, residual, &method->name, error);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) status = check_span(b, &spans[i], i == 0, error);
    if (status == FRAMEMAP_OK)
        status = form->apart ? keep_spans(b, spans, count, method, error) : pack_spans(b, spans, count, method, error);
    if (status != FRAMEMAP_OK) return status;
    own->method_count++;
    form->classes[form->open].method_count++;
    return FRAMEMAP_OK;
}

framemap_status fm_builder_field(struct fm_builder *b, framemap_str residual, uint32_t member, framemap_error *error)
{
    struct fm_class_form *form = &b->classes;
    struct fm_class_part *own = &form->own;
    if (b->sink != NULL) return b->sink->field(b->sink_context, residual, member, error);
    if (form->open == FM_NONE) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a field outside of a class");
    if (member >= form->member_count) return fm_no_such_record(error, "member");
    if (fm_records_are_full(own->field_count)) return fm_too_many_records(error, "fields");
    if (!FM_GROW_BIG(b->heap, own->fields, own->field_capacity, own->field_count + 1)) return fm_error_memory(error);
    struct fm_field_record *field = &own->fields[own->field_count];
    framemap_status status = fm_builder_string(b, residual, &field->name, error);
    if (status != FRAMEMAP_OK) return status;
    field->member = member;
    own->field_count++;
    form->classes[form->open].field_count++;
    return FRAMEMAP_OK;
}
