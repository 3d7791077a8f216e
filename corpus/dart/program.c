/* Stands in for what Dart's compiler writes: functions with Dart's names, files and places, functions of the compiler's own, stubs without debug info.
 * make.py gives the debug info Dart's spelling of the names: an X there is a point, L and G are angle brackets, S is a blank. Lengths stay: offsets point to the names. */
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
