# cmake --install, and find_package(dovetail) afterwards.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(libraries dovetail dovetail_bins dovetail_pose dovetail_scanner)
# With BUILD_SHARED_LIBS=ON: minor versions may differ in anything, so that the name of a library has both numbers.
set_target_properties(${libraries} PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS ${libraries} EXPORT dovetail_targets
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
  if(TARGET dovetail_manual)  # where all was built, not only a target or two
    set(zsh_folder site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
      set(zsh_folder vendor-completions)  # where Debian has those of packages
    endif()
    install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
    install(FILES ${PROJECT_BINARY_DIR}/manual/dovetail.bash RENAME dovetail
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
    install(FILES ${PROJECT_BINARY_DIR}/manual/_dovetail DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder} OPTIONAL)
  endif()
endif()
