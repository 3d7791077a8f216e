/* Implementation of builder.h for the records that all forms share, and for the address form. */
#include "core/error.h"
#include "core/limits.h"
#include "index/write/model/builder_model.h"
#include "index/write/model/record_checks.h"

framemap_status fm_builder_create(struct fm_heap *heap, struct fm_builder **out, framemap_error *error)
{
    struct fm_builder *b = fm_heap_zalloc(heap, 1, sizeof *b);
    if (b == NULL) return fm_error_memory(error);
    b->heap = heap;
    fm_string_pool_init(&b->strings, heap);
    fm_string_pool_init(&b->scope_keys, heap);
    fm_table_init(&b->file_table, heap);
    fm_table_init(&b->function_table, heap);
    fm_table_init(&b->node_table, heap);
    fm_table_init(&b->number_table, heap);
    fm_table_init(&b->group_table, heap);
    fm_rows_init(&b->rows, heap);
    b->threads = 1;
    fm_class_form_init(&b->classes, heap);
    *out = b;
    return FRAMEMAP_OK;
}

framemap_status fm_builder_create_for(const struct fm_builder_sink *sink, void *context, struct fm_heap *heap,
                                      struct fm_builder **out, framemap_error *error)
{
    const framemap_status status = fm_builder_create(heap, out, error);
    if (status != FRAMEMAP_OK) return status;
    (*out)->sink = sink;
    (*out)->sink_context = context;
    return FRAMEMAP_OK;
}

void fm_builder_free(struct fm_builder *b)
{
    if (b == NULL) return;
    struct fm_heap *heap = b->heap;
    fm_string_pool_free(&b->strings);
    fm_string_pool_free(&b->scope_keys);
    fm_table_free(&b->file_table);
    fm_table_free(&b->function_table);
    fm_table_free(&b->node_table);
    fm_table_free(&b->number_table);
    fm_table_free(&b->group_table);
    fm_class_form_free(&b->classes, heap);
    fm_segment_form_free(&b->segments, heap);
    fm_heap_free(heap, b->attributes, b->attribute_capacity * sizeof *b->attributes);
    fm_heap_free(heap, b->files, b->file_capacity * sizeof *b->files);
    fm_heap_free(heap, b->functions, b->function_capacity * sizeof *b->functions);
    fm_heap_free(heap, b->nodes, b->node_capacity * sizeof *b->nodes);
    fm_heap_free(heap, b->root_parts, b->root_capacity * sizeof *b->root_parts);
    fm_heap_free(heap, b->aliases, b->alias_capacity * sizeof *b->aliases);
    fm_heap_free(heap, b->scope_numbers, b->number_capacity * sizeof *b->scope_numbers);
    fm_heap_free(heap, b->places, b->place_capacity * sizeof *b->places);
    fm_heap_free(heap, b->groups, b->group_capacity * sizeof *b->groups);
    fm_heap_free(heap, b->answers, b->answer_capacity * sizeof *b->answers);
    fm_rows_free(&b->rows);
    fm_heap_free(heap, b->packs, b->pack_capacity * sizeof *b->packs);
    fm_heap_free(heap, b->pack_numbers, b->pack_number_capacity * sizeof *b->pack_numbers);
    fm_heap_free(heap, b, sizeof *b);
}

framemap_status fm_builder_string(struct fm_builder *b, framemap_str text, uint32_t *out, framemap_error *error)
{
    if (b->sink != NULL) return b->sink->string(b->sink_context, text, out, error);
    return fm_string_pool_add(&b->strings, text, out, error);
}

framemap_status fm_builder_strings(struct fm_builder *b, const framemap_str *texts, size_t count, uint32_t *out,
                                   framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (b->sink == NULL) return fm_string_pool_add_all(&b->strings, texts, NULL, count, out, error);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = b->sink->string(b->sink_context, texts[i], &out[i], error);
    return status;
}

static framemap_status attribute_put(struct fm_builder *b, struct fm_attribute fresh, framemap_error *error)
{
    for (size_t i = 0; i < b->attribute_count; i++)
        if (b->attributes[i].key == fresh.key) {
            b->attributes[i].value = fresh.value;
            return FRAMEMAP_OK;
        }
    if (!FM_GROW(b->heap, b->attributes, b->attribute_capacity, b->attribute_count + 1)) return fm_error_memory(error);
    b->attributes[b->attribute_count++] = fresh;
    return FRAMEMAP_OK;
}

static framemap_status attribute_set(struct fm_builder *b, framemap_str key, framemap_str value, framemap_error *error)
{
    struct fm_attribute fresh;
    framemap_status status = fm_builder_string(b, key, &fresh.key, error);
    if (status == FRAMEMAP_OK) status = fm_builder_string(b, value, &fresh.value, error);
    return status == FRAMEMAP_OK ? attribute_put(b, fresh, error) : status;
}

static framemap_status id_set(struct fm_builder *b, const struct fm_builder_about *about, framemap_error *error)
{
    struct fm_attribute fresh;
    if (!about->id_later) return attribute_set(b, FM_STR(FMX_KEY_ID), about->id, error);
    framemap_status status = fm_builder_string(b, FM_STR(FMX_KEY_ID), &fresh.key, error);
    if (status == FRAMEMAP_OK) status = fm_string_pool_reserve(&b->strings, about->id.size, &fresh.value, error);
    if (status != FRAMEMAP_OK) return status;
    b->id_later = fresh.value;
    return attribute_put(b, fresh, error);
}

void fm_builder_id(struct fm_builder *b, framemap_str id)
{
    if (b->sink != NULL)
        b->sink->id(b->sink_context, id);
    else
        fm_string_pool_fill(&b->strings, b->id_later, id);
}

framemap_status fm_builder_attribute(struct fm_builder *b, framemap_str key, framemap_str value, framemap_error *error)
{
    if (key.size == 0 || key.data[0] == '.')
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an attribute's key is empty or begins with a dot");
    if (b->sink != NULL) return b->sink->attribute(b->sink_context, key, value, error);
    return attribute_set(b, key, value, error);
}

/* Stores the identity; its strings become attributes with reserved keys. */
framemap_status fm_builder_about(struct fm_builder *b, const struct fm_builder_about *about, framemap_error *error)
{
    if (about->address_bits > UINT8_MAX)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "addresses of %u bits are not supported", about->address_bits);
    if (b->sink != NULL) return b->sink->about(b->sink_context, about, error);
    framemap_status status = attribute_set(b, FM_STR(FMX_KEY_KIND), about->kind, error);
    if (status == FRAMEMAP_OK) status = id_set(b, about, error);
    if (status == FRAMEMAP_OK) status = attribute_set(b, FM_STR(FMX_KEY_ARCH), about->arch, error);
    if (status == FRAMEMAP_OK) status = attribute_set(b, FM_STR(FMX_KEY_NAME), about->name, error);
    if (status != FRAMEMAP_OK) return status;
    b->base = about->base;
    b->address_bits = (uint8_t)about->address_bits;
    b->big_endian = about->big_endian;
    b->keys = about->keys;
    return FRAMEMAP_OK;
}

static bool file_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_file_parts *a = (const struct fm_file_parts *)context + id, *b = key;
    return a->folder == b->folder && a->name == b->name;
}

framemap_status fm_builder_file(struct fm_builder *b, framemap_str path, uint32_t *out, framemap_error *error)
{
    const framemap_str name = fm_str_basename(path);
    if (b->sink != NULL) return b->sink->string(b->sink_context, path, out, error);
    struct fm_file_parts parts = {FM_NONE, 0};
    framemap_status status = FRAMEMAP_OK;
    if (name.size < path.size)
        status = fm_builder_string(b, fm_str(path.data, path.size - name.size), &parts.folder, error);
    if (status == FRAMEMAP_OK) status = fm_builder_string(b, name, &parts.name, error);
    if (status != FRAMEMAP_OK) return status;
    const uint64_t hash = fm_hash64(&parts, sizeof parts, 0);
    *out = fm_table_find(&b->file_table, hash, file_equal, b->files, &parts);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(b->file_count)) return fm_too_many_records(error, "files");
    if (!FM_GROW(b->heap, b->files, b->file_capacity, b->file_count + 1) ||
        !fm_table_add(&b->file_table, hash, (uint32_t)b->file_count))
        return fm_error_memory(error);
    *out = (uint32_t)b->file_count;
    b->files[b->file_count++] = parts;
    return FRAMEMAP_OK;
}

static bool function_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_function *a = (const struct fm_function *)context + id, *b = key;
    return a->name == b->name && a->class_name == b->class_name && a->decl_file == b->decl_file &&
           a->decl_line1 == b->decl_line1 && a->language == b->language;
}

uint64_t fm_model_function_hash(const struct fm_builder *b, const struct fm_function *function)
{
    const uint32_t key[5] = {function->name, function->class_name, function->decl_file, function->decl_line1,
                             function->language};
    return fm_hash_text(fm_str(key, sizeof key), b->strings.key);
}

framemap_status fm_model_function(struct fm_builder *b, const struct fm_function *function, uint64_t hash,
                                  uint32_t *out, framemap_error *error)
{
    *out = fm_table_find(&b->function_table, hash, function_equal, b->functions, function);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(b->function_count)) return fm_too_many_records(error, "functions");
    if (!FM_GROW_SOME(b->heap, b->functions, b->function_capacity, b->function_count + 1) ||
        !fm_table_add(&b->function_table, hash, (uint32_t)b->function_count))
        return fm_error_memory(error);
    *out = (uint32_t)b->function_count;
    b->functions[b->function_count++] = *function;
    return FRAMEMAP_OK;
}

framemap_status fm_builder_function(struct fm_builder *b, const struct fm_function *function, uint32_t *out,
                                    framemap_error *error)
{
    if (b->sink != NULL) return b->sink->function(b->sink_context, function, out, error);
    if (!fm_record_is_known(function->name, b->strings.count) ||
        !fm_record_is_known(function->class_name, b->strings.count))
        return fm_no_such_record(error, "string");
    if (!fm_record_is_known(function->decl_file, b->file_count)) return fm_no_such_record(error, "file");
    return fm_model_function(b, function, fm_model_function_hash(b, function), out, error);
}

static bool node_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_builder *b = context;
    const struct fm_chain_node *kept = &b->nodes[id];
    const struct fm_node *node = key;
    if (kept->parent != node->parent || kept->function != node->function || kept->flags != node->flags) return false;
    if (kept->parent != FM_NONE)
        return kept->call_file == node->call_file && kept->call_line1 == node->call_line1 &&
               kept->call_col1 == node->call_col1;
    const struct fm_root_part *part = fm_root_part(b, kept);
    return part->start == node->start && part->size == node->size && part->symbol == node->symbol;
}

uint64_t fm_model_node_hash(const struct fm_builder *b, const struct fm_node *node)
{
    const uint64_t key[6] = {(uint64_t)node->parent << 32 | node->function,
                             (uint64_t)node->call_file << 32 | node->call_line1,
                             (uint64_t)node->call_col1 << 32 | node->flags,
                             node->start,
                             node->size,
                             node->symbol};
    return fm_hash_text(fm_str(key, sizeof key), b->strings.key);
}

/* Rebuilds the struct fm_node of an inlined node to hash it. */
static uint64_t inlined_hash(const struct fm_builder *b, const struct fm_chain_node *kept)
{
    const struct fm_node node = {.parent = kept->parent,
                                 .function = kept->function,
                                 .call_file = kept->call_file,
                                 .call_line1 = kept->call_line1,
                                 .call_col1 = kept->call_col1,
                                 .flags = kept->flags,
                                 .symbol = FM_NONE};
    return fm_model_node_hash(b, &node);
}

/* Stores the fields that only a root (a function that was not inlined) has. *part: their index. */
static bool push_root_part(struct fm_builder *b, const struct fm_node *root, uint32_t *part)
{
    if (!FM_GROW_SOME(b->heap, b->root_parts, b->root_capacity, b->root_count + 1)) return false;
    *part = (uint32_t)b->root_count;
    b->root_parts[b->root_count++] = (struct fm_root_part){root->start, root->size, root->symbol};
    return true;
}

framemap_status fm_model_node_push(struct fm_builder *b, const struct fm_node *node, uint32_t *out,
                                   framemap_error *error)
{
    const uint32_t depth = node->parent == FM_NONE ? 0 : b->nodes[node->parent].depth;
    uint32_t file = node->call_file;
    if (depth >= FM_LIMIT_INLINE_DEPTH)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "an inline chain has more than %u frames", FM_LIMIT_INLINE_DEPTH);
    if (fm_records_are_full(b->node_count)) return fm_too_many_records(error, "nodes");
    if (!FM_GROW_SOME(b->heap, b->nodes, b->node_capacity, b->node_count + 1) ||
        (node->parent == FM_NONE && !push_root_part(b, node, &file)))
        return fm_error_memory(error);
    *out = (uint32_t)b->node_count;
    b->nodes[b->node_count++] = (struct fm_chain_node){.parent = node->parent,
                                                       .function = node->function,
                                                       .call_file = file,
                                                       .call_line1 = node->call_line1,
                                                       .call_col1 = node->call_col1,
                                                       .depth = (uint16_t)(depth + 1),
                                                       .flags = (uint16_t)node->flags};
    return FRAMEMAP_OK;
}

/* Enters the nodes of this node's batch in the hash table, unless they are there already: the children of the node may
 * be among them. */
static bool index_pack(struct fm_builder *b, uint32_t node)
{
    size_t low = 0, high = b->pack_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b->packs[middle].end <= node)
            low = middle + 1;
        else
            high = middle;
    }
    struct fm_batch_nodes *pack = low < b->pack_count && b->packs[low].first <= node ? &b->packs[low] : NULL;
    if (pack == NULL || pack->in_table) return true;
    pack->in_table = true;
    for (uint32_t i = pack->first; i < pack->end; i++)
        if (b->nodes[i].parent != FM_NONE && !fm_table_add(&b->node_table, inlined_hash(b, &b->nodes[i]), i))
            return false;
    return true;
}

framemap_status fm_model_node(struct fm_builder *b, const struct fm_node *node, uint64_t hash, uint32_t *out,
                              framemap_error *error)
{
    if (node->parent != FM_NONE && !index_pack(b, node->parent)) return fm_error_memory(error);
    *out = fm_table_find(&b->node_table, hash, node_equal, b, node);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    const framemap_status status = fm_model_node_push(b, node, out, error);
    if (status != FRAMEMAP_OK) return status;
    return fm_table_add(&b->node_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_builder_node(struct fm_builder *b, const struct fm_node *given, uint32_t *out, framemap_error *error)
{
    if (b->sink != NULL) {
        struct fm_node passed = *given;
        fm_model_node_clean(&passed);
        return b->sink->node(b->sink_context, &passed, out, error);
    }
    if (!fm_record_is_known(given->parent, b->node_count)) return fm_no_such_record(error, "node");
    if (!fm_record_is_known(given->function, b->function_count)) return fm_no_such_record(error, "function");
    if (!fm_record_is_known(given->call_file, b->file_count)) return fm_no_such_record(error, "file");
    if (!fm_record_is_known(given->symbol, b->strings.count)) return fm_no_such_record(error, "string");
    struct fm_node node = *given;
    fm_model_node_clean(&node);
    return fm_model_node(b, &node, fm_model_node_hash(b, &node), out, error);
}

framemap_status fm_builder_alias(struct fm_builder *b, uint32_t root, uint32_t name_string, framemap_error *error)
{
    if (b->sink != NULL) return b->sink->alias(b->sink_context, root, name_string, error);
    if (root >= b->node_count || b->nodes[root].parent != FM_NONE) return fm_no_such_record(error, "root");
    if (name_string >= b->strings.count) return fm_no_such_record(error, "string");
    if (!FM_GROW(b->heap, b->aliases, b->alias_capacity, b->alias_count + 1)) return fm_error_memory(error);
    b->aliases[b->alias_count++] = (struct fm_alias){root, name_string};
    return FRAMEMAP_OK;
}

framemap_status fm_builder_scope(struct fm_builder *b, framemap_str key, uint32_t *out, framemap_error *error)
{
    if (b->sink != NULL) return b->sink->scope(b->sink_context, key, out, error);
    if (b->number_count > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a named scope in an index of numbered ones");
    return fm_string_pool_add(&b->scope_keys, key, out, error);
}

static bool number_equal(const void *context, uint32_t id, const void *key)
{
    const uint64_t *numbers = context, *number = key;
    return numbers[id] == *number;
}

framemap_status fm_builder_scope_number(struct fm_builder *b, uint64_t key, uint32_t *out, framemap_error *error)
{
    if (b->scope_keys.count > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a numbered scope in an index of named ones");
    const uint64_t hash = fm_hash64(&key, sizeof key, 0);
    *out = fm_table_find(&b->number_table, hash, number_equal, b->scope_numbers, &key);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(b->number_count)) return fm_too_many_records(error, "scopes");
    if (!FM_GROW(b->heap, b->scope_numbers, b->number_capacity, b->number_count + 1) ||
        !fm_table_add(&b->number_table, hash, (uint32_t)b->number_count))
        return fm_error_memory(error);
    *out = (uint32_t)b->number_count;
    b->scope_numbers[b->number_count++] = key;
    return FRAMEMAP_OK;
}

static framemap_status place_check(const struct fm_builder *b, const struct fm_place *place, framemap_error *error)
{
    if (!fm_record_is_known(place->node, b->node_count)) return fm_no_such_record(error, "node");
    if (!fm_record_is_known(place->file, b->file_count)) return fm_no_such_record(error, "file");
    if (!fm_record_is_known(place->name, b->strings.count)) return fm_no_such_record(error, "string");
    if (place->flags & ~(uint32_t)FM_PLACE_LINE_FOLLOWS)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a flag that is not defined for locations");
    return FRAMEMAP_OK;
}

static bool place_equal(const struct fm_place *a, const struct fm_place *b)
{
    return a->node == b->node && a->file == b->file && a->line1 == b->line1 && a->col1 == b->col1 &&
           a->name == b->name && a->flags == b->flags;
}

struct group_key {
    const struct fm_place *places;
    size_t count;
};

static bool group_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_builder *b = context;
    const struct group_key *wanted = key;
    const struct fm_group *group = &b->groups[id];
    if (group->count != wanted->count) return false;
    for (size_t i = 0; i < group->count; i++)
        if (!place_equal(&b->places[group->first + i], &wanted->places[i])) return false;
    return true;
}

static framemap_status group_number(struct fm_builder *b, const struct fm_place *places, size_t count, uint32_t *out,
                                    framemap_error *error)
{
    const struct group_key key = {places, count};
    const uint64_t hash = fm_hash64(places, count * sizeof *places, 0);
    *out = fm_table_find(&b->group_table, hash, group_equal, b, &key);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (fm_records_are_full(b->group_count)) return fm_too_many_records(error, "groups of alternatives");
    if (!FM_GROW(b->heap, b->groups, b->group_capacity, b->group_count + 1) ||
        !FM_GROW(b->heap, b->places, b->place_capacity, b->place_count + count) ||
        !fm_table_add(&b->group_table, hash, (uint32_t)b->group_count))
        return fm_error_memory(error);
    *out = (uint32_t)b->group_count;
    b->groups[b->group_count++] = (struct fm_group){b->place_count, count};
    memcpy(b->places + b->place_count, places, count * sizeof *places);
    b->place_count += count;
    return FRAMEMAP_OK;
}

static framemap_status row_add(struct fm_builder *b, uint32_t scope, const struct fm_row *row, framemap_error *error)
{
    if (scope >= (b->number_count ? b->number_count : b->scope_keys.count)) return fm_no_such_record(error, "scope");
    if (fm_records_are_full(b->position_count)) return fm_too_many_records(error, "positions");
    if (!fm_rows_add(&b->rows, scope, row)) return fm_error_memory(error);
    b->position_count++;
    return FRAMEMAP_OK;
}

/* Stores a location with more fields than a row has, and makes a row that refers to it. */
static framemap_status answer_add(struct fm_builder *b, const struct fm_answer *answer, struct fm_row *row,
                                  framemap_error *error)
{
    if (!FM_GROW(b->heap, b->answers, b->answer_capacity, b->answer_count + 1)) return fm_error_memory(error);
    *row = (struct fm_row){row->position, (uint32_t)b->answer_count, FM_ROW_OTHER, 0, 0};
    b->answers[b->answer_count++] = *answer;
    return FRAMEMAP_OK;
}

static framemap_status pass_position(struct fm_builder *b, uint32_t scope, uint64_t position,
                                     const struct fm_place *places, size_t count, framemap_error *error)
{
    if (count > 1 || places->name != FM_NONE || places->flags != 0)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "a receiver gets no such position");
    b->position_count++;
    return b->sink->position(b->sink_context, scope, position, places, error);
}

framemap_status fm_builder_position(struct fm_builder *b, uint32_t scope, uint64_t position,
                                    const struct fm_place *places, size_t count, framemap_error *error)
{
    if (count == 0) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a position without a location");
    if (count > FM_LIMIT_ALTERNATIVES)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than %u alternatives", FM_LIMIT_ALTERNATIVES);
    framemap_status status = FRAMEMAP_OK;
    if (b->sink != NULL) return pass_position(b, scope, position, places, count, error);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) status = place_check(b, &places[i], error);
    struct fm_row row = {position, places[0].node, places[0].file, places[0].line1, places[0].col1};
    struct fm_answer answer = {places[0].node, places[0].file, places[0].line1,
                               places[0].col1, places[0].name, places[0].flags};
    if (status == FRAMEMAP_OK && count > 1) {
        answer = (struct fm_answer){.flags = MODEL_GROUP};
        status = group_number(b, places, count, &answer.node, error);
    }
    if (status == FRAMEMAP_OK && (answer.name != FM_NONE || answer.flags != 0))
        status = answer_add(b, &answer, &row, error);
    return status == FRAMEMAP_OK ? row_add(b, scope, &row, error) : status;
}

framemap_status fm_builder_end(struct fm_builder *b, uint32_t scope, uint64_t position, framemap_error *error)
{
    const struct fm_row row = {position, FM_NONE, FM_ROW_GAP, 0, 0};
    const struct fm_place nothing = {.node = FM_NONE, .file = FM_NONE, .name = FM_NONE};
    if (b->sink != NULL) return pass_position(b, scope, position, &nothing, 1, error);
    return row_add(b, scope, &row, error);
}

size_t fm_builder_count(const struct fm_builder *b) { return b->position_count; }

void fm_builder_threads(struct fm_builder *b, unsigned threads) { b->threads = threads ? threads : 1; }

uint64_t fm_builder_key(const struct fm_builder *b) { return b->strings.key; }
