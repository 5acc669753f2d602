set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Built programs find libtbb and libhwy beside themselves, so a built folder runs on a machine with little installed.
set(CMAKE_BUILD_RPATH "\$ORIGIN")
set(CMAKE_INSTALL_RPATH "\$ORIGIN;\$ORIGIN/../lib")

# Only programs that read vector data load GDAL, and with it a hundred libraries.
add_link_options("LINKER:--as-needed")

find_program(CCACHE ccache)
if(CCACHE)
  # Without these words ccache keeps nothing that is compiled with a precompiled header, least of all with a new one.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()

# How every target of this project is compiled; what users of the library compile stays theirs.
add_library(dovetail_build_flags INTERFACE)
target_compile_options(dovetail_build_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Werror>
  # One meaning for every expression: no fusing of a*b+c behind the code's back, so results do not depend on inlining.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# Highway compiles the CPU's kernels for AVX-512, AVX2, SSE4 and plain C++. SSSE3 without SSE4 ends with processors of 2010;
# fuzzing, with its sanitizers slow to compile, does with one vector set.
set(left_out HWY_SSSE3)
if(DOVETAIL_FUZZ)
  set(left_out "(HWY_SSSE3|HWY_SSE4|HWY_AVX3)")
endif()
target_compile_definitions(dovetail_build_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:HWY_DISABLED_TARGETS=${left_out}>)

# Fit for a debugger, and yet fast enough for every test.
target_compile_options(dovetail_build_flags INTERFACE $<$<AND:$<CONFIG:Debug>,$<COMPILE_LANGUAGE:CXX>>:-Og>)

if(DOVETAIL_SANITIZE)
  target_compile_options(dovetail_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${DOVETAIL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g>)
  add_link_options(-fsanitize=${DOVETAIL_SANITIZE})
endif()
if(DOVETAIL_COVERAGE)
  target_compile_options(dovetail_build_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--coverage -fprofile-update=atomic -O1 -g>)
  add_link_options(--coverage)
endif()
