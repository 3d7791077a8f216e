/* Files of a zip archive in memory, stored or deflated: what R8's partitions come in. */
#ifndef FM_MAPPERS_JAVA_R8_ZIP_H
#define FM_MAPPERS_JAVA_R8_ZIP_H

#include "core/text/buffer.h"

struct fm_r8_zip {
    framemap_str bytes;
    size_t at; /* of the next row of the directory */
};
struct fm_r8_zip_file {
    framemap_str name;
    unsigned method; /* 0: stored, 8: deflated */
    uint32_t stored_size, size, header_at;
};

/* Finds the directory. false: no zip archive of less than 4 GiB. */
bool fm_r8_zip_open(framemap_str bytes, struct fm_r8_zip *out);
/* The next file; false: at the end, or the directory is damaged there. */
bool fm_r8_zip_next(struct fm_r8_zip *zip, struct fm_r8_zip_file *out);
/* Appends a file's bytes. Errors: CORRUPT, UNSUPPORTED (another method), LIMIT (with it the buffer would have far more
 * than such an archive holds), MEMORY. */
framemap_status fm_r8_zip_read(const struct fm_r8_zip *zip, const struct fm_r8_zip_file *file, struct fm_buf *out,
                               framemap_error *error);

#endif
