include(CMakeDependentOption)

option(DOVETAIL_APPS "Build the command line program" ${PROJECT_IS_TOP_LEVEL})
option(DOVETAIL_TESTS "Build the tests and examples" ${PROJECT_IS_TOP_LEVEL})
option(DOVETAIL_BENCH "Build the benchmarks" OFF)
option(DOVETAIL_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(DOVETAIL_COVERAGE "Instrument for line coverage (gcov)" OFF)
set(DOVETAIL_CUDA "AUTO" CACHE STRING "CUDA backend: AUTO (when nvcc is found), ON (required), OFF")
set_property(CACHE DOVETAIL_CUDA PROPERTY STRINGS AUTO ON OFF)
set(DOVETAIL_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
