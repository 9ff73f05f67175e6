#!/usr/bin/env python3
# ===- root.py - A Debian system that has nothing but nvmove's packages ----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: root.py install ROOT PACKAGES
          root.py run ROOT NAME SCRIPT FILE..

install: makes ROOT a new minimal system of this Debian with gcc and make, and
installs the packages of the folder PACKAGES there, as a user would, with what
they depend on. run: copies SCRIPT and the files into it, and calls SCRIPT NAME
there.

Everything comes from the mirror that this system's apt is set up for. The minimal
system, and the archives that were fetched, are kept in the user's cache.
"""

import glob
import os
import shutil
import subprocess
import sys
import time

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nvmove")
TOOLS = "gcc,libc6-dev,make"
NEEDED, OPTIONAL = {"nvmove", "libnvmove-dev"}, {"nvmove-replica"}
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# In a mount namespace of its own, so that nothing stays mounted.
ENTER = 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"'


def fail(text):
    sys.exit(f"root.py: error: {text}")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def step(title, action, *arguments):
    begin = time.monotonic()
    action(*arguments)
    print(f"{title:<44} {time.monotonic() - begin:6.1f} s", flush=True)


def run(*command, log=None, **more):
    result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log and subprocess.PIPE,
                            stderr=log and subprocess.STDOUT, text=True, check=False, **more)
    if result.returncode:
        if log:
            print("\n".join(result.stdout.splitlines()[-40:]), file=sys.stderr)
        fail(f"{' '.join(command)} ended with status {result.returncode}")


def enter(root, *command, log=None, check=True, folder="/"):
    """Runs a command in the system, with its environment and no other."""
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                   "DEBIAN_FRONTEND": "noninteractive"}
    environment.update({k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")})
    whole = ("unshare", "--mount", "sh", "-c", ENTER, root, "env", "-C", folder, *command)
    if check:
        run(*whole, log=log, env=environment)
        return True
    return subprocess.run(whole, env=environment, stdin=subprocess.DEVNULL, check=False,
                          capture_output=True).returncode == 0


def archive():
    """The lines of sources.list of Debian's main archive, and its suite and mirror."""
    targets = output("apt-get", "indextargets", "--format", "$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)",
                     "Created-By: Packages", "Origin: Debian", "Label: Debian")
    entries = sorted({tuple(line.split("\t")) for line in targets.splitlines()})
    own = [(uri, release) for uri, release, component in entries if "-" not in release and component == "main"]
    if not own:
        fail("apt knows no archive of Debian here")
    lines = [f"deb [signed-by={KEYRING}] {uri} {release} {component}" for uri, release, component in entries]
    return "\n".join(lines) + "\n", *own[0]


def set_up_apt(root, sources):
    """As this system's apt reaches its mirror: proxies, certificates, names."""
    with open(os.path.join(root, "etc/apt/sources.list"), "w", encoding="utf-8") as file:
        file.write(sources)
    lines = [line for line in output("apt-config", "dump").splitlines() if line.startswith("Acquire::")]
    with open(os.path.join(root, "etc/apt/apt.conf.d/50as-outside"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    for path in ("/etc/hosts", "/etc/resolv.conf"):
        if os.path.exists(path):
            shutil.copyfile(path, root + path)
    if os.path.isdir("/etc/ssl/certs"):
        shutil.copytree("/etc/ssl/certs", root + "/etc/ssl/certs", dirs_exist_ok=True,
                        ignore_dangling_symlinks=True)


def make_base(base):
    sources, mirror, suite = archive()
    part = base + ".part"
    shutil.rmtree(part, ignore_errors=True)
    run("debootstrap", "--variant=minbase", f"--include={TOOLS}", f"--keyring={KEYRING}", suite, part, mirror, log=True)
    set_up_apt(part, sources)
    enter(part, "apt-get", "update", log=True)
    os.rename(part, base)


def install_packages(root, packages):
    """Archives that the cache has are not fetched again; lists that have become old are."""
    kept, inside = os.path.join(CACHE, "archives"), os.path.join(root, "var/cache/apt/archives")
    os.makedirs(kept, exist_ok=True)
    for path in glob.glob(os.path.join(kept, "*.deb")):
        shutil.copy(path, inside)
    names = []
    for path in sorted(glob.glob(os.path.join(packages, "*.deb"))):
        shutil.copy(path, os.path.join(root, "tmp"))
        names.append("/tmp/" + os.path.basename(path))
    found = {os.path.basename(name).split("_")[0] for name in names}
    if not NEEDED <= found <= NEEDED | OPTIONAL:
        fail(f"these are not nvmove's packages in {packages}: {' '.join(sorted(found))}")
    install = ("apt-get", "install", "-y", "--no-install-recommends", *names)
    if not enter(root, *install, check=False):
        enter(root, "apt-get", "update", log=True)
        enter(root, *install, log=True)
    shutil.rmtree(kept)
    os.makedirs(kept)
    for path in glob.glob(os.path.join(inside, "*.deb")):
        shutil.move(path, kept)


def install(root, packages):
    _, _, suite = archive()
    base = os.path.join(CACHE, f"debian-{suite}")
    os.makedirs(CACHE, exist_ok=True)
    if not os.path.isdir(base):
        step(f"debootstrap {suite} with {TOOLS}", make_base, base)
    shutil.rmtree(root, ignore_errors=True)
    step("copy the system", run, "cp", "-a", base, root)
    step("apt-get install ./nvmove.. ./libnvmove-dev..", install_packages, root, packages)
    if os.path.exists(os.path.join(root, "usr/bin/nvm-replica")):
        enter(root, "nvm-replica", "--help", log=True)
    for unwanted in ("clang-19", "cmake", "python3"):
        if enter(root, "sh", "-c", f"command -v {unwanted}", check=False):
            fail(f"the system has {unwanted}: it proves less than it should")


def run_script(root, name, script, *files):
    folder = os.path.join(root, "moved", name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for path in (script, *files):
        run("cp", "-a", path, folder)
    enter(root, "bash", os.path.basename(script), name, folder=f"/moved/{name}")


def main(what, *arguments):
    if os.geteuid():
        print("package test skipped: to make a system of its own it has to run as root")
        return
    {"install": install, "run": run_script}[what](*arguments)


main(*sys.argv[1:])
