//===- BuildLog.cpp - What the commands of a build make -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/BuildLog.h"
#include "tool/files/Paths.h"
#include "tool/input/ShellLine.h"
#include "tool/input/ShellRun.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace llvm;
namespace path = llvm::sys::path;
namespace options = clang::driver::options;

namespace nvmove {

namespace {

using Words = std::vector<std::string>;

std::string absolute(StringRef name, StringRef directory) {
  SmallString<256> result(name);
  sys::fs::make_absolute(directory, result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

/// Also cross compilers, those with a version, and linkers.
bool isCompiler(StringRef word) {
  static const Regex names(
      "^(.*-)?(cc|gcc|clang|c[0-9]+|icc|icx|tcc|pcc|[gc]\\+"
      "\\+|clang\\+\\+|ld)(-[0-9.]+)?$");
  return names.match(path::filename(word));
}

/// A file that the build makes, and from what.
struct Made {
  std::vector<std::string> inputs; ///< absolute
  std::vector<size_t> compiled;
  bool isProgram = false;
  bool takesWhole = false; ///< -Wl,--whole-archive
};

class LogReader {
public:
  explicit LogReader(StringRef directory) : folders{directory.str()} {}

  BuildLog read(StringRef text) {
    while (!text.empty())
      takeLine(logicalLine(text));
    // What a library is made of may come after a program that wants it.
    for (const std::string &output : order)
      if (made[output].isProgram)
        result.programs.push_back(programOf(output));
    return std::move(result);
  }

private:
  /// One line, with those that a backslash at the end joins to it.
  static StringRef logicalLine(StringRef &text) {
    size_t end = 0;
    for (;; ++end) {
      end = std::min(text.find('\n', end), text.size());
      StringRef line = text.take_front(end);
      if (end == text.size() ||
          (line.size() - line.rtrim('\\').size()) % 2 == 0)
        break;
    }
    StringRef line = text.take_front(end);
    text = text.drop_front(std::min(end + 1, text.size()));
    return line;
  }

  void takeLine(StringRef line) {
    // Ninja's "[1/20] ".
    static const Regex step("^\\[[0-9]+/[0-9]+\\] ");
    if (SmallVector<StringRef> match; step.match(line, &match))
      line = line.drop_front(match[0].size());
    static const Regex moves(
        "^[^ ]+: (Entering|Leaving) directory [`'\"](.*)['\"]$");
    if (SmallVector<StringRef> match; moves.match(line, &match)) {
      if (match[1] == "Entering")
        folders.push_back(absolute(match[2], folders.back()));
      else if (folders.size() > 1)
        folders.pop_back();
      return;
    }
    runLine(line);
  }

  void runLine(StringRef line) {
    std::vector<std::string> where{folders.back()};
    assignments.clear();
    for (ShellCommand &command : parseShellLine(line)) {
      where.resize(command.depth + 1, where.back());
      std::vector<ShellWord> &words = command.words;
      auto first = find_if(
          words, [](const ShellWord &w) { return !isAssignment(w.raw); });
      if (first == words.end())
        for (const ShellWord &word : words)
          assignments += word.raw + "; ";
      words.erase(words.begin(), first);
      if (!words.empty())
        runCommand(words, where.back());
    }
  }

  /// As the shell hands them over.
  Words handed(ArrayRef<ShellWord> words, StringRef directory) {
    Words result;
    for (const ShellWord &word : words)
      result.push_back(word.text);
    if (none_of(words, [](const ShellWord &w) { return w.expands; }))
      return result;
    std::string script = assignments + "printf '%s\\0'";
    for (const ShellWord &word : words)
      script += " " + word.raw;
    auto asked = runShell(script, directory);
    if (!asked || asked->status)
      return result;
    result.clear();
    SmallVector<StringRef> parts;
    StringRef(asked->output).split(parts, '\0', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      result.push_back(part.str());
    return result;
  }

  void runCommand(ArrayRef<ShellWord> words, std::string &directory) {
    StringRef name = path::filename(words[0].text);
    if (is_contained({"echo", "printf", "test", "[", ":"}, name))
      return;
    if (name == "cd" && words.size() > 1) {
      Words to = handed(words.drop_front(), directory);
      if (!to.empty())
        directory = absolute(to.back(), directory);
      return;
    }
    if (name == "ar" || name.ends_with("-ar"))
      return archive(handed(words, directory), directory);
    if (is_contained({"cp", "mv", "ln", "install"}, name))
      return copy(handed(words, directory), directory);
    auto is = [&](StringRef text) {
      return any_of(words, [&](const ShellWord &w) { return w.text == text; });
    };
    auto compiler =
        find_if(words, [](const ShellWord &w) { return isCompiler(w.text); });
    // A compiler of another name is known by what it is to do.
    bool compiles = is("-c") && any_of(words, [](const ShellWord &w) {
                      return StringRef(w.text).ends_with(".c");
                    });
    if (compiler == words.end() && compiles)
      compiler = words.begin();
    // Behind other words it may be the name of anything.
    if (compiler == words.end() ||
        (compiler != words.begin() && !compiles && !is("-o")))
      return;
    compile(handed(words.drop_front(compiler - words.begin()), directory),
            directory);
  }

  void compile(const Words &words, StringRef directory) {
    SmallVector<const char *, 64> given;
    for (const std::string &word : ArrayRef(words).drop_front())
      given.push_back(word.c_str());
    unsigned missingIndex = 0, missingCount = 0;
    opt::InputArgList list = clang::driver::getDriverOptTable().ParseArgs(
        given, missingIndex, missingCount,
        opt::Visibility(options::ClangOption));
    if (list.hasArg(options::OPT_E, options::OPT_S, options::OPT_M,
                    options::OPT_MM, options::OPT_fsyntax_only))
      return;
    std::string named = list.getLastArgValue(options::OPT_o).str();
    bool toObjects = list.hasArg(options::OPT_c);
    Made whole;
    for (const std::string &input : list.getAllArgValues(options::OPT_INPUT)) {
      if (!StringRef(input).ends_with(".c")) {
        whole.inputs.push_back(absolute(input, directory));
        continue;
      }
      size_t compiled = result.compilations.size();
      result.compilations.push_back(
          {canonicalPath(absolute(input, directory)), directory.str(), words});
      whole.compiled.push_back(compiled);
      if (toObjects)
        addObject(named.empty() ? path::filename(input).str() : named,
                  directory, compiled);
    }
    if (toObjects || (whole.inputs.empty() && whole.compiled.empty()))
      return;
    addLibraries(list, directory, whole);
    whole.takesWhole = any_of(words, [](const std::string &w) {
      return StringRef(w).contains("-whole-archive");
    });
    std::string output = absolute(named.empty() ? "a.out" : named, directory);
    StringRef file = path::filename(output);
    whole.isProgram = !list.hasArg(options::OPT_shared, options::OPT_r) &&
                      !file.ends_with(".la") && !file.ends_with(".o") &&
                      !file.ends_with(".lo") && !file.ends_with(".so") &&
                      !file.contains(".so.");
    make(output) = std::move(whole);
  }

  /// libtool makes two objects of one command, and names either.
  void addObject(StringRef name, StringRef directory, size_t compiled) {
    SmallString<256> object(absolute(name, directory));
    for (StringRef extension :
         {StringRef(".lo"), StringRef(".o"), path::extension(name)})
      if (extension != ".c") {
        path::replace_extension(object, extension);
        make(object) = {{}, {compiled}, false};
      }
  }

  void addLibraries(const opt::InputArgList &list, StringRef directory,
                    Made &whole) {
    for (const std::string &library : list.getAllArgValues(options::OPT_l))
      for (const std::string &folder : list.getAllArgValues(options::OPT_L))
        for (StringRef extension : {".a", ".la", ".so"})
          whole.inputs.push_back(
              absolute(folder + "/lib" + library + extension.str(), directory));
  }

  void archive(const Words &words, StringRef directory) {
    if (words.size() < 3 ||
        StringRef(words[1]).find_first_of("rq") == StringRef::npos)
      return;
    Made &library = make(absolute(words[2], directory));
    for (const std::string &member : ArrayRef(words).drop_front(3))
      library.inputs.push_back(absolute(member, directory));
  }

  /// A file under another name.
  void copy(const Words &words, StringRef directory) {
    Words names;
    for (const std::string &word : ArrayRef(words).drop_front())
      if (!StringRef(word).starts_with("-"))
        names.push_back(word);
    if (names.size() != 2)
      return;
    std::string from = absolute(names[0], directory),
                to = absolute(names[1], directory);
    if (StringRef(names[0]).find('/') == StringRef::npos && words[0] == "ln")
      from = absolute(names[0], path::parent_path(to));
    if (made.contains(from) && from != to)
      make(to) = {{from}, {}, false};
  }

  Made &make(StringRef output) {
    auto [place, isNew] = made.try_emplace(output);
    if (isNew)
      order.push_back(output.str());
    return place->second;
  }

  LinkedProgram programOf(const std::string &output) {
    const std::set<size_t> all = compiledOf(output, /*withLibraries=*/true);
    const std::set<size_t> direct =
        compiledOf(output, /*withLibraries=*/made[output].takesWhole);
    LinkedProgram program{output, {all.begin(), all.end()}, {}};
    std::set_difference(all.begin(), all.end(), direct.begin(), direct.end(),
                        std::back_inserter(program.members));
    return program;
  }

  std::set<size_t> compiledOf(StringRef output, bool withLibraries) {
    std::set<size_t> compiled;
    std::set<std::string> seen;
    std::vector<std::string> open{output.str()};
    while (!open.empty()) {
      std::string file = std::move(open.back());
      open.pop_back();
      auto found = made.find(file);
      const StringRef name = file;
      const bool isLibrary = name.ends_with(".a") || name.ends_with(".la");
      if (found == made.end() || !seen.insert(file).second ||
          (isLibrary && !withLibraries))
        continue;
      compiled.insert(found->second.compiled.begin(),
                      found->second.compiled.end());
      open.insert(open.end(), found->second.inputs.begin(),
                  found->second.inputs.end());
    }
    return compiled;
  }

  std::vector<std::string> folders; ///< the current one last
  std::string assignments;          ///< of the line, as it has them
  StringMap<Made> made;
  std::vector<std::string> order;
  BuildLog result;
};

} // namespace

BuildLog readBuildLog(StringRef text, StringRef directory) {
  return LogReader(directory).read(text);
}

} // namespace nvmove
