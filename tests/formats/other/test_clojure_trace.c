#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"lines", "the last exception of :via; a file that is not known",
     "#error {\n"
     " :cause \"no \\\"cart\\\"\"\n"
     " :via\n"
     " [{:type clojure.lang.Compiler$CompilerException\n"
     "   :message \"Syntax error\"\n"
     "   :at [clojure.lang.Compiler analyze \"Compiler.java\" 6808]}\n"
     "  {:type clojure.lang.ExceptionInfo\n"
     "   :message \"no \\\"cart\\\"\"\n"
     "   :data {:id 7}\n"
     "   :at [shop.cart$add invokeStatic \"cart.clj\" 12]}]\n"
     " :trace\n"
     " [[shop.cart$add invokeStatic \"cart.clj\" 12]\n"
     "  [shop.cart$add invoke \"cart.clj\" 11]\n"
     "  [clojure.lang.AFn applyToHelper \"AFn.java\" 154]\n"
     "  [jdk.internal.reflect.NativeMethodAccessorImpl invoke0 \"NativeMethodAccessorImpl.java\" -2]\n"
     "  [user$eval1 <init> nil -1]\n"
     "  [java.lang.Thread run \"Thread.java\" 748]]}\n"
     "  [java.lang.Thread run \"Thread.java\" 749]\n",
     "clojure line:12 lines:6 type:clojure.lang.ExceptionInfo message:no \\\"cart\\\"\n"
     "  c:shop.cart$add f:invokeStatic at:cart.clj l:12\n"
     "  c:shop.cart$add f:invoke at:cart.clj l:11\n"
     "  c:clojure.lang.AFn f:applyToHelper at:AFn.java l:154\n"
     "  c:jdk.internal.reflect.NativeMethodAccessorImpl f:invoke0 at:NativeMethodAccessorImpl.java\n"
     "  c:user$eval1 f:<init>\n"
     "  c:java.lang.Thread f:run at:Thread.java l:748\n"},
    {"one line", "as a log has it, also with commas",
     "2023-09-18 15:21:21 ERROR #error {:cause \"x\", :via [{:type java.lang.Exception, :message \"x\", :at [a.b$c "
     "invoke \"b.clj\" 1]}], :trace [[a.b$c invoke \"b.clj\" 1] [a.b$d invoke \"b.clj\" 2]]}\n"
     "{:clojure.main/trace {:cause \"y\" :via [] :trace [[a.b$e invoke \"b.clj\" 3]\n"
     "[a.b$f invoke \"b.clj\" 4]]}\n",
     "clojure line:1 type:java.lang.Exception message:x\n"
     "  c:a.b$c f:invoke at:b.clj l:1\n"
     "  c:a.b$d f:invoke at:b.clj l:2\n"
     "clojure line:2 lines:2 message:y\n"
     "  c:a.b$e f:invoke at:b.clj l:3\n"
     "  c:a.b$f f:invoke at:b.clj l:4\n"},
    {"near misses", "other keys and vectors",
     " :via\n"
     " :trace\n"
     "[1 2 \"a\" 3]\n"
     ":level :trace\n"
     "text\n"
     "[a.b$c invoke \"b.clj\" 1]\n"
     "{:stack-trace [[a.b$c invoke \"b.clj\" 1]]}\n"
     ":trace [[a.b$c invoke b.clj 1]]\n"
     ":at [a.b$c invoke \"b.clj\" 1]\n",
     ""},
    {"the key alone", "a stack is read only near the words that each exception has",
     " :trace [[a.b$c d \"b.clj\" 1]]\n", ""},
};

OTHER_TESTS("formats clojure", texts)
