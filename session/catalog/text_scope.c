/* Implements text_scope.h: checks the sizes of the texts and the number of ids that the caller gave, and copies them
 * into an arena. Hexadecimal ids are copied in lower case and without dashes. */
#include "session/catalog/text_scope.h"

#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"

static framemap_status check_text(framemap_str text, const char *what, framemap_error *error)
{
    if (text.data == NULL && text.size > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (text.size <= FM_LIMIT_LABEL) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the %s has more than %u bytes", what, (unsigned)FM_LIMIT_LABEL);
}

framemap_status fm_text_scope_read(const framemap_scope *given, bool labels, framemap_scope *out, framemap_error *error)
{
    framemap_status status = fm_options_read(given, out, sizeof *out, error);
    if (status == FRAMEMAP_OK) status = check_text(out->app, "app of a scope", error);
    if (status == FRAMEMAP_OK) status = check_text(out->build, "build of a scope", error);
    if (status == FRAMEMAP_OK) status = check_text(out->tenant, "tenant of a scope", error);
    if (status != FRAMEMAP_OK) return status;
    if (labels && out->id_count > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "symbol paths are labeled by app, build and tenant, not by id");
    if (out->ids == NULL && out->id_count > 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (out->id_count > FM_LIMIT_SCOPE_IDS)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a scope has more than %u ids", (unsigned)FM_LIMIT_SCOPE_IDS);
    for (size_t i = 0; i < out->id_count && status == FRAMEMAP_OK; i++)
        status = check_text(out->ids[i], "id of a scope", error);
    return status;
}

static bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static bool is_hexadecimal(framemap_str id)
{
    for (size_t i = 0; i < id.size; i++)
        if (!is_digit(id.data[i]) && id.data[i] != '-') return false;
    return id.size > 0;
}

static bool copy_id(struct fm_arena *arena, framemap_str id, framemap_str *out)
{
    const framemap_str prefix = FM_STR("r8-map-id-");
    if (fm_str_starts(id, prefix)) id = fm_str_from(id, prefix.size);
    if (!is_hexadecimal(id)) return fm_arena_str(arena, id, out);
    char *to = fm_arena_alloc(arena, id.size);
    size_t size = 0;
    if (to == NULL) return false;
    for (size_t i = 0; i < id.size; i++)
        if (id.data[i] != '-')
            to[size++] = (char)(id.data[i] >= 'A' && id.data[i] <= 'F' ? id.data[i] + 32 : id.data[i]);
    *out = fm_str(to, size);
    return true;
}

bool fm_text_scope_copy(struct fm_arena *arena, const framemap_scope *scope, const framemap_scope **out)
{
    *out = NULL;
    if (scope->app.size + scope->build.size + scope->tenant.size + scope->id_count == 0) return true;
    framemap_scope *copy = FM_ARENA_NEW(arena, framemap_scope);
    framemap_str *ids = FM_ARENA_ARRAY(arena, framemap_str, scope->id_count + 1);
    if (copy == NULL || ids == NULL || !fm_arena_str(arena, scope->app, &copy->app) ||
        !fm_arena_str(arena, scope->build, &copy->build) || !fm_arena_str(arena, scope->tenant, &copy->tenant))
        return false;
    for (size_t i = 0; i < scope->id_count; i++) {
        if (!copy_id(arena, scope->ids[i], &ids[copy->id_count])) return false;
        copy->id_count += ids[copy->id_count].size > 0;
    }
    copy->size = sizeof *copy;
    copy->ids = ids;
    *out = copy;
    return true;
}

framemap_status fm_image_query_check(const framemap_image_query *want, framemap_error *error)
{
    framemap_status status = fm_str_check(want->path, "path", error);
    if (status == FRAMEMAP_OK) status = fm_str_check(want->name, "name", error);
    if (status == FRAMEMAP_OK) status = fm_str_check(want->id, "id", error);
    return status == FRAMEMAP_OK ? fm_str_check(want->arch, "arch", error) : status;
}
