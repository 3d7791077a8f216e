/* Stands in for a program of Dart's compiler: functions with Dart's names, files and lines, functions that the compiler generates, and stubs without debug info.
 * make.py changes names in the debug info to Dart's spelling: X becomes a point, L and G become angle brackets, S becomes a blank; offsets point to the names, so lengths stay. */
extern volatile int sink;
volatile int sink;

#line 10 "dart:core-patch/growable_array.dart"
__attribute__((artificial)) static inline __attribute__((always_inline)) int ListXadd(int x)
{
    sink += x;
    return sink * 3;
}

#line 20 "package:demo/shapes.dart"
static inline __attribute__((always_inline)) int CircleXarea(int r)
{
    int square = r * r + sink;
    return ListXadd(square) + 3;
}

#line 40 "package:demo/shapes.dart"
__attribute__((noinline)) int ShapesXtotal(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += CircleXarea(i + sink);
    return sum;
}

#line 7 "package:demo/main.dart"
__attribute__((noinline)) int mainXLanonymousSclosureG(int n)
{
    sink++;
    return ShapesXtotal(n) + sink;
}

#line 20 "package:demo/main.dart"
__attribute__((noinline)) int _run(int n)
{
    int first = mainXLanonymousSclosureG(n);
    sink += first;
    return mainXLanonymousSclosureG(n + 1) + sink;
}
