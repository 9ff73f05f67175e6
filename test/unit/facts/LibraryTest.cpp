//===- LibraryTest.cpp - The table against the headers of glibc -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "passes/collect/unit/Frontend.h"
#include "test/support/CollectSource.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>

using namespace clang;
using namespace nvmove;
using ::testing::Contains;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace {

/// Those that declare functions. What one does not have is left out.
constexpr const char *headers =
    "aio aliases alloca argp argz arpa/inet arpa/nameser complex ctype dirent "
    "dlfcn envz err error execinfo fcntl fenv fmtmsg fnmatch fstab fts ftw "
    "getopt glob grp gshadow iconv ifaddrs inttypes langinfo libgen libintl "
    "link locale malloc math mcheck mntent monetary mqueue net/if netdb "
    "netinet/ether netinet/in nl_types obstack poll printf proc_service "
    "pthread pty pwd re_comp regex resolv sched search semaphore setjmp sgtty "
    "shadow signal spawn stdio stdio_ext stdlib string strings syslog termios "
    "thread_db threads time ttyent uchar ucontext ulimit unistd utime utmp "
    "utmpx wchar wctype wordexp sys/acct sys/auxv sys/epoll sys/eventfd "
    "sys/fanotify sys/file sys/fsuid sys/gmon sys/inotify sys/io sys/ioctl "
    "sys/klog sys/mman sys/mount sys/msg sys/personality sys/pidfd "
    "sys/platform/x86 sys/prctl sys/procfs sys/profil sys/ptrace sys/quota "
    "sys/random sys/reboot sys/resource sys/select sys/sem sys/sendfile "
    "sys/shm sys/signalfd sys/socket sys/stat sys/statfs sys/statvfs sys/swap "
    "sys/sysinfo sys/sysmacros sys/time sys/timeb sys/timerfd sys/times "
    "sys/timex sys/types sys/uio sys/utsname sys/wait sys/xattr";

bool isWritable(QualType type) {
  return type->isAnyPointerType() && !type->getPointeeType().isConstQualified();
}

/// Hands over each function that the headers declare.
void forEachDeclared(llvm::function_ref<void(const FunctionDecl &)> use) {
  test::SourceFolder folder;
  std::string text = "#define _GNU_SOURCE\n";
  llvm::SmallVector<llvm::StringRef, 128> names;
  llvm::StringRef(headers).split(names, ' ');
  for (llvm::StringRef name : names)
    text += ("#if __has_include(<" + name + ".h>)\n#include <" + name +
             ".h>\n#endif\n")
                .str();
  CompileJob job{folder.write("t.c", text), folder.path(), {"cc"}};
  job.arguments.push_back(job.file);
  ParseOutcome outcome =
      parse(job, nullptr, [&](ASTContext &ast, const Branches &) {
        for (const Decl *d : ast.getTranslationUnitDecl()->decls())
          if (const auto *f = dyn_cast<FunctionDecl>(d);
              f && f->getIdentifier() && f->hasExternalFormalLinkage())
            use(*f);
      });
  EXPECT_TRUE(outcome.parsed) << llvm::join(outcome.messages, "\n");
}

/// What a row says of arguments that the function does not have, or has of
/// another type; "" if it says nothing of the kind.
std::string contradiction(const LibraryFunction &row, const FunctionDecl &f) {
  auto type = [&](int i) -> std::optional<QualType> {
    if (unsigned(i) >= f.getNumParams())
      return {};
    QualType t = f.getParamDecl(i)->getType();
    // bind() takes a union of pointers to all kinds of addresses.
    const RecordType *u = t->getAsUnionType();
    return u && u->getDecl()->hasAttr<TransparentUnionAttr>()
               ? u->getDecl()->field_begin()->getType()
               : t;
  };
  auto isPointer = [&](int i) {
    return type(i) && (*type(i))->isAnyPointerType();
  };
  auto isCell = [&](int i) {
    return isPointer(i) && ((*type(i))->getPointeeType()->isAnyPointerType() ||
                            (*type(i))->getPointeeType()->isVoidType());
  };
  for (const WrittenArg &w : row.written) {
    if (w.argument < 0)
      continue;
    if (!type(w.argument) || !isWritable(*type(w.argument)))
      return "it writes through argument " + std::to_string(w.argument);
    if (w.size >= 0 && !(type(w.size) && (*type(w.size))->isIntegerType()))
      return "argument " + std::to_string(w.size) + " is a size";
  }
  for (int k : {row.keeps.first, row.keeps.second})
    if (k >= 0 && !isPointer(k) && !(type(k) && (*type(k))->isRecordType()))
      return "it keeps argument " + std::to_string(k);
  if (row.flow.cell >= 0 && !isCell(row.flow.cell))
    return "it puts a pointer where argument " + std::to_string(row.flow.cell) +
           " leads";
  for (int i : {row.flow.result, row.flow.storedInCell, row.keepsMemoryIn,
                row.descriptorsBehind})
    if (i >= 0 && !isPointer(i))
      return "argument " + std::to_string(i) + " is a pointer";
  for (int i : {row.fill, row.readsDescriptor, row.lockKind})
    if (i >= 0 && !(type(i) && (*type(i))->isIntegerType()))
      return "argument " + std::to_string(i) + " is a number";
  if (row.fill != -1 && !isPointer(0))
    return "it fills what argument 0 leads to";
  using B = StreamBuffering;
  if (row.buffering.says == B::Mode || row.buffering.says == B::Buffer) {
    const int i = row.buffering.argument;
    if (row.buffering.says == B::Buffer ? !isPointer(i) : isPointer(i))
      return "argument " + std::to_string(i) + " says how it is buffered";
  }
  return "";
}

} // namespace

TEST(LibraryTest, has_a_row_for_each_function_of_glibc_that_could_write) {
  std::vector<std::string> found, missing;
  forEachDeclared([&](const FunctionDecl &f) {
    if (!isWritable(f.getReturnType()) &&
        llvm::none_of(f.parameters(), [](const ParmVarDecl *p) {
          return isWritable(p->getType());
        }))
      return;
    found.push_back(f.getName().str());
    if (!libraryEntry(f.getName()))
      missing.push_back(f.getName().str());
  });
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_THAT(found, SizeIs(Gt(1000)));
  EXPECT_THAT(found, Contains("inet_pton"));
  EXPECT_THAT(found, Contains("pthread_attr_setstack"));
}

TEST(LibraryTest, says_of_arguments_what_their_types_allow) {
  std::vector<std::string> wrong;
  forEachDeclared([&](const FunctionDecl &f) {
    if (const LibraryFunction *row = libraryEntry(f.getName()))
      if (std::string what = contradiction(*row, f); !what.empty())
        wrong.push_back(f.getName().str() + ": " + what);
  });
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(LibraryTest, finds_the_row_by_each_name_of_the_function) {
  for (const char *name : {"memset", "nvm_memset", "__builtin_memset",
                           "__memset_chk", "__builtin___memset_chk"})
    EXPECT_EQ(libraryFact(name, &LibraryFunction::fill), 1) << name;
  EXPECT_EQ(libraryFact("bzero", &LibraryFunction::fill),
            LibraryFunction::Zeros);
  EXPECT_EQ(libraryFact("memcpy", &LibraryFunction::fill), -1);
  EXPECT_EQ(libraryFact("my_memset", &LibraryFunction::fill), -1);
  for (const char *name :
       {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"})
    EXPECT_TRUE(hasTrait(name, LibraryFunction::SetJump)) << name;
  EXPECT_TRUE(
      hasTrait("__builtin_alloca_with_align", LibraryFunction::OnStack));
  EXPECT_TRUE(hasTrait("fexecve", LibraryFunction::Executes));
  EXPECT_FALSE(hasTrait("execute_all", LibraryFunction::Executes));
}
