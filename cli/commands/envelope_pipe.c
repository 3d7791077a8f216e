/* Implements envelope_pipe.h. develop.sentry.dev describes the form ("Envelopes"): a line with a JSON object, then
 * for each item a line with a JSON object that has a type, and the contents. */
#include "cli/commands/envelope_pipe.h"

#include <poll.h>
#include <string.h>

enum look { IS_NOT, MAY_BE, IS };
enum { MOST_HEADER = 16 << 10, MOST_ITEM_HEADER = 4 << 10, WAIT_MS = 1000 };

static bool has_text(framemap_str text, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++)
        if (memcmp(text.data + i, word, size) == 0) return true;
    return false;
}

/* Takes the first line from a text. false: the line has no end. */
static bool take_line(framemap_str *rest, framemap_str *line)
{
    const char *newline = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    if (!newline) return false;
    *line = (framemap_str){rest->data, (size_t)(newline - rest->data)};
    rest->data = newline + 1;
    rest->size -= line->size + 1;
    if (line->size && line->data[line->size - 1] == '\r') line->size--;
    return true;
}

static bool is_object(framemap_str line)
{
    return line.size >= 2 && line.data[0] == '{' && line.data[line.size - 1] == '}';
}

/* Whether the header of an item has a type whose items can contain stacks, or can precede such items. */
static bool is_item_header(framemap_str line)
{
    static const char *const types[] = {"event",         "transaction", "attachment", "session",  "sessions",
                                        "client_report", "user_report", "feedback",   "profile",  "profile_chunk",
                                        "check_in",      "log",         "span",       "security", "replay_event"};
    if (!is_object(line) || line.size > MOST_ITEM_HEADER) return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char word[40] = "\"type\":\"", spaced[40] = "\"type\": \"";
        strcat(strcat(word, types[i]), "\"");
        strcat(strcat(spaced, types[i]), "\"");
        if (has_text(line, word) || has_text(line, spaced)) return true;
    }
    return false;
}

static enum look look_at(framemap_str text)
{
    framemap_str line;
    if (text.size == 0) return MAY_BE;
    if (text.data[0] != '{') return IS_NOT;
    if (!take_line(&text, &line)) return text.size < MOST_HEADER && !has_text(text, "\"type\"") ? MAY_BE : IS_NOT;
    if (!is_object(line) || has_text(line, "\"type\"")) return IS_NOT;
    if (text.size == 0) return MAY_BE;
    if (text.data[0] != '{') return IS_NOT;
    if (!take_line(&text, &line)) return text.size < MOST_ITEM_HEADER ? MAY_BE : IS_NOT;
    return is_item_header(line) ? IS : IS_NOT;
}

static framemap_str what_is_read(const struct fm_in *in)
{
    return (framemap_str){in->data + in->begin, in->end - in->begin};
}

bool fm_envelope_gather(struct fm_in *in, uint64_t most)
{
    enum look look = MAY_BE;
    while (look == MAY_BE) {
        struct pollfd about = {.fd = in->fd, .events = POLLIN};
        if (in->end > in->begin && poll(&about, 1, WAIT_MS) == 0) return false;
        if (!fm_in_more(in, NULL)) return false;
        look = look_at(what_is_read(in));
    }
    if (look == IS_NOT) return false;
    while (what_is_read(in).size < most)
        if (!fm_in_more(in, NULL)) return !in->failed;
    return false;
}
