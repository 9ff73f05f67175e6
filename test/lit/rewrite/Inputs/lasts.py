"""lasts.py MS COMMAND ..: the command takes at least so many milliseconds for each of its last argument."""

import subprocess
import sys
import time

begin = time.monotonic()
subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
took = time.monotonic() - begin
least = float(sys.argv[1]) / 1000 * int(sys.argv[-1])
sys.exit(0 if took >= least else f"{took} s, and the delays take {least}")
