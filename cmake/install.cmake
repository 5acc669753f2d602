# cmake --install, and find_package(dovetail) afterwards.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS dovetail dovetail_bins dovetail_pose dovetail_scanner EXPORT dovetail_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dovetail DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT dovetail_targets NAMESPACE dovetail:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dovetail)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/dovetail-config.cmake.in
  ${PROJECT_BINARY_DIR}/dovetail-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dovetail)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dovetail-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dovetail-config.cmake ${PROJECT_BINARY_DIR}/dovetail-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dovetail)
if(DOVETAIL_APPS)
  install(TARGETS dovetail_program DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
