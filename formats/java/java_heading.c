/* Parses the lines before and between the rows of a Java stack: exceptions, threads, locks, map ids. Called by
 * java_trace.c and java_line.c. */
#include "formats/java/java_heading.h"
#include "core/text/find_any.h"
#include "formats/java/java_name.h"
#include "formats/java/java_thread_title.h"
#include "formats/row_parts.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Returns a class name without loader and module: "a.b" for "app//java.base@17/a.b". */
static framemap_str without_prefix(framemap_str name)
{
    size_t slash = fm_str_find_last_byte(name, '/');
    return slash == FM_NOT_FOUND ? name : fm_str_from(name, slash + 1);
}

/* Parses a class name at s. Returns false unless ": ", a bracket or the end of the line follows; *name is set in any
 * case. */
static bool scan_name(const struct fm_scan *s, framemap_str *name)
{
    framemap_str rest = fm_scan_rest(s);
    size_t size = fm_java_name(rest);
    if (size == 0) return false;
    *name = fm_str(rest.data, size);
    if (size == rest.size || rest.data[size] == ']') return true;
    return rest.data[size] == ':' &&
           (size + 1 == rest.size || fm_is_blank(rest.data[size + 1]) || rest.data[size + 1] == '\\');
}

static bool ends_as_fault(framemap_str name)
{
    return fm_str_ends(name, FM_STR("Exception")) || fm_str_ends(name, FM_STR("Error")) ||
           fm_str_ends(name, FM_STR("Throwable"));
}

static void set_exception(struct fm_java_head *out, enum fm_java_head_kind kind, framemap_str name,
                          const struct fm_scan *s)
{
    out->kind = kind;
    out->text = fm_scan_rest(s);
    out->name = without_prefix(name);
    out->is_named_fault = ends_as_fault(name);
}

/* --- parsing lines that continue a stack --- */

/* Flags of words such as "Caused by" that begin a cause. CAUSE_WITHOUT_COLON is for Google Play Console, which omits
 * the colon after them. Ordinary sentences may begin with these words too, so the name after them must then have dots,
 * or be short and have a colon after it. */
enum { CIRCULAR = 2, WRAPPED = 4, CAUSE_WITHOUT_COLON = 5 };
static const struct {
    framemap_str word;
    framemap_role role;
} causes[] = {{FM_STR_INIT("Caused by: "), FRAMEMAP_ROLE_CAUSE},
              {FM_STR_INIT("Suppressed: "), FRAMEMAP_ROLE_SUPPRESSED},
              {FM_STR_INIT("[CIRCULAR REFERENCE: "), FRAMEMAP_ROLE_CIRCULAR},
              {FM_STR_INIT("[CIRCULAR REFERENCE:"), FRAMEMAP_ROLE_CIRCULAR},
              {FM_STR_INIT("Wrapped by: "), FRAMEMAP_ROLE_NONE},
              {FM_STR_INIT("Caused by "), FRAMEMAP_ROLE_CAUSE}};

enum { FEW_LETTERS = 4 }; /* longer words without dots are ordinary words, not renamed classes */

/* Whether a name without dots can be a renamed class: it is short, and a colon follows it. */
static bool is_renamed_word(const struct fm_scan *s, framemap_str name)
{
    const char *end = name.data + name.size;
    return name.size <= FEW_LETTERS && end != s->end && *end == ':';
}

static bool read_cause(struct fm_scan s, struct fm_java_head *out)
{
    framemap_str name;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        struct fm_scan t = s;
        if (!fm_str_begins(fm_scan_rest(&t), causes[i].word)) continue;
        t.at += causes[i].word.size;
        if (fm_scan_text(&t, causes[CIRCULAR].word)) i = CIRCULAR;
        if (!scan_name(&t, &name)) return false;
        if (i == CAUSE_WITHOUT_COLON && !fm_java_is_dotted(name) && !is_renamed_word(&t, name)) return false;
        set_exception(out, FM_JAVA_HEAD_CAUSE, name, &t);
        out->role = causes[i].role;
        out->wraps = i == WRAPPED;
        if (out->role == FRAMEMAP_ROLE_CIRCULAR && fm_str_ends(out->text, FM_STR("]"))) out->text.size--;
        return true;
    }
    return false;
}

/* --- threads --- */

static bool read_fatal(struct fm_scan s, struct fm_java_head *out)
{
    if (!fm_scan_text(&s, FM_STR("FATAL EXCEPTION: ")) &&
        !fm_scan_text(&s, FM_STR("FATAL EXCEPTION IN SYSTEM PROCESS: ")))
        return false;
    out->kind = FM_JAVA_HEAD_THREAD;
    out->thread = fm_scan_rest(&s);
    out->crashed = true;
    return true;
}

/* Parses the title of a thread in a dump, in the forms of HotSpot, ART and other tools. The title contains the thread's
 * name, such as "Thread-2". */
static bool read_thread_title(struct fm_scan s, struct fm_java_head *out)
{
    struct fm_java_thread title;
    if (*s.at == 'C' ? !fm_java_coroutine_title(s, &title) : !fm_java_thread_title(s, &title)) return false;
    out->kind = FM_JAVA_HEAD_THREAD;
    out->thread = title.name;
    out->thread_id = title.id;
    out->state = title.state;
    return true;
}

/* Parses a line with the process: "Process: com.example, PID: 4369", or "PID: 4369" of Android before 4.4. */
static bool java_heading_read_process(struct fm_scan s, struct fm_java_head *out)
{
    struct fm_scan alone = s;
    if (fm_scan_text(&alone, FM_STR("PID: ")) && fm_scan_dec(&alone, &out->number, NULL) && fm_scan_done(&alone)) {
        out->kind = FM_JAVA_HEAD_PROCESS;
        return true;
    }
    if (!fm_scan_text(&s, FM_STR("Process: "))) return false;
    const framemap_str text = fm_scan_rest(&s);
    const size_t at = fm_str_find_last(text, FM_STR(", PID: "));
    if (at == FM_NOT_FOUND) return false;
    s.at += at + 7;
    if (!fm_scan_dec(&s, &out->number, NULL)) return false;
    out->kind = FM_JAVA_HEAD_PROCESS;
    out->process = fm_str(text.data, at);
    return true;
}

/* Parses "java.lang.Thread.State: WAITING (on object monitor)" of HotSpot. */
static bool read_state(struct fm_scan s, struct fm_java_head *out)
{
    if (!fm_scan_text(&s, FM_STR("java.lang.Thread.State: "))) return false;
    out->kind = FM_JAVA_HEAD_STATE;
    out->state = fm_scan_rest(&s);
    return true;
}

/* Parses "... 12 more", "... 3 common frames omitted", "... 7 frames truncated". */
static bool read_more(struct fm_scan s, struct fm_java_head *out)
{
    static const framemap_str words[] = {FM_STR_INIT("more"), FM_STR_INIT("common frames omitted"),
                                         FM_STR_INIT("frames "), FM_STR_INIT("lines ")};
    if (!fm_scan_text(&s, FM_STR("... ")) || !fm_scan_dec(&s, &out->number, NULL) || !fm_scan_blanks1(&s)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_begins(fm_scan_rest(&s), words[i])) out->kind = FM_JAVA_HEAD_MORE;
    return out->kind == FM_JAVA_HEAD_MORE;
}

/* Parses "ComposedException 1 :". */
static bool read_composed(struct fm_scan s, struct fm_java_head *out)
{
    if (!fm_scan_text(&s, FM_STR("ComposedException ")) || !fm_scan_dec(&s, &out->number, NULL)) return false;
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, ':') || !fm_scan_done(&s)) return false;
    out->kind = FM_JAVA_HEAD_COMPOSED;
    return true;
}

/* Parses the lines of kotlinx.coroutines "(Coroutine boundary)" and "(Coroutine creation stacktrace)". */
static bool read_gap(struct fm_scan s, struct fm_java_head *out)
{
    if (!fm_scan_text(&s, FM_STR("(Coroutine ")) || s.end[-1] != ')') return false;
    out->kind = FM_JAVA_HEAD_GAP;
    return true;
}

/* Parses "Exception in thread "main" a.b.c: message". Clojure's "Exception in thread "main" Syntax error compiling
 * at (a.clj:4:1)." gives only the thread. */
static bool read_uncaught(struct fm_scan s, struct fm_java_head *out)
{
    framemap_str name;
    if (!fm_scan_text(&s, FM_STR("Exception in thread \\\""))) {
        if (!fm_scan_text(&s, FM_STR("Exception in thread \"")) || !fm_scan_until(&s, '"', &out->thread)) return false;
    } else if (!fm_scan_until(&s, '\\', &out->thread) || !fm_scan_byte(&s, '\\')) {
        return false; /* in a JSON string, each of the two quotes around a thread's name has a backslash before it */
    }
    fm_scan_byte(&s, '"');
    fm_scan_blanks(&s);
    if (scan_name(&s, &name)) {
        set_exception(out, FM_JAVA_HEAD_TITLE, name, &s);
    } else {
        out->kind = FM_JAVA_HEAD_THREAD;
        out->crashed = true;
    }
    return true;
}

/* Parses "Exception a.b: message", the first line of a stack in Google Play Console. Sentences may begin with
 * "Exception" too, so a name without dots is accepted only directly above a frame. */
static bool read_reported(struct fm_scan s, struct fm_java_head *out)
{
    framemap_str name;
    if (!fm_scan_text(&s, FM_STR("Exception ")) || !scan_name(&s, &name)) return false;
    set_exception(out, fm_java_is_dotted(name) ? FM_JAVA_HEAD_TITLE : FM_JAVA_HEAD_WORD, name, &s);
    return true;
}

/* Parses Spark's "Driver stacktrace:", the title of the stack of another process. */
static bool read_driver(struct fm_scan s, struct fm_java_head *out)
{
    if (!fm_scan_text(&s, FM_STR("Driver stacktrace:")) || !fm_scan_done(&s)) return false;
    out->kind = FM_JAVA_HEAD_THREAD;
    return true;
}

/* Parses Crashlytics' "Fatal Exception: a.b: message", the first line of a stack; the name may have no dots. */
static bool read_fatal_title(struct fm_scan s, struct fm_java_head *out)
{
    framemap_str name;
    if (!fm_scan_text(&s, FM_STR("Fatal Exception: ")) && !fm_scan_text(&s, FM_STR("Non-fatal Exception: ")))
        return false;
    if (!scan_name(&s, &name)) return false;
    set_exception(out, FM_JAVA_HEAD_TITLE, name, &s);
    return true;
}

/* Parses lines that Bugly logs above a stack, "# CRASH THREAD: main" and "# CRASH PROCESS: com.example", the latter
 * also in the form "# PKG NAME: com.example". The number in "main(12)" is the thread's. */
static bool read_bugly(struct fm_scan s, struct fm_java_head *out)
{
    if (fm_scan_text(&s, FM_STR("# CRASH PROCESS: ")) || fm_scan_text(&s, FM_STR("# PKG NAME: "))) {
        out->kind = FM_JAVA_HEAD_PROCESS;
        out->process = fm_scan_rest(&s);
        return true;
    }
    if (!fm_scan_text(&s, FM_STR("# CRASH THREAD: "))) return false;
    out->kind = FM_JAVA_HEAD_THREAD;
    out->crashed = true;
    out->thread = fm_scan_rest(&s);
    fm_row_name_number(&out->thread, &out->thread_id);
    return true;
}

/* --- parsing lines with locks and map ids --- */

/* Parses "- waiting on <0x0aa22437> (a nmb)", "- locked <…> (a java.lang.Class<a.b>)". */
static bool read_lock(struct fm_scan s, struct fm_java_head *out)
{
    if (!fm_scan_text(&s, FM_STR("- "))) return false;
    framemap_str text = fm_scan_rest(&s);
    size_t at = fm_str_find(text, FM_STR("(a java.lang.Class<"));
    at = at != FM_NOT_FOUND ? at + 19 : fm_str_find(text, FM_STR("(a ")) + 3;
    if (at < 3 || at > text.size) return false;
    framemap_str rest = fm_str_from(text, at);
    size_t size = fm_java_name(rest);
    if (size == 0 || size == rest.size || (rest.data[size] != ')' && rest.data[size] != '>')) return false;
    out->kind = FM_JAVA_HEAD_CLASS;
    out->name = fm_str(rest.data, size);
    return true;
}

/* Parses "# pg_map_id: 1a2b3c4", ""pg_map_id": "1a2b3c4",". */
static bool read_map_id(framemap_str text, struct fm_java_head *out)
{
    size_t at = fm_str_find(text, FM_STR("pg_map_id"));
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 9));
    while (s.at < s.end && (fm_is_blank(*s.at) || strchr("\"'\\:=", *s.at))) s.at++;
    const char *start = s.at;
    while (s.at < s.end && fm_java_is_name_byte(*s.at)) s.at++;
    if (s.at == start) return false;
    out->kind = FM_JAVA_HEAD_MAP_ID;
    out->name = fm_str(start, (size_t)(s.at - start));
    return true;
}

/* --- parsing the first line of a stack --- */

/* Whether the name has dots and is not a version such as "v6.2.0". */
static bool is_title_name(framemap_str name)
{
    if (!fm_java_is_dotted(name) || !fm_java_is_name_byte(name.data[name.size - 1])) return false;
    const size_t dot = fm_str_find_byte(name, '.');
    return !fm_is_digit(name.data[dot + 1]);
}

/* Bit masks that show where a text of up to 64 bytes has dots and blanks. */
struct byte_masks {
    uint64_t dots, blanks;
    size_t size;
};

static void mask_bytes(const char *at, size_t from, struct byte_masks *masks)
{
    for (size_t i = from; i < masks->size; i++) {
        masks->dots |= (uint64_t)(at[i] == '.') << i;
        masks->blanks |= (uint64_t)fm_is_blank(at[i]) << i;
    }
}

#if defined(__SSE2__)
enum { BLOCK = 16 };

static void mask_block(const char *at, size_t from, struct byte_masks *masks)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + from));
    const __m128i blanks =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));
    masks->dots |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'))) << from;
    masks->blanks |= (uint64_t)_mm_movemask_epi8(blanks) << from;
}

static struct byte_masks masks_at(const char *at, size_t left)
{
    struct byte_masks masks = {.size = left < 64 ? left : 64};
    if (left < BLOCK) {
        mask_bytes(at, 0, &masks);
        return masks;
    }
    for (size_t from = 0; from + BLOCK < masks.size; from += BLOCK) mask_block(at, from, &masks);
    /* the last block of bytes overlaps the block before it, so that it ends with the text */
    mask_block(at, masks.size - BLOCK, &masks);
    return masks;
}
#else
static struct byte_masks masks_at(const char *at, size_t left)
{
    struct byte_masks masks = {.size = left < 64 ? left : 64};
    mask_bytes(at, 0, &masks);
    return masks;
}
#endif

static void pass_word(struct fm_scan *s)
{
    s->at += fm_str_find_any(fm_scan_rest(s), 0, "  \t\t");
    fm_scan_blanks(s);
}

enum { WORDS = 8 }; /* the start of an exception is searched in this many words of a line */

/* Moves to the start of the next word that has a dot, which may be the current word. words: increased by the number
 * of words that are passed. Returns false if none of the first WORDS words of the line has a dot. */
static bool to_dotted_word(struct fm_scan *s, unsigned *words)
{
    while (*words < WORDS && s->at != s->end) {
        const size_t left = (size_t)(s->end - s->at);
        const struct byte_masks masks = masks_at(s->at, left);
        if (masks.dots == 0 && masks.size == left) return false;
        const uint64_t below = masks.dots ? (masks.dots & (0 - masks.dots)) - 1 : UINT64_MAX,
                       blanks = masks.blanks & below;
        if (blanks == 0 && masks.dots) return true;
        if (blanks == 0) { /* the word does not end within the 64 bytes of the masks */
            pass_word(s);
            ++*words;
            continue;
        }
        /* This counts the runs of blanks, since each run ends a word. */
        *words += fm_count_bits(blanks & ~(blanks << 1));
        s->at += fm_highest_bit(blanks) + 1;
        fm_scan_blanks(s); /* blanks after the 64 bytes are skipped too */
    }
    return false;
}

/* Parses "a.b.c: message" at the start of the line, or after words that a tool prints before it: "Fatal Exception:
 * ", "== Java Exception: ", "ERROR ". */
static bool read_title(struct fm_scan s, struct fm_java_head *out)
{
    framemap_str name;
    for (unsigned words = 0; to_dotted_word(&s, &words); words++) {
        if (scan_name(&s, &name) && is_title_name(name)) {
            set_exception(out, FM_JAVA_HEAD_TITLE, name, &s);
            return words == 0 || out->is_named_fault || s.at[-2] == ':';
        }
        pass_word(&s);
    }
    return false;
}

/* Parses "… Lost task 0.0 in stage 2.0 (TID 1, host, executor driver): a.b.c: message" of Spark. */
static bool read_lost_task(struct fm_scan s, struct fm_java_head *out)
{
    static const framemap_str mark = FM_STR_INIT("Lost task "), end = FM_STR_INIT("): ");
    const framemap_str text = fm_scan_rest(&s);
    const size_t at = text.size > mark.size ? fm_str_find(text, mark) : FM_NOT_FOUND;
    const size_t close = at == FM_NOT_FOUND ? FM_NOT_FOUND : fm_str_find(fm_str_from(text, at), end);
    framemap_str name;
    if (close == FM_NOT_FOUND) return false;
    s.at += at + close + end.size;
    if (!scan_name(&s, &name) || !is_title_name(name)) return false;
    set_exception(out, FM_JAVA_HEAD_TITLE, name, &s);
    return true;
}

static bool read_word(struct fm_scan s, struct fm_java_head *out)
{
    framemap_str name;
    if (s.end - s.at > FEW_LETTERS) {
        bool ends = false;
        for (int i = 0; i <= FEW_LETTERS; i++)
            ends |= fm_java_bytes[(unsigned char)s.at[i]] >= FM_JAVA_STOPS || (i && s.at[i] == '$');
        if (!ends) return false;
    }
    if (!scan_name(&s, &name) || (name.data + name.size != s.end && name.data[name.size] == ']')) return false;
    for (size_t i = 0; i < name.size; i++)
        if (!fm_java_is_name_byte(name.data[i])) return false;
    if (fm_str_equal(fm_str(s.at, (size_t)(s.end - s.at)), FM_STR("java:")))
        return false; /* "java:" alone is a title that Bugly prints above a stack, not an exception */
    set_exception(out, FM_JAVA_HEAD_WORD, name, &s);
    return true;
}

/* Parses lines that begin with fixed words. Their first letters select which words are tried. */
static bool read_known(char first, struct fm_scan s, struct fm_java_head *out)
{
    switch (first) {
    case 'F': return read_fatal(s, out) || read_fatal_title(s, out);
    case 'N': return read_fatal_title(s, out);
    case 'P': return java_heading_read_process(s, out);
    case 'j': return read_state(s, out);
    case '.': return read_more(s, out);
    case '(': return read_gap(s, out);
    case 'C': return read_cause(s, out) || read_composed(s, out) || read_thread_title(s, out);
    case 'D': return read_driver(s, out);
    case 'S':
    case '[':
    case 'W': return read_cause(s, out);
    case 'E': return read_uncaught(s, out) || read_reported(s, out);
    default: return false;
    }
}

/* Returns the string on a line that is one element of a JSON array of strings; absent for other lines. ECS and other
 * loggers write each line of a stack as such an element. */
static framemap_str element_of(struct fm_scan s)
{
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    while (text.size > 1 && strchr(",]}", text.data[text.size - 1])) text.size--;
    if (text.size < 3 || text.data[0] != '"' || text.data[text.size - 1] != '"') return fm_str(NULL, 0);
    text = fm_str_slice(text, 1, text.size - 1);
    for (size_t at = 0; at < text.size; at++)
        if (text.data[at] == '"' && (at == 0 || text.data[at - 1] != '\\')) return fm_str(NULL, 0);
    return text;
}

/* Parses the exception of a stack that is logged as an array of strings. */
static bool read_element(struct fm_scan s, struct fm_java_head *out)
{
    const framemap_str text = element_of(s);
    if (text.size == 0) return false;
    const struct fm_scan inner = fm_scan_of(text);
    if (read_known(text.data[0], inner, out) || read_title(inner, out))
        if (out->kind == FM_JAVA_HEAD_TITLE || out->kind == FM_JAVA_HEAD_CAUSE) return true;
    *out = (struct fm_java_head){.kind = FM_JAVA_HEAD_NONE};
    return false;
}

void fm_java_head_parse(framemap_str body, struct fm_java_head *out)
{
    *out = (struct fm_java_head){.kind = FM_JAVA_HEAD_NONE};
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (s.at == s.end) return;
    /* in NativeScript's log, "System.err:" precedes the text */
    if (*s.at == 'S' && fm_scan_text(&s, FM_STR("System.err:"))) fm_scan_blanks(&s);
    if (s.at == s.end) return;
    char first = *s.at;
    if ((first == '"' || first == '\\' || first == '#' || first == '3') && read_thread_title(s, out)) return;
    if (first == '-' && read_lock(s, out)) return;
    if (first == '#' && read_bugly(s, out)) return;
    if ((first == '#' || first == '"' || first == 'p') && read_map_id(fm_scan_rest(&s), out)) return;
    if (first == '"' && read_element(s, out)) return;
    if (read_known(first, s, out)) return;
    if (read_title(s, out) || read_lost_task(s, out)) return;
    if (read_word(s, out)) return;
    *out = (struct fm_java_head){.kind = FM_JAVA_HEAD_NONE};
}
