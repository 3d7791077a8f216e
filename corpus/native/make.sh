#!/bin/bash
# corpus/native/make.sh [FOLDER]: makes every binary of corpus/native again, into FOLDER or in place.
#
# Sources are named by relative paths and the working folder is mapped to /proj, so that the files contain no path of
# the machine. The versions of the tools that made the files in the tree are in README.md; the same versions give the
# same bytes.
set -euo pipefail
export LC_ALL=C SOURCE_DATE_EPOCH=0
cd "$(dirname "$0")"
out=$(realpath "${1:-.}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

map=(-ffile-prefix-map="$PWD=/proj" -ffile-prefix-map="$work=/made")
free=(-ffreestanding -fno-exceptions -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-stack-protector -w)
# shellcheck disable=SC2054 # the commas are part of the linker's options
small=(-nostdlib -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096 -Wl,-z,noseparate-code -Wl,-z,norelro)
lld=(-fuse-ld=lld-19)

# objects FOLDER COMPILER FLAG...: compiles the three sources of a program to objects in work/FOLDER.
objects() {
    local folder=$work/$1 compiler=$2
    shift 2
    mkdir -p "$folder"
    "$compiler" "${map[@]}" "${free[@]}" "$@" -c src/chain.c -o "$folder/chain.o"
    "$compiler" "${map[@]}" "${free[@]}" "$@" -c src/start.c -o "$folder/start.o"
    [ "${language:-c++}" = c ] || "$compiler" "${map[@]}" "${free[@]}" -fno-rtti "$@" -x c++ -c src/shapes.cc -o "$folder/shapes.o"
}

# Compiles the program and links it: flags before "--" are the linker's, flags after it the compiler's. row OUTPUT
# COMPILER LINKFLAG... -- FLAG...
row() {
    local output=$1 compiler=$2 link=()
    shift 2
    while [ "$1" != -- ]; do
        link+=("$1")
        shift
    done
    shift
    objects "$output" "$compiler" "$@"
    local target=()
    for flag in "$@"; do
        case $flag in -target | --target=* | -m32 | -march=* | -flto* | -O*) target+=("$flag") ;; esac
    done
    rm -f "$work/$output/${unused:-none}.o"
    "$compiler" "${map[@]}" "${target[@]}" "${small[@]}" "${link[@]}" "$work/$output"/*.o -o "$out/$output"
}

program() { row "$1" "$2" -no-pie -static -Wl,-e,entry -- "${@:3}"; }
# Builds a program in C only, with a cross compiler that has no C++.
c_program() { language=c unused=start row "$1" "$2" -no-pie -static -Wl,-e,chain_entry -- "${@:3}"; }
library() { row "$1" "$2" "${lld[@]}" -shared -- -fPIC "${@:3}"; }

elf_x86() {
    local level version
    for level in O0 O1 O2 O3; do
        program "gcc-x86_64-$level.elf" gcc -$level -g
        library "clang-x86_64-$level.so" clang-19 -$level -g
    done
    for version in 2 3 4; do
        program "gcc-x86_64-O2-dwarf$version.elf" gcc -O2 -gdwarf-$version -gstrict-dwarf
        library "clang-x86_64-O2-dwarf$version.so" clang-19 -O2 -gdwarf-$version -gstrict-dwarf
    done
    program gcc-x86_64-Os.elf gcc -Os -g
    library clang-x86_64-Oz.so clang-19 -Oz -g
    program gcc-x86_64-O2-g1.elf gcc -O2 -g1
    library clang-x86_64-O2-g1.so clang-19 -O2 -g1
    library clang-x86_64-O2-lines-only.so clang-19 -O2 -gline-tables-only
    program gcc-x86_64-O2-dwarf64.elf gcc -O2 -g -gdwarf64
    program gcc-x86_64-O2-type-units.elf gcc -O2 -g -gdwarf-4 -fdebug-types-section
    program gcc-x86_64-O2-column0.elf gcc -O2 -g -gno-column-info
}

elf_other() {
    program gcc-i386-O2.elf gcc -m32 -O2 -g
    c_program gcc-arm64-O2.elf aarch64-linux-gnu-gcc -O2 -g
    c_program gcc-arm-thumb-O2.elf arm-linux-gnueabihf-gcc -mthumb -O2 -g
    c_program gcc-arm-O2.elf arm-linux-gnueabihf-gcc -marm -O2 -g
    c_program gcc-ppc64be-O2.elf powerpc64-linux-gnu-gcc -O2 -g
    c_program gcc-ppc64be-O2-dwarf4.elf powerpc64-linux-gnu-gcc -O2 -gdwarf-4
    library clang-arm64-android-O2.so clang-19 --target=aarch64-linux-android21 -O2 -g
    library clang-arm-thumb-android-O2.so clang-19 --target=armv7-linux-androideabi21 -mthumb -O2 -g
}

elf_linked() {
    row gcc-x86_64-lto.elf gcc -no-pie -static -Wl,-e,entry -flto-partition=one -- -O2 -g -flto -frandom-seed=0
    row clang-x86_64-lto.so clang-19 "${lld[@]}" -shared -- -fPIC -O2 -g -flto
    row gcc-x86_64-gc-sections.elf gcc -no-pie -static -Wl,-e,entry -Wl,--gc-sections -- -O2 -g -gdwarf-4 -ffunction-sections
    row clang-x86_64-gc-sections.elf clang-19 "${lld[@]}" -static -Wl,-e,entry -Wl,--gc-sections -- -O2 -g -ffunction-sections
    row clang-x86_64-icf.elf clang-19 "${lld[@]}" -static -Wl,-e,entry -Wl,--icf=all -- -O2 -g -ffunction-sections
}

data_only() {
    gcc -shared -fPIC -nostdlib -s -Wl,-z,noseparate-code,-z,max-page-size=4096,--build-id=sha1 -o "$out/data-only.so" src/data.c
}

relocatable() {
    local folder=$work/relocatable
    objects relocatable gcc -O2 -g
    cp "$folder/shapes.o" "$out/gcc-x86_64-O2.o"
    objects relocatable gcc -O2 -g -ffunction-sections
    cp "$folder/chain.o" "$out/gcc-x86_64-O2-sections.o"
    objects relocatable clang-19 --target=aarch64-linux-gnu -O2 -g
    cp "$folder/shapes.o" "$out/clang-arm64-O2.o"
    language=c objects relocatable arm-linux-gnueabihf-gcc -mthumb -O2 -g
    cp "$folder/chain.o" "$out/gcc-arm-thumb-O2.o"
    objects relocatable gcc -m32 -O2 -g -gdwarf-4
    cp "$folder/chain.o" "$out/gcc-i386-O2.o"
    language=c objects relocatable powerpc64-linux-gnu-gcc -O2 -g
    cp "$folder/chain.o" "$out/gcc-ppc64be-O2.o"
    gcc "${map[@]}" "${free[@]}" -O2 -g -c src/module.c -o "$folder/module.o"
    ld -r --build-id=sha1 "$folder/module.o" -o "$out/module.ko"
    as src/groups.s -o "$out/groups.o"
}

# Makes the variants of finished files: stripped, split, compressed.
treated() {
    local plain=$out/gcc-x86_64-O2.elf
    objcopy --compress-debug-sections=zlib "$plain" "$out/gcc-x86_64-O2-zlib.elf"
    objcopy --compress-debug-sections=zlib-gnu "$plain" "$out/gcc-x86_64-O2-zdebug.elf"
    objcopy --compress-debug-sections=zstd "$plain" "$out/gcc-x86_64-O2-zstd.elf"
    dwz -o "$out/gcc-x86_64-O2-dwz.elf" "$plain"
    objcopy --strip-debug "$plain" "$out/gcc-x86_64-O2-symtab.elf"
    objcopy --strip-all "$plain" "$out/gcc-x86_64-O2-stripped.elf"
    objcopy --strip-all "$out/clang-x86_64-O2.so" "$out/clang-x86_64-O2-dynsym.so"

    cp "$plain" "$work/program"
    objcopy --only-keep-debug "$work/program" "$work/program.debug"
    (cd "$work" && objcopy --strip-all --add-gnu-debuglink=program.debug program program.stripped)
    cp "$work/program.debug" "$out/split/program.debug"
    cp "$work/program.stripped" "$out/split/program"

    cp "$out/gcc-x86_64-O2.elf" "$work/one"
    cp "$out/gcc-x86_64-O3.elf" "$work/two"
    (cd "$work" && dwz -m common.alt -M common.alt one two)
    cp "$work/one" "$out/split/dwz-multi.elf"
    cp "$work/common.alt" "$out/split/common.alt"
}

# ordered ARCH LINKFLAG...: makes a dSYM whose units claim overlapping ranges, since the linker mixed the functions of
# different units.
ordered() {
    local arch=$1 folder=$work/ordered-$1 unit
    shift
    mkdir -p "$folder"
    for unit in one two three main; do
        clang-19 "${map[@]}" "${free[@]}" -target "$arch-apple-macos13" -O2 -g -c "src/units/$unit.cc" -o "$folder/$unit.o"
    done
    printf '%s\n' __ZN5three5firstEPKii __ZN3one5firstEPKii __ZN3two5firstEPKii __ZN3one6secondEi __ZN3two6secondEi __ZN5three6secondEi \
        __ZN3two5thirdEPKi __ZN3one5thirdEPKi __ZN5three5thirdEPKi __ZN5three4lastEPKi __ZN3two4lastEPKi __ZN3one4lastEPKi >"$folder/order"
    (
        cd "$folder"
        ld64.lld-19 -arch "$arch" -platform_version macos 13.0 13.0 -e _main -order_file order "$@" -oso_prefix "$PWD/" \
            one.o two.o three.o main.o -o ordered
        dsymutil-19 --oso-prepend-path "$PWD" ordered -o ordered.dSYM
    )
    mkdir -p "$out/macho-ordered-$arch.dSYM/Contents/Resources/DWARF"
    cp "$folder/ordered.dSYM/Contents/Resources/DWARF/ordered" "$out/macho-ordered-$arch.dSYM/Contents/Resources/DWARF/ordered"
    cp "$folder/ordered.dSYM/Contents/Info.plist" "$out/macho-ordered-$arch.dSYM/Contents/Info.plist"
}

# macho ARCH: makes an image, its dSYM, an object file, and an image without a debug map.
macho() {
    local arch=$1 folder=macho-$1 flags=(-target "$1-apple-macos11" -O2 -g)
    objects "$folder" clang-19 "${flags[@]}"
    clang-19 "${map[@]}" "${flags[@]}" -c src/animal.m -o "$work/$folder/animal.o"
    cp "$work/$folder/shapes.o" "$out/macho-$arch.o"
    (
        # dsymutil finds the objects by the relative paths that the linker recorded, so it is run in the folder of the
        # objects.
        cd "$work/$folder"
        ld64.lld-19 -arch "$arch" -platform_version macos 11.0 11.0 -dylib -undefined dynamic_lookup -oso_prefix "$PWD/" \
            -install_name @rpath/libshapes.dylib start.o shapes.o chain.o animal.o -o libshapes.dylib
        dsymutil-19 --oso-prepend-path "$PWD" libshapes.dylib -o libshapes.dSYM 2>/dev/null ||
            dsymutil-19 libshapes.dylib -o libshapes.dSYM
    )
    mkdir -p "$out/macho-$arch.dSYM/Contents/Resources/DWARF"
    cp "$work/$folder/libshapes.dSYM/Contents/Resources/DWARF/libshapes.dylib" "$out/macho-$arch.dSYM/Contents/Resources/DWARF/libshapes.dylib"
    cp "$work/$folder/libshapes.dSYM/Contents/Info.plist" "$out/macho-$arch.dSYM/Contents/Info.plist"
    cp "$work/$folder/libshapes.dylib" "$out/macho-$arch.dylib"
}

fat() {
    llvm-lipo-19 -create "$out/macho-arm64.dylib" "$out/macho-x86_64.dylib" -output "$out/macho-fat.dylib"
    llvm-lipo-19 -create "$out"/macho-{arm64,x86_64}.dSYM/Contents/Resources/DWARF/libshapes.dylib -output "$out/macho-fat.dwarf"
    llvm-strip-19 "$out/macho-arm64.dylib" -S -o "$out/macho-arm64-symtab.dylib"
}

rust() {
    # shellcheck disable=SC2054
    local flags=(--edition 2021 --crate-type cdylib --crate-name points -C panic=abort --remap-path-prefix="$PWD=/proj"
        -C linker=clang-19 -C link-arg=-fuse-ld=lld-19 -C link-arg=-nostdlib -C link-arg=-Wl,--build-id=sha1 -C link-arg=-Wl,-z,max-page-size=4096
        -C link-arg=-Wl,--gc-sections)
    # The legacy symbol mangling is an unstable option today; this variable lets a stable compiler accept it.
    export RUSTC_BOOTSTRAP=1
    rustc "${flags[@]}" -Z unstable-options -g -C opt-level=2 -C symbol-mangling-version=legacy src/points.rs -o "$out/rust-x86_64-O2-legacy.so"
    rustc "${flags[@]}" -g -C opt-level=2 -C symbol-mangling-version=v0 src/points.rs -o "$out/rust-x86_64-O2-v0.so"
}

# Makes WebAssembly modules: as the linker writes it, without debug info, and without names. stacks.txt has the stacks
# that Node prints of them, for a module that was named and for one that was fetched.
wasm() {
    clang-19 "${map[@]}" "${free[@]}" --target=wasm32 -O2 -g -c src/trap.c -o "$work/trap.o"
    wasm-ld-19 --no-entry --build-id=sha1 "$work/trap.o" -o "$out/wasm/trap.debug.wasm"
    llvm-objcopy-19 --strip-debug "$out/wasm/trap.debug.wasm" "$out/wasm/trap.wasm"
    llvm-objcopy-19 --strip-all "$out/wasm/trap.debug.wasm" "$out/wasm/stripped.wasm"
    node wasm/run.cjs "$out/wasm/trap.wasm" >"$out/wasm/stacks.txt"
}

# Makes a module with an error of binaryen: the end of an inlined function is 0, so that its size reaches to 2^32.
wasm_ends() {
    local entries=0xe9 high=9 size at # offsets: of the entry of `slot` in .debug_info; of DW_AT_high_pc in that entry
    clang-19 "${map[@]}" "${free[@]}" --target=wasm32 -O1 -gdwarf-4 -c src/ends.c -o "$work/ends.o"
    wasm-ld-19 --no-entry --export=count "$work/ends.o" -o "$out/wasm-ends/ends.wasm"
    at=$(grep -abo .debug_info "$out/wasm-ends/ends.wasm" | cut -d: -f1)
    size=$((at + 11 + entries + high))
    printf '\365\377\377\377' | dd of="$out/wasm-ends/ends.wasm" bs=1 seek=$size conv=notrunc status=none
}

mkdir -p "$out/split" "$out/wasm" "$out/wasm-ends"
elf_x86
elf_other
elf_linked
data_only
relocatable
treated
macho arm64
macho x86_64
ordered arm64
ordered x86_64 --icf=all
fat
rust
wasm
wasm_ends
