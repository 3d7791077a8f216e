/* Warnings of mappers. Called by the mappers. */
#include "mappers/mapper.h"

void fm_mapper_warn(const struct fm_mapper_host *host, const framemap_error *warning)
{
    if (host->warning != NULL) host->warning(host->context, warning);
}
