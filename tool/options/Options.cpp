//===- Options.cpp - The command line -------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/options/Options.h"
#include "passes/solve/RuleOrder.h"
#include "tool/message/Diagnostics.h"
#include "tool/message/NearNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include <functional>

using namespace llvm;

namespace nvmove {

namespace {

Error usage(const Twine &text) {
  return makeError(MessageId::Usage, text.str());
}

Error splitNames(StringRef option, StringRef value,
                 std::vector<std::string> &names) {
  SmallVector<StringRef> parts;
  value.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    if (part.empty())
      return usage(option + " needs names separated by commas, not '" + value +
                   "'");
    if (!is_contained(names, part))
      names.push_back(part.str());
  }
  return Error::success();
}

Error parsePrint(StringRef value, Options &options) {
  options.print = StringSwitch<std::optional<Print>>(value)
                      .Case("types", Print::Types)
                      .Case("roots", Print::Roots)
                      .Case("sites", Print::Sites)
                      .Case("sections", Print::Sections)
                      .Case("fields", Print::Fields)
                      .Case("facts", Print::Facts)
                      .Default(std::nullopt);
  if (!options.print)
    return usage("--print needs types, roots, sites, sections, fields or facts"
                 ", not '" +
                 value + "'");
  options.analyzeOnly = true;
  return Error::success();
}

Error parseAlgorithm(StringRef value, Options &options) {
  if (value == "points-to")
    options.solve.algorithm = Algorithm::PointsTo;
  else if (value == "worklist")
    options.solve.algorithm = Algorithm::Worklist;
  else
    return usage("--algorithm needs points-to or worklist, not '" + value +
                 "'");
  return Error::success();
}

Error parseEmulate(StringRef value, Options &options) {
  std::vector<std::string> known{"pcm", "stt-ram"};
  if (!is_contained(known, value))
    return makeError(MessageId::UnknownProfile,
                     ("--emulate has no profile '" + value + "'").str() +
                         didYouMean(value, known));
  options.solve.emulate = value.str();
  return Error::success();
}

/// For tests of the analysis: not in the help.
Error parseWithoutRule(StringRef value, Options &options) {
  std::vector<std::string> known;
  for (const DeclaredRule &rule : DeclaredRules)
    known.emplace_back(rule.name);
  std::vector<std::string> &names = options.solve.withoutRules;
  if (Error error = splitNames("--without-rule", value, names))
    return error;
  for (const std::string &name : names)
    if (!is_contained(known, name))
      return makeError(MessageId::UnknownRule, "there is no rule '" + name +
                                                   "'" +
                                                   didYouMean(name, known));
  return Error::success();
}

Error parseLimit(StringRef value, Options &options) {
  uint32_t millions;
  if (value.getAsInteger(10, millions))
    return usage("--points-to-limit needs a number of millions, not '" + value +
                 "'");
  options.solve.pointsToLimit = millions * uint64_t(1'000'000);
  return Error::success();
}

Error parseWerror(StringRef value, Options &options) {
  if (value != "act")
    return usage("--werror needs act, not '" + value + "'");
  options.stopOnAct = true;
  return Error::success();
}

Error parseJobs(StringRef value, Options &options) {
  if (value.getAsInteger(10, options.jobs) || options.jobs == 0 ||
      options.jobs > 1024)
    return usage("-j needs a number from 1 to 1024, not '" + value + "'");
  return Error::success();
}

Error parsePoints(StringRef value, Options &options) {
  if (value.getAsInteger(10, options.points) || options.points == 0 ||
      options.points > 1'000'000)
    return usage("--points needs a number from 1 to 1000000, not '" + value +
                 "'");
  return Error::success();
}

Error setPath(StringRef option, StringRef value, std::string &path) {
  if (value.empty())
    return usage(option + " needs a name");
  path = value.str();
  return Error::success();
}

Error parsePrefixMap(StringRef value, Options &options) {
  auto [from, to] = value.split('=');
  if (from.empty() || to.empty())
    return usage("--file-prefix-map needs OLD=NEW, two folders, not '" + value +
                 "'");
  options.prefixMaps.push_back(PrefixMap(from, to));
  return Error::success();
}

constexpr unsigned in(Verb verb) { return 1u << unsigned(verb); }
constexpr unsigned analysing =
    in(Verb::Run) | in(Verb::Explain) | in(Verb::Verify);
constexpr unsigned solving = analysing | in(Verb::Link) | in(Verb::Compile);
constexpr unsigned writing = in(Verb::Run) | in(Verb::Explain) | in(Verb::Link);
constexpr unsigned parsing = analysing | in(Verb::Collect) | in(Verb::Compile);
constexpr unsigned patching =
    in(Verb::Run) | in(Verb::Link) | in(Verb::Compile);

/// An option, and what to do with its value; or, without `take`, with its
/// presence. With both the value is `--name=value`, or there is none.
struct Option {
  StringLiteral name;
  std::function<Error(StringRef value)> take;
  std::function<void()> set;
  unsigned verbs = solving; ///< those that it goes with
};

class OptionParser {
public:
  explicit OptionParser(ArrayRef<std::string> arguments)
      : arguments(arguments) {
    SolveOptions &solve = options.solve;
    auto names = [](StringLiteral option, std::vector<std::string> &into) {
      return
          [&into, option](StringRef v) { return splitNames(option, v, into); };
    };
    known = {
        {"--load", names("--load", solve.load), {}},
        {"--stop", names("--stop", solve.stop), {}},
        {"--follow-messages", {}, [&] { solve.followMessages = true; }},
        {"--section", names("--section", solve.section), {}},
        {"--afresh", names("--afresh", solve.afresh), {}},
        {"--commit-at-output", {}, [&] { solve.commitAtOutput = true; }},
        {"--restart-points", {}, [&] { solve.restartPoints = true; }},
        {"--keep", names("--keep", solve.keep), {}},
        {"--keep-all", {}, [&] { solve.keepAll = true; }},
        {"--save", names("--save", solve.save), {}},
        {"--observed", names("--observed", options.observed), {}},
        {"--no-serialization",
         {},
         [&] { solve.noSerialization = true; },
         patching},
        {"--emulate",
         [&](StringRef v) { return parseEmulate(v, options); },
         {},
         in(Verb::Run)},
        {"--line-logs",
         [&](StringRef v) {
           solve.lineLogs = true;
           return splitNames("--line-logs", v, solve.lineLogTypes);
         },
         [&] { solve.lineLogs = true; }, patching},
        {"--algorithm",
         [&](StringRef v) { return parseAlgorithm(v, options); },
         {}},
        {"--points-to-limit",
         [&](StringRef v) { return parseLimit(v, options); },
         {}},
        {"--without-rule",
         [&](StringRef v) { return parseWithoutRule(v, options); },
         {}},
        {"--print",
         [&](StringRef v) { return parsePrint(v, options); },
         {},
         writing},
        {"-p",
         [&](StringRef v) { return setPath("-p", v, options.database); },
         {},
         parsing},
        {"--make",
         [&](StringRef v) { return setPath("--make", v, options.make); },
         {},
         parsing},
        {"--extra-arg",
         [&](StringRef v) {
           options.extraArguments.push_back(v.str());
           return Error::success();
         },
         {},
         parsing},
        {"--cache",
         [&](StringRef v) { return setPath("--cache", v, options.cache); },
         {},
         parsing},
        {"--no-cache", {}, [&] { options.noCache = true; }, parsing},
        {"-o",
         [&](StringRef v) { return setPath("-o", v, options.output); },
         {},
         in(Verb::Collect)},
        {"--file-prefix-map",
         [&](StringRef v) { return parsePrefixMap(v, options); },
         {},
         in(Verb::Collect) | in(Verb::Link) | in(Verb::Verify)},
        {"--depfile",
         [&](StringRef v) { return setPath("--depfile", v, options.depfile); },
         {},
         in(Verb::Collect)},
        {"--out",
         [&](StringRef v) {
           options.outNamed = true;
           return setPath("--out", v, options.out);
         },
         {},
         solving | in(Verb::Trial)},
        {"--input",
         [&](StringRef v) { return setPath("--input", v, options.trialInput); },
         {},
         in(Verb::Trial)},
        {"--driver",
         [&](StringRef v) { return setPath("--driver", v, options.driver); },
         {},
         in(Verb::Trial)},
        {"--points",
         [&](StringRef v) { return parsePoints(v, options); },
         {},
         in(Verb::Trial)},
        {"-j",
         [&](StringRef v) { return parseJobs(v, options); },
         {},
         ~in(Verb::Trial)},
        {"--analyze-only", {}, [&] { options.analyzeOnly = true; }, writing},
        {"--force",
         {},
         [&] { options.force = true; },
         in(Verb::Run) | in(Verb::Link) | in(Verb::Verify)},
        {"--notes",
         {},
         [&] { options.notes = true; },
         in(Verb::Run) | in(Verb::Link)},
        {"--library",
         names("--library", options.libraries),
         {},
         in(Verb::Compile)},
        {"--werror",
         [&](StringRef v) { return parseWerror(v, options); },
         {},
         in(Verb::Compile)},
        {"--help", {}, [&] { options.verb = Verb::Help; }, ~0u},
        {"-h", {}, [&] { options.verb = Verb::Help; }, ~0u},
        {"--version", {}, [&] { options.verb = Verb::Version; }, ~0u},
    };
  }

  Expected<Options> parse() {
    options.verb = StringSwitch<Verb>(arguments.empty() ? "" : arguments[0])
                       .Case("explain", Verb::Explain)
                       .Case("verify", Verb::Verify)
                       .Case("collect", Verb::Collect)
                       .Case("link", Verb::Link)
                       .Case("compile", Verb::Compile)
                       .Case("trial", Verb::Trial)
                       .Default(Verb::Run);
    for (next = options.verb != Verb::Run; next < arguments.size();) {
      StringRef argument = arguments[next++];
      if (argument == "--") {
        options.flags.emplace(arguments.begin() + next, arguments.end());
        break;
      }
      if (options.verb == Verb::Compile && !argument.starts_with("-")) {
        options.given.assign(arguments.begin() + 1,
                             arguments.begin() + next - 1);
        options.flags.emplace(arguments.begin() + next - 1, arguments.end());
        break;
      }
      if (argument.size() > 1 && argument.starts_with("-")) {
        if (Error error = takeOption(argument))
          return error;
      } else if (options.verb == Verb::Explain && options.subject.empty()) {
        options.subject = argument.str();
      } else if (options.verb == Verb::Run &&
                 is_contained({"explain", "verify", "collect", "link", "trial"},
                              argument) &&
                 !sys::fs::exists(argument)) {
        return usage("'" + argument +
                     "' must come first, before the options: nvmove " +
                     argument + " ...");
      } else {
        options.files.push_back(argument.str());
      }
      if (options.verb == Verb::Help || options.verb == Verb::Version)
        return options;
    }
    if (Error error = checkOptions(options))
      return error;
    return options;
  }

private:
  /// `--name value`, `--name=value`; for one-letter options also `-nvalue`.
  Error takeOption(StringRef argument) {
    auto [name, value] = argument.split('=');
    bool hasValue = name.size() != argument.size();
    auto option =
        find_if(known, [&](const Option &o) { return o.name == name; });
    // -load is --load misspelled, not -l with the value "oad".
    bool isLong = any_of(known, [&](const Option &o) {
      return o.name.size() > 2 && o.name == ("-" + name).str();
    });
    if (option == known.end() && !argument.starts_with("--") && !isLong) {
      name = argument.take_front(2);
      value = argument.drop_front(2);
      hasValue = true;
      option = find_if(
          known, [&](const Option &o) { return o.name == name && o.take; });
    }
    if (option == known.end())
      return unknownOption(argument);
    if (!(option->verbs & in(options.verb)))
      return usage(name + " is not an option of nvmove " +
                   (options.verb == Verb::Run ? "--load" : arguments[0]));
    if (!option->take) {
      if (hasValue)
        return usage(name + " takes no value");
      option->set();
      return Error::success();
    }
    if (!hasValue && option->set) {
      option->set();
      return Error::success();
    }
    if (!hasValue) {
      if (next == arguments.size() || arguments[next] == "--")
        return usage(name + " needs a value");
      value = arguments[next++];
    }
    return option->take(value);
  }

  Error unknownOption(StringRef argument) {
    StringRef given = argument.split('=').first;
    std::vector<std::string> names;
    // A letter is near every other letter.
    for (const Option &option : known)
      if ((option.verbs & in(options.verb)) &&
          (option.name.size() > 2 ||
           given.ltrim('-') == option.name.drop_front()))
        names.push_back(option.name.str());
    std::string near = didYouMean(given, names);
    return usage("unknown option '" + argument + "'" +
                 (near.empty() ? "; compiler flags go after --" : near));
  }

  ArrayRef<std::string> arguments;
  size_t next = 0;
  Options options;
  std::vector<Option> known;
};

} // namespace

Expected<Options> parseOptions(ArrayRef<std::string> arguments) {
  return OptionParser(arguments).parse();
}

} // namespace nvmove
