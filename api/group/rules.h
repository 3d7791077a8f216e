/* Definition of framemap_rules. Included by the files of this folder that apply them. */
#ifndef FM_API_GROUP_RULES_H
#define FM_API_GROUP_RULES_H

#include "api/group/app_rules.h"
#include "api/group/owners.h"

struct framemap_rules {
    struct fm_heap heap;
    struct fm_arena arena; /* memory of the rules' texts */
    struct fm_app_rules app;
    struct fm_owners owners;
};

#endif
