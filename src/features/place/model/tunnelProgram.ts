/**
 * Relays connections to a port of the sandbox: `DIR PORT GRACE`. DIR/k/<n>.q is what one sends, after its length in a line;
 * n.a<count> says how many pieces of its answer were read, n.x that nobody reads them anymore. DIR/o/<n>.<piece> are
 * frames of a length in 4 bytes and as many bytes; length 0 is the end, and the largest one that nothing listens. DIR/pid is
 * the number of this process.
 */
export const tunnelProgram = `import os, sys, socket, struct, threading, time, shutil
d, port, grace = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
os.umask(0o077)
for n in 'ko': os.mkdir(os.path.join(d, n))
pid = os.fork()
if pid:
    with open(os.path.join(d, 'pid'), 'w') as f: f.write(str(pid))
    print('ok', flush=True); os._exit(0)
os.setsid()
null = os.open('/dev/null', os.O_RDWR)
for n in (0, 1, 2): os.dup2(null, n)
acks = {}; gone = set()
def connect():
    for host in ('127.0.0.1', '::1'):
        try: return socket.create_connection((host, port), 5)
        except OSError: pass
def talk(n, data):
    state = [0, 0]
    def put(length, x):
        name = os.path.join(d, 'o', n + '.')
        with open(name + str(state[0]), 'ab') as f: f.write(struct.pack('>I', length) + x)
        state[1] += 4 + len(x)
        if state[1] < 1 << 20: return
        state[0] += 1; state[1] = 0
        while state[0] - acks.get(n, 0) > 8 and n not in gone: time.sleep(.01)
    s = connect()
    try:
        if s is None: put(0xffffffff, b''); return
        s.settimeout(1)
        sending = threading.Thread(target=lambda: send(s, data)); sending.daemon = True; sending.start()
        while n not in gone:
            try: x = s.recv(65536)
            except socket.timeout: continue
            except OSError: break
            if not x: break
            put(len(x), x)
        put(0, b'')
    except OSError: pass
    finally:
        if s is not None: s.close()
def send(s, data):
    try: s.sendall(data)
    except OSError: pass
def clean(n, below):
    for f in os.listdir(os.path.join(d, 'o')):
        m, p = f.split('.')
        if m == n and int(p) < below:
            try: os.unlink(os.path.join(d, 'o', f))
            except OSError: pass
last = time.time()
try:
    while time.time() - last < grace and os.path.isdir(d):
        for f in sorted(os.listdir(os.path.join(d, 'k'))):
            n, _, kind = f.partition('.'); path = os.path.join(d, 'k', f)
            if kind == 'q':
                with open(path, 'rb') as g: head, _, data = g.read().partition(b'\\n')
                if not head.isdigit() or len(data) < int(head): continue
                t = threading.Thread(target=talk, args=(n, data)); t.daemon = True; t.start()
            elif kind == 'x': gone.add(n); clean(n, 1 << 30)
            elif kind[:1] == 'a': acks[n] = int(kind[1:]); clean(n, acks[n])
            os.unlink(path); last = time.time()
        time.sleep(.005 if time.time() - last < 5 else .1)
except OSError: pass
shutil.rmtree(d, True)
p = os.path.dirname(d); b = os.path.dirname(p)
try: os.rmdir(p)
except OSError: pass
try:
    if os.listdir(b) == ['.gitignore']: shutil.rmtree(b, True)
except OSError: pass
`;
