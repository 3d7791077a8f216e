/* Implements signal_names.h. Sources: signal(7) of Linux, signal.h of XNU. */
#include "formats/signal_names.h"

framemap_str fm_signal_name(uint64_t number, enum fm_signal_system system)
{
    static const struct {
        /* These are the numbers of the signal. A 0 means that the system does not have the signal. */
        uint8_t on_linux, on_apple;
        framemap_str name;
    } signals[] = {
        {1, 1, FM_STR_INIT("SIGHUP")},    {2, 2, FM_STR_INIT("SIGINT")},     {3, 3, FM_STR_INIT("SIGQUIT")},
        {4, 4, FM_STR_INIT("SIGILL")},    {5, 5, FM_STR_INIT("SIGTRAP")},    {6, 6, FM_STR_INIT("SIGABRT")},
        {7, 10, FM_STR_INIT("SIGBUS")},   {0, 7, FM_STR_INIT("SIGEMT")},     {8, 8, FM_STR_INIT("SIGFPE")},
        {9, 9, FM_STR_INIT("SIGKILL")},   {10, 30, FM_STR_INIT("SIGUSR1")},  {11, 11, FM_STR_INIT("SIGSEGV")},
        {12, 31, FM_STR_INIT("SIGUSR2")}, {13, 13, FM_STR_INIT("SIGPIPE")},  {14, 14, FM_STR_INIT("SIGALRM")},
        {15, 15, FM_STR_INIT("SIGTERM")}, {16, 0, FM_STR_INIT("SIGSTKFLT")}, {24, 24, FM_STR_INIT("SIGXCPU")},
        {25, 25, FM_STR_INIT("SIGXFSZ")}, {31, 12, FM_STR_INIT("SIGSYS")}};
    for (size_t i = 0; number > 0 && i < sizeof signals / sizeof *signals; i++) {
        const bool is_linux = number == signals[i].on_linux, is_apple = number == signals[i].on_apple;
        if ((is_linux || system == FM_SIGNALS_OF_APPLE) && (is_apple || system == FM_SIGNALS_OF_LINUX))
            return signals[i].name;
    }
    return (framemap_str){NULL, 0};
}

bool fm_is_signal_name(framemap_str text)
{
    if (text.size < 6 || !fm_str_starts(text, FM_STR("SIG"))) return false;
    for (size_t i = 3; i < text.size; i++)
        if (text.data[i] < 'A' || text.data[i] > 'Z') return false;
    return true;
}
