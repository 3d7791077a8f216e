/* Opens the class form of an index; called by view_open.c. The lookups are declared in class_view.h. */
#ifndef FM_INDEX_READ_CLASSES_CLASS_DECODER_H
#define FM_INDEX_READ_CLASSES_CLASS_DECODER_H

#include "index/read/table/tables.h"

/* Constant-time checks when an index is opened. false: damaged. */
bool fm_classes_open(const struct fm_view *view);

#endif
