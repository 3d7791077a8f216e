/* Requests companions of an image from the host. See dw_companion.h. */
#include "mappers/native/dwarf/dw_companion.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/image/image.h"

#include <inttypes.h>
#include <stdio.h>

const char *fm_dwo_id(uint64_t id, char out[FM_DWO_ID_SIZE])
{
    snprintf(out, FM_DWO_ID_SIZE, "%016" PRIx64, id);
    return out;
}

static bool is_plain(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < ' ') return false;
    return true;
}

/* Records a request, so that the file can be searched for later. A request with control characters is not recorded,
 * because such characters separate the fields of a record. */
static void note(struct fm_buf *log, const framemap_companion_request *wanted)
{
    const framemap_str fields[] = {wanted->id, wanted->folder, wanted->name};

    if (!is_plain(wanted->id) || !is_plain(wanted->folder) || !is_plain(wanted->name)) return;
    fm_buf_byte(log, (char)('0' + wanted->kind));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        fm_buf_byte(log, '\t');
        fm_buf_str(log, fields[i]);
    }
    fm_buf_byte(log, '\n');
}

bool fm_companion_get(const struct fm_mapper_host *host, const framemap_companion_request *wanted, framemap_str *bytes)
{
    *bytes = (framemap_str){NULL, 0};
    if (host->companion == NULL) return false;
    if (wanted->attempt == 0 && host->companion_log != NULL) note(host->companion_log, wanted);
    return host->companion(host->companion_context, wanted, bytes) && bytes->data != NULL;
}

static void refuse(const struct fm_image *image, const struct fm_mapper_host *host, framemap_status code,
                   const char *what)
{
    framemap_error warning = {0};

    fm_error_set(&warning, code, "%s (the id %s is needed)", what, image->altlink_id);
    fm_error_where(&warning, image->altlink);
    fm_mapper_warn(host, &warning);
}

/* Whether a file is the image's supplementary file: its build id is the requested id, or its .debug_sup (DWARF 5) has
 * that id and no file name. In a .debug_sup with a file name, the id is that of the named file. */
static bool is_alternate(const struct fm_image *image, const struct fm_image *other)
{
    if (other->big_endian != image->big_endian || image->altlink_id[0] == '\0') return false;
    if (other->altlink.size > 0) return false;
    return strcmp(other->id, image->altlink_id) == 0 || strcmp(other->altlink_id, image->altlink_id) == 0;
}

/* Opens one candidate. *taken: whether it is the image's supplementary file, which is then used. */
static framemap_status try_alternate(struct fm_image *image, const struct fm_mapper_host *host, framemap_str bytes,
                                     bool *taken, framemap_error *error)
{
    struct fm_image *other = FM_ARENA_NEW(image->arena, struct fm_image);
    framemap_error why = {0};

    if (other == NULL) return fm_error_memory(error);
    const framemap_status status = fm_image_open(bytes, NULL, image->arena, other, &why);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    *taken = status == FRAMEMAP_OK && is_alternate(image, other);
    if (*taken)
        image->alternate = other;
    else
        refuse(image, host, status != FRAMEMAP_OK ? status : FRAMEMAP_E_MISMATCH,
               status != FRAMEMAP_OK ? why.message : "this file is not used: it has another id");
    return FRAMEMAP_OK;
}

framemap_status fm_companion_alternate(struct fm_image *image, const struct fm_mapper_host *host, framemap_error *error)
{
    framemap_companion_request wanted = {.size = sizeof wanted,
                                         .kind = FRAMEMAP_COMPANION_SUPPLEMENTARY,
                                         .name = image->altlink,
                                         .id = framemap_str_of(image->altlink_id)};
    bool taken = false;
    framemap_str bytes;

    if (image->altlink.size == 0 || !image->has_debug_info) return FRAMEMAP_OK;
    for (unsigned attempt = 0; attempt < FM_LIMIT_COMPANION_TRIES && !taken; attempt++) {
        wanted.attempt = attempt;
        if (!fm_companion_get(host, &wanted, &bytes)) break;
        const framemap_status status = try_alternate(image, host, bytes, &taken, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

framemap_status fm_companion_program(struct fm_image *image, const struct fm_mapper_host *host, framemap_error *error)
{
    framemap_companion_request wanted = {
        .size = sizeof wanted, .kind = FRAMEMAP_COMPANION_PROGRAM, .id = framemap_str_of(image->id)};
    bool taken = false;
    framemap_str bytes;

    if (!fm_image_lacks_symbols(image)) return FRAMEMAP_OK;
    for (unsigned attempt = 0; attempt < FM_LIMIT_COMPANION_TRIES && !taken; attempt++) {
        wanted.attempt = attempt;
        if (!fm_companion_get(host, &wanted, &bytes)) break;
        const framemap_status status = fm_image_take_symbols(image, bytes, &taken, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}
