// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <functional>
#include <locale>

#include "dovetail/error.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Files, SayWhyTheyCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_points(folder / "missing.ply"), FileError);
  EXPECT_TRUE(
      holds(message_of([&] { read_points(folder / "missing.ply"); }), "missing.ply: cannot be opened: No such file"));
  EXPECT_TRUE(holds(message_of([&] { read_points(folder / ""); }), "is a folder"));
  put_bytes(folder / "empty.ply", "");
  EXPECT_TRUE(holds(message_of([&] { read_points(folder / "empty.ply"); }), "empty.ply: byte 0: the file is empty"));
  put_bytes(folder / "image", std::string("\x89PNG\r\n\x1a\n\0\0", 10));
  EXPECT_TRUE(holds(message_of([&] { read_points(folder / "image"); }), "neither its content nor its name"));
  put_bytes(folder / "secret.xyz", "1 2 3\n");
  ::chmod((folder / "secret.xyz").c_str(), 0);
  if (::geteuid() != 0) {  // root reads everything
    EXPECT_TRUE(holds(message_of([&] { read_points(folder / "secret.xyz"); }), "Permission denied"));
  }
}

TEST(Files, AreToldByContentFirst) {
  const PointCloud cloud = without_invalid(without_size(without_attributes(sample_cloud(Precision::float32))));
  for (const std::string ending : {"ply", "pcd", "npy", "las", "off", "stl", "obj", "csv", "xyz"}) {
    const std::string bytes = written("a." + ending, cloud);
    EXPECT_GE(parse("no_ending", bytes).size(), 5u) << ending;
    const bool signature = ending != "obj" && ending != "csv" && ending != "xyz";
    EXPECT_GE(parse(signature ? "wrong.xyz" : "wrong.dat", bytes).size(), 5u) << ending;
  }
}

TEST(Files, AreReadFromPipes) {
  const TemporaryFolder folder;
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "1 2 3\n";
  const pid_t child = ::fork();
  if (child == 0) {
    FILE* out = std::fopen(pipe.c_str(), "w");
    const bool good = out && std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fclose(out) == 0;
    ::_exit(good ? 0 : 1);
  }
  EXPECT_EQ(read_points(pipe).size(), 50000u);
}

TEST(Files, ListTheFormats) {
  const std::string text = supported_formats();
  for (const char* part : {"PLY (.ply)", "PCD (.pcd)", "XYZ (.xyz .txt", "OBJ (.obj)", "STL (.stl)", "OFF (.off",
                           "NPY (.npy)", "LAS (.las)", "CSV (.csv)"}) {
    EXPECT_TRUE(holds(text, part)) << text;
  }
}

TEST(Files, RefuseWrongRequests) {
  const TemporaryFolder folder;
  const PointCloud cloud = sample_cloud(Precision::float32);
  EXPECT_THROW(write_points(folder / "a.doc", cloud), InvalidArgument);
  EXPECT_THROW(write_points(folder / "a", cloud), InvalidArgument);
  EXPECT_TRUE(holds(message_of([&] { write_points(folder / "a.xyz", cloud, {.encoding = Encoding::binary}); }),
                    "XYZ has no encoding binary, only ascii"));
  EXPECT_THROW(write_points(folder / "a.pcd", cloud, {.encoding = Encoding::binary_big_endian}), InvalidArgument);
  EXPECT_THROW(write_points(folder / "a.ply", cloud, {.encoding = Encoding::binary_compressed}), InvalidArgument);
  EXPECT_THROW(write_points(folder / "a.npy", cloud, {.encoding = Encoding::ascii}), InvalidArgument);

  const auto refused = [&](const std::function<void(PointCloud&)>& spoil, const std::string& part) {
    PointCloud spoilt = cloud;
    spoil(spoilt);
    const std::string message = message_of([&] { write_points(folder / "a.ply", spoilt); });
    EXPECT_TRUE(holds(message, part)) << message;
  };
  refused([](PointCloud& c) { c = PointCloud{}; }, "cloud.positions is empty");
  refused([](PointCloud& c) { c.normals.pop_back(); }, "cloud.normals has 11 entries for 12 points");
  refused([](PointCloud& c) { c.colors.pop_back(); }, "cloud.colors has 11 entries");
  refused([](PointCloud& c) { c.attributes[0].components = 2; }, "attribute 'small' has 12 values");
  refused([](PointCloud& c) { c.attributes[0].components = 0; }, "attribute 'small' has 0 components");
  refused([](PointCloud& c) { c.width = 5; }, "cloud is 5 × 3");
  refused([](PointCloud& c) { c.dimension = 4; }, "cloud.dimension is 4");
  refused([](PointCloud& c) { c.faces.add({0, 1, 12}); }, "cloud.faces names point 12");
  refused([](PointCloud& c) { c.faces.start = {0, 99}; }, "cloud.faces.start");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Files, AppearWholeOrNotAtAll) {
  const TemporaryFolder folder;
  put_bytes(folder / "old.ply", "what was there before");
  PointCloud large;
  large.positions.resize(300000);
  // A limit on the size of files fails like a full disk, half way through.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 3000000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of([&] { write_points(folder / "old.ply", large); });
  const std::string new_message = message_of([&] { write_points(folder / "new.pcd", large); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_TRUE(holds(message, "old.ply: cannot be written: File too large")) << message;
  EXPECT_TRUE(holds(new_message, "new.pcd: cannot be written: File too large")) << new_message;
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_EQ(bytes_of(folder / "old.ply"), "what was there before");
  write_points(folder / "old.ply", large);
  EXPECT_EQ(read_points(folder / "old.ply").size(), 300000u);
}

TEST(Files, SayWhyTheyCannotBeWritten) {
  const TemporaryFolder folder;
  const PointCloud cloud = sample_cloud(Precision::float32);
  EXPECT_THROW(write_points(folder / "no_such_folder/a.ply", cloud), FileError);
  std::filesystem::create_directory(folder / "folder.ply");
  EXPECT_TRUE(holds(message_of([&] { write_points(folder / "folder.ply", cloud); }), "folder.ply: is a folder"));
  if (std::filesystem::exists("/dev/full")) {
    std::filesystem::create_symlink("/dev/full", folder / "full.ply");
    const std::string message = message_of([&] { write_points(folder / "full.ply", cloud); });
    EXPECT_TRUE(holds(message, "full.ply: cannot be written: No space left on device")) << message;
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  }
  if (::geteuid() != 0) {  // root writes anywhere
    std::filesystem::create_directory(folder / "locked");
    std::filesystem::permissions(folder / "locked",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_TRUE(holds(message_of([&] { write_points(folder / "locked/a.ply", cloud); }), "Permission denied"));
    std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_all);
  }
}

TEST(Files, FollowLinksAndKeepPermissions) {
  const TemporaryFolder folder;
  put_bytes(folder / "real.ply", "old");
  ::chmod((folder / "real.ply").c_str(), 0640);
  std::filesystem::create_symlink(folder / "real.ply", folder / "link.ply");
  write_points(folder / "link.ply", sample_cloud(Precision::float32));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.ply"));
  EXPECT_EQ(read_points(folder / "real.ply").size(), 12u);
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(folder / "real.ply").permissions()), 0640u);
}

/// Decimal commas and grouping, as much of the world writes numbers.
struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Files, DoNotDependOnTheLocale) {
  const PointCloud cloud = sample_cloud(Precision::float64);
  const std::string plain = written("a.ply", cloud, Encoding::ascii);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {  // where one is installed
    if (std::setlocale(LC_ALL, name)) break;
  }
  const std::string here = written("a.ply", cloud, Encoding::ascii);
  const PointCloud read = parse("a.ply", plain);
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  EXPECT_EQ(here, plain);
  expect_same(with_wide_integers_as_double(with_spread_attributes(cloud)), read);
}

}  // namespace
}  // namespace dovetail::test
