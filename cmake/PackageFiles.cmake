# Run by cpack between installing and packing (CPACK_PRE_BUILD_SCRIPTS): what a
# package has besides the files that are installed. They lie in
# CPACK_TEMPORARY_DIRECTORY, one folder for each component.
set(ENV{LC_ALL} C)
set(source ${CPACK_NVMOVE_SOURCE_DIR})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB_RECURSE archives ${CPACK_TEMPORARY_DIRECTORY}/*.a)
run(${CPACK_NVMOVE_STRIP} --strip-debug --remove-section=.comment --remove-section=.note
  --enable-deterministic-archives ${archives})

if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

# CHANGELOG.md is the program's own; Debian's names its versions, and points there.
file(STRINGS ${source}/CHANGELOG.md versions REGEX "^## \\[[0-9.]+\\] - [0-9-]+$" )
set(entries "")
foreach(version IN LISTS versions)
  string(REGEX MATCH "^## .([0-9.]+). - ([0-9-]+)$" found "${version}")
  set(number ${CMAKE_MATCH_1})
  execute_process(COMMAND date -u -R -d ${CMAKE_MATCH_2} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND entries "nvmove (${number}-${CPACK_DEBIAN_PACKAGE_RELEASE}) stable; urgency=medium

  * Version ${number}, as changelog.gz beside this file tells.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}

")
endforeach()
if(NOT entries MATCHES "^nvmove .${CPACK_PACKAGE_VERSION}-")
  message(FATAL_ERROR "CHANGELOG.md does not begin with a dated entry for ${CPACK_PACKAGE_VERSION}")
endif()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(doc ${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(REMOVE_RECURSE ${root}/share/doc)
  configure_file(${source}/cmake/copyright ${doc}/copyright COPYONLY)
  configure_file(${source}/CHANGELOG.md ${doc}/changelog COPYONLY)
  file(WRITE ${doc}/changelog.Debian "${entries}")
  file(GLOB_RECURSE pages ${root}/share/man/*.[1-9])
  run(gzip -9nf ${pages} ${doc}/changelog ${doc}/changelog.Debian)
  file(CHMOD_RECURSE ${doc} FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
    DIRECTORY_PERMISSIONS ${CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
  file(GLOB programs ${root}/bin/*)
  foreach(program ${programs})
    file(READ ${program} magic LIMIT 4 HEX)
    if(magic STREQUAL "7f454c46")
      run(${CPACK_NVMOVE_STRIP} --remove-section=.comment --remove-section=.note ${program})
    endif()
  endforeach()
endforeach()
