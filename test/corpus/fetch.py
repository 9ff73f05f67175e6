#!/usr/bin/env python3
# ===- fetch.py - The sources of a program of the corpus, unchanged -----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Unpacks the program that PROGRAM.json describes into a folder.

The tarballs are those that Debian built its packages from. They come from
whatever mirror the system is set up for, by apt and with lists of its own, and
are kept in the user's cache, so that a second call needs no network. A program
that Debian does not have is in a folder of archives ("archive" for "package");
where that is not there, the status is 77.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nvmove")
DOWNLOAD = "/usr/lib/apt/apt-helper"
SKIPPED = 77


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"fetch.py: error: {' '.join(command)} ended with status {result.returncode}\n{result.stderr}")
    return result.stdout


def genuine(path, sha256):
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == sha256


def source_list():
    """The system's own entries of Debian's main archive, for sources instead of binaries."""
    form = "$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)"
    targets = run("apt-get", "indextargets", "--format", form, "Created-By: Packages", "Origin: Debian",
                  "Label: Debian")
    lines = {f"deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {uri} {release} {component}"
             for uri, release, component in (line.split("\t") for line in targets.splitlines())}
    if not lines:
        sys.exit("fetch.py: error: apt knows no archive of Debian here")
    return "\n".join(sorted(lines)) + "\n"


def download(package, version, sha256, path):
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "lists", "partial"))
        os.makedirs(os.path.join(folder, "cache", "archives", "partial"))
        listing = os.path.join(folder, "sources.list")
        with open(listing, "w", encoding="utf-8") as file:
            file.write(source_list())
        apt = ("apt-get", "-qq", "-o", f"Dir::Etc::SourceList={listing}", "-o", "Dir::Etc::SourceParts=/dev/null",
               "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache")
        run(*apt, "update")
        uris = run(*apt, "source", "--print-uris", package)
        match = re.search(rf"'(\S+/{re.escape(package)}_{re.escape(version)}\.orig\.tar\.\w+)'", uris)
        if not match:
            sys.exit(f"fetch.py: error: the archive has another version of {package} than {version}:\n{uris}")
        run(DOWNLOAD, "download-file", match.group(1), path, f"SHA256:{sha256}")


def archive(source, folder):
    """The path of an archive that no registry has."""
    path = os.path.join(folder or "", source["archive"])
    if not os.path.isfile(path):
        print(f"fetch.py: skipped: no archive {source['archive']} here; --archives names the folder that has it")
        sys.exit(SKIPPED)
    if not genuine(path, source["sha256"]):
        sys.exit(f"fetch.py: error: {path} is not the expected file (SHA-256 differs)")
    return path


def tarball_of(source):
    package, version, sha256 = source["package"], source["version"], source["sha256"]
    tarball = os.path.join(CACHE, f"{package}-{version}.orig.tar")
    if not genuine(tarball, sha256):
        os.makedirs(CACHE, exist_ok=True)
        print(f"fetch.py: fetching {package} {version} into {CACHE}")
        download(package, version, sha256, tarball)
        if not genuine(tarball, sha256):
            sys.exit(f"fetch.py: error: {tarball} is not the expected file (SHA-256 differs)")
    return tarball


def unpack(tarball, destination):
    os.makedirs(destination, exist_ok=True)
    run("tar", "-xf", tarball, "-C", destination, "--strip-components=1")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--archives", help="a folder with archives that no registry has")
    parser.add_argument("program", help="the program's JSON file")
    parser.add_argument("folder", help="is made, or replaced if it is an older description's")
    options = parser.parse_args()
    with open(options.program, encoding="utf-8") as file:
        text = file.read()
    build = json.loads(text)["build"]
    stamp = os.path.join(options.folder, ".nvmove-corpus")
    digest = hashlib.sha256(json.dumps(build, sort_keys=True).encode()).hexdigest()
    if os.path.isfile(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == digest:
                return
        shutil.rmtree(options.folder)
    elif os.path.isdir(options.folder) and os.listdir(options.folder):
        sys.exit(f"fetch.py: error: {options.folder} exists and is not a program of the corpus")
    tarball = archive(build, options.archives) if "archive" in build else tarball_of(build)
    unpack(tarball, options.folder)
    for name, library in build.get("libraries", {}).items():
        unpack(tarball_of(library), os.path.join(options.folder, name))
    for name, lines in build.get("made", {}).items():
        path = os.path.join(options.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    for command in build.get("setup", []):
        subprocess.run(command, cwd=options.folder, check=True, stdout=subprocess.DEVNULL)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(digest)


if __name__ == "__main__":
    main()
