# Tests a stripped program whose debug file is found by .gnu_debuglink next to the program, and by build id under a
# folder.
cp "$NATIVE/split/program" "$NATIVE/split/program.debug" .
llvm-symbolizer --obj=program 0x400250
addr2line -e program -f 0x400250
rm program.debug
llvm-symbolizer --obj=program 0x400250
id=$(framemap info program | sed -n 's/^  id *//p')
first=$(echo "$id" | cut -c1-2) rest=$(echo "$id" | cut -c3-)
mkdir -p "debug/.build-id/$first"
cp "$NATIVE/split/program.debug" "debug/.build-id/$first/$rest.debug"
llvm-symbolizer --obj=program --debug-file-directory=debug 0x400250
llvm-symbolizer --debug-file-directory=debug "BUILDID:$id 0x400250"
