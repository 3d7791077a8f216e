/* Stacks of ClickHouse. Called by execinfo.c, whose parser reads them too. */
#ifndef FM_FORMATS_NATIVE_LINUX_CLICKHOUSE_H
#define FM_FORMATS_NATIVE_LINUX_CLICKHOUSE_H

#include "formats/native/linux/stack_rows.h"

/* Parses a line of a stack. state: zeroed at the start of a text. */
enum fm_line_role fm_clickhouse_offer(struct fm_stack_rows *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is a row wherever it is. Depends on the line alone. */
bool fm_clickhouse_is_significant(const struct fm_line *line);

#endif
