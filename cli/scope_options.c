/* Implements scope_options.h: parses the labels before the path of an option -s, and the options that say which app,
 * build and tenant a text is of. Symbols with other labels are then not used for the text. */
#include "cli/scope_options.h"

#include "cli/stores.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fm_scope_options_init(struct fm_scope_options *options, size_t most)
{
    *options = (struct fm_scope_options){.paths = fm_cli_resize(NULL, most * sizeof *options->paths),
                                         .labels = fm_cli_resize(NULL, most * sizeof *options->labels),
                                         .ids = fm_cli_resize(NULL, most * sizeof *options->ids)};
}

void fm_scope_options_free(struct fm_scope_options *options)
{
    for (size_t i = 0; i < options->path_count; i++) free((void *)(uintptr_t)options->labels[i]);
    free(options->paths);
    free(options->labels);
    free(options->ids);
}

/* --- parsing the labels of symbol paths --- */

static framemap_str *part_of(framemap_scope *scope, framemap_str name)
{
    static const char *const names[] = {"app", "build", "tenant"};
    framemap_str *const parts[] = {&scope->app, &scope->build, &scope->tenant};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == name.size && memcmp(names[i], name.data, name.size) == 0) return parts[i];
    return NULL;
}

static bool is_label_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }

/* Returns the length of the name before '='; 0: the value does not begin with a label. */
static size_t label_name(const char *text)
{
    size_t size = 0;
    while (is_label_letter(text[size])) size++;
    return text[size] == '=' ? size : 0;
}

/* Reads one label and moves past it; *last: the label was the last one, and a colon ended it. Reports an invalid
 * label. */
static bool take_label(framemap_scope *labels, const char **at, bool *last)
{
    const size_t size = strcspn(*at, "=,:");
    framemap_str *part = part_of(labels, (framemap_str){*at, size});
    if (part == NULL) {
        fm_message("'%.*s' is not a label of symbols; use app=, build= or tenant=", (int)size, *at);
        return false;
    }
    const char *value = *at + size + ((*at)[size] == '=');
    const size_t value_size = (*at)[size] == '=' ? strcspn(value, ",:") : 0;
    if (value_size == 0) {
        fm_message("the label '%.*s' has no value", (int)size, *at);
        return false;
    }
    if (part->size > 0) {
        fm_message("the label '%.*s' is given twice", (int)size, *at);
        return false;
    }
    *part = (framemap_str){value, value_size};
    *last = value[value_size] != ',';
    *at = value + value_size + (value[value_size] != '\0');
    return true;
}

/* Whether the value of an option starts with labels. A file may be called "a=b", so "a=b" is a label only if a colon
 * follows or if "a" is the name of a label. */
static bool has_labels(const char *value)
{
    framemap_scope any = {.size = sizeof any};
    const size_t size = label_name(value);
    return size > 0 && (strchr(value, ':') != NULL || part_of(&any, (framemap_str){value, size}) != NULL);
}

/* Adds the value of -s: a path, or labels, a colon and a path. false: the labels are invalid, which is reported. */
static bool take_symbols(struct fm_scope_options *options, const char *value)
{
    framemap_scope labels = {.size = sizeof labels};
    const char *at = value;
    if (*value == '=' && access(value, F_OK) != 0) {
        fm_message("'-s%s': write -s %s or --symbols%s", value, value + 1, value);
        return false;
    }
    const bool labeled = has_labels(value);
    for (bool last = !labeled; !last;)
        if (!take_label(&labels, &at, &last)) return false;
    if (labeled && (at == value || at[-1] != ':' || *at == '\0')) {
        fm_message("'%s' has labels, but no path: use -s app=X,build=Y:PATH, or ./ before the name of a file", value);
        return false;
    }
    framemap_scope *copy = labeled ? fm_cli_resize(NULL, sizeof *copy) : NULL;
    if (copy) *copy = labels;
    options->labels[options->path_count] = copy;
    options->paths[options->path_count++] = at;
    return true;
}

/* --- reading the options for the scope of the text --- */

/* Sets a part of the scope: "app", "build", "tenant", or adds an "id". false: the value is empty, or a part that is
 * not an id was given before; either is reported. */
static bool take_part(struct fm_scope_options *options, const char *part, const char *value)
{
    const framemap_str text = {value, strlen(value)};
    framemap_str *to = part_of(&options->scope, (framemap_str){part, strlen(part)});
    if (text.size == 0) {
        fm_message("--%s has no value", part);
        return false;
    }
    options->scope.size = sizeof options->scope;
    if (to == NULL) {
        options->ids[options->scope.id_count++] = text;
        options->scope.ids = options->ids;
        return true;
    }
    if (to->size > 0) {
        fm_message("--%s is given twice", part);
        return false;
    }
    *to = text;
    return true;
}

bool fm_scope_take_option(struct fm_scope_options *options, int id, const char *value, bool *good)
{
    static const char *const parts[] = {"app", "build", "tenant", "id"};
    if (id < FM_SCOPE_SYMBOLS || id > FM_SCOPE_ID) return false;
    *good = id == FM_SCOPE_SYMBOLS ? take_symbols(options, value) : take_part(options, parts[id - FM_SCOPE_APP], value);
    return true;
}

bool fm_scope_set_paths(struct fm_scope_options *options, framemap_session_options *session, framemap_redis **store)
{
    if (!fm_store_take(options->paths, options->labels, &options->path_count, session, store)) return false;
    session->symbol_paths = options->paths;
    session->symbol_labels = options->labels;
    session->symbol_path_count = options->path_count;
    return true;
}

const framemap_scope *fm_scope_of(const struct fm_scope_options *options)
{
    return options->scope.size ? &options->scope : NULL;
}
