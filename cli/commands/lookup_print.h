/* Prints the answers of `framemap lookup` as text and as JSON. */
#ifndef FM_CLI_COMMANDS_LOOKUP_PRINT_H
#define FM_CLI_COMMANDS_LOOKUP_PRINT_H

#include "cli/cli_io.h"
#include <framemap/framemap.h>

void fm_put_text_answer(struct fm_out *out, framemap_str query, const framemap_frame *answer);
/* Prints an answer as one JSON object and a line end. */
void fm_put_json_answer(struct fm_out *out, framemap_str query, const framemap_frame *answer);

#endif
