# fmt is compiled once, with the library (src/core/fmt.cpp), and not again in every file that formats a text: that took half
# of the time such a file needs. A namespace of its own keeps it apart from the fmt that a user's program may link.
find_package(fmt 9 REQUIRED)
add_library(dovetail_fmt INTERFACE)
if(fmt_VERSION VERSION_LESS 10)
  set(DOVETAIL_COMPILES_FMT ON)
  target_include_directories(dovetail_fmt SYSTEM INTERFACE
    $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(dovetail_fmt INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace of_dovetail {>"
    "$<$<COMPILE_LANGUAGE:CXX>:FMT_END_NAMESPACE=} }>")
else()
  # What has to be compiled differs from version to version: others stay headers.
  set(DOVETAIL_COMPILES_FMT OFF)
  target_link_libraries(dovetail_fmt INTERFACE fmt::fmt-header-only)
endif()
