#include "mappers/java/r8_block.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "mappers/java/r8_block_inner.h"

#define FIRST_SLOTS ((size_t)256)

void fm_r8_block_init(struct fm_r8_block *block, struct fm_heap *heap, struct fm_builder *builder,
                      struct fm_r8_signatures *signatures)
{
    *block =
        (struct fm_r8_block){.heap = heap, .builder = builder, .signatures = signatures, .key = fm_hash_key(block)};
}

void fm_r8_block_free(struct fm_r8_block *b)
{
    fm_heap_free(b->heap, b->spans, b->span_capacity * sizeof *b->spans);
    fm_heap_free(b->heap, b->names, b->name_capacity * sizeof *b->names);
    fm_heap_free(b->heap, b->keys, b->key_capacity * sizeof *b->keys);
    fm_heap_free(b->heap, b->fields, b->field_capacity * sizeof *b->fields);
    fm_heap_free(b->heap, b->out, b->out_capacity * sizeof *b->out);
    fm_heap_free(b->heap, b->notes, b->note_capacity * sizeof *b->notes);
    fm_heap_free(b->heap, b->name_index.slots, b->name_index.capacity * sizeof *b->name_index.slots);
    fm_heap_free(b->heap, b->key_index.slots, b->key_index.capacity * sizeof *b->key_index.slots);
}

/* --- names and keys found by content --- */

static void index_put(struct fm_r8_index *index, uint32_t stamp, uint64_t hash, uint32_t number)
{
    size_t at = (size_t)hash;
    while (index->slots[at & (index->count - 1)].stamp == stamp) at++;
    index->slots[at & (index->count - 1)] = (struct fm_r8_slot){stamp, number};
}

/* Most names are short. */
static uint64_t name_hash(const struct fm_r8_block *b, framemap_str text, uint64_t word)
{
    return word != 0 ? fm_hash_word(word, b->key) : fm_hash_text(text, b->key);
}

static uint64_t key_hash(const struct fm_r8_block *b, const struct fm_r8_key *key)
{
    uint64_t hash = (((uint64_t)key->type << 32 | key->arguments) ^ b->key) * UINT64_C(0x9E3779B185EBCA87) + key->name;
    hash = (hash ^ hash >> 29) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return hash ^ hash >> 32;
}

/* So many slots, all of them empty. */
static bool empty_slots(struct fm_heap *heap, struct fm_r8_index *index, size_t count)
{
    if (count <= index->capacity) {
        memset(index->slots, 0, count * sizeof *index->slots);
        index->count = count;
        return true;
    }
    struct fm_r8_slot *fresh = fm_heap_zalloc(heap, count, sizeof *fresh);
    if (fresh == NULL) return false;
    fm_heap_free(heap, index->slots, index->capacity * sizeof *index->slots);
    *index = (struct fm_r8_index){fresh, count, count};
    return true;
}

static bool make_index_room(struct fm_r8_block *b, struct fm_r8_index *index, size_t used)
{
    if (!empty_slots(b->heap, index, index->count ? index->count * 2 : FIRST_SLOTS)) return false;
    for (size_t i = 0; i < used; i++) {
        const uint64_t hash =
            index == &b->name_index ? name_hash(b, b->names[i].text, b->names[i].word) : key_hash(b, &b->keys[i]);
        index_put(index, b->stamp, hash, (uint32_t)i);
    }
    return true;
}

static inline bool index_room(struct fm_r8_block *b, struct fm_r8_index *index, size_t used)
{
    return (used + 1) * 2 <= index->count || make_index_room(b, index, used);
}

static inline bool is_name(const struct fm_r8_name *name, framemap_str text, uint64_t word)
{
    return name->word == word && (word != 0 || fm_str_equal(name->text, text));
}

/* The number of a member name of the block, FM_NONE when there is no memory for a new one. */
static uint32_t name_number(struct fm_r8_block *b, framemap_str text)
{
    const uint32_t last = b->previous.there ? b->previous.name : FM_NONE;
    if (last != FM_NONE && b->names[last].text.data == text.data)
        return last; /* the reader found it in the line before */
    const uint64_t word = fm_str_word(text);
    if (last != FM_NONE && is_name(&b->names[last], text, word)) return last;
    const uint64_t hash = name_hash(b, text, word);
    if (!index_room(b, &b->name_index, b->name_count)) return FM_NONE;
    for (size_t at = (size_t)hash;; at++) {
        const struct fm_r8_slot *slot = &b->name_index.slots[at & (b->name_index.count - 1)];
        if (slot->stamp != b->stamp) break;
        if (is_name(&b->names[slot->number], text, word)) return slot->number;
    }
    if (b->name_count >= FM_NONE || !FM_GROW(b->heap, b->names, b->name_capacity, b->name_count + 1)) return FM_NONE;
    b->names[b->name_count] = (struct fm_r8_name){text, word, FM_NONE, FM_NONE, 0};
    index_put(&b->name_index, b->stamp, hash, (uint32_t)b->name_count);
    return (uint32_t)b->name_count++;
}

/* The number of a residual signature, FM_NONE when there is none; with `add`, when there is no memory for a new one. */
static uint32_t key_number(struct fm_r8_block *b, uint32_t name, uint32_t type, uint32_t arguments, bool add)
{
    const struct fm_r8_key key = {name, type, arguments, FM_NONE, false, false};
    const uint64_t hash = key_hash(b, &key);
    if (add && !index_room(b, &b->key_index, b->key_count)) return FM_NONE;
    if (b->key_index.count == 0) return FM_NONE;
    for (size_t at = (size_t)hash;; at++) {
        const struct fm_r8_slot *slot = &b->key_index.slots[at & (b->key_index.count - 1)];
        if (slot->stamp != b->stamp) break;
        const struct fm_r8_key *known = &b->keys[slot->number];
        if (known->name == name && known->type == type && known->arguments == arguments) return slot->number;
    }
    if (!add || b->key_count >= FM_NONE || !FM_GROW(b->heap, b->keys, b->key_capacity, b->key_count + 1))
        return FM_NONE;
    b->keys[b->key_count] = key;
    index_put(&b->key_index, b->stamp, hash, (uint32_t)b->key_count);
    return (uint32_t)b->key_count++;
}

uint32_t fm_r8_block_own_key(struct fm_r8_block *b, uint32_t name, uint32_t signature, bool add)
{
    const struct fm_r8_signature *s = &b->signatures->all[signature];
    return key_number(b, name, s->type, s->arguments, add);
}

/* --- the block --- */

/* Stamps of all blocks differ, until 4 billion of them are used up. */
static void new_stamp(struct fm_r8_block *b)
{
    if (b->name_index.capacity > 0) b->name_index.count = FIRST_SLOTS;
    if (b->key_index.capacity > 0) b->key_index.count = FIRST_SLOTS;
    if (++b->stamp != 0) return;
    if (b->name_index.capacity) memset(b->name_index.slots, 0, b->name_index.capacity * sizeof *b->name_index.slots);
    if (b->key_index.capacity) memset(b->key_index.slots, 0, b->key_index.capacity * sizeof *b->key_index.slots);
    b->stamp = 1;
}

framemap_status fm_r8_block_open(struct fm_r8_block *b, framemap_str original, framemap_str residual,
                                 framemap_error *error)
{
    new_stamp(b);
    b->open = true;
    b->residual = residual;
    b->flags = 0;
    b->span_count = b->name_count = b->key_count = b->field_count = b->note_count = 0;
    b->previous.there = false;
    b->active = b->declared = b->told_key = FM_NONE;
    b->marks = 0;
    b->told_synthesized = b->told_outline = false;
    b->of_class = b->of_active = b->of_member = (struct fm_r8_told){.source_file = false};
    return fm_builder_name(b->builder, original, &b->original, error);
}

/* What comments told since the last declaration goes to this one, though they stood below a line that was inlined into
 * it. */
static void take_told(struct fm_r8_block *b, struct fm_r8_key *key)
{
    key->synthesized |= b->told_synthesized;
    key->outline |= b->told_outline;
    b->told_synthesized = b->told_outline = false;
    b->told_key = FM_NONE;
    b->of_member = (struct fm_r8_told){.source_file = false};
}

/* The residual signature to declare the line before under: as told, if it is of the same kind. */
static uint32_t key_to_declare(struct fm_r8_block *b, unsigned *warnings)
{
    const bool is_field = fm_r8_is_field(b->signatures, b->previous.signature);
    if (b->told_key != FM_NONE && (b->keys[b->told_key].arguments == FM_NONE) == is_field) return b->told_key;
    if (b->told_key != FM_NONE) ++*warnings;
    const uint32_t key = fm_r8_block_own_key(b, b->previous.name, b->previous.signature, true);
    if (b->previous.span != FM_NONE) b->spans[b->previous.span].own_key = key;
    return key;
}

static bool is_declared(const struct fm_r8_block *b)
{
    if (b->previous.residual.numbers == FM_R8_NO_NUMBER || b->declared == FM_NONE) return false;
    const struct fm_r8_key *last = &b->keys[b->declared];
    return last->name == b->previous.name && last->signature == b->previous.signature;
}

/* Declares the line before, of which it is known now that it is not inlined into the one behind it. */
static framemap_status declare(struct fm_r8_block *b, unsigned *warnings, framemap_error *error)
{
    if (!is_declared(b)) {
        const uint32_t key = key_to_declare(b, warnings);
        if (key == FM_NONE) return fm_error_memory(error);
        if (b->keys[key].signature == FM_NONE && b->keys[key].arguments == FM_NONE) {
            if (!FM_GROW(b->heap, b->fields, b->field_capacity, b->field_count + 1)) return fm_error_memory(error);
            b->fields[b->field_count++] = key;
        }
        if (b->keys[key].signature == FM_NONE) b->keys[key].signature = b->previous.signature;
        b->declared = key;
    }
    take_told(b, &b->keys[b->declared]);
    return FRAMEMAP_OK;
}

static framemap_status end_notes(struct fm_r8_block *b, framemap_error *error)
{
    const size_t count = b->note_count;
    b->note_count = 0;
    if (b->active == FM_NONE || (count == 0 && b->marks == 0)) return FRAMEMAP_OK;
    framemap_status status = FRAMEMAP_OK;
    if (count > 0) status = fm_builder_notes(b->builder, b->notes, count, &b->spans[b->active].notes, error);
    if (status != FRAMEMAP_OK || b->marks == 0) return status;
    if (!FM_GROW(b->heap, b->notes, b->note_capacity, count + 1)) return fm_error_memory(error);
    b->notes[count] = (struct fm_note){.kind = FM_NOTE_HIDDEN, .text = FM_NONE, .from = (int32_t)b->marks};
    return fm_builder_notes(b->builder, b->notes, count + 1, &b->spans[b->active].alone, error);
}

/* The residual signature that a comment told of an earlier line of the same method holds for this one too. */
static uint32_t inherited_key(const struct fm_r8_block *b, uint32_t signature, uint32_t name)
{
    if (b->active != FM_NONE && b->spans[b->active].signature == signature && b->spans[b->active].name == name)
        return b->spans[b->active].key;
    return b->declared != FM_NONE && b->keys[b->declared].signature == signature ? b->declared : FM_NONE;
}

static framemap_status add_span(struct fm_r8_block *b, const struct fm_r8_member *member, uint32_t name,
                                framemap_error *error)
{
    const uint32_t number = (uint32_t)b->span_count;
    framemap_status status = end_notes(b, error);
    if (status != FRAMEMAP_OK) return status;
    if (b->span_count >= FM_NONE) return fm_error_set(error, FRAMEMAP_E_LIMIT, "a class of more than 4 billion lines");
    if (!FM_GROW(b->heap, b->spans, b->span_capacity, b->span_count + 1)) return fm_error_memory(error);
    b->spans[b->span_count++] = (struct fm_r8_span){.residual = member->residual,
                                                    .original = member->original,
                                                    .signature = member->signature,
                                                    .name = name,
                                                    .next = FM_NONE,
                                                    .notes = FM_NONE,
                                                    .alone = FM_NONE,
                                                    .own_key = FM_NONE,
                                                    .key = inherited_key(b, member->signature, name)};
    struct fm_r8_name *of = &b->names[name];
    if (of->count++ == 0)
        of->first = number;
    else
        b->spans[of->last].next = number;
    of->last = number;
    b->active = number;
    b->marks = 0;
    b->of_active = (struct fm_r8_told){.source_file = false};
    return FRAMEMAP_OK;
}

/* Whether the line before is not inlined into this one. */
static bool stands_alone(const struct fm_r8_block *b, const struct fm_r8_member *member, uint32_t name)
{
    return b->previous.name != name || b->previous.residual.numbers == FM_R8_NO_NUMBER ||
           !fm_r8_range_equal(b->previous.residual, member->residual) || member->original.numbers != FM_R8_ONE_NUMBER;
}

framemap_status fm_r8_block_member(struct fm_r8_block *b, const struct fm_r8_member *member, unsigned *warnings,
                                   framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    const uint32_t name = name_number(b, member->name);
    const bool is_field = fm_r8_is_field(b->signatures, member->signature);
    if (name == FM_NONE) return fm_error_memory(error);
    if (!is_field) status = add_span(b, member, name, error);
    if (status == FRAMEMAP_OK && b->previous.there && stands_alone(b, member, name))
        status = declare(b, warnings, error);
    b->previous =
        (struct fm_r8_previous){true, member->signature, name, is_field ? FM_NONE : b->active, member->residual};
    return status;
}

/* --- comments --- */

static bool once(bool *told)
{
    const bool first = !*told;
    *told = true;
    return first;
}

static bool method_once(struct fm_r8_told *told, const struct fm_r8_info *info)
{
    if (!once(&told->method))
        return told->method_bad == info->bad &&
               (info->bad || (told->method_type == info->type && told->method_arguments == info->arguments));
    told->method_bad = info->bad;
    told->method_type = info->type;
    told->method_arguments = info->arguments;
    return true;
}

static bool field_once(struct fm_r8_told *told, const struct fm_r8_info *info)
{
    if (!once(&told->field)) return told->field_bad == info->bad && (info->bad || told->field_type == info->type);
    told->field_bad = info->bad;
    told->field_type = info->type;
    return true;
}

/* Whether this may be told beside what has been told; false: R8 warns and drops it. */
static bool may_tell(struct fm_r8_told *told, const struct fm_r8_info *info)
{
    switch (info->kind) {
    case FM_R8_INFO_SOURCE_FILE: return once(&told->source_file);
    case FM_R8_INFO_SYNTHESIZED: return once(&told->synthesized);
    case FM_R8_INFO_REWRITE: return once(&told->rewrite);
    case FM_R8_INFO_CALLSITE: return once(&told->callsite);
    case FM_R8_INFO_PARTITION: return once(&told->partition);
    case FM_R8_INFO_RESIDUAL_METHOD: return method_once(told, info);
    case FM_R8_INFO_RESIDUAL_FIELD: return field_once(told, info);
    case FM_R8_INFO_NOTHING:
    case FM_R8_INFO_VERSION:
    case FM_R8_INFO_OUTLINE: break;
    }
    return true;
}

static framemap_status tell_class(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                  framemap_error *error)
{
    if (!may_tell(&b->of_class, info)) {
        ++*warnings;
        return FRAMEMAP_OK;
    }
    if (info->kind == FM_R8_INFO_SYNTHESIZED) b->flags |= FM_CLASS_SYNTHETIC;
    return info->kind == FM_R8_INFO_SOURCE_FILE ? fm_builder_name_source(b->builder, b->original, info->text, error)
                                                : FRAMEMAP_OK;
}

static framemap_status tell_span(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                 framemap_error *error)
{
    if (!may_tell(&b->of_active, info)) {
        ++*warnings;
        return FRAMEMAP_OK;
    }
    if (info->kind == FM_R8_INFO_SYNTHESIZED) b->marks |= FM_SPAN_SYNTHETIC;
    if (info->kind == FM_R8_INFO_OUTLINE) b->marks |= FM_SPAN_OUTLINE;
    if (!FM_GROW(b->heap, b->notes, b->note_capacity, b->note_count + info->note_count)) return fm_error_memory(error);
    if (info->note_count) memcpy(b->notes + b->note_count, info->notes, info->note_count * sizeof *info->notes);
    b->note_count += info->note_count;
    return FRAMEMAP_OK;
}

static bool is_of_line(const struct fm_r8_info *info)
{
    return info->kind == FM_R8_INFO_REWRITE || info->kind == FM_R8_INFO_CALLSITE;
}

static framemap_status tell_residual(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                     framemap_error *error)
{
    if (info->bad) {
        ++*warnings;
        return FRAMEMAP_OK;
    }
    b->told_key = key_number(b, b->previous.name, info->type, info->arguments, true);
    if (b->told_key == FM_NONE) return fm_error_memory(error);
    if (b->active == FM_NONE) return FRAMEMAP_OK;
    if (info->kind == FM_R8_INFO_RESIDUAL_FIELD) { /* of a field behind a method, too */
        ++*warnings;
        b->told_key = FM_NONE;
        return FRAMEMAP_OK;
    }
    struct fm_r8_span *active = &b->spans[b->active];
    const bool declared = b->declared != FM_NONE && b->keys[b->declared].signature == active->signature;
    if (!declared) active->key = b->told_key;
    return FRAMEMAP_OK;
}

static framemap_status tell_member(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                   framemap_error *error)
{
    if (!may_tell(&b->of_member, info)) ++*warnings;
    if (info->kind == FM_R8_INFO_SYNTHESIZED) b->told_synthesized = true;
    if (info->kind == FM_R8_INFO_OUTLINE) b->told_outline = true;
    if (info->kind == FM_R8_INFO_RESIDUAL_METHOD || info->kind == FM_R8_INFO_RESIDUAL_FIELD)
        return tell_residual(b, info, warnings, error);
    return FRAMEMAP_OK;
}

framemap_status fm_r8_block_info(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                 framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (!b->previous.there) return tell_class(b, info, warnings, error);
    if (b->active != FM_NONE) status = tell_span(b, info, warnings, error);
    if (status == FRAMEMAP_OK && !is_of_line(info)) status = tell_member(b, info, warnings, error);
    return status;
}

framemap_status fm_r8_block_close(struct fm_r8_block *b, unsigned *warnings, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (!b->open) return status;
    b->open = false;
    if (b->previous.there) status = declare(b, warnings, error);
    if (status == FRAMEMAP_OK) status = end_notes(b, error);
    return status == FRAMEMAP_OK ? fm_r8_block_write(b, error) : status;
}
