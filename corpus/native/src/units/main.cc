namespace one { int last(const int *); int third(const int *); }
namespace two { int last(const int *); int third(const int *); }
namespace three { int last(const int *); int third(const int *); }
extern "C" __attribute__((noinline)) int sink(int value) { return value ^ 0x55; }
extern "C" int main()
{
    const int items[] = {sink(1), sink(2), sink(3)};
    return one::last(items) + two::third(items) + three::last(items) + one::third(items) + two::last(items) + three::third(items);
}
