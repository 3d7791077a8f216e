# Tests stacks of Hermes within strings of JSON, as events of error backends have them: the rows are restored, and all
# other bytes stay as they are, such as escapes and members that look like positions.
HERMES=$NATIVE/../javascript/bundles/hermes
cat >events.json <<'EOF'
{"exception":{"values":[{"type":"Error","value":"no"}]},"extra":{"stack":"Error: no\n    at next (native)\n    at finite (address at \/app\/dist\/hermes\/index.android.bundle:1:7976)\n    at Circle (address at /app/dist/hermes/index.android.bundle:1:8838)","url":"http:\/\/a\/b.js:1:2","note":"caf\u00e9 \"x\" \\n"}}
{"events":[{"exceptions":[{"errorClass":"Error","message":"no"}],"metaData":{"error":{"stack":"Error: no\r\n    at finite (address at /app/dist/hermes/index.android.bundle:1:7976)\r\n"}},"device":{"id":"1:7976"}}]}
{"date":1764658800000,"error":{"message":"no","stack":"Error: no\n  at finite (address at /app/dist/hermes/index.android.bundle:1:7976)\n  at Circle (address at /app/dist/hermes/index.android.bundle:1:8838)","kind":"Error"},"ddtags":"a:b"}
{"data":{"body":{"trace":{"exception":{"class":"Error"},"raw":"{\"stack\":\"Error: no\\n    at finite (address at /app/dist/hermes/index.android.bundle:1:7976)\\n    at Circle (address at /app/dist/hermes/index.android.bundle:1:8838)\",\"path\":\"c:\\\\d\"}"}}}}
EOF
framemap -s "$HERMES" events.json >restored.json 2>&1
diff events.json restored.json | sed -n 's/^> //p'
echo "== the same from a pipe"
framemap -s "$HERMES" <events.json | cmp - restored.json && echo same
