/* Implements the public calls on framemap_rules, the rules for frames. */
#include "api/group/rules.h"
#include "api/option_structs.h"
#include "core/error.h"

enum {
    APP_TEXT_MOST = 1 << 20,
    OWNERS_TEXT_MOST = 3 << 20,
    PREFIX_MOST = 1024
}; /* limits in bytes; OWNERS_TEXT_MOST is the size up to which GitHub reads such a file */

static framemap_status read_defaults(framemap_rules *rules, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < fm_app_default_count && status == FRAMEMAP_OK; i++)
        status = fm_app_rules_read(&rules->app, framemap_str_of(fm_app_defaults[i]), error);
    return status;
}

static framemap_status read_texts(framemap_rules *rules, const framemap_rules_options *given, framemap_error *error)
{
    framemap_str app, owners;
    framemap_status status = given->no_defaults ? FRAMEMAP_OK : read_defaults(rules, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_arena_str(&rules->arena, given->in_app, &app) || !fm_arena_str(&rules->arena, given->owners, &owners) ||
        !fm_arena_str(&rules->arena, given->path_prefix, &rules->owners.prefix))
        return fm_error_memory(error);
    while (fm_str_ends(rules->owners.prefix, FM_STR("/")) || fm_str_ends(rules->owners.prefix, FM_STR("\\")))
        rules->owners.prefix.size--;
    rules->app.warning = given->warning;
    rules->app.context = given->context;
    status = fm_app_rules_read(&rules->app, app, error);
    rules->app.warning = NULL;
    if (status != FRAMEMAP_OK) return status;
    return fm_owners_read(&rules->owners, owners, given->warning, given->context, error);
}

static framemap_status check(const framemap_rules_options *given, framemap_error *error)
{
    if ((given->in_app.data == NULL && given->in_app.size) || (given->owners.data == NULL && given->owners.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (given->path_prefix.data == NULL && given->path_prefix.size)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (given->path_prefix.size > PREFIX_MOST)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "a prefix of paths has at most %d bytes", PREFIX_MOST);
    if (given->in_app.size > APP_TEXT_MOST)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "in-app rules have at most %d bytes", APP_TEXT_MOST);
    if (given->owners.size > OWNERS_TEXT_MOST)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "a file of code owners has at most %d bytes", OWNERS_TEXT_MOST);
    return FRAMEMAP_OK;
}

framemap_status framemap_rules_open(const framemap_rules_options *options, framemap_rules **out, framemap_error *error)
{
    framemap_rules_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = check(&given, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_heap heap;
    fm_heap_init(&heap, given.allocator, 0);
    framemap_rules *rules = fm_heap_zalloc(&heap, 1, sizeof *rules);
    if (rules == NULL) return fm_error_memory(error);
    fm_heap_init(&rules->heap, given.allocator, 0);
    fm_arena_init(&rules->arena, &rules->heap);
    rules->app.heap = rules->owners.heap = &rules->heap;
    rules->owners.arena = &rules->arena;
    status = read_texts(rules, &given, error);
    if (status == FRAMEMAP_OK)
        *out = rules;
    else
        framemap_rules_close(rules);
    return status;
}

void framemap_rules_close(framemap_rules *rules)
{
    if (rules == NULL) return;
    struct fm_heap heap;
    fm_heap_init(&heap, &rules->heap.hook, 0);
    fm_app_rules_free(&rules->app);
    fm_owners_free(&rules->owners);
    fm_arena_free(&rules->arena);
    fm_heap_free(&heap, rules, sizeof *rules);
}

bool framemap_rules_in_app(const framemap_rules *rules, const framemap_trace *trace, const framemap_frame *frame,
                           const framemap_frame *source)
{
    if (rules == NULL || frame == NULL || source == NULL) return true;
    return fm_app_rules_in_app(&rules->app, trace, frame, source);
}

framemap_str framemap_rules_owner(const framemap_rules *rules, framemap_str path)
{
    if (rules == NULL || path.data == NULL) return (framemap_str){NULL, 0};
    return fm_owners_of(&rules->owners, path);
}
