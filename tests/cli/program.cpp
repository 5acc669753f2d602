// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

namespace dovetail::test {
namespace {

/// Whether a process has a handler of its own for Ctrl-C.
bool listens(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("SigCgt:")) continue;
    return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  }
  return false;
}

void redirect(const std::string& file, int descriptor) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(126);
}

}  // namespace

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "dovetail_cli_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Outcome run_program(const Folder& folder, const std::vector<std::string>& arguments, bool interrupt) {
  const Folder streams;
  std::vector<std::string> words = {DOVETAIL_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = streams / "out", err = streams / "err", where = folder.path().string();
  const pid_t process = ::fork();
  if (process == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    if (::chdir(where.c_str()) != 0) ::_exit(126);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  int status = 0;
  if (interrupt) {
    while (!listens(process) && ::waitpid(process, &status, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(process, SIGINT);
  }
  ::waitpid(process, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out), read_text(err)};
}

void expect_refusal(const Outcome& done, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(done.exit_code, code) << done.err;
  EXPECT_EQ(done.out, "");
  for (const std::string& part : parts) EXPECT_NE(done.err.find(part), std::string::npos) << part << "\n" << done.err;
}

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const std::string& file, std::string_view text) { std::ofstream(file, std::ios::binary) << text; }

}  // namespace dovetail::test
