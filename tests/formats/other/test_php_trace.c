#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"two stacks", "the first is the cause of the next",
     "PHP Fatal error:  Uncaught App\\Missing: no cart in /app/Cart.php:12\n"
     "Stack trace:\n"
     "#0 /app/Shop (1).php(20): App\\Cart->load('a')\n"
     "#1 [internal function]: App\\Shop::run(Object(App\\Order))\n"
     "#2 /app/index.php(4) : eval()'d code(1): array_map(Object(Closure), Array)\n"
     "#3 {main}\n"
     "\n"
     "Next RuntimeException: failed in /app/Shop.php:22\n"
     "Stack trace:\n"
     "#0 /app/index.php(4): require()\n"
     "#1 {main}\n"
     "  thrown in /app/Shop.php on line 22\n",
     "php line:3 lines:4 type:App\\Missing message:no cart cause of 1\n"
     "  i:0 c:App\\Cart f:load at:/app/Shop (1).php l:20\n"
     "  i:1 c:App\\Shop f:run\n"
     "  i:2 f:array_map at:/app/index.php(4) : eval()'d code l:1\n"
     "  i:3 f:{main}\n"
     "php line:10 lines:2 type:RuntimeException message:failed\n"
     "  i:0 f:require at:/app/index.php l:4\n"
     "  i:1 f:{main}\n"},
    {"PHP 8", "closures with the function that they are in; type errors say where the function is",
     "PHP Fatal error:  Uncaught TypeError: f(): Argument #1 ($x) must be of type int, string given, called in /a.php "
     "on line 7 and defined in /a.php:3\nStack trace:\n#0 /a.php(7): "
     "App\\K->{closure:App\\K::handle():22}(Object(App\\R))\n"
     "#1 /a.php(8): {closure:/a.php:5}('a')\n#2 /a.php(9): App\\K::{closure:{closure:App\\K::run():3}:4}()\n#3 "
     "{main}\n",
     "php line:3 lines:4 type:TypeError message:f(): Argument #1 ($x) must be of type int, string given, called in "
     "/a.php on line 7\n  i:0 c:App\\K f:{closure:App\\K::handle():22} at:/a.php l:7\n"
     "  i:1 f:{closure:/a.php:5} at:/a.php l:8\n  i:2 c:App\\K f:{closure:{closure:App\\K::run():3}:4} at:/a.php l:9\n"
     "  i:3 f:{main}\n"},
    {"PHP 5", "another title, with words before it and without",
     "PHP Fatal error:  Uncaught exception 'App\\Missing' with message 'no cart' in /a.php:60\nStack trace:\n#0 "
     "{main}\n"
     "  thrown in /a.php on line 60\n\n\n\n\n\n\n\n\nexception 'Exception' with message 'it's' in /a.php:5\nStack "
     "trace:\n"
     "#0 {main}\n",
     "php line:3 type:App\\Missing message:no cart\n  i:0 f:{main}\nphp line:15 type:Exception message:it's\n  i:0 "
     "f:{main}\n"},
    {"logged, and without a title", "rows of files .php are sure",
     "[2026-11-21 10:00:00] local.ERROR: no cart {\"exception\":\"[object] (RuntimeException(code: 0"
     "): no cart at /app/Cart.php:12)\n"
     "[stacktrace]\n"
     "#0 /app/Shop.php(20): App\\Cart->load()\n"
     "#1 {main}\n"
     "\"} \n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "-\n"
     "#0 /app/a.php(3): f()\n"
     "#1 /app/b.php(4): g()\n",
     "php line:3 lines:2 type:RuntimeException message:no cart\n"
     "  i:0 c:App\\Cart f:load at:/app/Shop.php l:20\n"
     "  i:1 f:{main}\n"
     "php line:14 lines:2\n"
     "  i:0 f:f at:/app/a.php l:3\n"
     "  i:1 f:g at:/app/b.php l:4\n"},
    {"Monolog", "JSON: names have two backslashes; the exception before it is a stack of its own",
     "[2026-11-21 10:00:00] p.ERROR: SQLSTATE[1]: a {\"exception\":\"[object] (App\\\\Missing(code: 42S02): x: no at a "
     "at "
     "/app/C.php:2)\n"
     "[stacktrace]\n#0 /app/Shop.php(20): App\\\\Cart->load('a')\n#1 /app/S.php(2): App\\\\f()\n#2 {main}\n\n"
     "[previous exception] [object] (PDOException(code: 0): gone at /app/D.php:12)\n[stacktrace]\n#0 {main}\n\"} \n",
     "php line:3 lines:3 type:App\\Missing message:x: no at a\n  i:0 c:App\\Cart f:load at:/app/Shop.php l:20\n"
     "  i:1 f:App\\f at:/app/S.php l:2\n  i:2 f:{main}\nphp line:9 type:PDOException message:gone\n  i:0 f:{main}\n"},
    {"of Xdebug", "callers are first",
     "PHP Fatal error:  Uncaught Exception: boom in /app/a.php:3\n"
     "PHP Stack trace:\n"
     "PHP   1. {main}() /app/index.php:0\n"
     "PHP   2. App\\Shop->run($id = 'a) b') /app/index.php:4\n"
     "PHP   3. x) y\n",
     "php line:3 lines:2 type:Exception message:boom outermost first\n"
     "  i:1 f:{main} at:/app/index.php\n"
     "  i:2 c:App\\Shop f:run at:/app/index.php l:4\n"},
    {"nginx", "it cuts the message short",
     "PHP Fatal error:  Uncaught Error: no in /a.php:1\nStack trace:\n#0 /b.php(2): f()\n"
     "#1 /c.php(3): Moz\" while reading response header from upstream, client: 10.0.0.1\n",
     "php line:3 lines:2 type:Error message:no\n  i:0 f:f at:/b.php l:2\n  i:1 f:Moz at:/c.php l:3\n"},
    {"a page", "a browser shows all of it on one line; the text after it belongs to no row",
     "Fatal error: Uncaught A\\TypeError: count(): #1 ($v) is bad in C:\\a b\\c.php:15 Stack trace: #0 "
     "C:\\a b\\c.php(276): f('#1 x') #1 [internal function]: A\\B->g() #2 C:\\d.php(20): include_once('C:\\\\a...') #3 "
     "{main} thrown in C:\\a b\\c.php on line 15\nsame\n"
     "Fatal error: Uncaught E: no in d.php:9 Stack trace: #0 {main} thrown in d.php on line 9\n",
     "php line:1 type:A\\TypeError message:count(): #1 ($v) is bad\n"
     "  i:0 f:f at:C:\\a b\\c.php l:276\n  i:1 c:A\\B f:g\n"
     "  i:2 f:include_once at:C:\\d.php l:20\n  i:3 f:{main}\n"
     "php line:3 type:E message:no\n  i:0 f:{main}\n"},
    {"AWS Lambda", "the error is in members next to the list",
     "{\n"
     "    \"errorType\": \"ErrorException\",\n"
     "    \"errorMessage\": \"no such key\",\n"
     "    \"stack\": [\n"
     "        \"#0 /var/task/cart.php(24): Cart->total(Array)\",\n"
     "        \"#1 {main}\"\n"
     "    ]\n"
     "}\n",
     "php line:5 lines:2 type:ErrorException message:no such key\n"
     "  i:0 c:Cart f:total at:/var/task/cart.php l:24\n"
     "  i:1 f:{main}\n"},
    {"near misses", "numbers and sentences",
     "#12 fix the thing (a.b)\n"
     "#1 /app/x.py(3): f()\n"
     "Stack trace:\n"
     "none\n"
     "see the Stack trace: #0 is missing\n",
     ""},
};

OTHER_TESTS("formats php", texts)
