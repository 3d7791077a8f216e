/* Opening the class form of an index; class_view.h has the calls that read it. */
#ifndef FM_INDEX_READ_CLASSES_CLASS_DECODER_H
#define FM_INDEX_READ_CLASSES_CLASS_DECODER_H

#include "index/read/table/tables.h"

/* Checks that take constant time. false: damaged. */
bool fm_classes_open(const struct fm_view *view);

#endif
