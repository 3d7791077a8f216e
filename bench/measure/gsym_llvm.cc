// gsym_llvm GSYM FOLDER ROUNDS: looks up the addresses that bench_lookups -w wrote into FOLDER with LLVM's own reader
// of GSYM, whole inline chains. Prints lines like those of bench_lookups: pattern, minimum, median and maximum of the
// rounds, unit, separated by TAB; times are CPU time. scripts/bench builds it if LLVM's development files are
// installed:
//     c++ -O2 gsym_llvm.cc $(llvm-config --cxxflags --ldflags --libs) -o gsym_llvm
#include <llvm/DebugInfo/GSYM/GsymReader.h>
#include <llvm/DebugInfo/GSYM/LookupResult.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

static double seconds_now()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

static std::vector<uint64_t> read_addresses(const std::string &path)
{
    std::vector<uint64_t> addresses;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line) && addresses.size() < 100000;) addresses.push_back(std::strtoull(line.c_str(), nullptr, 16));
    return addresses;
}

static size_t ask(const llvm::gsym::GsymReader &reader, const std::vector<uint64_t> &addresses)
{
    size_t frames = 0;
    for (uint64_t address : addresses)
        if (auto found = reader.lookup(address)) frames += found->Locations.size();
        else llvm::consumeError(found.takeError());
    return frames;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    auto reader = llvm::gsym::GsymReader::openFile(argv[1]);
    if (!reader) return 1;
    for (const char *pattern : {"random", "clustered", "hot"}) {
        const std::vector<uint64_t> addresses = read_addresses(std::string(argv[2]) + "/" + pattern);
        if (addresses.empty()) return 1;
        size_t frames = ask(*reader, addresses);
        std::vector<double> times;
        for (int round = std::atoi(argv[3]); round > 0; round--) {
            const double start = seconds_now();
            frames += ask(*reader, addresses);
            times.push_back((seconds_now() - start) * 1e9 / static_cast<double>(addresses.size()));
        }
        std::sort(times.begin(), times.end());
        if (frames == 0 || times.empty()) return 1;
        std::printf("%s\t%.1f\t%.1f\t%.1f\tns\n", pattern, times.front(), times[times.size() / 2], times.back());
    }
    return 0;
}
