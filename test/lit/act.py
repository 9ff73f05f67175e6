# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: act.py COMMAND..: runs nvmove, which must write its report and find something to act on."""

import subprocess
import sys

code = subprocess.run(sys.argv[1:], check=False).returncode
sys.exit(0 if code == 4 else f"act.py: exit code {code}, where 4 was expected")
