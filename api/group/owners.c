/* Implements owners.h. The syntax is described by GitHub's "About code owners": a pattern as in a .gitignore file, and
 * the owners after it. The last pattern that matches counts, even if it has no owners. GitHub does not support "!", "[
 * ]" and "\#", and skips the lines that have them; so does this file. */
#include "api/group/owners.h"
#include "api/group/app_rules.h"
#include "api/group/pattern.h"
#include "core/error.h"
#include "core/text/scan.h"

#include <string.h>

/* --- reading the file of code owners --- */

/* Takes the pattern, with its escaped spaces decoded. text: buffer for the result, at least as long as the line. */
static framemap_str take_pattern(struct fm_scan *s, char *text)
{
    size_t size = 0;
    for (; s->at < s->end && !fm_is_blank(*s->at); s->at++) {
        if (*s->at == '\\' && s->at + 1 < s->end && fm_is_blank(s->at[1])) s->at++;
        text[size++] = *s->at;
    }
    return fm_str(text, size);
}

/* Takes the owners up to a comment. text: buffer for the result, at least as long as the line. */
static framemap_str take_owners(struct fm_scan *s, char *text)
{
    size_t size = 0;
    framemap_str word;
    for (fm_scan_blanks(s); fm_scan_word(s, &word) && word.data[0] != '#'; fm_scan_blanks(s)) {
        if (size) text[size++] = ' ';
        memcpy(text + size, word.data, word.size);
        size += word.size;
    }
    return fm_str(text, size);
}

/* Returns why GitHub skips a line; NULL: it does not. */
static const char *skipped_because(framemap_str pattern)
{
    if (pattern.data[0] == '!') return "'!' is not supported in a file of code owners";
    if (fm_str_starts(pattern, FM_STR("\\#"))) return "'\\#' is not supported in a file of code owners";
    if (fm_str_find_byte(pattern, '[') != FM_NOT_FOUND) return "'[' is not supported in a file of code owners";
    return NULL;
}

/* Prefixes "**" and "/" to a pattern that may match at any depth. */
static bool unanchor(struct fm_arena *arena, framemap_str *pattern)
{
    char *text = fm_arena_alloc(arena, pattern->size + 3);
    if (text == NULL) return false;
    memcpy(text, "**/", 3);
    fm_str_copy(text + 3, *pattern);
    *pattern = fm_str(text, pattern->size + 3);
    return true;
}

static bool complete(struct fm_owners *owners, struct fm_owner_rule *rule)
{
    const size_t slash = fm_str_find_byte(rule->pattern, '/');
    const bool anchored = slash != FM_NOT_FOUND && slash + 1 < rule->pattern.size;
    if (fm_str_starts(rule->pattern, FM_STR("/"))) rule->pattern = fm_str_from(rule->pattern, 1);
    rule->within_only = fm_str_ends(rule->pattern, FM_STR("/"));
    if (rule->within_only) rule->pattern = fm_str_slice(rule->pattern, 0, rule->pattern.size - 1);
    /* A pattern that ends with a slash and "*" matches the files in a folder, but no files in the folders below it. */
    rule->within = !(anchored && fm_str_ends(rule->pattern, FM_STR("/*")));
    return anchored || slash == 0 || unanchor(owners->arena, &rule->pattern);
}

/* Adds the rule of a line. *why: set if the line is skipped. */
static framemap_status read_line(struct fm_owners *owners, framemap_str line, const char **why, framemap_error *error)
{
    struct fm_scan s = fm_scan_of(line);
    char *text = fm_arena_alloc(owners->arena, 2 * line.size + 1);
    struct fm_owner_rule rule = {.within = true};
    if (text == NULL) return fm_error_memory(error);
    rule.pattern = take_pattern(&s, text);
    rule.owners = take_owners(&s, text + line.size);
    *why = skipped_because(rule.pattern);
    if (*why) return FRAMEMAP_OK;
    if (rule.pattern.size > FM_PATTERN_MOST - 3)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "a pattern has at most %u bytes", FM_PATTERN_MOST - 3);
    if (owners->count == FM_APP_RULES_MOST)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "there are more than %zu rules", FM_APP_RULES_MOST);
    if (!complete(owners, &rule) || !FM_GROW(owners->heap, owners->rows, owners->capacity, owners->count + 1))
        return fm_error_memory(error);
    owners->rows[owners->count++] = rule;
    return FRAMEMAP_OK;
}

framemap_status fm_owners_read(struct fm_owners *owners, framemap_str text, framemap_warning warning, void *context,
                               framemap_error *error)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str line;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t line1 = 1; status == FRAMEMAP_OK && fm_scan_line(&s, &line); line1++) {
        const char *why = NULL;
        framemap_error skipped = {0};
        line = fm_str_trim(line);
        if (line.size == 0 || line.data[0] == '#') continue;
        status = read_line(owners, line, &why, error);
        if (why == NULL || warning == NULL) continue;
        fm_error_line(&skipped, FRAMEMAP_E_FORMAT, line1, "this line is skipped, as by GitHub: %s", why);
        warning(context, &skipped);
    }
    return status;
}

void fm_owners_free(struct fm_owners *owners)
{
    fm_heap_free(owners->heap, owners->rows, owners->capacity * sizeof *owners->rows);
}

/* --- finding the owners of a path --- */

/* Whether a rule matches a path from the root of the repository: the file, or one of its folders. */
static bool matches_path(const struct fm_owner_rule *rule, framemap_str path)
{
    if (!rule->within_only && fm_pattern_matches(rule->pattern, path, true)) return true;
    if (!rule->within) return false;
    for (size_t i = 1; i < path.size; i++)
        if ((path.data[i] == '/' || path.data[i] == '\\') &&
            fm_pattern_matches(rule->pattern, fm_str_slice(path, 0, i), true))
            return true;
    return false;
}

static char as_slash(char byte) { return byte == '\\' ? '/' : byte; }

/* Whether a path is below a folder; *rest: the path from the folder on. */
static bool is_below(framemap_str path, framemap_str folder, framemap_str *rest)
{
    if (folder.size == 0 || path.size <= folder.size || as_slash(path.data[folder.size]) != '/') return false;
    for (size_t i = 0; i < folder.size; i++)
        if (as_slash(path.data[i]) != as_slash(folder.data[i])) return false;
    *rest = fm_str_from(path, folder.size + 1);
    return true;
}

/* Returns a path without a scheme and its host, and without "./" and "../", since these are not folders of a
 * repository. *whole: set if the path is a path on the machine of the build, where any of its folders can be the root
 * of the repository. */
static framemap_str repository_path(framemap_str path, bool *whole)
{
    const size_t scheme = fm_str_find(path, FM_STR("://"));
    if (scheme != FM_NOT_FOUND) {
        path = fm_str_from(path, scheme + 3);
        const size_t slash = fm_str_find_byte(path, '/');
        path = slash == FM_NOT_FOUND ? path : fm_str_from(path, slash + 1);
    }
    *whole = scheme == FM_NOT_FOUND && path.size > 2 && (path.data[0] == '/' || path.data[1] == ':');
    while (fm_str_starts(path, FM_STR("./")) || fm_str_starts(path, FM_STR("../")) || fm_str_starts(path, FM_STR("/")))
        path = fm_str_from(path, fm_str_find_byte(path, '/') + 1);
    return path;
}

static bool is_of(const struct fm_owner_rule *rule, framemap_str path, bool whole)
{
    if (matches_path(rule, path)) return true;
    for (size_t i = 0; whole && i + 1 < path.size; i++)
        if ((path.data[i] == '/' || path.data[i] == '\\') && matches_path(rule, fm_str_from(path, i + 1))) return true;
    return false;
}

framemap_str fm_owners_of(const struct fm_owners *owners, framemap_str path)
{
    /* limit for the bytes of a path, since each of its folders is tried as the root of the repository */
    enum { PATH_MOST = 1024 };
    bool whole = false;
    if (!is_below(path, owners->prefix, &path)) path = repository_path(path, &whole);
    if (path.size == 0 || path.size > PATH_MOST) return (framemap_str){NULL, 0};
    for (size_t i = owners->count; i-- > 0;)
        if (is_of(&owners->rows[i], path, whole))
            return owners->rows[i].owners.size ? owners->rows[i].owners : (framemap_str){NULL, 0};
    return (framemap_str){NULL, 0};
}
