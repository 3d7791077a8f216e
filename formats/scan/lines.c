/* Splits a text into lines and finds the enum fm_has bits of each line, with AVX2 if available. Called by dispatch.c,
 * dispatch_leads.c, document_traces.c and output_text.c. */
#include "formats/scan/lines.h"
#include "core/cpu.h"
#include "core/limits.h"
#include "formats/scan/line_clean.h"
#include "formats/scan/prefix/log_prefix.h"
#include "formats/scan/prefix/log_record.h"
#include "formats/scan/prefix/log_shapes.h"
#include "formats/scan/quoting.h"
#include "formats/scan/record_line.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#endif

/* Whether a prefix may begin with this byte after the blanks at the start of a line: an XML tag, the line of a drawn
 * box, or a byte with which the prefixes of loggers begin. */
static inline bool may_begin_indented(char c)
{
    return c == '<' || c == '\xE2' || c == '[' || fm_is_digit(c) || (c >= 'A' && c <= 'Z');
}

/* Returns the size of the prefix of a line that begins with a blank. Most such lines are frames and have no prefix. The
 * others begin, after the blanks, with the prefix of a logger, or with an XML tag or the line of a drawn box and then
 * such a prefix, if there is one. */
static size_t indented_prefix(framemap_str line, struct fm_log_fields *log)
{
    struct fm_scan s = fm_scan_of(line);
    fm_scan_blanks(&s);
    if (fm_scan_done(&s) || !may_begin_indented(*s.at)) return 0;
    if (*s.at == '<' || *s.at == '\xE2') {
        const size_t tag = fm_quoting_start(fm_scan_rest(&s));
        if (tag == 0) return 0;
        s.at += tag;
    } else {
        s.at = line.data;
        if (!fm_log_shape_indented(&s)) return 0;
    }
    const size_t size = (size_t)(s.at - line.data);
    return size + fm_log_prefix_fields(fm_str_from(line, size), FM_HAS_ANY, log);
}

/* Whether a colour code, whose escape character loggers may replace, or the line of a drawn box may begin here. */
static inline bool may_be_coloured(framemap_str text)
{
    const char c = text.size ? text.data[0] : '\0';
    return c == '\033' || c == '\\' || c == '^' || c == '\xE2' || fm_quoting_is_octal_escape(text);
}

static size_t plain_prefix(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    if (line.size && fm_is_blank(line.data[0])) return indented_prefix(line, log);
    size_t size = fm_quoting_start(line);
    size += fm_log_prefix_fields(fm_str_from(line, size), has, log);
    const framemap_str rest = fm_str_from(line, size);
    return size + (may_be_coloured(rest) ? fm_quoting_start(rest) : 0);
}

enum { HARD_MOST = 2048 }; /* maximum number of bytes of a line with U+00A0 in which its prefix is looked for */

/* A copy of a line in which blanks replace U+00A0 (no-break spaces), and the offset in the line of each byte of the
 * copy. */
struct softened {
    char text[HARD_MOST];
    uint16_t at[HARD_MOST + 1];
    size_t size;
};

static void soften(framemap_str line, struct softened *out)
{
    out->size = 0;
    for (size_t i = 0; i < line.size; i++) {
        const bool hard = fm_is_hard_blank(line, i);
        out->at[out->size] = (uint16_t)i;
        out->text[out->size++] = hard ? ' ' : line.data[i];
        i += hard;
    }
    out->at[out->size] = (uint16_t)line.size;
}

/* Returns the part of the original line that corresponds to a field found in its copy with plain blanks. */
static framemap_str hardened(framemap_str field, framemap_str line, const struct softened *soft)
{
    if (field.size == 0 || field.data < soft->text || field.data >= soft->text + soft->size) return field;
    const size_t from = (size_t)(field.data - soft->text);
    return fm_str_slice(line, soft->at[from], soft->at[from + field.size]);
}

static FM_APART size_t hard_prefix(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    struct softened soft;
    soften(line, &soft);
    *log = (struct fm_log_fields){.leads = false};
    const size_t size = plain_prefix(fm_str(soft.text, soft.size), has, log);
    framemap_str *const fields[] = {&log->time,  &log->pid,     &log->tid,  &log->tag,
                                    &log->level, &log->process, &log->host, &log->cpu};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) *fields[i] = hardened(*fields[i], line, &soft);
    return soft.at[size];
}

/* Returns the size of a line's prefix, and sets *log if the prefix is that of a logger. */
static size_t prefix_of(framemap_str line, unsigned has, struct fm_log_fields *log)
{
    const bool is_hard = (has & FM_HAS_CODED) != 0 && line.size <= HARD_MOST && fm_text_has_hard_blank(line);
    return is_hard ? hard_prefix(line, has, log) : plain_prefix(line, has, log);
}

size_t fm_line_prefix(framemap_str line, unsigned has)
{
    struct fm_log_fields log;
    return prefix_of(line, has, &log);
}

/* Whether the first bytes of a line show that it has no prefix, as those of most rows of stacks do: blanks and then a
 * byte with which no indented prefix begins, or '#' and a digit. */
static inline bool has_no_prefix(framemap_str line, unsigned has)
{
    size_t at = 0;
    if (has & FM_HAS_CODED) return false;
    while (at < line.size && fm_is_blank(line.data[at])) at++;
    if (at == line.size) return true;
    if (at > 0) return !may_begin_indented(line.data[at]);
    return line.data[0] == '#' && line.size > 1 && fm_is_digit(line.data[1]) && !fm_quoting_is_octal_escape(line);
}

/* Returns the line without its prefix and without closing marks such as "</stack>", and sets the origin that the
 * prefix names. */
static inline framemap_str body_of(framemap_str text, unsigned has, struct fm_line *out)
{
    out->origin = 0;
    out->leads = false;
    if (text.size > FM_LIMIT_LINE) return fm_str(text.data, 0);
    if (text.size && fm_quoting_may_end(text)) text.size = fm_quoting_end(text);
    if (has & FM_HAS_QUOTE) text.size = fm_quoting_column_end(text);
    if (has_no_prefix(text, has)) return text;
    struct fm_log_fields log;
    const size_t prefix = prefix_of(text, has, &log);
    if (prefix) {
        out->origin = fm_log_origin(&log);
        out->leads = log.leads;
    }
    return fm_str_from(text, prefix);
}

/* Returns the first byte of a line after a byte order mark and blanks; '\0': there is none among the first
 * FM_LIMIT_LINE bytes. */
static char first_visible(framemap_str line)
{
    struct fm_scan s = fm_scan_of(fm_str_slice(line, 0, FM_LIMIT_LINE));
    fm_scan_text(&s, FM_STR("\xEF\xBB\xBF"));
    fm_scan_blanks(&s);
    return fm_scan_done(&s) ? '\0' : *s.at;
}

/* Returns the bracket with which a line begins that is too long for a stack line but may be a JSON document. */
static char document_bracket(framemap_str text)
{
    const char first = text.size > FM_LIMIT_LINE ? first_visible(text) : '\0';
    return first == '{' || first == '[' ? first : '\0';
}

static void set_line(framemap_str text, framemap_str body, unsigned has, struct fm_line *out)
{
    size_t blank = 0;
    out->has = (uint8_t)has;
    out->text = text;
    out->body = body;
    out->run = 0;
    out->printed = (framemap_str){NULL, 0};
    out->cleaned = (framemap_str){NULL, 0};
    while (blank < body.size && fm_is_blank(body.data[blank])) blank++;
    out->first = blank < body.size ? body.data[blank] : '\0';
    out->last = blank < body.size ? body.data[body.size - 1] : '\0';
    out->is_document = false;
    if (body.size) return;
    out->first = document_bracket(text);
    out->is_document = out->first != '\0';
}

bool fm_line_cut(struct fm_line *line)
{
    if (line->body.data == NULL) set_line(line->text, body_of(line->text, FM_HAS_ANY, line), FM_HAS_ANY, line);
    return line->first != '\0' && !line->is_document;
}

bool fm_line_extend(const struct fm_line *line, framemap_str *slice)
{
    const char *const end = slice->data ? slice->data + slice->size : NULL;
    if (end == NULL || line->body.data != line->text.data) return false;
    if (line->body.data != end + 1 && line->body.data != end + 2) return false;
    slice->size = (size_t)(line->body.data + line->body.size - slice->data);
    return true;
}

static bool number_of(framemap_str printed, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(printed);
    return printed.size && fm_scan_dec(&s, out, NULL) && fm_scan_done(&s);
}

/* Sets those members that a prefix or a record names. */
static void put_fields(const struct fm_log_fields *log, framemap_log *out)
{
    if (log->time.size) out->time = log->time;
    if (log->tag.size) out->tag = log->tag;
    if (log->level.size) out->level = log->level;
    if (log->process.size) out->process = log->process;
    if (log->host.size) out->host = log->host;
    if (log->pid.size) out->has_pid = number_of(log->pid, &out->pid);
    if (log->tid.size) out->has_tid = number_of(log->tid, &out->tid);
}

/* Reads the prefix of a logger before the object of a record; false: there is none. */
static bool read_outer(framemap_str record, struct fm_log_fields *log)
{
    return record.data[0] != '{' && prefix_of(record, FM_HAS_ANY, log) > 0;
}

void fm_line_log(const struct fm_line *line, framemap_log *out)
{
    struct fm_log_fields log;
    *out = (framemap_log){.has_pid = false};
    if (line->record_head) {
        const framemap_str record = fm_str(line->text.data - line->record_head, line->record_size);
        if (read_outer(record, &log)) put_fields(&log, out);
        fm_log_record_fields(record, &log);
        put_fields(&log, out);
    }
    if (line->body.data == NULL || line->body.data == line->text.data) return;
    if (prefix_of(line->text, FM_HAS_ANY, &log) == 0) return;
    put_fields(&log, out);
}

/* Whether the rest of a physical line contains no further line to parse: only the end of an escaped string, and what
 * follows that string in its log record. */
static bool is_tail(struct fm_pieces rest)
{
    framemap_str piece;
    bool begins;
    if (!fm_pieces_next(&rest, &piece, &begins) || piece.size || rest.run) return false;
    return fm_pieces_next(&rest, &piece, &begins) && rest.run == 0 && piece.size && piece.data[0] == rest.quote;
}

/* Sets record_head and record_size of a line that was made from a string in one of Docker's records. */
static void note_record(const struct fm_lines *lines, framemap_str piece, struct fm_line *out)
{
    const size_t head = lines->record.data ? fm_log_record_head(lines->record) : 0;
    out->record_head = 0;
    if (head == 0 || (size_t)(piece.data - lines->record.data) != head) return;
    out->record_head = (uint32_t)head;
    out->record_size = lines->record.size;
}

/* Sets text, body and what follows from them of a line that is a piece of a string. */
static FM_APART void set_piece(framemap_str piece, struct fm_line *out)
{
    const framemap_str body = body_of(piece, FM_HAS_ANY, out);
    set_line(piece, fm_str_from(body, fm_pieces_blanks(body)), FM_HAS_ANY, out);
}

/* Returns the origin of lines of the thread `inner` of a process `origin`; each is 0 if it is not known. */
static uint64_t joined(uint64_t origin, uint64_t inner)
{
    if (origin == 0 || inner == 0) return origin | inner;
    return ((origin ^ inner) * UINT64_C(0x100000001B3)) | 1;
}

/* Does what set_piece does for the line of a record (record_line.h), and sets what the members of the record, and a
 * prefix before it, tell. A prefix within the line names a thread of the process that the record names. record: the
 * physical line. */
static FM_APART void set_record_line(framemap_str record, framemap_str row, struct fm_line *out)
{
    struct fm_log_fields log;
    set_piece(row, out);
    out->record_head = (uint32_t)(row.data - record.data);
    out->record_size = record.size;
    const uint64_t inner = out->leads ? 0 : out->origin;
    const uint64_t outer = read_outer(record, &log) ? fm_log_origin(&log) : 0;
    fm_log_record_fields(record, &log);
    const uint64_t origin = joined(joined(outer, fm_log_origin(&log)), inner);
    if (origin) out->origin = origin;
}

/* Returns the next piece of the current physical line: the next line within one of its strings. */
static bool next_piece(struct fm_lines *lines, struct fm_line *out)
{
    framemap_str piece;
    const unsigned before = lines->pieces.run;
    if (!fm_pieces_next(&lines->pieces, &piece, &out->begins)) {
        lines->pieces.at = NULL;
        return false;
    }
    out->offset = lines->base + (uint64_t)(piece.data - lines->text.data);
    out->number1 = out->text_number1 = lines->number1;
    if (lines->pieces.is_record && before == 0) {
        set_record_line(lines->record, piece, out);
    } else {
        note_record(lines, piece, out);
        set_piece(piece, out);
    }
    out->run = (uint8_t)(lines->pieces.run ? lines->pieces.run : before);
    if (before == 0 && out->run && !out->begins && is_tail(lines->pieces)) lines->pieces.at = NULL;
    return true;
}

/* Returns the number of bytes from `at` to the end of the line, or to the end of the text. */
static size_t to_line_end(const char *at, size_t left)
{
    const char *newline = memchr(at, '\n', left);
    return newline ? (size_t)(newline - at) : left;
}

#if FM_CPU_HAS_AVX2
enum { BLOCK = 32 };

/* Classifies a byte by two lookups (pshufb), one for each half of the byte. The byte's enum fm_has bits are those that
 * it has in both tables. A brace gets the bit of FM_HAS_BAR too, which does no harm. */
static const uint8_t low_halves[16] = {[0x0] = FM_HAS_AT_SIGN,
                                       [0x2] = FM_HAS_QUOTE,
                                       [0x3] = FM_HAS_HASH,
                                       [0x8] = FM_HAS_PARENTHESIS,
                                       [0xB] = FM_HAS_BRACKET | FM_HAS_COLOUR,
                                       [0xC] = FM_HAS_BACKSLASH | FM_HAS_BAR};
static const uint8_t high_halves[16] = {[0x1] = FM_HAS_COLOUR,
                                        [0x2] = FM_HAS_PARENTHESIS | FM_HAS_HASH | FM_HAS_QUOTE,
                                        [0x4] = FM_HAS_AT_SIGN,
                                        [0x5] = FM_HAS_BRACKET | FM_HAS_BACKSLASH,
                                        [0x7] = FM_HAS_BAR};

FM_WITH_AVX2 static inline __m256i table_of(const uint8_t halves[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)halves));
}

FM_WITH_AVX2 static inline __m256i load(const char *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

FM_WITH_AVX2 static inline __m256i equal(__m256i bytes, char wanted)
{
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(wanted));
}

/* Returns the enum fm_has bits of each of 32 bytes; reads one byte beyond them. */
FM_WITH_AVX2 static inline __m256i what_is_at(const char *at, __m256i bytes)
{
    const __m256i half = _mm256_set1_epi8(15), low = _mm256_and_si256(bytes, half),
                  high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
    const __m256i single = _mm256_and_si256(_mm256_shuffle_epi8(table_of(low_halves), low),
                                            _mm256_shuffle_epi8(table_of(high_halves), high));
    const __m256i error = _mm256_and_si256(equal(bytes, 'r'), equal(load(at + 1), ':'));
    const __m256i coded = _mm256_or_si256(_mm256_or_si256(equal(bytes, '&'), equal(bytes, '\0')), equal(bytes, '\xC2'));
    return _mm256_or_si256(single, _mm256_or_si256(_mm256_and_si256(error, _mm256_set1_epi8(FM_HAS_ERROR)),
                                                   _mm256_and_si256(coded, _mm256_set1_epi8((char)FM_HAS_CODED))));
}

/* Returns the bitwise or of all 32 bytes. */
FM_WITH_AVX2 static inline unsigned gathered(__m256i bits)
{
    __m128i some = _mm_or_si128(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
    some = _mm_or_si128(some, _mm_unpackhi_epi64(some, some));
    uint64_t all = (uint64_t)_mm_cvtsi128_si64(some);
    all |= all >> 32;
    all |= all >> 16;
    return (unsigned)(all | all >> 8) & 0xFF;
}

/* Returns the size of the line that starts at `from`. *has: its enum fm_has bits, determined in the same pass. */
FM_WITH_AVX2 static size_t run_line(const char *from, size_t left, unsigned *has)
{
    const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                            21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    __m256i seen = _mm256_setzero_si256();
    const char *at = from;
    for (; left > BLOCK; at += BLOCK, left -= BLOCK) {
        const __m256i bytes = load(at), what = what_is_at(at, bytes);
        const uint32_t ends = (uint32_t)_mm256_movemask_epi8(equal(bytes, '\n'));
        if (ends == 0) {
            seen = _mm256_or_si256(seen, what);
            continue;
        }
        const unsigned end = (unsigned)__builtin_ctz(ends);
        const __m256i within = _mm256_cmpgt_epi8(_mm256_set1_epi8((char)end), places);
        *has = gathered(_mm256_or_si256(seen, _mm256_and_si256(what, within)));
        return (size_t)(at - from) + end;
    }
    *has = FM_HAS_ANY;
    return (size_t)(at - from) + to_line_end(at, left); /* the bytes that are left are fewer than a vector load reads */
}

static size_t line_size(const char *at, size_t left, unsigned *has)
{
    if (fm_cpu_avx2()) return run_line(at, left, has);
    *has = FM_HAS_ANY;
    return to_line_end(at, left);
}
#else
static size_t line_size(const char *at, size_t left, unsigned *has)
{
    *has = FM_HAS_ANY;
    return to_line_end(at, left);
}
#endif

void fm_lines_skip(struct fm_lines *lines, size_t at, uint64_t passed)
{
    lines->at = at;
    lines->number1 += passed;
}

/* Whether a line contains escaped line ends, a string that is a row of JavaScript, or a list of strings that are rows;
 * if so, starts *pieces. */
static bool begin_pieces(framemap_str text, unsigned has, struct fm_pieces *pieces)
{
    if ((has & FM_HAS_HASH) != 0 && fm_pieces_begin_syslog(text, pieces)) return true;
    if ((has & FM_HAS_BACKSLASH) != 0) return fm_pieces_begin(text, pieces);
    if ((has & FM_HAS_QUOTE) == 0) return false;
    const bool may_be_row = (has & (FM_HAS_AT_SIGN | FM_HAS_PARENTHESIS | FM_HAS_BRACKET)) != 0;
    return (may_be_row || fm_pieces_may_be_element(text) || fm_record_may_be(text)) &&
           fm_pieces_begin_row(text, pieces);
}

void fm_line_cut_record(struct fm_line *line)
{
    struct fm_pieces pieces;
    const framemap_str text = line->text;
    if (!fm_record_may_be(text) || !fm_pieces_begin(text, &pieces) || !pieces.is_record) {
        fm_line_cut(line);
        return;
    }
    set_record_line(text, pieces.row, line);
    line->offset += (size_t)(pieces.row.data - text.data);
    line->run = 1;
}

bool fm_line_may_be_json(framemap_str text)
{
    const char first = first_visible(text);
    return first == '{' || first == '[' || first == '"';
}

bool fm_lines_next(struct fm_lines *lines, struct fm_line *out)
{
    if (lines->pieces.at && next_piece(lines, out)) return true;
    if (lines->at >= lines->text.size) return false;
    const char *start = lines->text.data + lines->at;
    size_t left = lines->text.size - lines->at;
    unsigned has;
    size_t size = line_size(start, left, &has);
    size_t offset = lines->at;
    lines->number1++;
    lines->at += size + (size < left ? 1 : 0);
    if (size && start[size - 1] == '\r') size--;
    framemap_str text = fm_str(start, size);
    if (begin_pieces(text, has, &lines->pieces)) {
        lines->record = text;
        return next_piece(lines, out);
    }
    lines->record = fm_str(NULL, 0);
    out->begins = false;
    out->record_head = 0;
    out->offset = lines->base + offset;
    out->number1 = out->text_number1 = lines->number1;
    set_line(text, body_of(text, has, out), has, out);
    return true;
}
