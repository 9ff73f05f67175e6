# What `cpack` makes of a build: nvmove_*.deb (the command), libnvmove-dev_*.deb
# (the runtime that patched programs link, and nvm-pool, which knows its pools)
# and, as a tarball, the runtime alone. scripts/package runs it.
set(CPACK_PACKAGE_NAME nvmove)
set(CPACK_PACKAGE_VENDOR nvmove)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime)
if(NVMOVE_BUILD_TOOL)
  list(APPEND CPACK_COMPONENTS_ALL tool)
endif()
if(TARGET nvmove_fabric)
  list(APPEND CPACK_COMPONENTS_ALL replica)
endif()
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageGenerators.cmake)
set(CPACK_NVMOVE_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_NVMOVE_STRIP ${CMAKE_STRIP})
set(CPACK_NVMOVE_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "nvmove developers <nvmove@example.org>")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# The command reads C with Clang's own headers (NVMOVE_RESOURCE_DIR), and what it
# writes is for patch.
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME nvmove)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libclang-common-19-dev, patch")
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS
  "libnvmove-dev (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), gcc | c-compiler, libc6-dev | libc-dev")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "moves C programs to persistent memory
Told which function loads a program's saved state, nvmove finds out what in
memory has to survive a crash, and writes the patches. The patched program,
built with the runtime in libnvmove-dev, can be killed at any instant; started
again, it goes on where the last acknowledged operation left it.

Analyses whole programs with LLVM and Clang, explains each verdict, and checks
later edits of the patched sources.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libnvmove-dev)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libpmemobj-dev, libc6-dev | libc-dev, pkg-config")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "gcc | c-compiler")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "nvmove, nvmove-replica")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "runtime of C programs moved to persistent memory
What a program that nvmove has patched is built with: a static library that
keeps the program's state in a pool, a file in persistent memory or on a disk,
and makes every commit whole or absent after a crash.

Comes with headers, files for pkg-config and CMake, nvmove-cc, which compiles
and links with the runtime, and nvm-pool, which looks at pools.")

# Loaded by programs that have a replica; both sides are of one version.
set(CPACK_DEBIAN_REPLICA_PACKAGE_NAME nvmove-replica)
set(CPACK_DEBIAN_REPLICA_PACKAGE_SECTION database)
set(CPACK_COMPONENT_REPLICA_DESCRIPTION "keeps a pool of nvmove on another machine
A program whose state nvmove has moved to persistent memory sends each
commit to nvm-replica, which owns a second pool. When the first machine is
gone the program starts on that one, and has all that was acknowledged.

Comes with the module by which such programs reach a replica, through
libfabric.")

include(CPack)
