/* Determines which answers lack debug info because another file has it (a .dwo file, an object file, or a file that dwz
 * made), and the path of that file. */
#include "resolve/native/companion_file.h"

#include "core/text/text.h"
#include "resolve/native/address.h"

const char fm_no_lines[] =
    "the debug info of this code is in a .dwo file, which was not found: its lines and inlined functions are not known";
const char fm_no_object[] =
    "the debug info of this code is in an object file, which was not found, or was changed since "
    "it was linked: its lines and inlined functions are not known";
const char fm_not_relocated[] = "relocations of this object file are of kinds that are not known for its architecture: "
                                "its lines and inlined functions are missing";
const char fm_no_names[] = "the names of these functions are in a file made by dwz, which was not found";

bool fm_lacks_names(const struct fm_view *view)
{
    framemap_str path;
    return fm_view_attribute(view, FM_STR(FM_ATTRIBUTE_ALTERNATE), &path);
}

bool fm_split_file(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_arena *arena,
                   framemap_str *path)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    struct fm_hit hit;
    struct fm_view_link link;
    framemap_str name;
    uint64_t split;
    if (!about->has_image || scope != about->image || !fm_view_scope(view, FM_STR(FM_SCOPE_SPLIT), &split))
        return false;
    if (fm_view_lookup(view, split, position, &hit) != FRAMEMAP_OK || hit.place_count == 0) return false;
    if (fm_view_link_first(view, &hit, 0, &link, &name) != FRAMEMAP_OK) return false;
    return fm_view_path(view, link.file, arena, path) == FRAMEMAP_OK && path->size > 0;
}

/* Whether a line of the index's list of requested companion files is the request for a path. *id: the id in the
 * line. */
static bool is_request_for(framemap_str line, framemap_str path, framemap_str *id)
{
    const framemap_str after = fm_str_from(line, fm_str_find_byte(line, '\t') + 1);
    const size_t end = fm_str_find_byte(after, '\t');
    const framemap_str names = fm_str_from(after, end + 1),
                       name = fm_str_from(names, fm_str_find_byte(names, '\t') + 1);
    if (end == FM_NOT_FOUND || name.size == 0 || !fm_str_ends(path, name)) return false;
    const framemap_str folder = fm_str_slice(path, 0, path.size - name.size);
    *id = fm_str_slice(after, 0, end);
    return folder.size == 0 ||
           fm_str_equal(fm_str_slice(folder, 0, folder.size - 1), fm_str_slice(names, 0, names.size - name.size - 1));
}

/* Returns what identifies a .dwo file or object file in the request for it when the index was made: the id of a .dwo
 * file, the time of an object file. Absent if the file was not requested. */
static framemap_str id_of_split_file(const struct fm_view *view, framemap_str path)
{
    framemap_str lines, id;

    if (!fm_view_attribute(view, FM_STR(FM_ATTRIBUTE_COMPANIONS), &lines)) return (framemap_str){NULL, 0};
    while (lines.size > 0) {
        const size_t end = fm_str_find_byte(lines, '\n');
        if (is_request_for(fm_str_slice(lines, 0, end), path, &id)) return id;
        lines = end == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(lines, end + 1);
    }
    return (framemap_str){NULL, 0};
}

bool fm_resolve_companion(const struct fm_view *view, const framemap_query *query, const char *reason,
                          struct fm_arena *arena, framemap_str *path, framemap_str *id)
{
    uint64_t position, scope;
    *id = (framemap_str){NULL, 0};
    if (reason == fm_no_names) {
        fm_view_attribute(view, FM_STR(FM_ATTRIBUTE_ALTERNATE_ID), id);
        return fm_view_attribute(view, FM_STR(FM_ATTRIBUTE_ALTERNATE), path);
    }
    if ((reason != fm_no_lines && reason != fm_no_object) || !fm_find_scope(view, query, &scope)) return false;
    const struct fm_address_conversion conversion = fm_address_conversion_of(view, query);
    if (fm_address_to_position(&conversion, query->position, &position) != FM_ADDRESS_IN_IMAGE ||
        !fm_split_file(view, scope, position - query->return_address, arena, path))
        return false;
    *id = id_of_split_file(view, *path);
    return true;
}
