#!/bin/bash
# bench/inputs/make_large.sh OUT [UNITS]: makes a C++ program with much debug information, for scripts/bench. Each unit
# instantiates the standard library's templates for different types. CXX and CXXFLAGS choose the compiler; 24 units give
# about 20 MB.
set -euo pipefail

out=$(realpath "$1")
units=${2:-24}
cxx=${CXX:-c++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

unit() {
    cat <<CODE
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace unit$1
{
struct key {
    std::string name;
    int number;
    bool operator<(const key &other) const { return number < other.number || (number == other.number && name < other.name); }
};

template <int N> struct worker {
    std::map<key, std::vector<int>> rows;
    std::unordered_map<std::string, std::function<int(int)>> calls;

    int run(const std::string &text)
    {
        std::regex words("([a-z]+)=([0-9]+)");
        for (std::sregex_iterator i(text.begin(), text.end(), words), end; i != end; ++i)
            rows[key{(*i)[1], N}].push_back(std::stoi((*i)[2]));
        calls["sum"] = [this](int by) { return sum() * by; };
        std::ostringstream out;
        for (auto &row : rows)
            out << row.first.name << row.second.size();
        return calls["sum"](N) + static_cast<int>(out.str().size());
    }

    int sum()
    {
        int total = 0;
        for (auto &row : rows) {
            std::sort(row.second.begin(), row.second.end(), [](int a, int b) { return a % (N + 1) > b % (N + 1); });
            total += row.second.front();
        }
        return total;
    }
};

int run(const std::string &text) { return worker<1>().run(text) + worker<2>().run(text) + worker<3>().run(text); }
} // namespace unit$1
CODE
}

{
    echo '#include <string>'
    for number in $(seq "$units"); do echo "namespace unit$number { int run(const std::string &text); }"; done
    echo 'int main(int argc, char **argv) { std::string text(argv[0]); int sum = argc;'
    for number in $(seq "$units"); do echo "sum += unit$number::run(text);"; done
    echo 'return sum & 1; }'
} >main.cc
for number in $(seq "$units"); do unit "$number" >"unit$number.cc"; done

# shellcheck disable=SC2086 # CXXFLAGS is a list
printf '%s\n' main.cc unit*.cc | xargs -P "$(nproc)" -I{} "$cxx" ${CXXFLAGS:--O2 -g} -c {}
"$cxx" ./*.o -o "$out"
ls -l "$out"
