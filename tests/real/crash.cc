// Reads a heap block after it was freed, as crash.c does, but below a template, a method, a namespace and a lambda.
#include <cstdlib>

namespace jobs
{
template <typename T> class stack
{
  public:
    explicit stack(int count)
        : values_(static_cast<T *>(std::malloc(sizeof(T) * static_cast<std::size_t>(count)))), count_(count)
    {
    }

    __attribute__((always_inline)) T top() const { return values_[count_ - 1]; }

    __attribute__((noinline)) void drop() { std::free(values_); }

  private:
    T *values_;
    int count_;
};

template <typename Call> __attribute__((noinline)) int twice(Call call)
{
    int first = call(1);
    return first + call(2);
}
} // namespace jobs

int main()
{
    jobs::stack<long> work(9);
    return jobs::twice([&](int by) {
        work.drop();
        return static_cast<int>(work.top()) * by;
    });
}
