/* Locks, condition variables and threads: POSIX, or stubs in a build without FRAMEMAP_THREADS.
 * In a build without threads fm_thread_start always fails, which every caller has to handle anyway; locks do nothing;
 * and nothing may wait on a condition variable, since no other thread could signal it. Callers wait only for threads
 * that were started. */
#ifndef FM_CORE_THREAD_H
#define FM_CORE_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FRAMEMAP_THREADS
#include <pthread.h>

typedef pthread_t fm_thread;
typedef pthread_mutex_t fm_mutex;
typedef pthread_cond_t fm_condition;

static inline void fm_mutex_init(fm_mutex *mutex) { pthread_mutex_init(mutex, NULL); }
static inline void fm_mutex_destroy(fm_mutex *mutex) { pthread_mutex_destroy(mutex); }
static inline void fm_mutex_lock(fm_mutex *mutex) { pthread_mutex_lock(mutex); }
static inline bool fm_mutex_try(fm_mutex *mutex)
{
    return pthread_mutex_trylock(mutex) == 0;
} /* Returns false if the mutex is locked already, possibly by this thread. */
static inline void fm_mutex_unlock(fm_mutex *mutex) { pthread_mutex_unlock(mutex); }

static inline void fm_condition_init(fm_condition *condition) { pthread_cond_init(condition, NULL); }
static inline void fm_condition_destroy(fm_condition *condition) { pthread_cond_destroy(condition); }
static inline void fm_condition_wait(fm_condition *condition, fm_mutex *mutex) { pthread_cond_wait(condition, mutex); }
static inline void fm_condition_wake(fm_condition *condition) { pthread_cond_signal(condition); }
static inline void fm_condition_wake_all(fm_condition *condition) { pthread_cond_broadcast(condition); }

#else
#include <stdlib.h>

typedef char fm_thread, fm_mutex, fm_condition;

static inline void fm_mutex_init(fm_mutex *mutex) { *mutex = 0; }
static inline void fm_mutex_destroy(fm_mutex *mutex) { *mutex = 0; }
static inline void fm_mutex_lock(fm_mutex *mutex) { *mutex = 1; }
/* Tries to lock a mutex. Returns false if an outer call has locked it. */
static inline bool fm_mutex_try(fm_mutex *mutex)
{
    if (*mutex) return false;
    *mutex = 1;
    return true;
}
static inline void fm_mutex_unlock(fm_mutex *mutex) { *mutex = 0; }

static inline void fm_condition_init(fm_condition *condition) { *condition = 0; }
static inline void fm_condition_destroy(fm_condition *condition) { *condition = 0; }
static inline void fm_condition_wait(fm_condition *condition, fm_mutex *mutex)
{
    (void)condition, (void)mutex;
    abort(); /* in this build no other thread exists, so the wait would never end */
}
static inline void fm_condition_wake(fm_condition *condition) { (void)condition; }
static inline void fm_condition_wake_all(fm_condition *condition) { (void)condition; }
#endif

/* Starts a thread that calls work(context), with all signals blocked but those of faults in the thread itself.
 * stack_bytes: the least stack size; 0: the system's default. false: the thread could not be created. */
bool fm_thread_start(fm_thread *thread, void *(*work)(void *), void *context, size_t stack_bytes);
/* Waits for at most about this many milliseconds; may return earlier. In a build without threads it returns
 * immediately. */
void fm_condition_wait_ms(fm_condition *condition, fm_mutex *mutex, uint32_t ms);
/* Waits until a started thread has ended. Its writes are then visible to the caller. */
void fm_thread_join(fm_thread thread);

#endif
