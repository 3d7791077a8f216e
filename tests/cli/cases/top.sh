# Tests top with stacks: groups of the stacks of several texts, restored or not, with rules and owners.
DEMO=$NATIVE/../demo
printf '%s\n' '# ours' '-com.example.shop.Main' '+libc.so' >rules
printf '%s\n' '* @all' 'src/ @native' 'Shop.java @shop # the cart' >owners
java() { printf 'java.lang.IllegalStateException: order %s\n\tat com.example.shop.Cart.pay(Shop.java:%s)\n\tat com.example.shop.Main.main(Main.java:3)\n' "$1" "$2"; }
{ java 17 12; echo text; java 18 14; } >java
echo '== three texts'
framemap top --no-cache -s "$DEMO/symbols" --owners owners java "$DEMO/tombstone.txt" "$DEMO/logcat.txt" 2>/dev/null | sed "s|$DEMO|demo|"
echo '== a pipe, JSON, rules'
framemap top -o json --in-app rules --owners owners -n 1 <java
echo '== none'
echo 'no stack' | framemap top
echo '== wrong rules'
echo 'com.example' >wrong
framemap top --in-app wrong java 2>&1 || echo "exit $?"
framemap top -n x java 2>&1 || echo "exit $?"
framemap top missing java 2>&1 || echo "exit $?"
