# LLVM and Clang 19 as Debian packages them. Only the two shared libraries are
# linked: adding a static Clang component would put a second copy into the binary.
find_package(Clang 19.1 REQUIRED CONFIG
  HINTS /usr/lib/llvm-19/lib/cmake/clang)
find_program(NVMOVE_CLANG NAMES clang-19 HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
execute_process(COMMAND ${NVMOVE_CLANG} -print-resource-dir
  OUTPUT_VARIABLE NVMOVE_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
