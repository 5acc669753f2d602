# Installs Dovetail into a fresh folder, builds a program against it and runs that.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${BUILD})
run(${CMAKE_COMMAND} --install ${DOVETAIL_BUILD} --prefix ${BUILD}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${BUILD}/build -G Ninja -DCMAKE_PREFIX_PATH=${BUILD}/prefix
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${BUILD}/build)
run(${BUILD}/build/consumer)
run(${BUILD}/prefix/bin/dovetail info)
