/* Implements retrace_regex.h: replaces each placeholder by a group with R8's or ProGuard's own expression, compiles the
 * result with PCRE2 (to machine code if memory allows), and returns what the groups matched in a line. */
#include "formats/java/retrace/retrace_regex.h"

#include "core/error.h"
#include "core/limits.h"
#include "formats/java/retrace/java_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>

/* Limits of one match: steps of PCRE2, KiB of memory for backtracking, and placeholders. Sensible expressions stay far
 * below these limits; a match that reaches them takes about a second. */
enum { MOST_STEPS = 20000000, MOST_KIB = 65536, MOST_PLACEHOLDERS = FM_RETRACE_PIECES / 2 };
enum { JIT_STACK_AT_FIRST = 32 << 10, JIT_STACK = 1 << 20 };
/* Number of bytes of machine code that are assumed for each byte of a compiled pattern. Measured values are 3 to 7. */
enum { MACHINE_BYTES_EACH = 64 };

struct fm_retrace_expression {
    struct fm_heap *heap;
    bool proguard;
    bool refused; /* PCRE2 requested memory that the heap refused */
    pcre2_general_context *general;
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack; /* stack of the machine code; NULL: the expression is interpreted */
    /* Bytes charged to the heap for machine code and its stack. That memory is not allocated from the heap. */
    uint64_t reserved;
    struct {
        char letter;
        int number; /* number of the group that the placeholder became */
    } holders[MOST_PLACEHOLDERS];
    unsigned holder_count;
};

/* --- allocating for PCRE2, which gives no sizes back, so that each block begins with its own size --- */

union block {
    size_t size;
    max_align_t align;
};

static void *pcre_take(size_t size, void *context)
{
    struct fm_retrace_expression *expression = context;
    union block *block =
        size < SIZE_MAX - sizeof *block ? fm_heap_resize(expression->heap, NULL, 0, size + sizeof *block) : NULL;
    if (block == NULL) {
        expression->refused = true;
        return NULL;
    }
    block->size = size + sizeof *block;
    return block + 1;
}

static void give(void *data, void *context)
{
    struct fm_retrace_expression *expression = context;
    if (data == NULL) return;
    union block *block = (union block *)data - 1;
    fm_heap_free(expression->heap, block, block->size);
}

/* --- replacing placeholders by regular expressions --- */

#define NOT_SEG "\\s\\[\\];:()<>"
#define SEG "[^\\d" NOT_SEG "][^" NOT_SEG "]*"
/* Replaces a group of R8's expression that this expression does not need, so that the user's groups keep the numbers
 * that they have in R8. */
#define NO_GROUP "(){0}"

/* Returns the regular expression for a placeholder. It is R8's without nested repetitions, which would take exponential
 * time. SEG may itself contain dots, commas and slashes, so "(SEG\.)*SEG" matches the same texts as SEG. */
static const char *text_of(char letter)
{
    switch (letter) {
    case 'c': return NO_GROUP SEG;
    case 'C':
    case 'f': return SEG;
    case 'm': return "(?:(" SEG "|<init>|<clinit>))";
    case 's': return "[^:]*(?::+[^\\d:\\s][^:]*)*";
    case 'l': return "\\d*";
    case 'S': return ".*";
    case 't': return NO_GROUP SEG "[\\[\\]]*";
    case 'a': return "((?:" SEG "(?:[\\[\\]]+,\\s*|,\\s+))*" SEG "[\\[\\]]*)?" NO_GROUP NO_GROUP NO_GROUP;
    default: return NULL;
    }
}

#define NAME "[^\\s\":./()]+"
#define DOTTED "(?:" NAME "\\.)*" NAME
#define DOTTED_TYPE DOTTED "(?:\\[\\])*"

/* Returns ProGuard's regular expression for a placeholder; for an unknown letter an empty group. */
static const char *text_of_proguard(char letter)
{
    switch (letter) {
    case 'c': return DOTTED;
    case 'C': return "(?:" NAME "/)*" NAME;
    case 's': return "[^:()]*";
    case 'l': return "-?\\b\\d+\\b";
    case 't': return DOTTED_TYPE;
    case 'f':
    case 'm': return "<?" NAME ">?";
    case 'a': return "(?:" DOTTED_TYPE "(?:\\s*,\\s*" DOTTED_TYPE ")*)?";
    default: return "";
    }
}

static framemap_status put_holder(struct fm_retrace_expression *expression, char letter, struct fm_buf *out,
                                  framemap_error *error)
{
    const char *text = expression->proguard ? text_of_proguard(letter) : text_of(letter);
    if (text == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the expression has a placeholder that is not known: %%%c",
                            letter);
    if (expression->holder_count == MOST_PLACEHOLDERS)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "the expression has more than %d placeholders", MOST_PLACEHOLDERS);
    fm_buf_printf(out, expression->proguard ? "(" : "(?<captureGroup%u>", expression->holder_count);
    fm_buf_printf(out, "%s)", text);
    expression->holders[expression->holder_count++].letter = letter;
    return FRAMEMAP_OK;
}

/* Writes the expression with each placeholder replaced by its regular expression. A '%' at the very end is a literal.
 * In R8's syntax, a '%' after a backslash is a literal too. */
static framemap_status put_holders(struct fm_retrace_expression *expression, framemap_str text, struct fm_buf *out,
                                   framemap_error *error)
{
    bool escaped = false;
    for (size_t i = 0; i < text.size; i++) {
        const char byte = text.data[i];
        if (byte == '%' && (!escaped || expression->proguard) && i + 1 < text.size) {
            framemap_status status = put_holder(expression, text.data[++i], out, error);
            if (status != FRAMEMAP_OK) return status;
            continue;
        }
        escaped = !escaped && byte == '\\';
        fm_buf_byte(out, byte);
    }
    return out->failed ? fm_error_memory(error) : FRAMEMAP_OK;
}

/* For each placeholder of the expression, finds the number of the group that was made from it. A placeholder in a
 * character class or in a quotation has no group; its number is then 0 or less. For ProGuard's expressions the n-th
 * placeholder always has the n-th group, even if the user wrote that group. */
static void find_groups(struct fm_retrace_expression *expression)
{
    char name[32];
    uint32_t count = 0;
    pcre2_pattern_info(expression->code, PCRE2_INFO_CAPTURECOUNT, &count);
    for (unsigned i = 0; i < expression->holder_count; i++) {
        if (expression->proguard) {
            expression->holders[i].number = i < count ? (int)i + 1 : 0;
            continue;
        }
        snprintf(name, sizeof name, "captureGroup%u", i);
        expression->holders[i].number = pcre2_substring_number_from_name(expression->code, (PCRE2_SPTR)name);
    }
}

/* --- compiling and freeing an expression --- */

static framemap_status compile_pattern(struct fm_retrace_expression *expression, framemap_str pattern,
                                       framemap_error *error)
{
    int code;
    PCRE2_SIZE offset;
    PCRE2_UCHAR words[160];
    const uint32_t options =
        PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C;
    pcre2_compile_context *context = pcre2_compile_context_create(expression->general);
    if (context == NULL) return fm_error_memory(error);
    expression->code =
        pcre2_compile((PCRE2_SPTR)(pattern.size ? pattern.data : ""), pattern.size, options, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (expression->code) return FRAMEMAP_OK;
    if (expression->refused) return fm_error_memory(error);
    pcre2_get_error_message(code, words, sizeof words);
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the expression is not understood: %s", (const char *)words);
}

static framemap_status compile(struct fm_retrace_expression *expression, framemap_str text, framemap_error *error)
{
    struct fm_buf java, pattern;
    fm_buf_init(&java, expression->heap);
    fm_buf_init(&pattern, expression->heap);
    framemap_status status = put_holders(expression, text, &java, error);
    if (status == FRAMEMAP_OK) status = fm_java_regex(fm_buf_view(&java), &pattern, error);
    if (status == FRAMEMAP_OK) status = compile_pattern(expression, fm_buf_view(&pattern), error);
    if (status == FRAMEMAP_OK) find_groups(expression);
    fm_buf_free(&java);
    fm_buf_free(&pattern);
    return status;
}

/* Charges the heap for the most bytes that machine code may take. Returns false if the heap has too few bytes left; the
 * expression is then interpreted. */
static bool reserve_machine_code(struct fm_retrace_expression *expression)
{
    size_t size = 0;
    if (pcre2_pattern_info(expression->code, PCRE2_INFO_SIZE, &size) != 0) return false;
    const uint64_t bytes = JIT_STACK + (uint64_t)size * MACHINE_BYTES_EACH;
    if (!fm_heap_reserve(expression->heap, bytes)) return false;
    expression->reserved = bytes;
    return true;
}

static framemap_status make_room(struct fm_retrace_expression *expression, framemap_error *error)
{
    expression->match = pcre2_match_data_create_from_pattern(expression->code, expression->general);
    expression->limits = pcre2_match_context_create(expression->general);
    if (expression->match == NULL || expression->limits == NULL) return fm_error_memory(error);
    /* Machine code is ten times as fast as interpreting. Its stack is small; a line that needs more stack is
     * interpreted. */
    if (reserve_machine_code(expression) && pcre2_jit_compile(expression->code, PCRE2_JIT_COMPLETE) == 0) {
        expression->stack = pcre2_jit_stack_create(JIT_STACK_AT_FIRST, JIT_STACK, expression->general);
        if (expression->stack == NULL) return fm_error_memory(error);
        pcre2_jit_stack_assign(expression->limits, NULL, expression->stack);
    }
    if (expression->refused) return fm_error_memory(error);
    pcre2_set_match_limit(expression->limits, MOST_STEPS);
    pcre2_set_heap_limit(expression->limits, MOST_KIB);
    return FRAMEMAP_OK;
}

framemap_status fm_retrace_expression_create(framemap_str text, bool proguard, struct fm_heap *heap,
                                             struct fm_retrace_expression **out, framemap_error *error)
{
    if (text.size > FM_LIMIT_LINE)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "the expression is longer than %zu bytes", FM_LIMIT_LINE);
    struct fm_retrace_expression *expression = fm_heap_zalloc(heap, 1, sizeof *expression);
    if (expression == NULL) return fm_error_memory(error);
    expression->heap = heap;
    expression->proguard = proguard;
    expression->general = pcre2_general_context_create(pcre_take, give, expression);
    framemap_status status = expression->general ? compile(expression, text, error) : fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = make_room(expression, error);
    if (status == FRAMEMAP_OK)
        *out = expression;
    else
        fm_retrace_expression_free(expression);
    return status;
}

void fm_retrace_expression_free(struct fm_retrace_expression *expression)
{
    if (expression == NULL) return;
    pcre2_jit_stack_free(expression->stack);
    pcre2_match_context_free(expression->limits);
    pcre2_match_data_free(expression->match);
    pcre2_code_free(expression->code);
    fm_heap_unreserve(expression->heap, expression->reserved);
    pcre2_general_context_free(expression->general);
    fm_heap_free(expression->heap, expression, sizeof *expression);
}

/* --- matching a line with the expression --- */

/* Adds the digits of a line number and the colon before them as one piece, so that both are dropped if there is no
 * number to print. */
static void add_number(struct fm_retrace_line *out, framemap_str line, size_t at, size_t end)
{
    struct fm_retrace_piece piece = {.part = FM_PART_LINE, .at = (uint32_t)at, .end = (uint32_t)end};
    piece.colon = at > 0 && line.data[at - 1] == ':';
    piece.at -= piece.colon;
    fm_retrace_add(out, piece);
    out->line_number = fm_retrace_number(fm_str_slice(line, at, end));
}

/* Parses a number as Java's Integer.parseInt does. Returns false if it does not fit 32 bits. */
static bool read_number(framemap_str text, int32_t *out)
{
    const bool negative = text.size && text.data[0] == '-';
    int64_t value = 0;
    for (size_t i = negative; i < text.size; i++) {
        value = value * 10 + (text.data[i] - '0');
        if (value > (int64_t)INT32_MAX + negative) return false;
    }
    *out = (int32_t)(negative ? -value : value);
    return true;
}

static framemap_status add_for_proguard(struct fm_retrace_line *out, framemap_str line, char letter, size_t at,
                                        size_t end)
{
    static const char letters[] = "cCmfslta";
    static const enum fm_retrace_part parts[] = {FM_PART_CLASS,  FM_PART_CLASS, FM_PART_METHOD, FM_PART_FIELD,
                                                 FM_PART_SOURCE, FM_PART_LINE,  FM_PART_TYPE,   FM_PART_ARGUMENTS};
    const char *found = letter ? strchr(letters, letter) : NULL;
    if (found == NULL) return FRAMEMAP_OK;
    struct fm_retrace_piece piece = {
        .part = parts[found - letters], .at = (uint32_t)at, .end = (uint32_t)end, .slashes = letter == 'C'};
    fm_retrace_add(out, piece);
    return piece.part != FM_PART_LINE || read_number(fm_str_slice(line, at, end), &out->line_number) ? FRAMEMAP_OK
                                                                                                     : FRAMEMAP_E_LIMIT;
}

static void add_holder(struct fm_retrace_line *out, framemap_str line, char letter, size_t at, size_t end)
{
    static const char letters[] = "mfsta";
    static const enum fm_retrace_part parts[] = {FM_PART_METHOD, FM_PART_FIELD, FM_PART_SOURCE, FM_PART_TYPE,
                                                 FM_PART_ARGUMENTS};
    switch (letter) {
    case 'c':
        if (out->last[FM_PART_CLASS] < 0) fm_retrace_add_class(out, line, at, end);
        break;
    case 'C':
        if (out->last[FM_PART_CLASS] >= 0 || fm_str_equal(fm_str_slice(line, at, end), FM_STR("Suppressed"))) break;
        fm_retrace_add(out, (struct fm_retrace_piece){
                                .part = FM_PART_CLASS, .at = (uint32_t)at, .end = (uint32_t)end, .slashes = true});
        break;
    case 'l': add_number(out, line, at, end); break;
    case 'S': fm_retrace_add_place(out, line, at, end); break;
    default:
        fm_retrace_add(out, (struct fm_retrace_piece){.part = parts[strchr(letters, letter) - letters],
                                                      .at = (uint32_t)at,
                                                      .end = (uint32_t)end});
    }
}

static framemap_status add_groups(const struct fm_retrace_expression *expression, framemap_str line,
                                  struct fm_retrace_line *out, framemap_error *error)
{
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(expression->match);
    for (unsigned i = 0; i < expression->holder_count; i++) {
        if (expression->holders[i].number < 1)
            return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                                "the expression has a placeholder where no group can be: %%%c",
                                expression->holders[i].letter);
        const PCRE2_SIZE *pair = offsets + 2 * (size_t)expression->holders[i].number;
        const char letter = expression->holders[i].letter;
        if (pair[0] == PCRE2_UNSET || pair[0] > pair[1]) continue;
        if (!expression->proguard)
            add_holder(out, line, letter, pair[0], pair[1]);
        else if (add_for_proguard(out, line, letter, pair[0], pair[1]) != FRAMEMAP_OK)
            return fm_error_set(error, FRAMEMAP_E_LIMIT, "a line number is too big for 32 bits");
    }
    for (unsigned i = 1; i < out->count; i++)
        if (out->pieces[i].at < out->pieces[i - 1].end)
            return fm_error_set(error, FRAMEMAP_E_ARGUMENT,
                                "the expression's placeholders match one place of a line, or not in their order");
    return FRAMEMAP_OK;
}

static framemap_status match_fault(int code, framemap_error *error)
{
    PCRE2_UCHAR words[160];
    if (code == PCRE2_ERROR_NOMEMORY) return fm_error_memory(error);
    if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_HEAPLIMIT || code == PCRE2_ERROR_DEPTHLIMIT)
        return fm_error_set(
            error, FRAMEMAP_E_LIMIT,
            "the expression takes too many steps for a line; rewrite it so that it leaves fewer choices");
    pcre2_get_error_message(code, words, sizeof words);
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the expression cannot be matched: %s", (const char *)words);
}

static int match(const struct fm_retrace_expression *expression, framemap_str line, uint32_t options)
{
    return pcre2_match(expression->code, (PCRE2_SPTR)(line.size ? line.data : ""), line.size, 0, options,
                       expression->match, expression->limits);
}

framemap_status fm_retrace_expression_match(struct fm_retrace_expression *expression, framemap_str line,
                                            struct fm_retrace_line *out, framemap_error *error)
{
    fm_retrace_clear(out);
    if (expression->proguard) out->line_number = 0;
    if (line.size > UINT32_MAX) return FRAMEMAP_OK;
    int code = match(expression, line, 0);
    if (code == PCRE2_ERROR_JIT_STACKLIMIT) code = match(expression, line, PCRE2_NO_JIT);
    if (code == PCRE2_ERROR_NOMATCH) return FRAMEMAP_OK;
    return code < 0 ? match_fault(code, error) : add_groups(expression, line, out, error);
}
