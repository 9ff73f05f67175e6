# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The tool from outside: what it prints, what it writes, how it exits.

import os
import platform
import shutil

import lit.formats

config.name = "nvmove"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".c"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.nvmove_lit_build

# FileCheck, not, split-file, count.
path = os.pathsep.join([config.llvm_tools_dir, config.environment["PATH"]])
config.environment["PATH"] = path
# Nothing is left in the user's own cache.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.nvmove_lit_build, "cache")
# A restart that has its statics where they were would hide what a rebuilt program shows.
config.environment["NVM_ASLR"] = "1"
# Colours and progress depend on the terminal alone.
config.environment.pop("NO_COLOR", None)

config.substitutions += [
    ("%nvmove_cc", os.path.join(os.path.dirname(config.runtime_lib), "audit/nvmove-cc")),
    # It finds something to act on: exit code 4.
    ("%nvmove_act", f"{config.python} {os.path.join(config.test_source_root, 'act.py')} {config.nvmove}"),
    ("%nvmove", config.nvmove),
    ("%clang", config.clang),
    ("%runtime_include", config.runtime_include),
    ("%runtime_lib", config.runtime_lib + " -lpmemobj -lpthread"),
    ("%nvm_pool", os.path.join(os.path.dirname(config.runtime_lib), "nvm-pool")),
    ("%schema", config.schema),
    ("%verify_schema", os.path.join(os.path.dirname(config.schema), "../verify/verify.schema.json")),
    ("%trial_schema", os.path.join(os.path.dirname(config.schema), "../trial/trial.schema.json")),
    ("%python", config.python),
    ("%shop", os.path.join(config.test_source_root, "tool", "Inputs", "shop")),
]

if config.has_jsonschema:
    config.available_features.add("jsonschema")
if platform.machine() in ("x86_64", "AMD64"):
    config.available_features.add("x86")
if shutil.which("gcc"):
    config.available_features.add("gcc")
if os.geteuid() == 0:
    config.available_features.add("root")
