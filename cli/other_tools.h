/* What to use in place of other tools that restore, collapse or draw stacks, and that framemap has no front for. */
#ifndef FM_CLI_OTHER_TOOLS_H
#define FM_CLI_OTHER_TOOLS_H

/* Returns what does the work of the tool `word` ("stackcollapse-perf", "symbolicatecrash"), as a part of a sentence, or
 * NULL if no such tool is known. */
const char *fm_other_tool(const char *word);

#endif
