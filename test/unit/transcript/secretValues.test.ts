import assert from 'node:assert/strict';
import { everyCase } from '../../support/everyCase';
import { secretValues } from '../../../src/features/transcript/model/secretValues';

describe('secrets of MCP servers', () => {
  it('are in env, headers, and keys, at any depth', () => {
    const servers = {
      files: {
        command: 'npx',
        args: ['-y', 'server'],
        env: { TOKEN: 'env-secret', DEBUG: '1', PIN: 12345678 },
      },
      search: {
        url: 'https://mcp.example.com',
        headers: { Authorization: 'Bearer  header-secret' },
        auth: { strategy: 'bearer', value: 'auth-secret' },
      },
      list: [{ api_key: 'key-secret', name: 'tavily' }],
    };
    assert.deepEqual(secretValues(servers).sort(), [
      '1',
      '12345678',
      'Bearer  header-secret',
      'auth-secret',
      'bearer',
      'env-secret',
      'header-secret',
      'key-secret',
    ]);
  });

  it('are in addresses, and in arguments after names of such values', () =>
    everyCase(
      [
        { url: 'https://mcp.example.com/sse?apiKey=canary-1' },
        { url: 'https://mcp.example.com/sse?v=1&t=canary%2D1#x' },
        { url: 'https://user:canary-1@mcp.example.com' },
        { url: 'https://canary-1@mcp.example.com/' },
        { url: 'https://mcp.example.com/s/canary-1abcdefghijkl0/mcp' },
        { url: 'https://mcp.example.com/#access=canary-1' },
        { args: ['-y', 'server', '--token', 'canary-1'] },
        { args: ['--api-key=canary-1'] },
        { args: ['--apikey', 'canary-1'] },
        { args: ['--openai-api-key', 'canary-1'] },
        { args: ['-H', 'Authorization: Bearer canary-1'] },
        { args: ['--header', 'X-Api-Key:canary-1'] },
        { args: ['run', '-e', 'GITHUB_PERSONAL_ACCESS_TOKEN=canary-1', 'image'] },
        { args: ['--config', '{"apiKey":"canary-1"}'] },
        { args: ['postgresql://me:canary-1@db.example.com/shop'] },
        { args: ['mcp-remote', 'https://mcp.example.com/sse?k=canary-1'] },
        { command: 'sh -c "server --password=canary-1"' },
        { command: 'npx', oauth: { clientSecret: 'canary-1' } },
        { accessToken: 'canary-1' },
        { http_headers: { 'X-Access': 'canary-1' } },
        { extraHeaders: { 'X-Access': 'canary-1' } },
        { environmentVariables: { ACCESS: 'canary-1' } },
        { env_vars: [{ name: 'ACCESS', value: 'canary-1' }] },
        { args: ['--passphrase', 'canary-1'] },
        { env: { DATABASE: 'postgres://me:canary-1@db.example.com/shop' } },
        { env: { HOOK: 'https://mcp.example.com/hook?key=canary-1' } },
        { env: { OPTIONS: '--host db --password canary-1' } },
        { headers: { Cookie: 'theme=dark; token=canary-1' } },
        { args: ['--basic-auth', 'me:canary-1'] },
        { args: ['--auth=me:canary-1'] },
        { args: ['--cookie', 'session=canary-1'] },
        ...[
          ...['--pass', '--key', '--pat', '--jwt', '--db-pass', '--dbPass', '-k', '-p'].flatMap((name) => [
            { args: [name, 'canary-1'] },
            { args: [`${name}=canary-1`] },
            { command: `server ${name} canary-1` },
            { command: `server ${name}="canary-1 and more"` },
          ]),
          ...['-u', '--user', '--proxy-user'].flatMap((name) => [
            { args: [name, 'me:canary-1'] },
            { args: [`${name}=me:canary-1`] },
            { command: `curl ${name} 'me:canary-1'` },
          ]),
          ...['X-Key: canary-1', 'x-jwt:canary-1', 'X-Functions-Key: Bearer canary-1'].flatMap((header) => [
            { args: [`--header=${header}`] },
            { args: ['-H', header] },
            { command: `curl -H '${header}'` },
          ]),
          ...['GITHUB_PAT', 'OPENAI_KEY', 'DB_PASS', 'jwt'].flatMap((name) => [
            { args: ['-e', `${name}=canary-1`] },
            { args: [`--env=${name}=canary-1`] },
            { [name]: 'canary-1' },
          ]),
          { args: ['me:canary-1@db.example.com/shop'] },
          { args: ['me:canary-1@tcp(localhost:3306)/shop'] },
          { args: ['mcp.example.com/sse?t=canary-1'] },
          { args: ['--url=//mcp.example.com/sse?t=canary-1'] },
          { args: ['-c', 'exec server --token canary-1'] },
          { command: `sh -c "exec server --token 'canary-1'"` },
          { command: String.raw`bash -c "sh -c \"server --pass canary-1\""` },
        ],
      ],
      JSON.stringify,
      (server) => assert.ok(secretValues(server).some((value) => value.startsWith('canary-1'))),
    ));

  it('aren’t in what looks like an address, and is none', () => {
    for (const address of ['https://[not', 'https://a.example:port/?', 'a.example:99999/x?', 'http://%'])
      assert.deepEqual(secretValues({ url: address, args: [address] }), [], address);
  });

  it('are what tools take as passwords after options, also joined to them', () =>
    everyCase(
      [
        ...['mysql', 'mysqldump', 'mysqladmin', 'mariadb', 'mariadb-dump', '/usr/bin/mysql', 'mycli'].map(
          (tool) => `${tool} -uroot -pcanary-1 shop`,
        ),
        'sshpass -pcanary-1 ssh -p 22 me@host',
        'sshpass -p canary-1 ssh me@host',
        'sqlcmd -S db -U sa -P canary-1',
        'sqlcmd -Pcanary-1',
        'bcp shop out a -P canary-1',
        'redis-cli -p 6379 -a canary-1 ping',
        'mongodump -pcanary-1',
        '7z x -pcanary-1 a.7z',
        'rar x -hpcanary-1 a.rar',
        'zip -Pcanary-1 a.zip b',
        'unzip -P canary-1 a.zip',
        'curl -u me:canary-1 https://a.example',
        'curl -ume:canary-1 https://a.example',
        'curl -sSu me:canary-1 https://a.example',
        'curl -fsSLume:canary-1 https://a.example',
        'curl -b session=canary-1 https://a.example',
        'http -a me:canary-1 a.example',
        'smbclient -U me%canary-1 //host/share',
        'smbclient -Ume%canary-1 //host/share',
        'rpcclient --user=me%canary-1 host',
        'lftp -u me,canary-1 host',
        'ldapsearch -x -D cn=me -wcanary-1',
        'ldapsearch -x -w canary-1',
        'mosquitto_pub -u me -P canary-1',
        'ipmitool -H host -P canary-1',
        'htpasswd -b users me canary-1',
        'htpasswd -bBc users me canary-1',
        'htpasswd -nb me canary-1',
        'docker login -u me -p canary-1 ghcr.io',
        'docker login -pcanary-1 ghcr.io',
        'openssl rsa -passin pass:canary-1 -in a',
        'openssl enc -k canary-1',
        'psql password=canary-1',
        'keytool -storepass canary-1',
        'sudo -u postgres mysql -pcanary-1',
        'docker run -p 80:80 mysql:8 mysql -pcanary-1',
        'mkdir -p dir && mysql -pcanary-1',
        'C:\\bin\\mysql.exe -pcanary-1',
      ],
      String,
      (line) => {
        const [command = '', ...args] = line.split(' ');
        for (const server of [{ command, args }, { command: [command, ...args] }])
          assert.ok(secretValues(server).includes('canary-1'), JSON.stringify(server));
        if (line.includes('\\')) return;
        for (const server of [{ command: line }, { command: 'sh', args: ['-c', line] }])
          assert.ok(secretValues(server).includes('canary-1'), JSON.stringify(server));
      },
    ));

  it('are found as such in quotes, and with blanks', () =>
    everyCase(
      [
        `mysql -p'canary 1'`,
        `psql "host=db password='canary 1'"`,
        `smbclient -U 'me%canary 1' //h/s`,
        `curl -u 'me:canary 1' a`,
      ],
      String,
      (command) => assert.ok(secretValues({ command }).includes('canary 1')),
    ));

  it('are what a shell makes of backslashes, in quotes and outside of them', () =>
    everyCase(
      [
        [String.raw`mysql -p"can\"ary 1"`, 'can"ary 1'],
        [String.raw`mysql -p"can\\ary 1"`, String.raw`can\ary 1`],
        [String.raw`mysql -p"can\$ary 1"`, 'can$ary 1'],
        ['mysql -p"can\\`ary 1"', 'can`ary 1'],
        [String.raw`mysql -p"can\ary 1"`, String.raw`can\ary 1`],
        [String.raw`mysql -p'can\ary 1'`, String.raw`can\ary 1`],
        [String.raw`mysql -pcan\ary\ 1`, 'canary 1'],
        [String.raw`mysql -p"can"'ary 'one\ 1`, 'canary one 1'],
        [String.raw`"C:\Program Files\MySQL\bin\mysql.exe" -pcanary-1`, 'canary-1'],
      ] as const,
      ([command]) => command,
      ([command, secret]) => assert.deepEqual(secretValues({ command }), [secret]),
    ));

  it('aren’t what other tools take after such options', () =>
    everyCase(
      [
        ...[
          'mkdir -p canary-dir',
          'cp -p canary-a canary-b',
          'npx -p canary-package server',
          'ssh -p 22 host',
        ],
        ...['docker run -p 80:80 image', 'patch -pcanary', 'grep -Pcanary a', 'ls -acanary', 'sort -ucanary'],
        ...['mysql -u canary-me -p', 'curl -XPUT -k https://canary.example/a', 'curl -ucanary-me a'],
        ...[
          'smbclient -U canary-me //h/s',
          'curl -b canary.txt a',
          'htpasswd users canary-me',
          'mysql -p; canary-1',
        ],
        ...['openssl rsa -passin file:canary', 'zip -r canary.zip a', 'mkdir -p canary-dir && mysql'],
      ],
      String,
      (line) => {
        const [command = '', ...args] = line.split(' ');
        for (const server of [{ command: line }, { command, args }])
          assert.deepEqual(
            secretValues(server).filter((value) => value.includes('canary')),
            [],
          );
      },
    ));

  it('of several words are found whole', () =>
    everyCase(
      [
        { command: 'server --token="canary 1"' },
        { command: "server --token 'canary 1'" },
        { command: String.raw`server --pass canary\ 1` },
        { command: `sh -c "server --jwt 'canary 1'"` },
        { args: ['--key=canary 1'] },
        { args: ['-e', 'GITHUB_PAT=canary 1'] },
      ],
      JSON.stringify,
      (server) => assert.ok(secretValues(server).includes('canary 1')),
    ));

  it('aren’t what follows options and names that resemble those of secrets', () =>
    everyCase(
      [
        ...['--keyboard us', '--path x', '-p 8080', '-p 127.0.0.1:8080:80', '-p 53:53/udp', '--author me'],
        ...['--authors me', '--monkey x', '--compass x', '--bypass x', '--public-key x', '--patch x'],
        ...['--passive x', '--keys-file x', '-u 1000:1000', '-u node:node', '-u me', '--user=me', '-i x'],
        ...['-H Accept:text/html', '-e DEBUG=1', '--env=PATH=/usr/bin', 'git@github.com:acme/shop.git'],
        ...[
          'node:22-bookworm-slim@sha256:0a1b2c3d',
          'example.com/tools',
          'server.py --name "a b"',
          '"\'"',
          'auth login',
          'key x',
        ],
      ],
      String,
      (line) => {
        assert.deepEqual(secretValues({ command: line }), []);
        assert.deepEqual(secretValues({ args: line.split(' ') }), []);
      },
    ));

  it('are none in anything else', () => {
    const plain = {
      url: 'https://mcp.example.com/v1/tools',
      args: ['-y', '@acme/keyboard', '--port', '8080'],
    };
    for (const value of ['text', 7, null, true, [], {}, [{ url: 'https://x', command: 'npx' }], plain])
      assert.deepEqual(secretValues(value), []);
  });
});
