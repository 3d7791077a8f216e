/* Stands in for what Dart's compiler writes: functions with Dart's names, files and places, functions of the compiler's own, stubs without debug info.
 * make.py gives the debug info Dart's spelling of the names: two underscores there are a point, three begin a closure. */
extern volatile int sink;
volatile int sink;

#line 10 "dart:core-patch/growable_array.dart"
__attribute__((artificial)) static inline __attribute__((always_inline)) int List__add(int x)
{
    sink += x;
    return sink * 3;
}

#line 20 "package:demo/shapes.dart"
static inline __attribute__((always_inline)) int Circle__area(int r)
{
    int square = r * r + sink;
    return List__add(square) + 3;
}

#line 40 "package:demo/shapes.dart"
__attribute__((noinline)) int Shapes__total(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += Circle__area(i + sink);
    return sum;
}

#line 7 "package:demo/main.dart"
__attribute__((noinline)) int main___closure(int n)
{
    sink++;
    return Shapes__total(n) + sink;
}

#line 20 "package:demo/main.dart"
__attribute__((noinline)) int _run(int n)
{
    int first = main___closure(n);
    sink += first;
    return main___closure(n + 1) + sink;
}
