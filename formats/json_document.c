/* Implements json_document.h: counts the brackets of a JSON document line by line, and parses the document when they
 * balance. */
#include "formats/json_document.h"
#include "core/json/json_string.h"
#include "core/limits.h"
#include "formats/scan/document.h"
#include "formats/scan/look_back.h"

/* maximum number of bytes above a line in which the start of its document is searched */
#define LOOK_BACK_BYTES ((size_t)16 << 10)
/* How many lines the parser requests after each line of an open document. A document may contain blank lines, which are
 * not offered without a request. */
#define LINES_AFTER 64

static bool is_open_bracket(char c) { return c == '{' || c == '['; }

bool fm_json_document_has_first(const struct fm_line *line)
{
    return line->first != '\0' && strchr(FM_JSON_FIRSTS, line->first) != NULL;
}

/* Whether a byte may occur in JSON outside of strings. */
static bool is_json_byte(char c)
{
    return fm_is_digit(c) || fm_is_blank(c) || (c != '\0' && strchr("\r\n,:+-.eEtrufalsn", c) != NULL);
}

/* Continues the scan of a document from `at` to `to`. Returns where its outermost bracket is closed; NULL if it is not
 * closed before `to`. Sets *wrong if the text is not JSON. */
static const char *scan(struct fm_json_document *document, const char *at, const char *to, bool *wrong)
{
    bool escaped;
    while (at < to) {
        if (document->in_string) {
            at = fm_json_string_run(at, to, &escaped);
            if (at == to) break;
            if (*at == '"')
                document->in_string = false;
            else if (*at != '\\' || ++at == to)
                break;
            at++;
            continue;
        }
        const char c = *at++;
        if (c == '"')
            document->in_string = true;
        else if (is_open_bracket(c))
            document->depth++;
        else if (c == '}' || c == ']')
            document->depth--;
        else if (!is_json_byte(c))
            *wrong = true;
        if (document->depth == 0) return at;
        if (*wrong) return NULL;
    }
    *wrong = document->in_string || at != to; /* a JSON string does not continue on the next line */
    return NULL;
}

static framemap_str whole_text(struct fm_document *doc)
{
    return doc->ring ? doc->ring->text : (framemap_str){NULL, 0};
}

static bool is_in(framemap_str text, const char *at) { return at >= text.data && at <= text.data + text.size; }

static bool is_piece(framemap_str text, const struct fm_line *line)
{
    return line->text.data > text.data && line->text.data[-1] != '\n';
}

/* Extends `piece`, which is one of several lines made from a string with escaped line ends, to its physical line.
 * Returns false if that line begins `most` bytes or more before the piece. */
static bool extend_piece(struct fm_document *doc, size_t most, struct fm_line *piece)
{
    const framemap_str physical = fm_document_physical_line(doc, piece, most);
    if (physical.data == NULL) return false;
    piece->offset -= (uint64_t)(piece->text.data - physical.data);
    piece->text = physical;
    return true;
}

/* Sets the members `body` and `first` of a physical line. */
static void set_body(struct fm_line *line)
{
    if (line->body.data == NULL) line->body = line->text;
    if (fm_str_starts(line->body, FM_STR("\xEF\xBB\xBF"))) line->body = fm_str_from(line->body, 3);
    while (line->body.size && fm_is_blank(line->body.data[0])) line->body = fm_str_from(line->body, 1);
    line->first = line->body.size ? line->body.data[0] : '\0';
}

static struct fm_line bare(const struct fm_line *line)
{
    return (struct fm_line){
        .text = line->text, .offset = line->offset, .number1 = line->number1, .text_number1 = line->text_number1};
}

static enum fm_document_step dropped(struct fm_json_document *document)
{
    *document = (struct fm_json_document){.seen1 = document->seen1};
    return FM_DOCUMENT_NONE;
}

/* Sets document->text again, since the text in memory may have moved after the last line was added to the document. */
static void find_text(struct fm_json_document *document, struct fm_document *doc)
{
    const struct fm_line_ring *ring = doc->ring;
    if (!document->open || ring == NULL) return;
    if (document->offset < ring->base || document->offset < doc->released)
        dropped(document);
    else
        document->text.data = ring->text.data + (document->offset - ring->base);
}

bool fm_json_document_line(struct fm_json_document *document, struct fm_document *doc, const struct fm_line *line,
                           struct fm_line *whole)
{
    const framemap_str text = whole_text(doc);
    if (line->number1 == document->seen1) return false;
    document->seen1 = line->number1;
    *whole = bare(line);
    find_text(document, doc);
    if (is_piece(text, line)) {
        if (!is_in(text, line->text.data) || !extend_piece(doc, FM_LIMIT_DOCUMENT, whole)) return false;
    } else if (!line->is_document) {
        whole->body = line->body;
    }
    set_body(whole);
    return true;
}

static const char *end_of(framemap_str text) { return text.data + text.size; }

/* Extends the document to the end of a line. */
static enum fm_document_step extend(struct fm_json_document *document, struct fm_document *doc,
                                    const struct fm_line *whole)
{
    const char *to = end_of(whole->text);
    bool wrong = false;
    const char *end = scan(document, end_of(document->text), to, &wrong);
    document->text.size = (size_t)((end ? end : to) - document->text.data);
    if (wrong || document->text.size > FM_LIMIT_DOCUMENT) return dropped(document);
    document->open = end == NULL;
    if (end && doc->pending_begin == document->offset) doc->pending_begin = UINT64_MAX;
    if (end) return FM_DOCUMENT_COMPLETE;
    fm_document_offer_until(doc, whole->number1 + LINES_AFTER);
    const struct fm_line first = {.offset = document->offset, .number1 = whole->number1};
    fm_document_may_begin(doc, &first, LINES_AFTER);
    return FM_DOCUMENT_OPEN;
}

enum fm_document_step fm_json_document_begin_at(struct fm_json_document *document, struct fm_document *doc,
                                                const struct fm_line *whole, const char *bracket)
{
    *document = (struct fm_json_document){.text = {bracket, 0},
                                          .offset = whole->offset + (uint64_t)(bracket - whole->text.data),
                                          .number1 = whole->number1,
                                          .text_number1 = whole->text_number1,
                                          .seen1 = document->seen1,
                                          .open = true};
    return extend(document, doc, whole);
}

/* Returns the bracket that a line begins or ends with; NULL if there is no bracket at either end. */
static const char *bracket_of(const struct fm_line *whole)
{
    if (is_open_bracket(whole->first)) return whole->body.data;
    const framemap_str trimmed = fm_str_trim(whole->text);
    if (trimmed.size == 0 || trimmed.data[0] == '"') return NULL;
    const char *last = &trimmed.data[trimmed.size - 1];
    return is_open_bracket(*last) ? last : NULL;
}

unsigned fm_json_document_leads(const struct fm_line *line, bool announced)
{
    struct fm_json_document trial = {.open = true};
    struct fm_line whole = bare(line);
    bool wrong = false;
    (void)announced;
    set_body(&whole);
    const char *bracket = bracket_of(&whole);
    if (bracket == NULL || scan(&trial, bracket, end_of(whole.text), &wrong) != NULL || wrong) return 0;
    return FM_LOOK_BACK_MOST;
}

/* Sets *whole to the physical line that contains `above`, a line above the current one. */
static bool whole_above(struct fm_document *doc, const struct fm_line *above, struct fm_line *whole)
{
    *whole = bare(above);
    if (is_piece(whole_text(doc), above) && !extend_piece(doc, LOOK_BACK_BYTES, whole)) return false;
    set_body(whole);
    return true;
}

/* Tries to begin a document at `above`, a line above the line `whole`. Returns FM_DOCUMENT_NONE if that document ends
 * before `whole`, so that `whole` is not a part of it. */
static enum fm_document_step try_above(struct fm_json_document *trial, struct fm_document *doc,
                                       const struct fm_line *above, const struct fm_line *whole, const char *bracket)
{
    if (fm_json_document_begin_at(trial, doc, above, bracket) != FM_DOCUMENT_OPEN) return FM_DOCUMENT_NONE;
    const enum fm_document_step step = fm_json_document_add(trial, doc, whole);
    return step == FM_DOCUMENT_COMPLETE && end_of(trial->text) <= whole->text.data ? FM_DOCUMENT_NONE : step;
}

enum fm_document_step fm_json_document_begin(struct fm_json_document *document, struct fm_document *doc,
                                             const struct fm_line *whole)
{
    struct fm_json_document trial = *document;
    struct fm_line line;
    enum fm_document_step step = dropped(document);
    uint64_t last1 = whole->number1;
    if (is_open_bracket(whole->first)) step = fm_json_document_begin_at(document, doc, whole, whole->body.data);
    if (step == FM_DOCUMENT_COMPLETE) return step;
    struct fm_look_back look_back = fm_look_back_from(doc, whole, 0, FM_LOOK_BACK_MOST);
    for (struct fm_line *above; (above = fm_look_back_next(&look_back)) != NULL; last1 = above->number1) {
        if (above->number1 == last1) continue;
        if (whole->offset - above->offset > LOOK_BACK_BYTES || !whole_above(doc, above, &line)) break;
        const char *bracket = bracket_of(&line);
        if (bracket == NULL) continue;
        const enum fm_document_step next = try_above(&trial, doc, &line, whole, bracket);
        if (next == FM_DOCUMENT_NONE) break;
        *document = trial;
        step = next;
    }
    return step;
}

enum fm_document_step fm_json_document_add(struct fm_json_document *document, struct fm_document *doc,
                                           const struct fm_line *whole)
{
    const framemap_str text = whole_text(doc);
    if (!document->open || !is_in(text, document->text.data) || whole->text.data < end_of(document->text))
        return dropped(document);
    return extend(document, doc, whole);
}

struct fm_json *fm_json_document_parse(const struct fm_json_document *document, struct fm_document *doc)
{
    struct fm_json *json = NULL;
    framemap_error error;
    const framemap_status status = fm_json_parse(document->text, doc->arena->heap, &json, &error);
    if (status == FRAMEMAP_E_MEMORY) doc->failed = true;
    return status == FRAMEMAP_OK ? json : NULL;
}

framemap_str fm_json_document_string(const struct fm_json *json, int32_t value, struct fm_document *doc)
{
    framemap_str out = {NULL, 0};
    if (value < 0 || fm_json_type(json, value) != FM_JSON_STRING) return out;
    if (!fm_json_string(json, value, doc->arena, &out)) doc->failed = true;
    return out;
}

struct fm_json_lines fm_json_lines_of(const struct fm_json_document *document)
{
    return (struct fm_json_lines){document, document->text.data, document->text.data, 0};
}

struct fm_line fm_json_lines_at(struct fm_json_lines *lines, framemap_str part)
{
    while (lines->searched < part.data) {
        const char *newline = memchr(lines->searched, '\n', (size_t)(part.data - lines->searched));
        lines->searched = newline ? newline + 1 : part.data;
        if (newline == NULL) break;
        lines->at = lines->searched;
        lines->lines++;
    }
    const framemap_str text = fm_str(lines->at, (size_t)(part.data + part.size - lines->at));
    return (struct fm_line){.text = text,
                            .body = part,
                            .offset = lines->document->offset + (uint64_t)(lines->at - lines->document->text.data),
                            .number1 = lines->document->number1 + lines->lines,
                            .text_number1 = lines->document->text_number1 + lines->lines};
}
