/* Starts and joins POSIX threads. See thread.h for builds without threads. */
#include "core/thread.h"

#ifdef FRAMEMAP_THREADS
#include <signal.h>
#include <time.h>

/* Signals of a fault in the thread itself, such as SIGBUS for a file that was truncated while it was mapped. If such a
 * signal is blocked, the system ends the process instead of calling the handler. */
static const int faults[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};

bool fm_thread_start(fm_thread *thread, void *(*work)(void *), void *context, size_t stack_bytes)
{
    pthread_attr_t attributes;
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
    if (pthread_attr_init(&attributes) != 0) return false;
    bool started = (stack_bytes == 0 || pthread_attr_setstacksize(&attributes, stack_bytes) == 0) &&
                   pthread_sigmask(SIG_SETMASK, &blocked, &before) == 0;
    if (started) {
        started = pthread_create(thread, &attributes, work, context) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return started;
}

void fm_thread_join(fm_thread thread) { pthread_join(thread, NULL); }

void fm_condition_wait_ms(fm_condition *condition, fm_mutex *mutex, uint32_t ms)
{
    struct timespec until = {0, 0};
    clock_gettime(CLOCK_REALTIME, &until); /* uses the clock that a condition variable with default attributes has */
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(condition, mutex, &until);
}

#else

bool fm_thread_start(fm_thread *thread, void *(*work)(void *), void *context, size_t stack_bytes)
{
    (void)thread, (void)work, (void)context, (void)stack_bytes;
    return false;
}

void fm_thread_join(fm_thread thread) { (void)thread; }

void fm_condition_wait_ms(fm_condition *condition, fm_mutex *mutex, uint32_t ms)
{
    (void)condition, (void)mutex, (void)ms;
}

#endif
