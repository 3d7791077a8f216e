# Tests that 'convert' chooses symbols by the options --app, --build and --tenant, as 'restore' does.
MAPPING=$NATIVE/../java/r8/inline/mapping.txt
mkdir one two
cp "$MAPPING" one/mapping.txt
sed 's/shop\./two./g' "$MAPPING" >two/mapping.txt
printf 'a.d: none left\n\tat a.b.a(SourceFile:4)\n' >java
printf 'main;a/b.a_[j] 3\n' >samples.folded
SYMBOLS='-s app=shop,build=7:one -s app=shop,build=8:two'
for build in 7 8; do
    echo "== build $build"
    framemap convert --to java -q $SYMBOLS --app shop --build "$build" java
    framemap convert --to java -q $SYMBOLS --app shop --build "$build" <java
    framemap convert --to folded -q --lossy $SYMBOLS --app shop --build "$build" java
    framemap convert --to folded -q --lossy $SYMBOLS --app shop --build "$build" samples.folded
    framemap top -n 1 $SYMBOLS --app shop --build "$build" samples.folded
done
echo "== another tenant's symbols"
framemap convert --to folded -q --lossy -s tenant=t1:one --tenant t2 samples.folded
framemap convert --to folded -q --lossy -s tenant=t1:one --tenant t1 samples.folded
echo "== outputs without stacks"
framemap convert --to dart --app shop java 2>&1 || echo "exit $?"
framemap convert --app shop java 2>&1 || echo "exit $?"
