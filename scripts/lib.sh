# shellcheck shell=sh
# Functions shared by the scripts. Source it with root set to the project's folder.

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$0: $*"
    exit 1
}

# Prints the first of the given names that is an installed command; fails if none of them is.
first_command() {
    for candidate in "$@"; do
        if command -v "$candidate" >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

# Prints why a build failed, from its output in the file $1: the lines with errors, or the end.
say_build_errors() {
    errors=$(grep -E -m 40 -A 6 'error:|Error at|^FAILED|undefined reference' "$1" || tail -n 40 "$1")
    say "$errors"
    say "All of the output is in $1"
}

# Runs a Ninja build, the command "$2 ...", writes its output to the file $1, and shows its progress: in place on a
# terminal, otherwise one line for each quarter. Fails if the build fails.
build_with_progress() {
    log=$1
    shift
    failed=$log.failed
    rm -f "$failed"
    { "$@" 2>&1 || : >"$failed"; } | (
        shown=0
        : >"$log"
        while IFS= read -r line; do
            printf '%s\n' "$line" >>"$log"
            case $line in "["*/*"] "*) show_percent "$line" ;; esac
        done
        [ ! -t 2 ] || printf '\r\033[K' >&2
    )
    [ ! -e "$failed" ] || { rm -f "$failed" && return 1; }
}

# Shows the progress that a line of Ninja's output ($1) states, "[STEP/STEPS] …". The variable shown is the number of
# quarters that were printed.
show_percent() {
    step=${1#\[} steps=${1#*/}
    step=${step%%/*} steps=${steps%%]*}
    percent=$((step * 100 / steps))
    if [ -t 2 ]; then
        printf '\r    %3d %% of %d steps' "$percent" "$steps" >&2
    elif [ $((percent / 25)) -gt "$shown" ]; then
        shown=$((percent / 25))
        say "    $((shown * 25)) % of $steps steps"
    fi
}

find_clang() { first_command clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; }

# Prints those packages of the list that are not installed. A package counts as installed only if dpkg reports it as
# fully installed.
missing_packages() {
    for package in "$@"; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' || echo "$package"
    done
}

# Installs the missing packages with apt, with a message; prints nothing if none is missing. A word such as newest|older
# is a list of alternatives. If one of them is installed already, nothing is installed for it; otherwise the first one
# that apt knows.
need_packages() {
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
        say "This is not Debian or Ubuntu, so nothing is installed. Required packages, by their Debian names:"
        say "  $*"
        return 0
    fi
    wanted=
    for entry in "$@"; do
        alternatives=$(echo "$entry" | tr '|' ' ')
        # shellcheck disable=SC2086 # a list of words
        if [ "$(missing_packages $alternatives | wc -w)" -eq "$(echo $alternatives | wc -w)" ]; then wanted="$wanted $entry"; fi
    done
    [ -n "$wanted" ] || return 0

    apt="env DEBIAN_FRONTEND=noninteractive apt-get"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || die "not root and no sudo; please install as root:$(choose_packages "$wanted")"
        apt="sudo $apt" # sudo clears the environment; `env` after it sets the variable
    fi
    if ! choice=$(choose_packages "$wanted"); then
        # apt knows no packages if it has no package lists yet, so the lists are updated first.
        run_apt update || say "apt could not read its lists anew"
        choice=$(choose_packages "$wanted") || die "apt does not know a package that is needed:$choice"
    fi
    say "Installing with apt:$choice"
    # shellcheck disable=SC2086
    run_apt install -y --no-install-recommends $choice || { run_apt update && run_apt install -y --no-install-recommends $choice; } ||
        die "apt could not install:$choice"
}

# Runs apt, and shows its output only if it fails.
run_apt() {
    log=$(mktemp)
    # shellcheck disable=SC2086
    if $apt -qq "$@" >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    cat "$log" >&2
    rm -f "$log"
    return 1
}

# Prints for each entry, a package or a list of alternatives, the first alternative that apt can install. If there is
# none, prints the entry and fails.
choose_packages() {
    chosen=
    for entry in $1; do
        found=
        for package in $(echo "$entry" | tr '|' ' '); do
            if [ -n "$(apt-cache madison "$package" 2>/dev/null)" ]; then
                found=$package
                break
            fi
        done
        if [ -z "$found" ]; then
            echo " $entry"
            return 1
        fi
        chosen="$chosen $found"
    done
    echo "$chosen"
}

# Prints the package archives that this machine's apt uses, one line "$1 ADDRESS RELEASE COMPONENT" each: only the
# archives of the distribution $2 (Debian or Ubuntu), or of both without $2.
list_archives() {
    for origin in ${2:-Debian Ubuntu}; do
        apt-get indextargets --format "$1 \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Identifier: Packages' "Origin: $origin" 2>/dev/null
    done | sort -u
}

# Debian packages: libraries and tools to build framemap, and further packages for the tests.
# needed_packages: what a build with all options off needs.
needed_packages="zlib1g-dev libdeflate-dev libzstd-dev libpcre2-dev libjsmn-dev"
library_packages="$needed_packages liblzma-dev libdwarf-dev libelf-dev libiberty-dev libc++abi-19-dev|libc++abi-dev libhiredis-dev libssl-dev"
tool_packages="gcc libc6-dev cmake ninja-build pkg-config|pkgconf"
build_packages="$tool_packages $library_packages"
test_packages="libcmocka-dev liblmdb-dev python3 python3-jsonschema g++ redis-server openssl"
# shellcheck disable=SC2086
need_to_build() { need_packages $build_packages; }
# shellcheck disable=SC2086
need_to_test() {
    need_packages $build_packages $test_packages
    find_clang >/dev/null || need_packages clang "libclang-rt-dev|libclang-common-14-dev" llvm
}

# --- running test suites: each is a build, its tests, and one line with the counts; the totals are printed at the end
# ---

begin_suites() {
    mkdir -p "$root/build"
    jobs=$(nproc 2>/dev/null || echo 2)
    passed=0 failed=0 skipped=0 summary=''
}

name_suite() { name=$1 started=$(date +%s); }

# suite NAME SKIP OPTION...: runs one suite. SKIP is a regular expression: tests with a label that matches it are
# skipped. The OPTIONs are for cmake.
suite() {
    name_suite "$1"
    without=$2
    shift 2
    build=$root/build/test-$name
    if build_suite "$build" all -DFRAMEMAP_WERROR=ON -DBUILD_TESTING=ON "$@"; then test_suite "$build" "$without"; else count 0 1 0; fi
}

# build_suite FOLDER TARGETS OPTION...: configures FOLDER with the OPTIONs and builds the TARGETS (a list of words)
# there. On failure prints the errors and fails.
build_suite() {
    build=$1 targets=$2
    shift 2
    log=$build.log
    say "== $name: building"
    # shellcheck disable=SC2086
    { cmake -S "$root" -B "$build" -G Ninja "$@" && cmake --build "$build" -j "$jobs" --target $targets; } >"$log" 2>&1 && return 0
    say_build_errors "$log"
    say "== $name: does not build"
    return 1
}

# test_suite FOLDER SKIP [PART...]: runs and counts the tests of the build in FOLDER, except those with a label that
# matches SKIP; only those of the folders PART, if there are any.
test_suite() {
    build=$1 without=$2
    shift 2
    [ $# -gt 0 ] || set -- .
    log=$build.log
    say "== $name: testing"
    # Runs one test more than there are processors at a time, because some tests only wait for servers and deadlines.
    for part; do
        ctest --test-dir "$build/$part" -j $((jobs + 1)) -LE "$without" --output-on-failure --no-tests=error || true
    done >"$log" 2>&1
    # Shows the output of failed tests, which ctest writes after their line.
    grep -v -E '^ *Start |^ *[0-9]+/[0-9]+ Test .*( Passed |Skipped)|^$' "$log" | sed -n '/Test *#.*\*\*\*/,/tests passed,/p' | head -n 200 >&2
    lines=$(grep -E '^ *[0-9]+/[0-9]+ Test +#' "$log" || true)
    skips=$(printf '%s\n' "$lines" | grep -c '\*\*\*Skipped' || true)
    goods=$(printf '%s\n' "$lines" | grep -c ' Passed ' || true)
    total=$(printf '%s\n' "$lines" | grep -c 'Test' || true)
    if [ "$total" -eq 0 ]; then
        tail -n 20 "$log" >&2
        count 0 1 0
        return
    fi
    count "$goods" $((total - goods - skips)) "$skips"
    [ $((total - goods - skips)) -eq 0 ] || say "== $name: the output of what failed is in $log"
}

# count PASSED FAILED SKIPPED TEXT: adds a line with these numbers and the text to the table, and the numbers to the
# totals.
count() {
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    summary="$summary$(printf '%-12s %4d passed %4d failed %4d skipped %5d s' "$name" "$1" "$2" "$3" $(($(date +%s) - started)))${4:+  $4}
"
}

# Prints the table and the totals; fails if a test failed or none was run.
end_suites() {
    printf '\n%s' "$summary"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
}
