/* Part of framemap info: describes an image or an index, as text or JSON. Called by cmd_info.c, which opens the
 * files. */
#ifndef FM_CLI_COMMANDS_INFO_PRINT_H
#define FM_CLI_COMMANDS_INFO_PRINT_H

#include "cli/cli_io.h"

/* The reason why a file of an archive has no debug info. It is the same for all files that have neither an id nor a
 * debug link, so it is determined once; no debug file is searched for each of them, since an archive may have thousands
 * of files. */
struct fm_member_note {
    framemap_image_info of;
    char text[FRAMEMAP_ERROR_MESSAGE_SIZE]; /* text of the note; empty: there is no note yet */
};

struct fm_info_job {
    const char **files;
    size_t file_count;
    bool verify, json;
    struct fm_out out;
    const char *file; /* the current file */
    bool in_archive;  /* the file is in an archive */
    struct fm_member_note note;
};

/* Describes an image of a symbol file. */
void fm_info_put_image(struct fm_info_job *job, const framemap_image_info *image);
/* Describes a file of a kind that framemap does not read, if its bytes show what it is. error: why the file is not
 * read. Returns whether the file was described. */
bool fm_info_put_foreign(struct fm_info_job *job, framemap_str bytes, const framemap_error *error);
/* Describes an index. */
void fm_info_put_index(struct fm_info_job *job, const framemap_index_info *info);

#endif
