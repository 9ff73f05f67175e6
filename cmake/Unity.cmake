# -DNVMOVE_UNITY=ON: up to sixteen sources are compiled together, so that the
# headers of LLVM and Clang are read once for them: those of a folder, and of the
# next folders where there is room. A whole build takes a third of the time, and
# an edit of one source compiles fifteen others: for scripts/demo and
# scripts/test, not for development.
option(NVMOVE_UNITY "Compile the C++ sources of each library together, in groups" OFF)

# nvmove_unite(target): after all its sources are known.
function(nvmove_unite target)
  if(NOT NVMOVE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(count 0)
  foreach(source ${sources})
    math(EXPR group "${count} / 16")
    math(EXPR count "${count} + 1")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP "${target}_${group}")
  endforeach()
endfunction()
