#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"cells and files", "since version 8; a library without source, the exception ends the traceback",
     "---------------------------------------------------------------------------\n"
     "ValueError                                Traceback (most recent call last)\nCell In[3], line 4\n"
     "      1 import cart\n      2 \n      3 def load(x):\n----> 4     return cart.parse(x)\n\n"
     "Cell In [2], line 2, in load(x)\n      1 def f():\n----> 2     g()\n\n"
     "File ~/shop/cart.py:12, in Cart.parse(self, x, strict)\n     10 \n     11 # none\n---> 12     raise "
     "ValueError(\"bad\")\n     13 \n     14 \n     15 \n     16 \n     17 \n     18 \n     19 \n\n"
     "File C:\\shop\\b c.py:7\n\nFile <command-12>:3, in <lambda>(x)\n\nValueError: bad: x\nFile ~/shop/cart.py:12, in "
     "f()\n",
     "ipython line:3 lines:25 type:ValueError message:bad: x outermost first\n"
     "  at:Cell In[3] l:4\n  f:load at:Cell In [2] l:2\n  f:Cart.parse at:~/shop/cart.py l:12\n"
     "  at:C:\\shop\\b c.py l:7\n  f:<lambda> at:<command-12> l:3\n"},
    {"arrows", "up to version 8, where only they have the line",
     "KeyError                                  Traceback (most recent call last)\n<ipython-input-5-8a1f9a6e> in "
     "<module>()\n----> 1 d['x']\n\n~/lib/core/frame.py in __getitem__(self, key)\n   2925             if self:\n-> "
     "2927             indexer = self.get_loc(key)\n\ncore/index.pyx in core.index.Index.get_loc()\n\n"
     "core/index.pyx in core.index.Index.get_loc()\n\nInput In [2], in <cell line: 4>()\n---> 14 x\n\nKeyError: 'x'\n",
     "ipython line:2 lines:12 type:KeyError message:'x' outermost first\n"
     "  f:<module> at:<ipython-input-5-8a1f9a6e> l:1\n  f:__getitem__ at:~/lib/core/frame.py l:2927\n"
     "  f:core.index.Index.get_loc at:core/index.pyx\n  f:core.index.Index.get_loc at:core/index.pyx\n"
     "  f:<cell line: 4> at:Input In [2] l:14\n"},
    {"causes", "and a traceback that was cut off has the type of its title",
     "KeyError                 Traceback (most recent call last)\nFile ~/a.py:1, in f()\n\nKeyError\n\nThe above "
     "exception "
     "was the direct cause of the following exception:\n\nCartError   Traceback (most recent call last)\n"
     "File ~/b.py:2, in g()\n",
     "ipython line:2 type:KeyError cause of 1 outermost first\n  f:f at:~/a.py l:1\nipython line:9 type:CartError "
     "outermost first\n  f:g at:~/b.py l:2\n"},
    {"near misses", "rows without a title, prose below one, a title of Python",
     "Cell In[3], line 4\nFile ~/shop/cart.py:12, in f()\nthe KeyError   Traceback (most recent call last)\n"
     "File ~/shop/cart.py:12, in f()\nTraceback (most recent call last)\nFile ~/shop/cart.py:12, in f()\n"
     "KeyError   Traceback (most recent call last)\nFile the bug in a.py:x\nthe error in f(x)\nKeyError: see in "
     "cart.py in f\n"
     "File ~/shop/cart.py:12, in f()\n",
     "ipython line:11 type:KeyError outermost first\n  f:f at:~/shop/cart.py l:12\n"},
};

OTHER_TESTS("formats ipython", texts)
