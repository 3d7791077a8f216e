/* Faults in an inlined function some calls deep: a heap block is read after it was freed. */
#include <stdlib.h>

struct queue {
    int *values;
    int count;
};

static inline __attribute__((always_inline)) int value_at(const struct queue *queue, int i) { return queue->values[i]; }

static inline __attribute__((always_inline)) int last_value(const struct queue *queue)
{
    return value_at(queue, queue->count - 1);
}

static __attribute__((noinline)) void empty(struct queue *queue)
{
    free(queue->values);
    queue->count--;
}

static __attribute__((noinline)) int drain(struct queue *queue)
{
    int sum = 0;
    empty(queue);
    sum += last_value(queue);
    return sum + queue->count;
}

static __attribute__((noinline)) struct queue fill(int count)
{
    struct queue queue = {malloc(sizeof(int) * (size_t)count), count};
    for (int i = 0; i < count; i++) queue.values[i] = i;
    return queue;
}

int main(void)
{
    struct queue queue = fill(12);
    return drain(&queue) + 1;
}
