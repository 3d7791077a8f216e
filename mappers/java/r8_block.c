/* Applies R8's rules to the lines and comments of one class block. See r8_block.h. */
#include "mappers/java/r8_block.h"

#include "core/error.h"
#include "mappers/java/r8_block_write.h"

framemap_status fm_r8_block_open(struct fm_r8_block *b, framemap_str original, framemap_str residual,
                                 framemap_error *error)
{
    fm_r8_block_clear(b);
    b->open = true;
    b->residual = residual;
    b->flags = 0;
    b->previous.there = false;
    b->active = b->declared = b->info_key = FM_NONE;
    b->marks = 0;
    b->info_synthesized = b->info_outline = false;
    b->of_class = b->of_active = b->of_member = (struct fm_r8_seen_infos){.source_file = false};
    return fm_builder_name(b->builder, original, &b->original, error);
}

/* Applies the metadata comments that were read since the last declaration to the member that is declared now. Some of
 * them may have been below the line of another method, which is inlined into this member. */
static void take_pending_infos(struct fm_r8_block *b, struct fm_r8_key *key)
{
    key->synthesized |= b->info_synthesized;
    key->outline |= b->info_outline;
    b->info_synthesized = b->info_outline = false;
    b->info_key = FM_NONE;
    b->of_member = (struct fm_r8_seen_infos){.source_file = false};
}

/* Returns the residual signature under which the member of the previous line is declared. It is the one that a comment
 * gave, if that is of the line's kind (method or field), else the line's own. */
static uint32_t key_to_declare(struct fm_r8_block *b, unsigned *warnings)
{
    const bool is_field = fm_r8_is_field(b->signatures, b->previous.signature);
    if (b->info_key != FM_NONE && (b->keys[b->info_key].arguments == FM_NONE) == is_field) return b->info_key;
    if (b->info_key != FM_NONE) ++*warnings;
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

/* Declares the member of the previous line. Called when the next line shows that the previous line's method is not
 * inlined into it. */
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
    take_pending_infos(b, &b->keys[b->declared]);
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

/* Returns the residual signature that a comment gave for an earlier line of the same method, because it applies to this
 * line, too. */
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
    b->of_active = (struct fm_r8_seen_infos){.source_file = false};
    return FRAMEMAP_OK;
}

/* Whether this line shows that the method of the previous line is not inlined into the method of this line. */
static bool is_not_inlined(const struct fm_r8_block *b, const struct fm_r8_member *member, uint32_t name)
{
    return b->previous.name != name || b->previous.residual.numbers == FM_R8_NO_NUMBER ||
           !fm_r8_range_equal(b->previous.residual, member->residual) || member->original.numbers != FM_R8_ONE_NUMBER;
}

framemap_status fm_r8_block_member(struct fm_r8_block *b, const struct fm_r8_member *member, unsigned *warnings,
                                   framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    const uint32_t name = fm_r8_block_name(b, member->name);
    const bool is_field = fm_r8_is_field(b->signatures, member->signature);
    if (name == FM_NONE) return fm_error_memory(error);
    if (!is_field) status = add_span(b, member, name, error);
    if (status == FRAMEMAP_OK && b->previous.there && is_not_inlined(b, member, name))
        status = declare(b, warnings, error);
    b->previous =
        (struct fm_r8_previous){true, member->signature, name, is_field ? FM_NONE : b->active, member->residual};
    return status;
}

/* --- applying metadata comments --- */

static bool once(bool *seen)
{
    const bool first = !*seen;
    *seen = true;
    return first;
}

static bool method_once(struct fm_r8_seen_infos *seen, const struct fm_r8_info *info)
{
    if (!once(&seen->method))
        return seen->method_bad == info->bad &&
               (info->bad || (seen->method_type == info->type && seen->method_arguments == info->arguments));
    seen->method_bad = info->bad;
    seen->method_type = info->type;
    seen->method_arguments = info->arguments;
    return true;
}

static bool field_once(struct fm_r8_seen_infos *seen, const struct fm_r8_info *info)
{
    if (!once(&seen->field)) return seen->field_bad == info->bad && (info->bad || seen->field_type == info->type);
    seen->field_bad = info->bad;
    seen->field_type = info->type;
    return true;
}

/* Whether this comment is allowed in addition to the comments before it. false: R8 warns and ignores the comment. */
static bool is_allowed_info(struct fm_r8_seen_infos *seen, const struct fm_r8_info *info)
{
    switch (info->kind) {
    case FM_R8_INFO_SOURCE_FILE: return once(&seen->source_file);
    case FM_R8_INFO_SYNTHESIZED: return once(&seen->synthesized);
    case FM_R8_INFO_REWRITE: return once(&seen->rewrite);
    case FM_R8_INFO_CALLSITE: return once(&seen->callsite);
    case FM_R8_INFO_PARTITION: return once(&seen->partition);
    case FM_R8_INFO_RESIDUAL_METHOD: return method_once(seen, info);
    case FM_R8_INFO_RESIDUAL_FIELD: return field_once(seen, info);
    case FM_R8_INFO_NOTHING:
    case FM_R8_INFO_VERSION:
    case FM_R8_INFO_OUTLINE: break;
    }
    return true;
}

static framemap_status apply_to_class(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                      framemap_error *error)
{
    if (!is_allowed_info(&b->of_class, info)) {
        ++*warnings;
        return FRAMEMAP_OK;
    }
    if (info->kind == FM_R8_INFO_SYNTHESIZED) b->flags |= FM_CLASS_SYNTHETIC;
    return info->kind == FM_R8_INFO_SOURCE_FILE ? fm_builder_name_source(b->builder, b->original, info->text, error)
                                                : FRAMEMAP_OK;
}

static framemap_status apply_to_line(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                     framemap_error *error)
{
    if (!is_allowed_info(&b->of_active, info)) {
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

static framemap_status apply_residual(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                      framemap_error *error)
{
    if (info->bad) {
        ++*warnings;
        return FRAMEMAP_OK;
    }
    b->info_key = fm_r8_block_key(b, b->previous.name, info->type, info->arguments, true);
    if (b->info_key == FM_NONE) return fm_error_memory(error);
    if (b->active == FM_NONE) return FRAMEMAP_OK;
    /* R8 prints a warning here if a method precedes the comment, even if the comment's member is a field */
    if (info->kind == FM_R8_INFO_RESIDUAL_FIELD) {
        ++*warnings;
        b->info_key = FM_NONE;
        return FRAMEMAP_OK;
    }
    struct fm_r8_span *active = &b->spans[b->active];
    const bool declared = b->declared != FM_NONE && b->keys[b->declared].signature == active->signature;
    if (!declared) active->key = b->info_key;
    return FRAMEMAP_OK;
}

static framemap_status apply_to_member(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                       framemap_error *error)
{
    if (!is_allowed_info(&b->of_member, info)) ++*warnings;
    if (info->kind == FM_R8_INFO_SYNTHESIZED) b->info_synthesized = true;
    if (info->kind == FM_R8_INFO_OUTLINE) b->info_outline = true;
    if (info->kind == FM_R8_INFO_RESIDUAL_METHOD || info->kind == FM_R8_INFO_RESIDUAL_FIELD)
        return apply_residual(b, info, warnings, error);
    return FRAMEMAP_OK;
}

framemap_status fm_r8_block_info(struct fm_r8_block *b, const struct fm_r8_info *info, unsigned *warnings,
                                 framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (!b->previous.there) return apply_to_class(b, info, warnings, error);
    if (b->active != FM_NONE) status = apply_to_line(b, info, warnings, error);
    if (status == FRAMEMAP_OK && !is_of_line(info)) status = apply_to_member(b, info, warnings, error);
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
