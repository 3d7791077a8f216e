/* Where a scan of symbol paths puts its entries and warnings. */
#ifndef FM_SESSION_CATALOG_SCAN_HOST_H
#define FM_SESSION_CATALOG_SCAN_HOST_H

#include "session/catalog/catalog.h"

struct fm_scan_host {
    struct fm_catalog *catalog;
    framemap_warning warning; /* reports unreadable files and folders and damaged symbol files; may be NULL */
    void *context;
    bool allow_outside; /* as framemap_session_options.allow_outside */
};

#endif
