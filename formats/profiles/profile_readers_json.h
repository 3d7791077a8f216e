/* Readers of JSON profiles, whose rows are with their writers. Each reads a whole document into a set, as
 * fm_profile_format.read, and says whether a text begins like one, as fm_profile_format.looks. */
#ifndef FM_FORMATS_PROFILES_PROFILE_READERS_JSON_H
#define FM_FORMATS_PROFILES_PROFILE_READERS_JSON_H

#include "formats/profiles/profile_format.h"

framemap_status fm_samples_read_speedscope(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_speedscope(framemap_str head);
framemap_status fm_samples_read_chrome(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_chrome(framemap_str head);
framemap_status fm_samples_read_firefox(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_firefox(framemap_str head);

#endif
