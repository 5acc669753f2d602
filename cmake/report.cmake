# Decides whether browser reports can be written: sets DOVETAIL_WITH_REPORT, and DOVETAIL_REPORT_PAGE to the page that a
# rule makes from report/ with Node.js. What report/package-lock.json names must be in report/node_modules by then: `npm ci`
# puts it there, which scripts/build does.
set(DOVETAIL_WITH_REPORT OFF)
set(DOVETAIL_REPORT_MISSING "DOVETAIL_REPORT=OFF")
if(NOT DOVETAIL_REPORT STREQUAL "OFF")
  find_program(NODE node)
  set(vite ${PROJECT_SOURCE_DIR}/report/node_modules/vite/bin/vite.js)
  if(NOT NODE)
    set(DOVETAIL_REPORT_MISSING "no Node.js found")
  elseif(NOT EXISTS ${vite})
    set(DOVETAIL_REPORT_MISSING "no report/node_modules; run scripts/build, or npm ci in report/")
  else()
    execute_process(COMMAND ${NODE} --version OUTPUT_VARIABLE NODE_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^v" "" NODE_VERSION "${NODE_VERSION}")
    if(NODE_VERSION VERSION_LESS 20.19)
      set(DOVETAIL_REPORT_MISSING "Node.js ${NODE_VERSION} is older than 20.19")
    else()
      set(DOVETAIL_WITH_REPORT ON)
    endif()
  endif()
  if(DOVETAIL_REPORT STREQUAL "ON" AND NOT DOVETAIL_WITH_REPORT)
    message(FATAL_ERROR "DOVETAIL_REPORT=ON, but ${DOVETAIL_REPORT_MISSING}")
  endif()
endif()
if(DOVETAIL_WITH_REPORT)
  set(DOVETAIL_REPORT_PAGE ${PROJECT_BINARY_DIR}/report/report.html)
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/src/*)
  add_custom_command(OUTPUT ${DOVETAIL_REPORT_PAGE}
    COMMAND ${NODE} node_modules/typescript/bin/tsc --noEmit
    COMMAND ${NODE} node_modules/vite/bin/vite.js build --logLevel warn --outDir ${PROJECT_BINARY_DIR}/report --emptyOutDir
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/report
    DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/report/index.html ${PROJECT_SOURCE_DIR}/report/vite.config.ts
      ${PROJECT_SOURCE_DIR}/report/single_file.ts ${PROJECT_SOURCE_DIR}/report/tsconfig.json
      ${PROJECT_SOURCE_DIR}/report/package-lock.json
    COMMENT "Building the page of browser reports" VERBATIM)
  add_custom_target(dovetail_report_page DEPENDS ${DOVETAIL_REPORT_PAGE})
endif()
