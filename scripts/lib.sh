# shellcheck shell=sh
# What the scripts share. Source it with root set to the project's folder.

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$0: $*"
    exit 1
}

# The first of the names that is a command here; fails when there is none.
first_command() {
    for candidate in "$@"; do
        if command -v "$candidate" >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

# What a build's output $1 says about why it failed: the lines about errors, or its end.
say_build_errors() {
    errors=$(grep -E -m 40 -A 6 'error|Error|FAILED|undefined' "$1" || tail -n 40 "$1")
    say "$errors"
    say "All of the output is in $1"
}

# Runs a build by Ninja, "$2 ...", with its output in the file $1, and shows how much of it is done: in place on a terminal, else a line for
# each quarter. Fails as the build fails.
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

# Of the line $1 of Ninja, "[STEP/STEPS] …". shown: the quarter that was printed last.
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

# The packages of the list that are not installed. Only names that dpkg knows as fully installed count as there.
missing_packages() {
    for package in "$@"; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' || echo "$package"
    done
}

# Installs what is missing of the packages with apt, and says so; quiet when nothing is. A choice is written newest|older:
# nothing is installed when one of them is there already, else the first that apt knows.
need_packages() {
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
        say "This is no Debian or Ubuntu, so nothing is installed here. Wanted are (by their names in Debian):"
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
        apt="sudo $apt" # sudo forgets the environment, so it is said behind it
    fi
    if ! choice=$(choose_packages "$wanted"); then
        # A machine that never asked its archive knows no package at all.
        run_apt update || say "apt could not read its lists anew"
        choice=$(choose_packages "$wanted") || die "apt does not know a package that is needed:$choice"
    fi
    say "Installing with apt:$choice"
    # shellcheck disable=SC2086
    run_apt install -y --no-install-recommends $choice || { run_apt update && run_apt install -y --no-install-recommends $choice; } ||
        die "apt could not install:$choice"
}

# Quiet unless it fails.
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

# For each entry the first alternative that apt can install. Fails, with the entry printed, when there is none.
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

# What building needs; what testing needs beside it.
build_packages="gcc libc6-dev cmake ninja-build pkg-config|pkgconf libdwarf-dev libelf-dev zlib1g-dev libdeflate-dev libzstd-dev libpcre2-dev libjsmn-dev libiberty-dev
libc++abi-19-dev|libc++abi-dev"
test_packages="libcmocka-dev python3 g++"
# shellcheck disable=SC2086
need_to_build() { need_packages $build_packages; }
# shellcheck disable=SC2086
need_to_test() {
    need_packages $build_packages $test_packages
    find_clang >/dev/null || need_packages clang
}
