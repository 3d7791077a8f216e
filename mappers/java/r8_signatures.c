/* Interns original signatures, so that a known one need not be parsed again. See r8_signatures.h. */
#include "mappers/java/r8_signatures.h"

#include "core/error.h"
#include "core/hash/hash.h"

#define RUN_BYTES ((size_t)64 << 10)
#define FIRST_SLOTS ((size_t)1 << 10)
#define SIGNATURES_MAX ((size_t)1 << 12) /* most signatures: with their texts they fit the CPU's L2 cache */
#define TEXT_BYTES_MAX ((size_t)2 << 20) /* maximum number of bytes of the signatures' texts */

void fm_r8_signatures_init(struct fm_r8_signatures *set, struct fm_heap *heap, struct fm_builder *builder)
{
    *set = (struct fm_r8_signatures){
        .heap = heap, .builder = builder, .key = fm_hash_key(set), .recent = {FM_NONE, FM_NONE}};
    fm_arena_init(&set->texts, heap);
    fm_buf_init(&set->plain, heap);
}

void fm_r8_signatures_free(struct fm_r8_signatures *set)
{
    fm_heap_free(set->heap, set->all, set->capacity * sizeof *set->all);
    fm_heap_free(set->heap, set->slots, set->slot_count * sizeof *set->slots);
    fm_arena_free(&set->texts);
    fm_buf_free(&set->plain);
}

void fm_r8_signatures_trim(struct fm_r8_signatures *set)
{
    if (set->count > SIGNATURES_MAX || set->texts.total > TEXT_BYTES_MAX) fm_r8_signatures_reset(set);
}

void fm_r8_signatures_reset(struct fm_r8_signatures *set)
{
    if (set->count == 0) return;
    fm_arena_free(&set->texts);
    set->next = set->end = NULL;
    set->count = 0;
    set->recent[0] = set->recent[1] = FM_NONE;
    memset(set->slots, 0, set->slot_count * sizeof *set->slots);
}

/* --- finding signatures by hash --- */

static uint64_t signature_slot(uint64_t hash, size_t number)
{
    return (hash & UINT64_C(0xffffffff00000000)) | (number + 1);
}

static bool is_signature(const struct fm_r8_signatures *set, uint64_t slot, uint64_t hash, framemap_str text)
{
    if ((slot ^ hash) >> 32 != 0) return false;
    const struct fm_r8_signature *known = &set->all[(uint32_t)slot - 1];
    return fm_str_same(fm_str(known->text, known->size), text);
}

uint32_t fm_r8_signatures_find(const struct fm_r8_signatures *set, framemap_str text, uint64_t *hash)
{
    *hash = fm_hash_text(text, set->key);
    if (set->slot_count == 0) return FM_NONE;
    for (size_t at = (size_t)*hash;; at++) {
        const uint64_t slot = set->slots[at & (set->slot_count - 1)];
        if (slot == 0) return FM_NONE;
        if (is_signature(set, slot, *hash, text)) return (uint32_t)slot - 1;
    }
}

static void signatures_put(struct fm_r8_signatures *set, uint64_t hash, size_t number)
{
    size_t at = (size_t)hash;
    while (set->slots[at & (set->slot_count - 1)] != 0) at++;
    set->slots[at & (set->slot_count - 1)] = signature_slot(hash, number);
}

/* Makes room for one more signature; at least half of the slots stay empty. */
static bool signatures_make_room(struct fm_r8_signatures *set)
{
    if ((set->count + 1) * 2 <= set->slot_count) return true;
    const size_t old_count = set->slot_count, count = old_count ? old_count * 2 : FIRST_SLOTS;
    uint64_t *fresh = fm_heap_zalloc(set->heap, count, sizeof *fresh), *old = set->slots;
    if (fresh == NULL) return false;
    set->slots = fresh;
    set->slot_count = count;
    for (size_t i = 0; i < set->count; i++)
        signatures_put(set, fm_hash_text(fm_str(set->all[i].text, set->all[i].size), set->key), i);
    fm_heap_free(set->heap, old, old_count * sizeof *old);
    return true;
}

static const char *signatures_copy_text(struct fm_r8_signatures *set, framemap_str text)
{
    if (set->borrows && text.data != set->plain.data) return text.data;
    if (text.size > RUN_BYTES / 4) {
        char *own = fm_arena_alloc(&set->texts, text.size);
        if (own) memcpy(own, text.data, text.size);
        return own;
    }
    if (set->next == NULL || text.size > (size_t)(set->end - set->next)) {
        set->next = fm_arena_alloc(&set->texts, RUN_BYTES);
        if (set->next == NULL) return NULL;
        set->end = set->next + RUN_BYTES;
    }
    char *copy = memcpy(set->next, text.data, text.size);
    set->next += text.size;
    return copy;
}

/* --- adding signatures --- */

/* Adds the strings of a signature to the builder, except the name: it is needed only when the member is made. The name
 * "a.b.c" means member c of class a.b. */
static framemap_status add_strings(struct fm_r8_signatures *set, const struct fm_r8_signature_parts *parts,
                                   struct fm_r8_signature *out, framemap_error *error)
{
    /* most names have no dot, and so no class before them */
    const size_t dot = fm_str_find_last_byte(parts->name, '.');
    const framemap_str name = dot == FM_NOT_FOUND ? parts->name : fm_str_from(parts->name, dot + 1);
    const char *from = parts->text.data;
    framemap_status status = FRAMEMAP_OK;
    out->name_at = (uint32_t)(name.data - from);
    out->name_size = (uint32_t)name.size;
    if (dot != FM_NOT_FOUND)
        status = fm_builder_name(set->builder, fm_str_slice(parts->name, 0, dot), &out->holder, error);
    if (status == FRAMEMAP_OK) status = fm_builder_string(set->builder, parts->type, &out->type, error);
    if (status != FRAMEMAP_OK || !parts->is_method) return status;
    return fm_builder_string(set->builder, parts->arguments, &out->arguments, error);
}

framemap_status fm_r8_signatures_add(struct fm_r8_signatures *set, const struct fm_r8_signature_parts *parts,
                                     uint64_t hash, uint32_t *out, framemap_error *error)
{
    if (set->count >= UINT32_MAX - 1 || parts->text.size > UINT32_MAX)
        return fm_error_set(error, FRAMEMAP_E_LIMIT,
                            "more than 4 billion different signatures, or one of more than 4 GB");
    if (!signatures_make_room(set) || !FM_GROW(set->heap, set->all, set->capacity, set->count + 1))
        return fm_error_memory(error);
    struct fm_r8_signature *fresh = &set->all[set->count]; /* filled in place, because copying a struct that was just
                                                              stored would stall (store forwarding) */
    *fresh = (struct fm_r8_signature){.holder = FM_NONE,
                                      .name = FM_NONE,
                                      .type = FM_NONE,
                                      .arguments = FM_NONE,
                                      .member_holder = FM_NONE,
                                      .member = FM_NONE};
    fresh->text = signatures_copy_text(set, parts->text);
    fresh->size = (uint32_t)parts->text.size;
    if (fresh->text == NULL) return fm_error_memory(error);
    framemap_status status = add_strings(set, parts, fresh, error);
    if (status != FRAMEMAP_OK) return status;
    signatures_put(set, hash, set->count);
    *out = (uint32_t)set->count++;
    return FRAMEMAP_OK;
}

/* --- reading signatures --- */

/* Parses once more a signature that has superfluous blanks, and writes it to a buffer without them. */
static framemap_status read_plain(struct fm_r8_signatures *set, const char *from, const char *end,
                                  struct fm_r8_signature_parts *parts, framemap_error *error)
{
    struct fm_r8_signature_parts again;
    struct fm_r8_cursor cursor = {.at = from, .end = end};
    fm_buf_clear(&set->plain);
    fm_r8_signature(&cursor, &again, &set->plain);
    if (set->plain.failed) return fm_error_memory(error);
    cursor = (struct fm_r8_cursor){.at = set->plain.data, .end = set->plain.data + set->plain.size};
    fm_r8_signature(&cursor, parts, NULL);
    return FRAMEMAP_OK;
}

/* Reads a signature that read_known has not found. tried: the text that read_known searched for; hash: the hash of that
 * text. */
static framemap_status read_new(struct fm_r8_signatures *set, struct fm_r8_cursor *cursor, framemap_str tried,
                                uint64_t hash, bool *good, uint32_t *out, framemap_error *error)
{
    struct fm_r8_signature_parts parts;
    const char *from = cursor->at;
    *good = fm_r8_signature(cursor, &parts, NULL);
    if (!*good) return FRAMEMAP_OK;
    framemap_status status = parts.plain ? FRAMEMAP_OK : read_plain(set, from, cursor->end, &parts, error);
    if (status != FRAMEMAP_OK) return status;
    *out = FM_NONE;
    if (parts.text.data != tried.data || parts.text.size != tried.size)
        *out = fm_r8_signatures_find(set, parts.text, &hash);
    return *out == FM_NONE ? fm_r8_signatures_add(set, &parts, hash, out, error) : FRAMEMAP_OK;
}

/* Compares the text with the two signatures that were read last. Usually it equals one of them, because the lines of a
 * method alternate with the lines of methods inlined into it. */
static bool read_recent(const struct fm_r8_signatures *set, const char **at, const char *end, uint32_t *out)
{
    for (unsigned i = 0; i < 2 && set->recent[i] != FM_NONE; i++) {
        const struct fm_r8_signature *signature = &set->all[set->recent[i]];
        if (signature->size > (size_t)(end - *at) || (*at)[signature->size - 1] != ')' ||
            memcmp(*at, signature->text, signature->size) != 0)
            continue;
        *out = set->recent[i];
        *at += signature->size;
        return true;
    }
    return false;
}

static void now_recent(struct fm_r8_signatures *set, uint32_t number)
{
    if (set->all[number].arguments == FM_NONE)
        return; /* fields are not compared with earlier texts, because nothing marks the end of a field's signature */
    if (set->recent[0] != number) set->recent[1] = set->recent[0];
    set->recent[0] = number;
}

/* Looks up the text up to the first closing parenthesis. */
static bool read_known(struct fm_r8_signatures *set, struct fm_r8_cursor *cursor, framemap_str *tried, uint64_t *hash,
                       uint32_t *out)
{
    const char *close = memchr(cursor->at, ')', (size_t)(cursor->end - cursor->at));
    if (close == NULL) return false;
    *tried = fm_str(cursor->at, (size_t)(close + 1 - cursor->at));
    *out = fm_r8_signatures_find(set, *tried, hash);
    if (*out != FM_NONE) cursor->at = close + 1;
    return *out != FM_NONE;
}

framemap_status fm_r8_signatures_read(struct fm_r8_signatures *set, struct fm_r8_cursor *cursor, bool *good,
                                      uint32_t *out, framemap_error *error)
{
    framemap_str tried = {NULL, 0};
    uint64_t hash = 0;
    *good = true;
    if (!read_recent(set, &cursor->at, cursor->end, out) && !read_known(set, cursor, &tried, &hash, out)) {
        framemap_status status = read_new(set, cursor, tried, hash, good, out, error);
        if (status != FRAMEMAP_OK || !*good) return status;
    }
    now_recent(set, *out);
    return FRAMEMAP_OK;
}

bool fm_r8_signatures_read_fast(struct fm_r8_signatures *set, struct fm_r8_fast_line *line, uint32_t *out,
                                framemap_status *status, framemap_error *error)
{
    struct fm_r8_signature_parts parts;
    uint64_t hash;
    *status = FRAMEMAP_OK;
    if (!read_recent(set, &line->at, line->end, out)) {
        if (!fm_r8_fast_line_signature(line, &parts)) return false;
        *out = fm_r8_signatures_find(set, parts.text, &hash);
        if (*out == FM_NONE) *status = fm_r8_signatures_add(set, &parts, hash, out, error);
        if (*status != FRAMEMAP_OK) return false;
    }
    now_recent(set, *out);
    return true;
}

static struct fm_member signature_member(const struct fm_r8_signature *signature, uint32_t holder)
{
    return (struct fm_member){fm_r8_signature_holder(signature, holder), signature->name, signature->type,
                              signature->arguments};
}

static framemap_str signature_name(const struct fm_r8_signature *signature)
{
    return fm_str(signature->text + signature->name_at, signature->name_size);
}

framemap_status fm_r8_signatures_make_member(struct fm_r8_signatures *set, uint32_t number, uint32_t holder,
                                             uint32_t *out, framemap_error *error)
{
    struct fm_r8_signature *signature = &set->all[number];
    framemap_status status = FRAMEMAP_OK;
    if (signature->name == FM_NONE)
        status = fm_builder_string(set->builder, signature_name(signature), &signature->name, error);
    const struct fm_member member = signature_member(signature, holder);
    if (status == FRAMEMAP_OK) status = fm_builder_member(set->builder, &member, &signature->member, error);
    if (status != FRAMEMAP_OK) return status;
    signature->member_holder = member.holder;
    *out = signature->member;
    return FRAMEMAP_OK;
}

static framemap_status name_batch(const struct fm_r8_batch *batch, framemap_error *error)
{
    framemap_str texts[FM_R8_BATCH];
    uint32_t wanted[FM_R8_BATCH], names[FM_R8_BATCH];
    struct fm_r8_signature *all = batch->set->all;
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (all[batch->numbers[i]].name != FM_NONE) continue;
        wanted[count] = batch->numbers[i];
        texts[count++] = signature_name(&all[batch->numbers[i]]);
    }
    if (count == 0) return FRAMEMAP_OK;
    framemap_status status = fm_builder_strings(batch->set->builder, texts, count, names, error);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) all[wanted[i]].name = names[i];
    return status;
}

framemap_status fm_r8_batch_end(struct fm_r8_batch *batch, framemap_error *error)
{
    struct fm_member members[FM_R8_BATCH];
    uint32_t numbers[FM_R8_BATCH];
    struct fm_r8_signature *all = batch->set->all;
    framemap_status status = name_batch(batch, error);
    /* bit i is set if member i has no holder of its own; such a member is known to be distinct from the others */
    uint64_t own = 0;
    for (size_t i = 0; i < batch->count; i++) {
        members[i] = signature_member(&all[batch->numbers[i]], batch->holder);
        own |= (uint64_t)(all[batch->numbers[i]].holder == FM_NONE) << i;
    }
    if (status == FRAMEMAP_OK)
        status = fm_builder_members(batch->set->builder, members, batch->count, own, numbers, error);
    for (size_t i = 0; i < batch->count && status == FRAMEMAP_OK; i++) all[batch->numbers[i]].member = numbers[i];
    batch->count = 0;
    return status;
}

framemap_status fm_r8_batch_add(struct fm_r8_batch *batch, uint32_t number, framemap_error *error)
{
    struct fm_r8_signature *signature = &batch->set->all[number];
    if (signature->member_holder == fm_r8_signature_holder(signature, batch->holder)) return FRAMEMAP_OK;
    /* the holder is stored in the signature, so that it is not added to the builder a second time */
    signature->member_holder = fm_r8_signature_holder(signature, batch->holder);
    batch->numbers[batch->count++] = number;
    return batch->count == FM_R8_BATCH ? fm_r8_batch_end(batch, error) : FRAMEMAP_OK;
}
