"""Runs a program in a pseudo-terminal: `pseudo-terminal.py COLUMNS PROGRAM ARGUMENT …`.

What comes on stdin is typed, what the terminal shows goes to stdout. Exits as the program does.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, program = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    os.execvp(program[0], program)

sources = [terminal, 0]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            read = os.read(source, 65536)
        except OSError:
            # What Linux says of a terminal that nobody holds open any more.
            read = b""
        if not read:
            sources.remove(source)
        elif source == terminal:
            os.write(1, read)
        else:
            os.write(terminal, read)

status = os.waitpid(child, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status) % 256)
