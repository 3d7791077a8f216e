#include "tests/formats/other/other_help.h"

static const struct text_case texts[] = {
    {"error", "functions with and without a file, accessors, generics, a method without a name",
     "An ActionScript error has occurred:\nTypeError: Error #1009: Cannot access a null object reference.\n"
     "\tat shop::Cart/add()[C:\\src\\my shop\\Cart.as:12]\n"
     "\tat mx.core::UIComponent/set initialized()[E:\\mx\\UIComponent.mxml:1818]\n"
     "\tat flash.events::EventDispatcher/dispatchEvent()\n\tat __AS3__.vec::Vector.<int>/push()\n\tat Cart$/load()\n"
     "\tat Function/<anonymous>()\n\tat MethodInfo-1448()\n",
     "actionscript line:3 lines:7 type:TypeError message:Error #1009: Cannot access a null object reference.\n"
     "  f:shop::Cart/add at:C:\\src\\my shop\\Cart.as l:12\n"
     "  f:mx.core::UIComponent/set initialized at:E:\\mx\\UIComponent.mxml l:1818\n"
     "  f:flash.events::EventDispatcher/dispatchEvent\n  f:__AS3__.vec::Vector.<int>/push\n  f:Cart$/load\n"
     "  f:Function/<anonymous>\n  f:MethodInfo-1448\n"},
    {"two errors", "each title begins a stack; a row with a file needs none",
     "ReferenceError: Error #1065\n  at Function/()\nSecurityError: Error #2060: x\n  at "
     "RestService/processQueue()\n\n\n\n\n\n\n"
     "\n\n\nArgumentError: no cart\n  at Main/onClick()[/src/Main.as:40]\n",
     "actionscript line:2 type:ReferenceError message:Error #1065\n  f:Function/\n"
     "actionscript line:4 type:SecurityError message:Error #2060: x\n  f:RestService/processQueue\n"
     "actionscript line:15 type:ArgumentError message:no cart\n  f:Main/onClick at:/src/Main.as l:40\n"},
    {"debugger", "other words precede the type",
     "[Fault] exception, information=TypeError: Error #1009: x\n\tat a::B()\n"
     "[Fault] exception, information=Error: Error #12\n\n\n\n\n\n\n\n\n\tat a::B()\n",
     "actionscript line:2 type:TypeError message:Error #1009: x\n  f:a::B\n"},
    {"near misses", "rows without a file or a title, prose, other languages",
     "\tat flash.events::EventDispatcher/dispatchEvent()\nTypeError: Error #1009\nat home (see below)\nat "
     "home()[a.as]\n"
     "at a b()\nlook at it()\nat f(int)[/a/b.as:12]\nat x()[/a/b.cpp:12] \n",
     "actionscript line:8 type:TypeError message:Error #1009\n  f:x at:/a/b.cpp l:12\n"},
};

OTHER_TESTS("formats actionscript", texts)
