// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace dovetail::test {

/// One file of the project and its lines.
struct SourceFile {
  std::string path;  ///< from the project's root, with slashes
  std::vector<std::string> lines;

  bool under(const std::string& folder) const { return path.rfind(folder + "/", 0) == 0; }
};

/// Every C++ and CUDA file under a folder of the project, sorted; empty where the folder is not there.
inline std::vector<SourceFile> source_files(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path root = DOVETAIL_SOURCE_DIR;
  std::vector<SourceFile> files;
  if (!fs::exists(root / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string ending = entry.path().extension().string();
    const std::vector<std::string> endings = {".h", ".cpp", ".cu", ".cuh", ".inl"};
    if (!entry.is_regular_file() || std::find(endings.begin(), endings.end(), ending) == endings.end()) continue;
    SourceFile file{fs::relative(entry.path(), root).generic_string(), {}};
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) file.lines.push_back(line);
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace dovetail::test
