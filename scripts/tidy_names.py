# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the documentation names is there: paths, files, functions, options, variables, ids of findings; and links.

A page is checked for names of this project: those in backticks, and in running text those that are recognised by
their form (BY_FORM). A name exists if it is a file, or a word of any file outside of docs/. Indented examples are
not checked. Pages of results name many functions of other programs: there, names in backticks are checked
only if they are paths, or have the form of this project's macros, variables and options.
A decision is history, but a reader looks its names up: a name that has changed is mended there, too.
"""

import os
import re

PAGES = re.compile(r"(?:README|CONTRIBUTING)\.md|docs/.*\.md|docs/man/.*\.[0-9]|examples/.*README\.md")
RESULTS = "docs/results/"

# Names of other projects and of made-up examples, which no file of this one has.
FOREIGN = set("""
    LockHeld LockHeld-kept
    dictAdd dict.c redis-cli.c redis-sentinel VAL
    search.h strings.h stddef.h queue.h uthash.h utlist.h cache.c here.c client.h
    g_hash_table_lookup g_hash_table_iter_next g_hash_table_foreach g_array_append_val
    event_handler restart.c assoc.c slabs.c scheme.c backend_epoll.c cache_memlimit uptime
    node_list node_tree SSL du
    CommonOptionsParser JavaScript AddressSanitizer
    NetHack BitlBee LinCity WeeChat SimCity TinyFugue TiMidity
    SINGLEHDR SCC_NO_NOTIFY dbGenericDelete readdb datanode regional sldns_buffer sync_boxes g_list_foreach
    is_loading persist__backup session_expiry__remove_all add_to_history vpline eloop_start posix_fadvise
    readQueryFromClient io_threads_op freeClient
    nvm_printf nvm_head --filter --gtest_filter
""".split())

# Recognised by their form, in backticks or not: macros and variables, functions of the runtime, options; classes.
BY_FORM = (
    re.compile(r"\b(?:NVM|NVMI|NVMOVE)_[A-Z0-9_]*[A-Z0-9]\b"),
    re.compile(r"\bnvmi?_\w*[a-z0-9]\b"),
    re.compile(r"(?<![\w-])--[a-z][\w-]*"),
)
CLASS = re.compile(r"(?<![\w./-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b(?:\.(?:cpp|h)\b)?")
# Only in backticks.
PATH = re.compile(r"(?<![\w/.$~-])\w[\w.-]*(?:/[\w.-]+)+(?![\w/.*-])")
IN_BACKTICKS = (
    re.compile(r"(?<![\w/.-])[\w-]+\.(?:cpp|c|h|def|py|sh|test|md)\b(?!/)"),
    re.compile(r"\b[A-Za-z]\w+(?=\()"),
    re.compile(r"^[a-z]+(?:-[a-z]+)+$"),
    re.compile(r"^[A-Za-z]\w+$"),
)
WORDS = re.compile(r"--[a-z][\w-]*|\w+(?:-\w+)+|\w+")


class Names:
    """All that can be named."""

    def __init__(self, all_paths, read):
        self.words = set()
        self.paths = set()
        for path in all_paths:
            self.words.add(os.path.basename(path))
            self.words.add(os.path.splitext(os.path.basename(path))[0])
            self.paths.add(os.path.splitext(path)[0])
            while path:
                self.paths.add(path)
                path = os.path.dirname(path)
        for path in all_paths:
            if not path.startswith("docs/") and not path.endswith((".md", ".svg", ".csv", ".png", ".rdb", "tidy_names.py")):
                for word in WORDS.findall(read(path)):
                    self.words.add(word)
                    self.words.update(re.findall(r"\w+", word))

    def has(self, name):
        stem = os.path.splitext(os.path.basename(name))[0]
        return name in self.words or name in FOREIGN or stem in FOREIGN

    def has_path(self, path):
        return path.split("/")[0] not in self.paths or path in self.paths


def missing_in(path, text, names):
    """(line, name) of each name that is nowhere."""
    is_page = path.endswith(".md")
    for number, line in enumerate(text.splitlines(), 1):
        if is_page and line.startswith("    "):
            continue
        line = re.sub(r"\]\([^)]*\)", "]", line) if is_page else line.replace("\\-", "-")
        spans = re.findall(r"`([^`<]+)`", line) if is_page else ()
        found = [n for form in BY_FORM for n in form.findall(line)]
        found += CLASS.findall(re.sub(r"`[^`]+`", "", line) if path.startswith(RESULTS) else line)
        for span in spans:
            found += [p for p in PATH.findall(span) if not names.has_path(p)]
            if not path.startswith(RESULTS):
                found += [n for form in IN_BACKTICKS for n in form.findall(span)]
        for name in sorted(set(found)):
            if not names.has(name):
                yield number, name


def anchors_of(text):
    """What the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}


def missing_links(path, text, all_paths, read):
    """(line, target) of each relative link that leads nowhere."""
    known = set(all_paths)
    folders = {os.path.dirname(p) for p in all_paths}
    for number, line in enumerate(text.splitlines(), 1):
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^):\s]*))?\)", line):
            there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if there not in known and there not in folders:
                yield number, target
            elif anchor and there.endswith(".md") and anchor not in anchors_of(read(there)):
                yield number, f"{target}#{anchor}"


def check_names(all_paths, read, report):
    names = Names(all_paths, read)
    for path in all_paths:
        if not PAGES.fullmatch(path):
            continue
        text = read(path)
        for number, name in missing_in(path, text, names):
            report("error", path, number, f"'{name}' is not in the sources; has it been renamed? (scripts/tidy_names.py)")
        for number, target in missing_links(path, text, all_paths, read):
            report("error", path, number, f"the link to {target} leads nowhere")
