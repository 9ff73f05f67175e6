#!/usr/bin/env python3
# ===- measured.py - Benchmarks refuse what would be noise ----------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: measured.py BENCH-FOLDER

What all pages are written with: a machine that does other work is refused, or named on the page; a page gets no figure
that is none.
"""

import os
import subprocess
import sys
import tempfile


def refuses(text, call, *arguments):
    """Whether that ends the program, and says so."""
    try:
        call(*arguments)
    except SystemExit as ended:
        assert text in str(ended), ended
        return True
    return False


def main():
    sys.path.insert(0, sys.argv[1])
    import measure  # pylint: disable=import-error,import-outside-toplevel

    os.environ.pop("NVMOVE_BUSY", None)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            assert refuses("processors busy", measure.machine)
            os.environ["NVMOVE_BUSY"] = "1"
            assert "busy with other work" in measure.machine(), measure.machine()
        finally:
            other.kill()
    measure.busy_processors = lambda: 0.01
    del os.environ["NVMOVE_BUSY"]
    assert "busy" not in measure.machine()

    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.md")
        for figure in ("nan", "inf", "-inf"):
            assert refuses("is no number", measure.write_text, page, f"# A page\n\n| a | {figure} |\n"), figure
            assert not os.path.exists(page)
        measure.write_text(page, "# Infinite patience: information, Nancy, 1.0\n")
        assert os.path.exists(page)
    print("measured.py: busy machines, and figures that are none, are refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
