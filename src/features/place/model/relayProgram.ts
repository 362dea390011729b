/**
 * The program that holds a terminal's shell in a sandbox: it is uploaded, and all that goes through
 * it are files, so that nothing typed is part of a command, which the server would store.
 *
 * `relay.py DIR COLS ROWS GRACE [SHELL ...]` needs Python 3.5 or later, and its standard library only. It prints facts once
 * the shell runs, and goes to the background in a session of its own. What is in DIR (0700):
 * - `o/<n>`: output, SEG bytes each, the newest KEEP
 * - `k/<client>.<number>`: input, removed on reading; `k/<client>.bye`: it leaves
 * - `alive`, touched as a sign of life; `w.<client>`: pipes that get a line whenever something happened
 * - `info`; `exit`: the code, last of all
 *
 * Input is frames: `i LEN` and the bytes; `r COLS ROWS`; `a OFFSET`, read so far; `g SECONDS`, for which it lives without a
 * sign of life; `q`, hang up; at the end `.`.
 */
export const relayProgram = String.raw`#!/usr/bin/env python3
import os, sys, pty, fcntl, termios, struct, select, signal, time, json, errno, pwd, shutil
SEG, KEEP, AHEAD = 1 << 20, 8, 4 << 20
d, cols, rows, grace = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
shell = sys.argv[5:] or [os.environ.get('SHELL') or pwd.getpwuid(os.getuid()).pw_shell or '/bin/sh']
if not os.access(shell[0], os.X_OK) or shell[0].endswith(('nologin', 'false')): shell = ['/bin/bash' if os.path.exists('/bin/bash') else '/bin/sh']
cwd = os.getcwd(); os.umask(0o077)
for name in ('o', 'k'): os.makedirs(os.path.join(d, name))
os.chmod(d, 0o700); d = os.path.realpath(d)
ready, tell = os.pipe()
if os.fork():
    os.close(tell); x = os.read(ready, 65536); os.write(1, x); sys.exit(0 if x else 1)  # nothing: it failed, and stderr says why
os.close(ready); os.setsid()
pid, fd = pty.fork()
if pid == 0:
    env = os.environ
    for name in list(env):  # what is the server's, not the user's
        if name == 'SESSION_API_KEY' or name.startswith(('OH_SESSION_API_KEYS', 'OH_SECRET_KEY')) or name in ('TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'AI_AGENT', 'COLUMNS', 'LINES', 'NO_COLOR'): del env[name]
    if 'LD_LIBRARY_PATH_ORIG' in env: env['LD_LIBRARY_PATH'] = env.pop('LD_LIBRARY_PATH_ORIG')
    elif '_MEI' in env.get('LD_LIBRARY_PATH', ''): del env['LD_LIBRARY_PATH']
    env.update(TERM='xterm-256color', COLORTERM='truecolor', TERM_PROGRAM='vscode')
    if 'UTF' not in (env.get('LC_ALL') or env.get('LC_CTYPE') or env.get('LANG') or '').upper(): env['LC_ALL' if 'LC_ALL' in env else 'LANG'] = 'C.UTF-8'
    for s in (signal.SIGPIPE, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP): signal.signal(s, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try: os.chdir(cwd); os.execvp(shell[0], shell)
    except OSError as e: os.write(2, str(e).encode() + b'\r\n'); os._exit(127)
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
def size(c, r): fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', r, c, 0, 0))
size(cols, rows)
tty = '/dev/pts/%d' % struct.unpack('I', fcntl.ioctl(fd, 0x80045430, b'0000'))  # TIOCGPTN
info = {'pid': os.getpid(), 'child': pid, 'tty': tty, 'shell': shell, 'cols': cols, 'rows': rows, 'segment': SEG, 'keep': KEEP}
def put(name, text):
    with open(os.path.join(d, name + '~'), 'w') as f: f.write(text)
    os.rename(os.path.join(d, name + '~'), os.path.join(d, name))
put('info', json.dumps(info))
os.write(tell, json.dumps(info).encode() + b'\n'); os.close(tell)
null = os.open('/dev/null', os.O_RDWR)
for n in (0, 1, 2): os.dup2(null, n)
fl = fcntl.fcntl(fd, fcntl.F_GETFL); fcntl.fcntl(fd, fcntl.F_SETFL, fl | os.O_NONBLOCK)
# inotify where ctypes has it; else the folder is looked at every 15 ms for 10 s after something was typed, then every 150 ms
watch = -1
try:
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True); watch = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if watch >= 0 and libc.inotify_add_watch(watch, os.path.join(d, 'k').encode(), 0x8 | 0x80) < 0: os.close(watch); watch = -1  # CLOSE_WRITE, MOVED_TO
except Exception: watch = -1
if '--poll' in os.environ.get('RELAY', ''): watch = -1
total = acked = 0; seg = -1; out = None; pending = bytearray(); seen = {}; gone = set()
last = tick = time.time(); lastIn = 0; lastTold = 0; quit = False; dead = None; code = None
def write(data):
    global total, seg, out
    while data:
        n = total // SEG
        if n != seg:
            if out is not None: os.close(out)
            seg = n; out = os.open(os.path.join(d, 'o', str(n)), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try: os.unlink(os.path.join(d, 'o', str(n - KEEP)))
            except OSError: pass
        part = data[:SEG - total % SEG]; done = os.write(out, part); total += done; data = data[done:]
def wake():
    global lastTold
    lastTold = time.time()
    for name in os.listdir(d):
        if name.startswith('w.'):
            try: f = os.open(os.path.join(d, name), os.O_WRONLY | os.O_NONBLOCK)
            except OSError: continue  # nobody waits
            try: os.write(f, b'1\n')
            except OSError: pass
            os.close(f)
def frames(data, client):
    """Whether the input is whole; only then is any of it done."""
    global acked, quit, grace
    at, todo = 0, []
    while True:
        end = data.find(b'\n', at)
        if end < 0: return False
        w = data[at:end].split(); at = end + 1
        if w == [b'.']: break
        if w[0] == b'i':
            n = int(w[1])
            if at + n > len(data): return False
            w = [b'i', data[at:at + n]]; at += n
        todo.append(w)
    for w in todo:
        if w[0] == b'i': pending.extend(w[1])
        elif w[0] == b'r': size(int(w[1]), int(w[2]))
        elif w[0] == b'a': acked = max(acked, int(w[1]))
        elif w[0] == b'g': grace = float(w[1])
        elif w[0] == b'q': quit = True
    gone.discard(client)
    return True
def inputs():
    global last, lastIn
    folder = os.path.join(d, 'k')
    try: names = sorted(os.listdir(folder))
    except OSError: quit_now(); return
    for name in names:
        client, _, n = name.partition('.')
        if n == 'bye': gone.add(client); os.unlink(os.path.join(folder, name)); continue
        if not n.isdigit(): continue
        n = int(n); path = os.path.join(folder, name); expected = seen.get(client, 0) + 1
        if n > expected: continue                               # one before it is on its way
        if n == expected:
            whole = True
            try:
                f = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                try: data = b''.join(iter(lambda: os.read(f, 1 << 20), b''))
                finally: os.close(f)
                whole = frames(data, client)
            except OSError: continue
            except (ValueError, IndexError): pass
            if not whole: continue                              # still being written
            seen[client] = n; last = lastIn = time.time()
        try: os.unlink(path)                                    # sent again: already done
        except OSError: pass
def quit_now():
    global quit
    quit = True
child_r, child_w = os.pipe(); os.set_blocking(child_w, False); signal.set_wakeup_fd(child_w, warn_on_full_buffer=False) if sys.version_info >= (3, 7) else signal.set_wakeup_fd(child_w)
for s in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP): signal.signal(s, lambda n, f: quit_now() if n != signal.SIGCHLD else None)
eof = False
def read():
    """How much the program has written; all of it if it has ended."""
    global eof
    got = 0
    try:
        while got < 262144:
            data = os.read(fd, 65536)
            if not data: eof = True; break
            write(data); got += len(data)
    except OSError as e: eof = e.errno not in (errno.EAGAIN, errno.EINTR)
    return got
while True:
    if code is None:
        p, status = os.waitpid(pid, os.WNOHANG)
        if p: code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status); dead = time.time()
    now = time.time()
    if now - tick > 60: last += now - tick                   # the sandbox was paused
    tick = now
    try: last = max(last, os.stat(os.path.join(d, 'alive')).st_mtime)
    except OSError: pass
    if code is not None and (eof or now - dead > 0.3): break
    if quit or now - last > grace:
        if code is None:
            def front():
                try: g = os.tcgetpgrp(fd)
                except OSError: g = 0
                return g if g > 1 and g != os.getpgrp() else pid     # 0 would be this relay's own group
            for sig in (signal.SIGHUP, signal.SIGKILL):
                for who in (front(), pid):
                    try: os.killpg(who, sig)
                    except OSError: pass
                for _ in range(20):
                    p, status = os.waitpid(pid, os.WNOHANG)
                    if p: code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status); dead = time.time(); break
                    time.sleep(0.05)
                if code is not None: break
            quit = False; last = now + 1e9
    full = total - acked > AHEAD and now - last < 90         # a client lives and has not read yet: let the program wait
    r = [child_r] + ([] if full or eof else [fd]) + ([watch] if watch >= 0 else [])
    pause = 5 if watch >= 0 else (0.015 if now - lastIn < 10 else 0.15)
    if full: pause = min(pause, 0.05)
    if dead: pause = 0.05
    r, w, _ = select.select(r, [fd] if pending and not eof else [], [], max(0.001, min(pause, 50 - (now - lastTold))))
    if child_r in r: os.read(child_r, 4096)
    if watch >= 0 and watch in r:
        try: os.read(watch, 65536)
        except OSError: pass
    inputs()
    if fd in w:
        try: del pending[:os.write(fd, bytes(pending[:4096]))]
        except OSError as e:
            if e.errno not in (errno.EAGAIN, errno.EINTR): pending.clear()
    if fd in r:
        if read(): wake()
    elif time.time() - lastTold > 49: wake()
if not eof: read()                                           # what nobody had room or time for
put('exit', str(code)); wake()
end = time.time() + 20                                       # time for the clients to read the rest
while time.time() < end and not (seen and gone >= set(seen)) and os.path.isdir(d): time.sleep(0.2); inputs(); wake()
shutil.rmtree(d, ignore_errors=True)
folder = os.path.dirname(d); base = os.path.dirname(folder)  # the last one leaves nothing behind
def ours(name): return name in ('err', '.gitignore') or name.startswith('relay-')
try:
    if not any(os.path.isdir(os.path.join(folder, name)) for name in os.listdir(folder)):
        for name in os.listdir(folder): os.unlink(os.path.join(folder, name))  # a relay that was uploaded in vain
    os.rmdir(folder)
    if all(map(ours, os.listdir(base))):
        for name in os.listdir(base): os.unlink(os.path.join(base, name))
        os.rmdir(base)
except OSError: pass
`;
