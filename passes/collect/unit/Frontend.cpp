//===- Frontend.cpp - Runs Clang over one file ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Frontend.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

using namespace clang;
using namespace nvmove;
namespace options = clang::driver::options;

namespace {

/// Errors in full, and what a missing declaration leads to.
class Messages : public DiagnosticConsumer {
public:
  std::vector<std::string> errors, implicitFunctions;

  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    bool implicit = info.getID() == diag::ext_implicit_function_decl_c99 ||
                    info.getID() == diag::warn_implicit_function_decl;
    if (level < DiagnosticsEngine::Error && !implicit)
      return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    std::string where;
    if (info.getLocation().isValid() && info.hasSourceManager()) {
      PresumedLoc at =
          info.getSourceManager().getPresumedLoc(info.getLocation());
      if (at.isValid())
        where = std::string(at.getFilename()) + ":" +
                std::to_string(at.getLine()) + ":" +
                std::to_string(at.getColumn()) + ": ";
    }
    (level < DiagnosticsEngine::Error ? implicitFunctions : errors)
        .push_back(where + "error: " + text.str().str());
  }
};

class MissingHeaders : public PPCallbacks {
public:
  explicit MissingHeaders(std::vector<std::string> &names) : names_(names) {}
  bool FileNotFound(llvm::StringRef name) override {
    if (!llvm::is_contained(names_, name))
      names_.push_back(name.str());
    return true; // go on as if the header were empty
  }

private:
  std::vector<std::string> &names_;
};

class Action : public ASTFrontendAction {
public:
  Action(llvm::function_ref<void(ASTContext &, const Branches &)> use,
         ParseOutcome &outcome)
      : use_(use), outcome_(outcome) {}

protected:
  bool BeginInvocation(CompilerInstance &ci) override {
    ci.getFrontendOpts().SkipFunctionBodies =
        true; // where the consumer says so
    ci.getFrontendOpts().DisableFree = false;
    return true;
  }
  bool BeginSourceFileAction(CompilerInstance &ci) override {
    ci.getPreprocessor().addPPCallbacks(
        noteMissingHeaders(outcome_.missingHeaders));
    branches_.watch(ci.getPreprocessor());
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci,
                                                 llvm::StringRef) override {
    class Consumer : public ASTConsumer {
    public:
      Consumer(Action &action, CompilerInstance &ci)
          : action_(action), ci_(ci) {}
      bool shouldSkipFunctionBody(Decl *d) override {
        const SourceManager &sm = ci_.getSourceManager();
        SourceLocation at = sm.getExpansionLoc(d->getLocation());
        return sm.isInSystemHeader(at) ||
               sm.getFilename(at).ends_with("nvmove/nvm.h");
      }
      void HandleTranslationUnit(ASTContext &ast) override {
        if (ci_.getDiagnostics().hasErrorOccurred())
          return;
        action_.finish(
            ast, static_cast<Messages *>(ci_.getDiagnostics().getClient()));
      }

    private:
      Action &action_;
      CompilerInstance &ci_;
    };
    return std::make_unique<Consumer>(*this, ci);
  }

private:
  void finish(ASTContext &ast, const Messages *messages) {
    // What an undeclared function returns and takes was in the header that is
    // missing: facts from such a guess would be wrong.
    if (!outcome_.missingHeaders.empty() &&
        !messages->implicitFunctions.empty())
      return;
    outcome_.parsed = true;
    use_(ast, branches_);
  }
  llvm::function_ref<void(ASTContext &, const Branches &)> use_;
  Branches branches_;
  ParseOutcome &outcome_;
};

/// -Wp,-MMD,x.d writes a file, like -MMD.
bool isDependencyOutput(const llvm::opt::Arg &arg) {
  return arg.getOption().matches(options::OPT_Wp_COMMA) &&
         llvm::any_of(arg.getValues(), [](llvm::StringRef value) {
           return value.starts_with("-M");
         });
}

bool mattersForParsing(const llvm::opt::Arg &arg) {
  const llvm::opt::Option &o = arg.getOption();
  if (o.getKind() == llvm::opt::Option::InputClass ||
      o.getKind() == llvm::opt::Option::UnknownClass || isDependencyOutput(arg))
    return false;
  for (unsigned group :
       {options::OPT_W_Group, options::OPT_pedantic_Group, options::OPT_M_Group,
        options::OPT_Link_Group, options::OPT_g_Group,
        options::OPT_clang_ignored_f_Group, options::OPT_clang_ignored_m_Group,
        options::OPT_clang_ignored_gcc_optimization_f_Group})
    if (o.matches(group))
      return false;
  for (unsigned id : {options::OPT_o,
                      options::OPT_c,
                      options::OPT_S,
                      options::OPT_E,
                      options::OPT_fsyntax_only,
                      options::OPT_emit_llvm,
                      options::OPT_v,
                      options::OPT__HASH_HASH_HASH,
                      options::OPT_save_temps,
                      options::OPT_save_temps_EQ,
                      options::OPT_pipe,
                      options::OPT_shared,
                      options::OPT_static,
                      options::OPT_rdynamic,
                      options::OPT_flto,
                      options::OPT_flto_EQ,
                      options::OPT_fplugin_EQ,
                      options::OPT_Xclang,
                      options::OPT_time,
                      options::OPT_ftime_report,
                      options::OPT_w,
                      options::OPT_resource_dir,
                      options::OPT_resource_dir_EQ,
                      options::OPT_include_pch,
                      options::OPT_T,
                      options::OPT_u})
    if (o.matches(id))
      return false;
  return true;
}

llvm::opt::InputArgList parsed(llvm::ArrayRef<std::string> flags,
                               unsigned &missingIndex, unsigned &missingCount) {
  llvm::SmallVector<const char *, 32> given;
  for (const std::string &flag : flags)
    given.push_back(flag.c_str());
  return clang::driver::getDriverOptTable().ParseArgs(
      given, missingIndex, missingCount,
      llvm::opt::Visibility(options::ClangOption));
}

} // namespace

std::vector<std::string>
nvmove::unknownFlags(const std::vector<std::string> &flags) {
  std::vector<std::string> result;
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList list = parsed(flags, missingIndex, missingCount);
  for (const llvm::opt::Arg *arg : list) {
    std::string text = arg->getAsString(list), near;
    if (arg->getOption().getKind() == llvm::opt::Option::InputClass)
      result.push_back("not a flag: '" + text +
                       "', ignored; files come before --");
    if (arg->getOption().getKind() != llvm::opt::Option::UnknownClass)
      continue;
    bool isNear =
        clang::driver::getDriverOptTable().findNearest(
            text, near, llvm::opt::Visibility(options::ClangOption)) <= 1;
    result.push_back("unknown argument: '" + text + "', ignored" +
                     (isNear ? "; did you mean '" + near + "'?" : ""));
  }
  if (missingCount)
    result.push_back("argument to '" + flags[missingIndex] + "' is missing");
  return result;
}

std::vector<std::string> nvmove::parsingArguments(const CompileJob &job) {
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList list = parsed(
      llvm::ArrayRef(job.arguments).drop_front(), missingIndex, missingCount);
  std::vector<std::string> result{"clang", "-fsyntax-only", "-resource-dir",
                                  NVMOVE_RESOURCE_DIR};
  for (const llvm::opt::Arg *arg : list) {
    if (!mattersForParsing(*arg))
      continue;
    llvm::opt::ArgStringList rendered;
    arg->render(list, rendered);
    result.insert(result.end(), rendered.begin(), rendered.end());
  }
  if (!job.runtimeHeaders.empty())
    result.insert(result.end(), {"-idirafter", job.runtimeHeaders});
  // Warnings cost time and say nothing about facts, with one exception.
  result.insert(result.end(),
                {"-Wno-everything", "-Wimplicit-function-declaration",
                 "-Wno-error=implicit-function-declaration",
                 "-Qunused-arguments", "-fno-caret-diagnostics",
                 "-ferror-limit=20", job.file});
  return result;
}

std::unique_ptr<PPCallbacks>
nvmove::noteMissingHeaders(std::vector<std::string> &names) {
  return std::make_unique<MissingHeaders>(names);
}

llvm::ErrorOr<bool>
nvmove::runClang(const CompileJob &job,
                 llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                 std::unique_ptr<FrontendAction> action,
                 DiagnosticConsumer &messages) {
  // A file system of its own: its working directory is not the process's, so
  // jobs in several directories can run at once.
  if (!files)
    files = llvm::vfs::createPhysicalFileSystem();
  if (std::error_code error = files->setCurrentWorkingDirectory(job.directory))
    return error;
  auto manager = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(),
                                                        std::move(files));
  tooling::ToolInvocation invocation(parsingArguments(job), std::move(action),
                                     manager.get());
  invocation.setDiagnosticConsumer(&messages);
  return invocation.run();
}

ParseOutcome
nvmove::parse(const CompileJob &job,
              llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
              llvm::function_ref<void(ASTContext &, const Branches &)> use) {
  ParseOutcome outcome;
  Messages messages;
  auto ok = runClang(job, std::move(files),
                     std::make_unique<Action>(use, outcome), messages);
  if (!ok) {
    outcome.messages.push_back(job.directory +
                               ": error: " + ok.getError().message());
    return outcome;
  }
  outcome.messages = std::move(messages.errors);
  if (!outcome.parsed && outcome.messages.empty())
    outcome.messages = std::move(messages.implicitFunctions);
  if (!outcome.parsed && outcome.messages.empty() && !*ok)
    outcome.messages.push_back(
        job.file + ": error: the compiler did not accept the command");
  return outcome;
}
