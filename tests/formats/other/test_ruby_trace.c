#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"stack and cause", "innermost first; names of both kinds of quotes",
     "app.rb:3:in 'Shop#open': bad (Shop::Missing)\n"
     "second line\n"
     "\tfrom /l/app.rb:9:in 'block in <main>'\n"
     "\tfrom <internal:array>:42:in 'Array#each'\n"
     "\t ... 10067 levels...\n"
     "\tfrom -e:1:in '<main>'\n"
     "app.rb:2:in `/': divided by 0 (ZeroDivisionError)\n"
     "\tfrom app.rb:2:in `load'\n",
     "ruby line:1 lines:6 type:Shop::Missing message:bad\n"
     "  f:Shop#open at:app.rb l:3\n"
     "  f:block in <main> at:/l/app.rb l:9\n"
     "  f:Array#each at:<internal:array> l:42\n"
     "  skipped n:10067\n"
     "  f:<main> at:-e l:1\n"
     "ruby line:7 lines:2 type:ZeroDivisionError message:divided by 0 cause of 0\n"
     "  f:/ at:app.rb l:2\n"
     "  f:load at:app.rb l:2\n"},
    {"libraries", "the exception is above the rows; each starts a stack",
     "app.rb:3:in `foo': bad (NoMethodError)\n\tfrom app.rb:7:in `<main>'\n"
     "ActionView::Template::Error (undefined method `name'):\n    2: <%= @x.name %>\n\n"
     "app/views/x.erb:2:in `_x'\n\nA::BError: two\n/l/a.rb:12:in 'Foo#baz'\n",
     "ruby line:1 lines:2 type:NoMethodError message:bad\n  f:foo at:app.rb l:3\n  f:<main> at:app.rb l:7\n"
     "ruby line:6 type:ActionView::Template::Error message:undefined method `name'\n  f:_x at:app/views/x.erb l:2\n"
     "ruby line:9 type:A::BError message:two\n  f:Foo#baz at:/l/a.rb l:12\n"},
    {"numbered", "the other way round, as on terminals in 2.5 to 2.7",
     "Traceback (most recent call last):\n"
     "\t2: from app.rb:9:in `<main>'\n"
     "\t1: from app.rb:3:in `open'\n"
     "app.rb:2:in `load': divided by 0 (ZeroDivisionError)\n",
     "ruby line:2 lines:3 type:ZeroDivisionError message:divided by 0 outermost first\n"
     "  i:2 f:<main> at:app.rb l:9\n"
     "  i:1 f:open at:app.rb l:3\n"
     "  f:load at:app.rb l:2\n"},
    {"lists of rows in JSON", "the lines have neither '@' nor '('",
     "{\"level\":\"error\",\"backtrace\":[\"app.rb:3:in `open'\",\"app.rb:9:in `<main>'\"],\"n\":1}\n"
     "{\"level\":\"error\",\"backtrace\":[\"cart.rb:4:in `load'\",\"app.rb:8:in `<main>'\"],\"n\":2}\n"
     "{\"level\":\"info\",\"message\":\"a line that is longer than a vector\",\"n\":3}\n",
     "ruby line:1\n  f:open at:app.rb l:3\n  f:<main> at:app.rb l:9\n"
     "ruby line:2\n  f:load at:cart.rb l:4\n  f:<main> at:app.rb l:8\n"},
    {"rows alone, with a log prefix", "of a framework",
     "2026-11-21 10:00:00 ERROR app/models/cart.rb:12:in `load'\n"
     "2026-11-21 10:00:00 ERROR app/models/shop.rb:3:in `block (2 levels) in run'\n",
     "ruby line:1 lines:2\n"
     "  f:load at:app/models/cart.rb l:12\n"
     "  f:block (2 levels) in run at:app/models/shop.rb l:3\n"},
    {"causes of Rake", "messages in detail end with the type",
     "bin/rails aborted!\n"
     "A::BError: bad (is it?): nil (A::BError)\n/l/a.rb:95:in `block in <main>'\n/l/a.rb:5:in `<main>'\n\n"
     "Caused by:\nNoMethodError: undefined method `c' (NoMethodError)\n\n    x = y.c\n         ^^\n"
     "/l/b.rb:95:in `d'\n\nCaused by:\nKeyError: no key (other)\n/l/b.rb:96:in `e'\n",
     "ruby line:3 lines:2 type:A::BError message:bad (is it?): nil\n"
     "  f:block in <main> at:/l/a.rb l:95\n  f:<main> at:/l/a.rb l:5\n"
     "ruby line:11 type:NoMethodError message:undefined method `c' cause of 0\n  f:d at:/l/b.rb l:95\n"
     "ruby line:15 type:KeyError message:no key (other) cause of 0\n  f:e at:/l/b.rb l:96\n"},
    {"RSpec", "its rows are comments, and the message is below the type",
     "     Failure/Error: shop.load\n\n     NoMethodError:\n       undefined method `f' for nil:NilClass\n"
     "     # ./lib/shop.rb:12:in `load'\n     # ./spec/shop_spec.rb:5:in `block (2 levels) in <top (required)>'\n",
     "ruby line:5 lines:2 type:NoMethodError\n"
     "  f:load at:./lib/shop.rb l:12\n"
     "  f:block (2 levels) in <top (required)> at:./spec/shop_spec.rb l:5\n"},
    {"AWS Lambda", "the error is in members next to the list",
     "{\"errorType\":\"Function<RuntimeError>\",\"errorMessage\":\"none "
     "left\",\"stackTrace\":[\"/var/task/app.rb:4:in 'load'\",\"/var/task/app.rb:9:in 'handler'\"]}\n",
     "ruby line:1 type:Function<RuntimeError> message:none left\n"
     "  f:load at:/var/task/app.rb l:4\n"
     "  f:handler at:/var/task/app.rb l:9\n"},
    {"near misses", "warnings and prose",
     "app.rb:3:in 'load': warning: unused\n"
     "see app.rb:3:in the file\n"
     "from app.rb:3\n"
     " ... 12 levels...\n",
     ""},
};

OTHER_TESTS("formats ruby", texts)
