#include "index/tables.h"
