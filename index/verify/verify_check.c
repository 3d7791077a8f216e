/* Reports faults, and checks single fields, for all files of index/verify. */
#include "index/verify/verify_check.h"

#include "core/error.h"

bool fm_check_fails(const struct fm_checker *checker, unsigned section, uint64_t row, const char *what)
{
    const struct fm_packed *table = &checker->view->tables[section];
    const uint64_t at = table->row_bits == 0 ? row : row * table->row_bits / 8;
    const uint64_t offset =
        table->data ? (uint64_t)(table->data - (const unsigned char *)checker->view->bytes.data) + at : 0;
    *checker->status = fm_error_at(checker->error, FRAMEMAP_E_CORRUPT, offset, "the index is damaged: %s", what);
    fm_error_where(checker->error, framemap_str_of(fm_section_name(section)));
    return false;
}

bool fm_check_read(const struct fm_checker *checker, framemap_status status, unsigned section, uint64_t row,
                   const char *what)
{
    if (status == FRAMEMAP_OK) return true;
    if (status != FRAMEMAP_E_MEMORY) return fm_check_fails(checker, section, row, what);
    *checker->status = fm_error_memory(checker->error);
    return false;
}

bool fm_check_most(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, uint64_t most)
{
    if (fm_field(&checker->view->tables[section], row, field) <= most) return true;
    return fm_check_fails(checker, section, row, "a field value out of range");
}

bool fm_check_text(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, bool may_lack)
{
    const struct fm_packed *table = &checker->view->tables[section];
    const uint64_t at = fm_field(table, row, field), size = fm_field(table, row, field + 1);
    if (at == 0 ? may_lack && size == 0 : fm_text_field(checker->view, table, row, field).data != NULL) return true;
    return fm_check_fails(checker, section, row, "a text outside the strings");
}
