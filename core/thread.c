/* Starts and joins POSIX threads. See thread.h for builds without threads. */
#include "core/thread.h"

#ifdef FRAMEMAP_THREADS
#include <signal.h>

bool fm_thread_start(fm_thread *thread, void *(*work)(void *), void *context, size_t stack_bytes)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_attr_init(&attributes) != 0) return false;
    bool started = (stack_bytes == 0 || pthread_attr_setstacksize(&attributes, stack_bytes) == 0) &&
                   pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    if (started) {
        started = pthread_create(thread, &attributes, work, context) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return started;
}

void fm_thread_join(fm_thread thread) { pthread_join(thread, NULL); }

#else

bool fm_thread_start(fm_thread *thread, void *(*work)(void *), void *context, size_t stack_bytes)
{
    (void)thread, (void)work, (void)context, (void)stack_bytes;
    return false;
}

void fm_thread_join(fm_thread thread) { (void)thread; }

#endif
