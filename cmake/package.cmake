# cpack: a package for Debian 12 and what derives from it. scripts/package builds with the preset meant for it; of any other
# build cpack packs what that has.
install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dovetail)
find_program(GZIP gzip)
if(GZIP)
  execute_process(COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md OUTPUT_FILE ${PROJECT_BINARY_DIR}/changelog.gz)
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/dovetail)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dovetail)
set(CPACK_PACKAGE_VENDOR "The Dovetail authors")
set(CPACK_PACKAGE_CONTACT "The Dovetail authors <maintainers@dovetail.invalid>" CACHE STRING "Maintainer of a package that cpack makes")
set(CPACK_PACKAGE_DESCRIPTION "The command line program, the C++ libraries with their headers and CMake files, and the Python module.
Every result says how likely it is to be right and why; an NVIDIA GPU is used where there is one, with the same answer.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src ${PROJECT_BINARY_DIR}/src/bins
  ${PROJECT_BINARY_DIR}/src/pose ${PROJECT_BINARY_DIR}/src/scanner)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ${BUILD_SHARED_LIBS})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, libeigen3-dev, libcuda1")
if(NOT BUILD_SHARED_LIBS)
  # What find_package(dovetail) looks for then.
  set(recommended libtbb-dev libhwy-dev libpng-dev pkg-config)
  if(DOVETAIL_WITH_BULLET)
    list(APPEND recommended libbullet-dev)
  endif()
  if(embree_FOUND)
    list(APPEND recommended libembree-dev)
  endif()
  if(DOVETAIL_WITH_GDAL)
    list(APPEND recommended libgdal-dev)
  endif()
  string(REPLACE ";" ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS "${recommended}")
endif()
if(DOVETAIL_WITH_PYTHON AND DOVETAIL_PYTHON_INSTALL_DIR)
  # A compiled module is of one version of Python.
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${next_minor}~), python3-numpy")
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/packaging/debian/postinst ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
endif()
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
