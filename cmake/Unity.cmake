# -DNVMOVE_UNITY=ON: the sources of one folder are compiled together, at most
# sixteen at a time, so that the headers of LLVM and Clang are read once for
# them. A whole build takes a third of the time, and an edit of one source
# compiles its folder: for scripts/demo and scripts/test, not for development.
option(NVMOVE_UNITY "Compile the C++ sources of each folder together" OFF)

# nvmove_unite(target): after all its sources are known.
function(nvmove_unite target)
  if(NOT NVMOVE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" id)
    if(NOT DEFINED ${id})
      set(${id} 0)
    endif()
    math(EXPR group "${${id}} / 16")
    math(EXPR ${id} "${${id}} + 1")
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} "${folder}")
    string(MAKE_C_IDENTIFIER "${name}_${group}" name)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP "${name}")
  endforeach()
endfunction()
