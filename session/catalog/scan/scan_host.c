/* Reports the warnings of a scan, and determines whether a file that another file names may be opened
 * (docs/security.md). */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "session/catalog/scan/scan_host.h"

#include "core/error.h"
#include "session/catalog/path_text.h"

#include <stdlib.h>

void fm_scan_warn(const struct fm_scan_host *host, const framemap_error *fault)
{
    if (host->warning) host->warning(host->context, fault);
}

void fm_fault_at(framemap_error *fault, const char *path)
{
    fault->where[0] = 0;
    fm_error_where(fault, framemap_str_of(path));
}

bool fm_may_open(const struct fm_scan_host *host, const struct fm_scanned *file, const char *path, const char *what,
                 char whole[PATH_MAX])
{
    framemap_error fault = {0};
    if (realpath(path, whole) && (host->allow_outside || fm_is_below(file->root, whole))) return true;
    fm_error_set(&fault, FRAMEMAP_E_IO,
                 "it names %s outside of the folder that was given, which is not opened: %.120s; allow it with "
                 "--allow-outside",
                 what, path);
    fm_fault_at(&fault, file->path);
    fm_scan_warn(host, &fault);
    return false;
}
