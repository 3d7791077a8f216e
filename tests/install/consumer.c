/* A program of a user: one call of each part of the library, built against an installed tree. */
#include <framemap/framemap.h>
#include <stdio.h>
#include <string.h>

static bool to_stdout(void *context, const char *data, size_t size)
{
    (void)context;
    return fwrite(data, 1, size, stdout) == size;
}

int main(void)
{
    static const char text[] = "no stack here\n";
    framemap_session *session = NULL;
    framemap_error error;
    framemap_restore_summary summary = {0};
    size_t mappers = 0, formats = 0;
    if (strcmp(framemap_version(), FRAMEMAP_VERSION_STRING) != 0) return 2;
    if (framemap_mapper_list(&mappers) == NULL || framemap_format_list(&formats) == NULL) return 3;
    if (framemap_session_open(NULL, &session, &error) != FRAMEMAP_OK) return 4;
    if (framemap_session_restore(session, framemap_str_of(text), NULL, to_stdout, NULL, &summary, &error) != FRAMEMAP_OK) return 5;
    framemap_session_close(session);
    return mappers > 0 && formats > 0 && summary.frames == 0 ? 0 : 6;
}
