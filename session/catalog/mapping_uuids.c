/* Implements mapping_uuids.h: compares an id with the UUID in the path of a mapping, or with the UUID computed from the
 * bytes of the mapping. The computed UUID is stored, so that each file is read once. */
#include "session/catalog/mapping_uuids.h"

#include "api/mapping_uuid.h"
#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/text/text.h"
#include "session/catalog/catalog.h"

bool fm_is_mapping_uuid(framemap_str id) { return id.size == FM_GUID_DIGITS; }

/* Returns the last two parts of a path: the names of the folder and of the file in it. */
static framemap_str last_parts(const char *path)
{
    const framemap_str all = framemap_str_of(path), name = fm_str_basename(all);
    if (name.size == all.size) return all;
    const framemap_str folder = fm_str_basename(fm_str_slice(all, 0, all.size - name.size - 1));
    return fm_str_from(all, all.size - name.size - 1 - folder.size);
}

bool fm_mapping_is_named(const struct fm_entry *entry, framemap_str uuid)
{
    char text[FM_GUID_SIZE + 1];
    fm_guid_put(uuid.data, text);
    return fm_str_find(last_parts(entry->path), fm_str(text, FM_GUID_SIZE)) != FM_NOT_FOUND;
}

/* Returns the place where the UUID of an entry is stored. The caller holds the session's lock. NULL: out of memory. */
static struct fm_mapping_uuid *place_of(const struct fm_entry *entry)
{
    struct fm_catalog *catalog = entry->home;
    const size_t before = catalog->uuid_capacity;
    if (!FM_GROW(catalog->heap, catalog->uuids, catalog->uuid_capacity, catalog->count)) return NULL;
    if (catalog->uuid_capacity > before)
        memset(catalog->uuids + before, 0, (catalog->uuid_capacity - before) * sizeof *catalog->uuids);
    return &catalog->uuids[entry->order];
}

/* Computes the UUID of a mapping. A file that cannot be read gets no UUID. */
static struct fm_mapping_uuid read_uuid(const struct fm_entry *entry)
{
    struct fm_mapping_uuid uuid = {.is_known = true};
    struct fm_mapfile file;
    if (entry->is_index || fm_member_file_open(entry->path, 0, entry->home->heap, &file, NULL) != FRAMEMAP_OK)
        return uuid;
    fm_mapping_uuid(file.bytes, uuid.digits);
    fm_mapfile_close(&file);
    return uuid;
}

framemap_status fm_mapping_has_uuid(framemap_session *session, const struct fm_entry *entry, framemap_str uuid,
                                    bool *out, framemap_error *error)
{
    struct fm_mapping_uuid known = {.is_known = false};
    fm_mutex_lock(&session->lock);
    struct fm_mapping_uuid *place = place_of(entry);
    if (place) known = *place;
    fm_mutex_unlock(&session->lock);
    if (place == NULL) return fm_error_memory(error);
    if (!known.is_known) {
        known = read_uuid(entry);
        fm_mutex_lock(&session->lock);
        if ((place = place_of(entry)) != NULL) *place = known;
        fm_mutex_unlock(&session->lock);
    }
    *out = memcmp(known.digits, uuid.data, FM_GUID_DIGITS) == 0;
    return FRAMEMAP_OK;
}
