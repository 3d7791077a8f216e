/* Implements java_thread_title.h: tries the titles of each virtual machine and tool in turn, of which the first byte
 * excludes most, and reads the thread's name, number and state. */
#include "formats/java/java_thread_title.h"

/* Returns the word that follows `mark` in the text. */
static framemap_str word_after(framemap_str text, framemap_str mark)
{
    const size_t at = fm_str_find(text, mark);
    framemap_str word = {NULL, 0};
    if (at == FM_NOT_FOUND) return word;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    fm_scan_word(&s, &word);
    return word;
}

/* Parses ""worker" up to its closing quote. In a JSON string, backslashes precede both quotes. */
static bool quoted(struct fm_scan *s, framemap_str *name)
{
    const bool escaped = fm_scan_byte(s, '\\');
    if (!fm_scan_byte(s, '"') || !fm_scan_until(s, '"', name)) return false;
    if (escaped && fm_str_ends(*name, FM_STR("\\"))) name->size--;
    return true;
}

/* --- parsing the titles that ART and HotSpot print for threads --- */

/* Returns the text after "key=", up to a blank. */
static framemap_str value_of(framemap_str text, framemap_str key)
{
    const size_t at = fm_str_find(text, key);
    framemap_str value = at == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_from(text, at + key.size);
    size_t size = 0;
    while (size < value.size && !fm_is_blank(value.data[size])) size++;
    value.size = size;
    return value;
}

/* Reads number and state of a thread from the text after its name: "prio=5 tid=1 Native" of ART, "sysTid=12" of
 * debuggerd, "#1 daemon prio=5 os_prio=0 tid=0x… nid=0x… waiting on condition [0x…]" of HotSpot. */
static void read_dump_words(framemap_str rest, struct fm_java_thread *out)
{
    struct fm_scan s = fm_scan_of(rest);
    framemap_str last = value_of(rest, FM_STR(" nid="));
    fm_scan_byte(&s, '"');
    fm_scan_blanks(&s);
    if (fm_scan_byte(&s, '#')) out->id = value_of(rest, FM_STR("#"));
    if (out->id.size == 0) out->id = value_of(rest, FM_STR(" tid="));
    if (out->id.size == 0) out->id = value_of(rest, FM_STR("sysTid="));
    if (last.size == 0) last = value_of(rest, FM_STR(" tid="));
    if (last.size == 0) return;
    const char *after = last.data + last.size;
    out->state = fm_str_trim(fm_str(after, (size_t)(rest.data + rest.size - after)));
    const size_t bracket = fm_str_find(out->state, FM_STR(" ["));
    if (bracket != FM_NOT_FOUND) out->state = fm_str(out->state.data, bracket);
}

/* Parses ""main" prio=5 tid=1 Native" of ART, ""main" #1 prio=5 os_prio=0 tid=0x… nid=0x… runnable" of HotSpot. */
static bool read_dump_title(struct fm_scan s, struct fm_java_thread *out)
{
    framemap_str thread;
    const bool is_plain = *s.at == '"';
    if (!quoted(&s, &thread)) return false;
    framemap_str rest = fm_scan_rest(&s);
    const size_t tid = fm_str_find(rest, FM_STR("tid="));
    if (tid == FM_NOT_FOUND && fm_str_find(rest, FM_STR("sysTid=")) == FM_NOT_FOUND) return false;
    const size_t last = is_plain ? fm_str_find_last_byte(fm_str_slice(rest, 0, tid), '"') : 0;
    if (last > 0) { /* the name itself has quotes, which are not escaped */
        thread.size += last;
        rest = fm_str_from(rest, last);
    }
    *out = (struct fm_java_thread){.name = thread};
    read_dump_words(rest, out);
    return true;
}

/* --- parsing the titles that other tools print for threads --- */

/* Parses the text after a thread's name: " - Thread t@12" of VisualVM, " prio=5 Id=12 WAITING on a.b@1f" of
 * java.lang.management.ThreadInfo, or " id=12 in RUNNABLE". */
static bool read_managed_thread(framemap_str rest, struct fm_java_thread *out)
{
    static const struct {
        framemap_str mark, before_state;
    } forms[] = {{FM_STR_INIT("\" - Thread t@"), {NULL, 0}},
                 {FM_STR_INIT(" Id="), FM_STR_INIT(" ")},
                 {FM_STR_INIT(" id="), FM_STR_INIT(" in ")}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t at = fm_str_find(rest, forms[i].mark);
        /* the id must be near the start of the text, since only words such as "daemon prio=10" precede it */
        if (at == FM_NOT_FOUND || at > 24) continue;
        struct fm_scan s = fm_scan_of(fm_str_from(rest, at + forms[i].mark.size));
        uint64_t number;
        out->id = word_after(rest, forms[i].mark);
        if (!fm_scan_dec(&s, &number, NULL)) continue;
        if (forms[i].before_state.size ? !fm_scan_text(&s, forms[i].before_state) : !fm_scan_done(&s)) continue;
        out->state = fm_scan_rest(&s);
        return true;
    }
    out->id = fm_str(NULL, 0);
    return false;
}

/* Parses "#34 "worker" virtual" of Thread.dump_to_file; newer versions of it add state and time. */
static bool read_numbered_thread(struct fm_scan s, struct fm_java_thread *out)
{
    uint64_t number;
    framemap_str thread;
    if (!fm_scan_byte(&s, '#')) return false;
    const char *digits = s.at;
    if (!fm_scan_dec(&s, &number, NULL)) return false;
    const framemap_str id = fm_str(digits, (size_t)(s.at - digits));
    if (!fm_scan_text(&s, FM_STR(" \"")) || !fm_scan_until(&s, '"', &thread)) return false;
    fm_scan_byte(&s, '"');
    if (!fm_scan_done(&s) && !fm_scan_blanks1(&s)) return false;
    out->id = id;
    out->name = thread.size ? thread : id;
    return true;
}

/* Parses "3XMTHREADINFO      "main" J9VMThread:0x…, …, state:CW, prio=5" of OpenJ9. */
static bool read_javacore_thread(struct fm_scan s, struct fm_java_thread *out)
{
    if (!fm_scan_text(&s, FM_STR("3XMTHREADINFO "))) return false;
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, '"') || !fm_scan_until(&s, '"', &out->name)) return false;
    const framemap_str state = word_after(fm_scan_rest(&s), FM_STR(" state:"));
    out->state = fm_str_slice(state, 0, fm_str_find_byte(state, ','));
    return true;
}

/* Parses the line ""stack": [" of Thread.dump_to_file as JSON. The thread's name is on a line above it. */
static bool read_stack_member(framemap_str text)
{
    return fm_str_starts(text, FM_STR("\"stack\":")) && fm_str_ends(text, FM_STR("["));
}

/* Parses the title ""worker":", which HotSpot prints before the stack of a thread that is in a deadlock. */
static bool read_deadlocked_thread(struct fm_scan s, struct fm_java_thread *out)
{
    return quoted(&s, &out->name) && out->name.size && fm_scan_text(&s, FM_STR("\":")) && fm_scan_done(&s);
}

/* Parses "Coroutine "load#1":StandaloneCoroutine{Active}@3fee733d, state: SUSPENDED" of kotlinx.coroutines' dump. A
 * coroutine without a name has only the type. */
bool fm_java_coroutine_title(struct fm_scan s, struct fm_java_thread *out)
{
    static const framemap_str mark = FM_STR_INIT(", state: ");
    if (!fm_scan_text(&s, FM_STR("Coroutine "))) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t at = fm_str_find(rest, mark), sign = fm_str_find_last_byte(fm_str_slice(rest, 0, at), '@');
    if (at == FM_NOT_FOUND || sign == FM_NOT_FOUND || sign == 0) return false;
    const framemap_str whole = fm_str(rest.data, sign);
    *out = (struct fm_java_thread){.name = whole, .state = word_after(rest, mark)};
    struct fm_scan name = fm_scan_of(whole);
    framemap_str inside;
    if (quoted(&name, &inside)) out->name = inside;
    return out->state.size != 0;
}

bool fm_java_thread_title(struct fm_scan s, struct fm_java_thread *out)
{
    framemap_str thread;
    const bool may_quote = *s.at == '"' || *s.at == '\\';
    if (may_quote && read_dump_title(s, out)) return true;
    *out = (struct fm_java_thread){.name = {NULL, 0}};
    if (*s.at == '#') return read_numbered_thread(s, out);
    if (*s.at == '3') return read_javacore_thread(s, out);
    if (read_stack_member(fm_scan_rest(&s))) {
        return true;
    }
    if (may_quote && read_deadlocked_thread(s, out)) return true;
    *out = (struct fm_java_thread){.name = {NULL, 0}};
    if (!fm_scan_byte(&s, '"') || !fm_scan_until(&s, '"', &thread) || !read_managed_thread(fm_scan_rest(&s), out))
        return false;
    out->name = thread;
    return true;
}
