// The program of a user in C++: it includes the public headers and links with the library.
#include <framemap/framemap.h>

#include <cstring>

int main()
{
    const framemap_str text = framemap_str_of("no stack here\n");
    framemap_session *session = nullptr;
    framemap_restore_summary summary = {};
    std::size_t written = 0;
    const auto count = [](void *context, const char *, std::size_t size) {
        *static_cast<std::size_t *>(context) += size;
        return true;
    };
    if (std::strcmp(framemap_version(), FRAMEMAP_VERSION_STRING) != 0) return 2;
    if (framemap_session_open(nullptr, &session, nullptr) != FRAMEMAP_OK) return 3;
    if (framemap_session_restore(session, text, nullptr, count, &written, &summary, nullptr) != FRAMEMAP_OK) return 4;
    framemap_session_close(session);
    return written == text.size && summary.frames == 0 ? 0 : 5;
}
