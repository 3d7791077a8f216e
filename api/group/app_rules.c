/* Implements app_rules.h: reads the rules that say which frames belong to the app's own code. Applies them to a frame:
 * the last rule that matches decides. For a misspelled kind of pattern, a warning names the kind that was probably
 * meant. */
#include "api/group/app_rules.h"
#include "api/group/pattern.h"
#include "core/error.h"
#include "core/text/scan.h"

/* --- reading rules --- */

static const struct {
    framemap_str name;
    enum fm_app_field field;
} fields[] = {{FM_STR_INIT("package:"), FM_APP_PACKAGE},
              {FM_STR_INIT("function:"), FM_APP_FUNCTION},
              {FM_STR_INIT("module:"), FM_APP_MODULE},
              {FM_STR_INIT("path:"), FM_APP_PATH}};

/* Whether two words differ in at most one letter: it is added, left out, changed, or swapped with the next one. */
static bool is_near(framemap_str a, framemap_str b)
{
    size_t begin = 0, a_end = a.size, b_end = b.size;
    while (begin < a_end && begin < b_end && a.data[begin] == b.data[begin]) begin++;
    while (a_end > begin && b_end > begin && a.data[a_end - 1] == b.data[b_end - 1]) a_end--, b_end--;
    const size_t a_rest = a_end - begin, b_rest = b_end - begin;
    if (a_rest <= 1 && b_rest <= 1) return true;
    return a_rest == 2 && b_rest == 2 && a.data[begin] == b.data[begin + 1] && a.data[begin + 1] == b.data[begin];
}

/* Returns the kind of pattern that is probably meant if the first word is not a kind: "package:" both for "pakage:a.b"
 * and for "class:a.b". Absent if no kind is similar. */
static framemap_str meant_kind(framemap_str pattern)
{
    static const struct {
        framemap_str word, kind;
    } others[] = {{FM_STR_INIT("class:"), FM_STR_INIT("package:")},
                  {FM_STR_INIT("namespace:"), FM_STR_INIT("package:")},
                  {FM_STR_INIT("method:"), FM_STR_INIT("function:")},
                  {FM_STR_INIT("image:"), FM_STR_INIT("module:")},
                  {FM_STR_INIT("library:"), FM_STR_INIT("module:")}};
    const size_t colon = fm_str_find_byte(pattern, ':');
    if (colon == FM_NOT_FOUND || fm_str_starts(fm_str_from(pattern, colon), FM_STR("://")))
        return (framemap_str){NULL, 0};
    const framemap_str word = fm_str_slice(pattern, 0, colon + 1);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (is_near(word, fields[i].name)) return fields[i].name;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (fm_str_equal(word, others[i].word)) return others[i].kind;
    return (framemap_str){NULL, 0};
}

static void warn_of_kind(const struct fm_app_rules *rules, const struct fm_app_rule *rule, uint64_t line1)
{
    framemap_error doubt = {0};
    const framemap_str kind =
        rules->warning && rule->field == FM_APP_ANY ? meant_kind(rule->pattern) : (framemap_str){NULL, 0};
    if (kind.size == 0) return;
    fm_error_line(&doubt, FRAMEMAP_E_FORMAT, line1,
                  "the in-app rule '%.*s' has no kind of pattern: '%.*s' is probably meant",
                  (int)fm_str_slice(rule->pattern, 0, 60).size, rule->pattern.data, (int)kind.size, kind.data);
    rules->warning(rules->context, &doubt);
}

static bool has_wildcards(framemap_str pattern)
{
    return fm_str_find_byte(pattern, '*') != FM_NOT_FOUND || fm_str_find_byte(pattern, '?') != FM_NOT_FOUND;
}

static framemap_status read_rule(framemap_str line, uint64_t line1, struct fm_app_rule *out, framemap_error *error)
{
    if (line.data[0] != '+' && line.data[0] != '-')
        return fm_error_line(error, FRAMEMAP_E_FORMAT, line1,
                             "an in-app rule begins with '+' (the app's own) or '-' (not the app's)");
    *out = (struct fm_app_rule){.in_app = line.data[0] == '+', .field = FM_APP_ANY};
    framemap_str pattern = fm_str_trim(fm_str_from(line, 1));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!fm_str_starts(pattern, fields[i].name)) continue;
        out->field = fields[i].field;
        pattern = fm_str_trim(fm_str_from(pattern, fields[i].name.size));
        break;
    }
    if (pattern.size == 0) return fm_error_line(error, FRAMEMAP_E_FORMAT, line1, "this in-app rule has no pattern");
    if (pattern.size > FM_PATTERN_MOST)
        return fm_error_line(error, FRAMEMAP_E_LIMIT, line1, "a pattern has at most %u bytes", FM_PATTERN_MOST);
    out->pattern = pattern;
    out->has_wildcards = has_wildcards(pattern);
    return FRAMEMAP_OK;
}

static framemap_status add_rule(struct fm_app_rules *rules, const struct fm_app_rule *rule, uint64_t line1,
                                framemap_error *error)
{
    if (rules->count == FM_APP_RULES_MOST)
        return fm_error_line(error, FRAMEMAP_E_LIMIT, line1, "there are more than %zu rules", FM_APP_RULES_MOST);
    if (!FM_GROW(rules->heap, rules->rows, rules->capacity, rules->count + 1)) return fm_error_memory(error);
    rules->rows[rules->count++] = *rule;
    return FRAMEMAP_OK;
}

framemap_status fm_app_rules_read(struct fm_app_rules *rules, framemap_str text, framemap_error *error)
{
    struct fm_scan s = fm_scan_of(text);
    struct fm_app_rule rule;
    framemap_str line;
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t line1 = 1; status == FRAMEMAP_OK && fm_scan_line(&s, &line); line1++) {
        line = fm_str_trim(line);
        if (line.size == 0 || line.data[0] == '#') continue;
        status = read_rule(line, line1, &rule, error);
        if (status == FRAMEMAP_OK) warn_of_kind(rules, &rule, line1);
        if (status == FRAMEMAP_OK) status = add_rule(rules, &rule, line1, error);
    }
    return status;
}

void fm_app_rules_free(struct fm_app_rules *rules)
{
    fm_heap_free(rules->heap, rules->rows, rules->capacity * sizeof *rules->rows);
}

/* --- applying rules to frames --- */

/* The texts of a frame that rules can match. A text that is absent matches no pattern. */
struct subject {
    framemap_str package, function, module, image_path, file;
};

static bool matches(const struct fm_app_rule *rule, framemap_str text)
{
    if (text.size == 0) return false;
    if (rule->has_wildcards) return fm_pattern_matches(rule->pattern, text, false);
    if (text.size < rule->pattern.size) return false;
    for (size_t i = 0; i < rule->pattern.size; i++)
        if (rule->pattern.data[i] != (text.data[i] == '\\' ? '/' : text.data[i])) return false;
    return true;
}

static bool applies(const struct fm_app_rule *rule, const struct subject *subject)
{
    switch (rule->field) {
    case FM_APP_PACKAGE: return matches(rule, subject->package);
    case FM_APP_FUNCTION: return matches(rule, subject->function);
    case FM_APP_MODULE: return matches(rule, subject->module);
    case FM_APP_PATH: return matches(rule, subject->file) || matches(rule, subject->image_path);
    case FM_APP_ANY: break;
    }
    return matches(rule, subject->package) || matches(rule, subject->module) || matches(rule, subject->file) ||
           matches(rule, subject->image_path);
}

static framemap_str image_path(const framemap_trace *trace, const framemap_frame *frame)
{
    if (frame->module_path.size || trace == NULL || !frame->has_image || frame->image >= trace->image_count)
        return frame->module_path;
    return trace->images[frame->image].path;
}

bool fm_app_rules_in_app(const struct fm_app_rules *rules, const framemap_trace *trace, const framemap_frame *frame,
                         const framemap_frame *source)
{
    const struct subject subject = {.package = source->class_name.size ? source->class_name : source->function,
                                    .function = source->function,
                                    .module = fm_str_basename(frame->module),
                                    .image_path = image_path(trace, frame),
                                    .file = source->file};
    for (size_t i = rules->count; i-- > 0;)
        if (applies(&rules->rows[i], &subject)) return rules->rows[i].in_app;
    if (source->ignored || frame->is_native) return false;
    return source->class_name.size || source->function.size || source->file.size || frame->module.size;
}
