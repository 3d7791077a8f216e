/* Knows which command of framemap to use in place of another tool that restores, collapses or draws stacks, if framemap
 * has no front for the tool. */
#ifndef FM_CLI_OTHER_TOOLS_H
#define FM_CLI_OTHER_TOOLS_H

/* Returns which command does the work of the tool `word` ("stackcollapse-perf", "symbolicatecrash"), as a part of a
 * sentence; NULL if `word` is not a known tool. */
const char *fm_other_tool(const char *word);

#endif
