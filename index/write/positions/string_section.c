/* Unsorted strings of STRINGS: keys and values of attributes, and keys of scopes. The encoders call these functions
 * while they write their rows. */
#include "index/write/model/builder_model.h"

static uint64_t put_once(struct fm_plan *plan, framemap_str text, uint64_t *at, uint64_t *size)
{
    if (*at == 0) {
        *at = fm_bit_buffer_bytes(&plan->strings);
        fm_bit_buffer_put_bytes(&plan->strings, text.data, text.size);
    }
    *size = text.size;
    return *at;
}

uint64_t fm_put_string(struct fm_plan *plan, uint32_t string, uint64_t *size)
{
    *size = 0;
    return string == FM_NONE
               ? 0
               : put_once(plan, fm_string_pool_text(&plan->builder->strings, string), &plan->string_at[string], size);
}

uint64_t fm_put_scope_key(struct fm_plan *plan, uint32_t key, uint64_t *size)
{
    return put_once(plan, fm_string_pool_text(&plan->builder->scope_keys, key), &plan->key_at[key], size);
}
