/* Finds the scopes for queries by section name. Called by native_resolve.c and lookup_many.c. */
#include "resolve/native/section_scopes.h"

#include "core/text/scan.h"
#include "core/text/text.h"
#include "resolve/native/address.h"

#include <stdio.h>
#include <string.h>

/* --- converting offsets in sections of images with addresses --- */

enum { KEY_MOST = 64 };

/* Returns "__text" of "__TEXT,__text", as Apple's tools write it: the segment is optional, since an object file has
 * only one. */
static framemap_str without_segment(framemap_str name)
{
    const size_t comma = fm_str_find_byte(name, ',');
    return comma == FM_NOT_FOUND ? name : fm_str_from(name, comma + 1);
}

static bool find_section(const struct fm_view *view, framemap_str name, uint64_t *start, uint64_t *size)
{
    const framemap_str prefix = FM_STR(FM_ATTRIBUTE_SECTION);
    char key[KEY_MOST];
    framemap_str value;

    name = without_segment(name);
    if (name.size == 0 || name.size > sizeof key - prefix.size) return false;
    memcpy(key, prefix.data, prefix.size);
    memcpy(key + prefix.size, name.data, name.size);
    if (!fm_view_attribute(view, fm_str(key, prefix.size + name.size), &value)) return false;
    const size_t plus = fm_str_find_byte(value, '+');
    if (plus == FM_NOT_FOUND) return false;
    const unsigned digits = fm_hex_run(value.data, value.data + plus, start);
    return digits == plus && fm_hex_run(value.data + plus + 1, value.data + value.size, size) == value.size - plus - 1;
}

bool fm_section_query(const struct fm_view *view, const framemap_query *query, framemap_query *out)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    uint64_t start, size;

    if (query->scope.size == 0 || about->numbered_scopes || !about->has_image ||
        !find_section(view, query->scope, &start, &size))
        return false;
    *out = *query;
    out->scope = (framemap_str){NULL, 0};
    out->address_kind = FRAMEMAP_ADDRESS_LINKED;
    /* a call may be the last instruction of a section, and the Thumb bit of its return address is then outside */
    const uint64_t position = query->return_address ? query->position & fm_address_mask(about, out) : query->position;
    const bool inside = position - query->return_address < size && start <= UINT64_MAX - query->position;
    out->position = inside ? start + query->position : UINT64_MAX;
    return true;
}

/* --- finding all sections of one name --- */

static framemap_str key_of(const struct fm_view *view, uint64_t scope)
{
    framemap_str key = {NULL, 0};
    uint64_t number, first, last;

    return fm_view_scope_at(view, scope, &key, &number, &first, &last) ? key : (framemap_str){NULL, 0};
}

/* Returns the number of digits of the section number in a key of the form NAME@NUMBER; 0: the key does not have that
 * form. */
static size_t digits_of(framemap_str key, framemap_str name)
{
    if (key.size <= name.size + 1 || !fm_str_starts(key, name) || key.data[name.size] != '@') return 0;
    for (size_t i = name.size + 1; i < key.size; i++)
        if (key.data[i] < '0' || key.data[i] > '9') return 0;
    return key.size - name.size - 1;
}

/* Returns the first scope whose key is at least NAME followed by `byte`. */
static uint64_t lower_bound(const struct fm_view *view, uint64_t count, framemap_str name, char byte)
{
    uint64_t low = 0, high = count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const framemap_str key = key_of(view, middle);
        const int order = fm_str_compare(fm_str_slice(key, 0, name.size), name);
        const bool below =
            order != 0 ? order < 0 : key.size == name.size || (unsigned char)key.data[name.size] < (unsigned char)byte;
        if (below)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct fm_namesakes fm_namesakes_of(const struct fm_view *view, framemap_str name)
{
    struct fm_namesakes namesakes = {.name = name};
    struct fm_view_about about;

    if (name.size == 0 || fm_view_identity(view)->numbered_scopes) return namesakes;
    fm_view_about(view, &about);
    namesakes.first = lower_bound(view, about.scope_count, name, '@');
    namesakes.count = lower_bound(view, about.scope_count, name, '@' + 1) - namesakes.first;
    return namesakes;
}

enum { DIGITS_MOST = 10 };

/* Makes one pass over the scopes for each number of digits: the index sorts scopes bytewise by key, but here sections
 * with shorter numbers come first. */
bool fm_namesakes_next(const struct fm_view *view, struct fm_namesakes *namesakes, uint64_t *scope, framemap_str *key)
{
    while (namesakes->at < DIGITS_MOST * namesakes->count) {
        const uint64_t at = namesakes->at++;
        *scope = namesakes->first + at % namesakes->count;
        *key = key_of(view, *scope);
        if (digits_of(*key, namesakes->name) == at / namesakes->count + 1) return true;
    }
    return false;
}

/* --- suggesting sections in the reason of an answer --- */

const char *fm_say_sections(const struct fm_view *view, struct fm_arena *arena)
{
    static const char plain[] = "in this file each section counts from 0: name one, as in .text:0x10";
    static const char format[] = "in this file each section counts from 0: name one, as in %.*s:0x10";
    struct fm_view_about about;
    framemap_str key = {NULL, 0};
    uint64_t scope;

    if (fm_view_scope(view, FM_STR(".text"), &scope)) return plain;
    fm_view_about(view, &about);
    for (scope = 0; scope < about.scope_count; scope++) {
        key = key_of(view, scope);
        if (key.size > 0 && !fm_str_equal(key, FM_STR("data")) && !fm_str_equal(key, FM_STR(FM_SCOPE_SPLIT))) break;
    }
    if (scope == about.scope_count || key.size > 256) return plain;
    char *text = fm_arena_alloc(arena, sizeof format + key.size);
    if (text == NULL) return plain;
    snprintf(text, sizeof format + key.size, format, (int)key.size, key.data);
    return text;
}
