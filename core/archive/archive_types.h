/* The structs of an open archive and of a file in it, for archive_ar.c and archive_zip.c. Other files include
 * archive.h. */
#ifndef FM_CORE_ARCHIVE_ARCHIVE_TYPES_H
#define FM_CORE_ARCHIVE_ARCHIVE_TYPES_H

#include <framemap/base.h>

enum fm_archive_kind { FM_ARCHIVE_ZIP = 1, FM_ARCHIVE_AR, FM_ARCHIVE_THIN_AR, FM_ARCHIVE_STREAM, FM_ARCHIVE_SCRIPT };

/* An archive and the position of a walk over its members. Zero-initialise the struct, or let fm_archive_open do so. */
struct fm_archive {
    framemap_str bytes;
    enum fm_archive_kind kind;
    uint64_t at, end;        /* at: offset of the next record to be read; end: offset of the end of the records */
    uint64_t left;           /* number of records that are still to be read */
    uint64_t stored_total;   /* stored bytes of the members read so far; if they exceed the archive's size, members
                                overlap */
    framemap_str long_names; /* ar: GNU's table of long names */
    const char *refused;     /* why a compressed file is not read; NULL: it is read */
};

enum fm_member_packing { FM_MEMBER_STORED, FM_MEMBER_DEFLATED, FM_MEMBER_STREAM };

struct fm_archive_member {
    framemap_str name;   /* name of the member, borrowed from the archive; empty for a compressed file */
    framemap_str stored; /* bytes of the member in the archive; absent for a member of a thin archive, which is a file
                            of its own */
    uint64_t size;       /* size as the archive states it; UINT64_MAX: unknown */
    uint32_t crc;        /* CRC-32 of the decompressed bytes, if has_crc */
    uint64_t modified;   /* ar: time of the last change, in seconds since 1970; 0: not recorded */
    enum fm_member_packing packing;
    bool has_crc;
    const char *refused; /* why the member cannot be read; NULL: it can be */
};

#endif
