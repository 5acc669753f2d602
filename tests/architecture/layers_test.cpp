// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "architecture/source_files.h"

// Who may include whom. Dependencies point one way:
//   core <- spatial <- methods, io <- backend <- prepare <- search <- judge <- register <- api <- apps, examples.
//   pose stands on backend and io; bins on pose; report on io and spatial.

namespace dovetail {
namespace {

using test::source_files;
using test::SourceFile;

/// What a line includes in quotes, if it does.
std::optional<std::string> quoted_include(const std::string& line) {
  const std::size_t hash = line.find_first_not_of(' ');
  if (hash == std::string::npos || line[hash] != '#') return {};
  const std::size_t word = line.find("include", hash);
  if (word == std::string::npos || line.find_first_not_of(' ', hash + 1) != word) return {};
  const std::size_t open = line.find('"', word), close = line.find('"', open + 1);
  if (open == std::string::npos || close == std::string::npos) return {};
  return line.substr(open + 1, close - open - 1);
}

/// The layer a file of src or an include belongs to: its folder, and under backend the machine.
std::string layer_of(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return "";
  const std::string folder = path.substr(0, slash);
  if (folder != "backend") return folder;
  const std::size_t next = path.find('/', slash + 1);
  return next == std::string::npos ? "backend" : path.substr(0, next);
}

/// The layers each layer may include besides itself and the public headers.
const std::map<std::string, std::set<std::string>> allowed = {
    {"core", {}},
    {"spatial", {"core"}},
    {"methods", {"core", "spatial"}},
    {"io", {"core", "spatial"}},
    {"report", {"core", "spatial", "io"}},
    {"scanner", {"core"}},
    {"pose", {"core", "spatial", "io", "methods", "backend"}},
    {"bins", {"core", "spatial", "io", "pose"}},
    {"backend", {"core", "spatial", "methods"}},
    {"backend/reference", {"core", "spatial", "methods", "backend"}},
    {"backend/cpu", {"core", "spatial", "methods", "backend"}},
    {"backend/cuda", {"core", "spatial", "methods", "backend"}},
    {"prepare", {"core", "spatial", "methods", "backend"}},
    {"search", {"core", "spatial", "methods", "backend", "prepare"}},
    {"judge", {"core", "spatial", "methods", "backend", "prepare", "search"}},
    {"register", {"core", "spatial", "methods", "backend", "prepare", "search", "judge"}},
    {"api",
     {"core", "spatial", "methods", "io", "backend", "backend/reference", "backend/cpu", "backend/cuda", "prepare",
      "register"}},
};

TEST(Layers, SourcesIncludeOnlyWhatIsBelowThem) {
  int seen = 0;
  for (const SourceFile& file : source_files("src")) {
    const std::string layer = layer_of(file.path.substr(4));
    ASSERT_TRUE(allowed.count(layer)) << file.path << ": a new folder needs its place in the layers";
    for (const std::string& line : file.lines) {
      const auto include = quoted_include(line);
      if (!include || include->rfind("dovetail/", 0) == 0 || include->rfind("hwy/", 0) == 0) continue;
      ++seen;
      const std::string other = layer_of(*include);
      EXPECT_FALSE(other.empty()) << file.path << " includes " << *include << ", which is not a path from src";
      EXPECT_TRUE(other == layer || allowed.at(layer).count(other)) << file.path << " includes " << *include;
    }
  }
  EXPECT_GT(seen, 100) << "the includes were not found";
}

/// The machine whose folder a path from src lies in: "cuda" of backend/cuda/loop.cuh; empty where it is no machine's.
std::string machine_of(const std::string& path) {
  const std::string layer = layer_of(path);
  return layer.rfind("backend/", 0) == 0 ? layer.substr(8) : "";
}

/// An include as a path from src, also where it climbs out of the including file's own folder.
std::string from_src(const std::string& includer, const std::string& include) {
  const std::filesystem::path folder = std::filesystem::path(includer).parent_path();
  return (include[0] == '.' ? folder / include : std::filesystem::path(include)).lexically_normal().generic_string();
}

// Read from the sources alone: a wrong entry in the table above must not make this pass.
TEST(Layers, NoMachineKnowsAnother) {
  std::map<std::string, int> own;  // includes of each machine's own headers: shows that they were found
  for (const SourceFile& file : source_files("src/backend")) {
    const std::string path = file.path.substr(4), machine = machine_of(path);
    if (machine.empty()) continue;
    for (const std::string& line : file.lines) {
      const auto include = quoted_include(line);
      if (!include) continue;
      const std::string other = machine_of(from_src(path, *include));
      if (other.empty()) continue;
      EXPECT_EQ(other, machine) << file.path << " includes " << *include;
      ++own[machine];
    }
  }
  EXPECT_GE(own.size(), 3u) << "the machines' folders were not found";
  for (const auto& [machine, includes] : own) EXPECT_GT(includes, 3) << machine;
}

TEST(Layers, MethodsAndCoreNameNoDevice) {
  for (const char* folder : {"src/core", "src/methods"}) {
    for (const SourceFile& file : source_files(folder)) {
      for (const std::string& line : file.lines) {
        for (const char* word : {"cuda_runtime", "__global__", "threadIdx", "<hwy/", "<tbb/", "cudaMalloc"}) {
          EXPECT_EQ(line.find(word), std::string::npos) << file.path << ": " << line;
        }
      }
    }
  }
}

TEST(Layers, PublicHeadersIncludeOnlyPublicHeaders) {
  for (const SourceFile& file : source_files("include")) {
    for (const std::string& line : file.lines) {
      const auto include = quoted_include(line);
      if (include) {
        EXPECT_EQ(include->rfind("dovetail/", 0), 0u) << file.path << " includes " << *include;
      }
      // dovetail/eigen.h is for those who use Eigen; nothing else brings in a third party's header.
      if (file.path.ends_with("eigen.h")) continue;
      for (const char* third : {"<Eigen", "<tbb", "<fmt", "<nlohmann", "<cuda"}) {
        EXPECT_EQ(line.find(third), std::string::npos) << file.path << ": " << line;
      }
    }
  }
}

TEST(Layers, ProgramsAndExamplesSeeOnlyPublicHeaders) {
  for (const char* folder : {"apps", "python", "examples"}) {
    for (const SourceFile& file : source_files(folder)) {
      const std::string own = file.path.substr(0, file.path.rfind('/') + 1);
      for (const std::string& line : file.lines) {
        const auto include = quoted_include(line);
        if (!include) continue;
        const bool beside = std::filesystem::exists(std::filesystem::path(DOVETAIL_SOURCE_DIR) / own / *include);
        EXPECT_TRUE(include->rfind("dovetail/", 0) == 0 || beside) << file.path << " includes " << *include;
      }
    }
  }
}

TEST(Layers, EveryIncludeIsRead) {
  EXPECT_EQ(quoted_include("#include \"core/fit.h\""), "core/fit.h");
  EXPECT_EQ(quoted_include("  # include   \"a/b.h\"  // why"), "a/b.h");
  EXPECT_FALSE(quoted_include("#include <vector>"));
  EXPECT_FALSE(quoted_include("// #include \"core/fit.h\""));
  EXPECT_FALSE(quoted_include("#define HWY_TARGET_INCLUDE \"backend/cpu/icp.cpp\""));
  EXPECT_EQ(layer_of("backend/cpu/icp.cpp"), "backend/cpu");
  EXPECT_EQ(layer_of("backend/batch.h"), "backend");
  EXPECT_EQ(layer_of("core/fit.h"), "core");
  EXPECT_EQ(machine_of("backend/cuda/loop.cuh"), "cuda");
  EXPECT_EQ(machine_of("backend/batch.h"), "");
  EXPECT_EQ(machine_of(from_src("backend/cpu/icp.cpp", "../cuda/loop.cuh")), "cuda");
  EXPECT_EQ(machine_of(from_src("backend/cpu/icp.cpp", "backend/cpu/../cuda/loop.cuh")), "cuda");
  EXPECT_EQ(machine_of(from_src("backend/cpu/icp.cpp", "../batch.h")), "");
}

}  // namespace
}  // namespace dovetail
