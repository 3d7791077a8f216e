/* Implements row_entity.h: compares the text at an offset with a table of the few entities that occur in copied stacks,
 * such as "&lt;". */
#include "formats/row_entity.h"

static const struct {
    framemap_str name;
    char letter;
} entities[] = {{FM_STR_INIT("&lt;"), '<'},    {FM_STR_INIT("&gt;"), '>'},   {FM_STR_INIT("&amp;"), '&'},
                {FM_STR_INIT("&quot;"), '"'},  {FM_STR_INIT("&#39;"), '\''}, {FM_STR_INIT("&#x27;"), '\''},
                {FM_STR_INIT("&apos;"), '\''}, {FM_STR_INIT("&#34;"), '"'},  {FM_STR_INIT("&nbsp;"), ' '}};

size_t fm_row_entity(framemap_str text, size_t at, char *out)
{
    if (at >= text.size || text.data[at] != '&') return 0;
    const framemap_str rest = fm_str_from(text, at);
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        if (!fm_str_starts(rest, entities[i].name)) continue;
        *out = entities[i].letter;
        return entities[i].name.size;
    }
    return 0;
}

bool fm_row_begins_entity(char after)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (entities[i].name.data[1] == after) return true;
    return false;
}
