/* Implements pattern.h: simulates the nondeterministic automaton of the pattern (Thompson 1968), so that no pattern
 * makes matching slow. The states of the automaton are the positions in the pattern. */
#include "api/group/pattern.h"

#include <string.h>

struct states {
    /* three more than the positions of a pattern: a "**" with a slash may match nothing, which skips three positions */
    bool at[FM_PATTERN_MOST + 4];
};

/* Returns the length of the wildcard at a position: 1 for "*", 2 for "**" if by_folder is set; 0: no wildcard is
 * there. */
static size_t run_size(framemap_str pattern, size_t at, bool by_folder)
{
    if (at >= pattern.size || pattern.data[at] != '*') return 0;
    return by_folder && at + 1 < pattern.size && pattern.data[at + 1] == '*' ? 2 : 1;
}

/* Adds the states that are reached without reading a byte. begins: a folder's name begins at this byte. */
static void add_empty_steps(framemap_str pattern, struct states *states, bool by_folder, bool begins)
{
    for (size_t at = 0; at < pattern.size; at++) {
        const size_t run = states->at[at] ? run_size(pattern, at, by_folder) : 0;
        if (run == 0) continue;
        states->at[at + run] = true;
        if (run == 2 && begins && at + 2 < pattern.size && pattern.data[at + 2] == '/') states->at[at + 3] = true;
    }
}

/* Takes one byte; returns whether any state is left. */
static bool step(framemap_str pattern, const struct states *from, struct states *to, char byte, bool by_folder)
{
    const bool bars = by_folder && byte == '/';
    bool any = false;
    memset(to->at, 0, pattern.size + 1);
    for (size_t at = 0; at < pattern.size; at++) {
        if (!from->at[at]) continue;
        const size_t run = run_size(pattern, at, by_folder);
        const bool one = run == 0 && (pattern.data[at] == byte || (pattern.data[at] == '?' && !bars));
        if (run == 2 || (run == 1 && !bars)) any = to->at[at] = true;
        if (one) any = to->at[at + 1] = true;
    }
    return any;
}

bool fm_pattern_matches(framemap_str pattern, framemap_str text, bool by_folder)
{
    struct states states[2];
    if (pattern.size > FM_PATTERN_MOST || text.size > FM_PATTERN_TEXT_MOST) return false;
    memset(states, 0, sizeof states);
    states[0].at[0] = true;
    add_empty_steps(pattern, &states[0], by_folder, true);
    for (size_t i = 0; i < text.size; i++) {
        const char byte = text.data[i] == '\\' ? '/' : text.data[i];
        if (!step(pattern, &states[i % 2], &states[(i + 1) % 2], byte, by_folder)) return false;
        add_empty_steps(pattern, &states[(i + 1) % 2], by_folder, byte == '/');
    }
    return states[text.size % 2].at[pattern.size];
}
