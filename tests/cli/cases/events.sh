# Tests events of error reporting services that are restored in place: everything except the frames is unchanged.
DEMO=$NATIVE/../demo/symbols
cat >events.ndjson <<'END'
{"event_id":"1","platform":"javascript","exception":{"values":[{"type":"Error","value":"no","stacktrace":{"frames":[{"function":"?","filename":"/shop.js","abs_path":"https://shop.example/js/shop.js","lineno":1,"colno":185,"in_app":true}]}}]},"x":1.50}
{"event_id":"2","platform":"cocoa","exception":{"values":[{"type":"SIGABRT","stacktrace":{"frames":[{"instruction_addr":"0x102a400e4"},{"instruction_addr":"0x102a40054","in_app":true}]}}]},"debug_meta":{"images":[{"type":"macho","debug_id":"4C4C4443-5555-3144-A11E-42E74AE5843A","image_addr":"0x102a3c000","image_size":49152,"code_file":"/private/Demo"}]}}
{"log":"no stack here"}
[{"events":[{"exceptions":[{"errorClass":"a.c","type":"android","stacktrace":[{"method":"a.c.a","file":"SourceFile","lineNumber":35}]}]}]}]
{"type":"exception","exceptions":[{"type":"a.c","frames":[{"class_name":"a.c","method_name":"a","file_name":"SourceFile","line_num":35}]}]}
{"method":"Runtime.exceptionThrown","params":{"exceptionDetails":{"stackTrace":{"callFrames":[{"functionName":"c","scriptId":"3","url":"https://shop.example/js/shop.js","lineNumber":0,"columnNumber":184}]}}}}
{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"exception.stacktrace","value":{"stringValue":"Error: no\n    at c (https://shop.example/js/shop.js:1:185)"}}]}]}]}]}
END
echo "== restored"
framemap restore -s "$DEMO" events.ndjson
cat >errors.ndjson <<'END'
{"data":{"body":{"trace":{"frames":[{"filename":"https://shop.example/js/shop.js","lineno":1,"colno":255,"method":"x"},{"filename":"https://shop.example/js/shop.js","lineno":1,"colno":185,"method":"c"}]}}}}
{"data":{"body":{"trace_chain":[{"frames":[{"filename":"SourceFile","lineno":35,"method":"a","class_name":"a.c"}]}]}}}
{"Details":{"Error":{"ClassName":"Error","StackTrace":[{"LineNumber":1,"ColumnNumber":185,"ClassName":"line 1, column 185","FileName":"https://shop.example/js/shop.js","MethodName":"c"}]}}}
{"error":{"class":"Error","backtrace":[{"file":"https://shop.example/js/shop.js","method":"c","number":"1","column":"185"}]}}
{"errors":[{"type":"Error","backtrace":[{"file":"https://shop.example/js/shop.js","function":"c","line":1,"column":185}]}]}
{"error":{"exception":{"type":"a.c","stacktrace":[{"filename":"SourceFile","classname":"a.c","function":"a","lineno":35,"library_frame":false}]}}}
{"exception":{"type":"a.c","frames":[{"className":"a.c","methodName":"a","lineNumber":35,"fileName":"SourceFile"}]}}
[{"methodName":"c","file":"https://shop.example/js/shop.js","lineNumber":1,"column":185}]
{"exceptions":[{"type":"c","stacktrace":[{"frameAddress":"0x7f00001344","loadAddress":"0x7f00000000","lineNumber":4932,"file":"/data/lib/libdemo.so","method":"0x1344","codeIdentifier":"73461bc941eaa3203f2e8a1e602a57471b4727f2"}]}]}
{"binary_images":[{"image_addr":4339253248,"image_size":49152,"name":"/private/Demo","uuid":"4C4C4443-5555-3144-A11E-42E74AE5843A"}],"crash":{"error":{"type":"mach"},"threads":[{"backtrace":{"contents":[{"object_name":"Demo","object_addr":4339253248,"symbol_name":"<redacted>","symbol_addr":1,"instruction_addr":4339269716},{"instruction_addr":4339269860}]},"index":0,"crashed":true}]}}
{ "kind": "crashReport", "description": "Illegal instruction", "threads": [ { "crashed": true, "frames": [ { "kind": "programCounter", "address": "0x7f00001344", "symbol": "<unknown>", "offset": 0, "description": "<unknown>", "image": "libdemo.so" }, { "kind": "returnAddress", "address": "0x7f000013d0" }, { "kind": "truncated" } ] } ], "images": [ { "name": "libdemo.so", "buildId": "73461bc941eaa3203f2e8a1e602a57471b4727f2", "path": "/srv/libdemo.so", "baseAddress": "0x7f00000000", "endOfText": "0x7f00009000" } ] }
{"message":"no","stack":[{"columnNumber":185,"lineNumber":1,"fileName":"https://shop.example/js/shop.js","functionName":"c","source":"    at c (https://shop.example/js/shop.js:1:185)"},{"columnNumber":255,"lineNumber":1,"fileName":"https://shop.example/js/shop.js"}]}
{"exceptions":[{"type":"Error","value":"no","stacktrace":{"frames":[{"filename":"https://shop.example/js/shop.js","function":"c","lineno":1,"colno":185}]}}],"meta":{"sdk":{"name":"faro-core"}}}
{"exception":{"values":[{"type":"StateError","stacktrace":{"frames":[{"platform":"native","instruction_addr":"0x7f000013d0"}]}}]},"debug_meta":{"images":[{"type":"elf","image_addr":"0x7f00000000","code_id":"73461bc941eaa3203f2e8a1e602a57471b4727f2","code_file":"libdemo.so"}]}}
{"backtrace":[{"b":"7F00000000","o":"1344","s":"f"},{"a":"7F000013D0","b":"7F00000000","o":"13D0"}],"processInfo":{ "somap" : [ { "b" : "7F00000000", "path" : "/srv/libdemo.so", "elfType" : 3, "buildId" : "73461BC941EAA3203F2E8A1E602A57471B4727F2" } ] }}
{"profile":{"frames":[{"filename":"https://shop.example/js/shop.js","lineno":1,"colno":185}],"stacks":[[0]]}}
END
echo "== other backends"
framemap restore -s "$DEMO" errors.ndjson
echo "== without symbols"
framemap restore events.ndjson 2>/dev/null | cmp - events.ndjson && echo same
echo "== pretty-printed"
cat >pretty.json <<'END'
{
  "stack" : [
    {
      "methodName" : "c",
      "file" : "https://shop.example/js/shop.js",
      "lineNumber" : 1,
      "column" : 185
    }
  ]
}
END
framemap restore -s "$DEMO" pretty.json
echo "== a minidump"
cat >minidump.json <<'END'
{"crash_info":{"type":"SIGSEGV","crashing_thread":0},"modules":[{"base_addr":"0x10000","end_addr":"0x20000","filename":"libdemo.so","debug_id":"C91B4673EA4120A33F2E8A1E602A57470"}],"threads":[{"frames":[{"frame":0,"function":null,"function_offset":null,"file":null,"line":null,"inlines":null,"missing_symbols":true,"module":"libdemo.so","offset":"0x11344"}]}]}
END
framemap restore -s "$DEMO" minidump.json
