/* Reads the section of abbreviation tables token by token (DWARF 5 section 7.5.3), without interpreting attributes.
 * Used by dw_abbrev.c, which finds and keeps tables, and by dw_shape.c, which compiles an abbreviation. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_SCAN_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_SCAN_H

#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_leb.h"

struct fm_dw_abbrev_scan {
    const unsigned char *at, *end; /* at: the position; after a number that ends outside of the table it is NULL */
    int64_t implicit;              /* value of the last DW_FORM_implicit_const */
    const char *broken;            /* why the table is damaged; NULL: it is not */
};

static inline bool fm_dw_abbrev_stop(struct fm_dw_abbrev_scan *scan, const char *why)
{
    scan->broken = why;
    return false;
}

static inline bool fm_dw_abbrev_number(struct fm_dw_abbrev_scan *scan, uint64_t *out)
{
    scan->at = fm_dw_uleb(scan->at, scan->end, out);
    return scan->at != NULL || fm_dw_abbrev_stop(scan, "abbreviation table ends early");
}

/* Reads a code, a tag and the children flag. Returns false at the end of the table, with *code 0, or if the table is
 * damaged. */
static inline bool fm_dw_abbrev_head(struct fm_dw_abbrev_scan *scan, uint64_t *code, uint16_t *tag, bool *children)
{
    uint64_t number = 0;

    if (!fm_dw_abbrev_number(scan, code) || *code == 0) return false;
    if (!fm_dw_abbrev_number(scan, &number)) return false;
    if (number > DW_TAG_hi_user) return fm_dw_abbrev_stop(scan, "abbreviation with an impossible tag");
    *tag = (uint16_t)number;
    if (scan->at == scan->end) return fm_dw_abbrev_stop(scan, "abbreviation table ends early");
    *children = *scan->at++ != 0;
    return true;
}

/* Reads a specification of any form: the slow path of fm_dw_abbrev_next_spec. */
static inline bool fm_dw_abbrev_spec_slow(struct fm_dw_abbrev_scan *scan, uint64_t *attribute, uint64_t *form)
{
    if (!fm_dw_abbrev_number(scan, attribute) || !fm_dw_abbrev_number(scan, form)) return false;
    if (*attribute == 0 && *form == 0) return false;
    if (*attribute == 0 || *attribute > DW_AT_hi_user)
        return fm_dw_abbrev_stop(scan, "abbreviation with an impossible attribute");
    if (*form == 0 || *form > 0xffff) return fm_dw_abbrev_stop(scan, "abbreviation with an impossible form");
    if (*form != DW_FORM_implicit_const) return true;
    scan->at = fm_dw_sleb(scan->at, scan->end, &scan->implicit);
    return scan->at != NULL || fm_dw_abbrev_stop(scan, "abbreviation table ends early");
}

/* Reads a specification whose attribute and form have one byte each, as nearly all have. Returns false for other
 * specifications and at the end of the list. */
static inline bool fm_dw_abbrev_spec_quick(struct fm_dw_abbrev_scan *scan, uint64_t *attribute, uint64_t *form)
{
    if (scan->end - scan->at < 2) return false;
    *attribute = scan->at[0];
    *form = scan->at[1];
    if (*attribute - 1 >= 0x7f || *form - 1 >= 0x7f || *form == DW_FORM_implicit_const) return false;
    scan->at += 2;
    return true;
}

/* Reads one attribute specification. Returns false if the table is damaged (scan->broken), or at the end of the list.
 */
static inline bool fm_dw_abbrev_next_spec(struct fm_dw_abbrev_scan *scan, uint64_t *attribute, uint64_t *form)
{
    return fm_dw_abbrev_spec_quick(scan, attribute, form) || fm_dw_abbrev_spec_slow(scan, attribute, form);
}

#endif
