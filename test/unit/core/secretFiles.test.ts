import assert from 'node:assert/strict';
import { secretSign } from '../../../src/core/secretFiles';
import { everyCase } from '../../support/everyCase';

const sign = (path: string, text = '') => secretSign(path, Buffer.from(text));
const hex = (length: number) => '0a1b2c3d4e5f'.repeat(12).slice(0, length);
const mixed = (length: number) => 'aB3dE5gH7j'.repeat(12).slice(0, length);

/** Each form of a key, and what only resembles it. */
const texts: [key: string, nearly: string][] = [
  ['-----BEGIN OPENSSH PRIVATE KEY-----', '-----BEGIN PUBLIC KEY-----'],
  ['PuTTY-User-Key-File-3: ssh-ed25519', 'see PuTTY-User-Key-File-3: in the manual'],
  [`AGE-SECRET-KEY-1${'QZ'.repeat(29)}`, 'age1qz'],
  ['id: AKIAA1B2C3D4E5F6G7H8', 'AKIA'],
  [`aws_secret_access_key = ${mixed(40)}`, `aws_secret_access_key = ${mixed(12)}`],
  [`token=ghp_${'a1'.repeat(18)}`, 'ghp_short'],
  [`github_pat_${mixed(60)}`, 'github_pat_x'],
  [`glpat-${mixed(20)}`, 'glpat-example'],
  [`glrt-${mixed(20)}`, 'glrt-x'],
  [`xoxb-${mixed(20)}`, 'xoxb-1'],
  [`xapp-1-A1B2C3-123456-${hex(40)}`, 'xapp-1-A1B2C3'],
  [`https://hooks.slack.com/services/T0/B0/${mixed(24)}`, 'https://hooks.slack.com/services/'],
  [`sk-proj-${mixed(24)}`, 'task-management-of-many-things'],
  [`sk_test_${mixed(24)}`, 'sk_test_key'],
  [`rk_live_${mixed(24)}`, 'rk_live_x'],
  [`whsec_${mixed(32)}`, 'whsec_example'],
  [`SG.${mixed(22)}.${mixed(43)}`, 'SG.x.y'],
  [`AIza${mixed(35)}`, 'AIzaX'],
  [`ya29.${mixed(40)}`, 'ya29.'],
  [`GOCSPX-${mixed(28)}`, 'GOCSPX-x'],
  [`AccountKey=${mixed(86)}==`, 'AccountKey=<key>'],
  [`SharedAccessKeyName=Root;SharedAccessKey=${mixed(43)}=`, 'SharedAccessKey=<key>'],
  ['Server=db;User Id=sa;Password=Abc12345;Encrypt=True', 'Server=db;User Id=sa;Password=${PASSWORD};'],
  ['jdbc:mysql://db/shop?user=root&password=hunter22', '`/login?password=${encode(text)}&x`'],
  [`apify_api_${mixed(36)}`, 'apify_api_token'],
  [`ctx7sk-${hex(32)}`, 'ctx7sk-x'],
  [`jina_${mixed(60)}`, 'jina_key'],
  [`phx_${mixed(43)}`, 'phx_template'],
  [`dop_v1_${hex(64)}`, `dop_v1_${hex(10)}`],
  [`pypi-${mixed(60)}`, 'pypi-server'],
  [`dckr_pat_${mixed(27)}`, 'dckr_pat_x'],
  [`xoxc-${mixed(20)}`, 'xoxc-1'],
  [`sk.eyJ1${mixed(40)}.${mixed(22)}`, 'sk.eyJ1.x'],
  ...['csk', 'e2b', 'fw', 'jina', 'phx', 'rpa'].map((name): [string, string] => [
    `${name}_${mixed(40)}`,
    `${name}_of_something_with_a_long_name_of_its_own`,
  ]),
  [`PRIVATE-TOKEN: ${mixed(20)}`, 'PRIVATE-TOKEN: <your_access_token_of_v1.2.3>'],
  [`CLOUDFLARE_API_TOKEN=${mixed(40)}`, 'CLOUDFLARE_API_TOKEN=${CLOUDFLARE_API_TOKEN_2024_01_02}'],
  [`DD_API_KEY: "${hex(32)}"`, 'DD_API_KEY: "your-api-key-goes-here-please"'],
  [`apiKey = '${mixed(32)}'`, 'apiKey = readTheKeyOf2Or3Or4Services(name)'],
  [`client_secret: ${mixed(40)}`, 'client_secret: process.env.SECRET_0123456789.trim()'],
  [`PrivateKey = ${mixed(20)}/${mixed(22)}=`, 'PublicKey = b1C2d3E4f5G6h7I8j9K0b1C2d3E4f5G6h7I8j9K0bC0='],
  [`"password" => "${mixed(24)}"`, 'passwords: a1b2c3d4e5f6a1b2c3d4e5f6'],
  [`const secretKey = "${hex(64)}"`, 'tokenizer: cl100k_base_of_0123456789'],
  [`shpat_${hex(32)}`, 'shpat_x'],
  [`dapi${hex(32)}`, 'dapi'],
  [`gsk_${mixed(52)}`, 'gsk_x'],
  [`tvly-${mixed(32)}`, 'tvly-dev'],
  [`hvs.${mixed(90)}`, 'hvs.x'],
  [`npm_${mixed(36)}`, 'npm_config_registry'],
  [`//registry.example.com/:_authToken=${mixed(20)}`, '//registry.example.com/:_authToken=${TOKEN}'],
  [`client-key-data: ${mixed(60)}`, 'client-key-data:'],
  [`hf_${mixed(34)}`, 'hf_hub_download'],
  [`eyJ${mixed(20)}.eyJ${mixed(20)}.${mixed(20)}`, 'eyJhbGciOi'],
  [`ATATT3${mixed(110)}`, 'ATATT3xFf'],
  [`xai-${mixed(80)}`, 'xai-grok-code-fast'],
  [`r8_${mixed(37)}`, 'r8_unorm'],
  [`nvapi-${mixed(64)}`, 'nvapi-key'],
  [`pplx-${mixed(48)}`, 'pplx-70b-online'],
  [`lin_api_${mixed(40)}`, 'lin_api_key'],
  [`ntn_${mixed(46)}`, 'ntn_token'],
  [`secret_${mixed(43)}`, 'secret_that_is_a_name_of_something_quite_long'],
  [`figd_${mixed(42)}`, 'figd_x'],
  [`key-${hex(32)}`, `key-${hex(12)}`],
  [`xkeysib-${hex(64)}-${mixed(16)}`, 'xkeysib-x'],
  [`rubygems_${hex(48)}`, 'rubygems_version'],
  [`PMAK-${hex(24)}-${hex(34)}`, 'PMAK-x'],
  [`sbp_${hex(40)}`, 'sbp_x'],
  [`sntrys_eyJ${mixed(80)}`, 'sntrys_token'],
  [`glsa_${mixed(32)}_${hex(8)}`, 'glsa_x'],
  [`glc_eyJ${mixed(80)}`, 'glc_x'],
  [`123456789:AA${mixed(33)}`, '123456789:AAx'],
  [`https://discord.com/api/webhooks/${'12'.repeat(9)}/${mixed(68)}`, 'https://discord.com/api/webhooks/1/x'],
  [`ops_eyJ${mixed(120)}`, 'ops_eyJ'],
  [`dp.pt.${mixed(43)}`, 'dp.pt.x'],
  [`dp.st.dev.${mixed(43)}`, 'dp.st.dev'],
  [`pscale_tkn_${mixed(43)}`, 'pscale_tkn_x'],
  [`sq0atp-${mixed(22)}`, 'sq0atp-x'],
  [`EAAA${mixed(60)}`, `EAAA${mixed(120)}`],
  [`glcbt-64_${mixed(20)}`, 'glcbt-x'],
  [`sb_secret_${mixed(22)}_${mixed(8)}`, 'sb_secret_key_of_the_service_that_has_a_name'],
  [`re_${mixed(8)}_${mixed(24)}`, 're_compile_all_of_the_patterns_that_are_known'],
  [`CCIPAT_${mixed(22)}_${hex(40)}`, 'CCIPAT_TOKEN'],
  [`NRAK-${mixed(27).toUpperCase()}`, 'NRAK-x'],
  [`ATCTT3${mixed(80)}`, 'ATCTT3x'],
  [`tskey-auth-${mixed(12)}-${mixed(32)}`, 'tskey-auth-x'],
  [`FlyV1 fm2_${mixed(100)}`, 'fm2_x'],
  [`AQ.Ab8R${mixed(46)}`, 'AQ.Ab8'],
  [`abc8Q~${mixed(34)}`, 'abc8Q~x'],
  [`pat${mixed(14)}.${hex(64)}`, 'path.of.a.file'],
  [`SK${hex(32)}`, `SK${hex(12)}`],
  [`${hex(32)}-us12`, `${hex(12)}-us12`],
  [`${mixed(14)}.atlasv1.${mixed(67)}`, 'x.atlasv1.x'],
  [`MTA${mixed(21)}.${mixed(6)}.${mixed(38)}`, 'MTA.x.y'],
  [`"d": "${mixed(86)}"`, '"d": "M0 0h24v24"'],
  [`Authorization: Basic ${mixed(40)}=`, 'Authorization: Bearer YOUR_TOKEN_HERE'],
  [
    `https://acme.webhook.office.com/webhookb2/${mixed(36)}@${mixed(36)}/x`,
    'https://acme.webhook.office.com/',
  ],
  [`https://x.blob.core.windows.net/a?sv=1&sig=${mixed(43)}%3D`, 'https://x.example/a?sig=abc'],
  ['apiVersion: v1\nkind: Secret\ndata:\n  a: YQ==', 'kind: SecretStore\nsecretRef:\n  kind: Secrets'],
  [`git clone https://${mixed(40)}@github.com/a/b`, 'https://oauth2@github.com/a/b'],
  [`"auth": "${mixed(24)}"`, '"auth": "basic"'],
  ['machine a.example login me password s3cr3t', 'machine a.example login me password <yours>'],
  ['---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----', '---- BEGIN SSH2 PUBLIC KEY ----'],
  ['"private_key": "x"', '"private_key_id"'],
  ['postgres://shop:s3cr3t@db.example.com/shop', 'postgres://shop@db.example.com:5432/shop'],
  ['https://me:s3cr3t@proxy.example.com', 'https://me:${PASSWORD}@proxy.example.com'],
];

describe('files that look like secrets', () => {
  it('are known by their names, wherever they are and whatever is added to a copy', () =>
    everyCase(
      [
        ...[
          '.env',
          'app/.env.local',
          '.ENV',
          '.envrc',
          '.env-prod',
          'deploy/prod.env',
          '.vault-token',
          'id_rsa',
        ],
        // Nothing but its folder would tell a translation of “password” from a password.
        ...[
          'locales/de/auth.json',
          'i18n/en/credentials.json',
          'lang/fr/secrets.yml',
          'docs/credentials.txt',
        ],
        ...['.env ', 'app/.env.', 'prod.pem. .', 'key.properties', 'android/keystore.properties'],
        ...['certs/server.key', 'x.pem', '.npmrc', 'secrets.yaml', 'credentials', 'terraform.tfstate'],
        ...[
          '.env~',
          '#.env#',
          '.#.env',
          '.env.bak',
          '.env.old',
          '.env.swp',
          '.dev.vars',
          'secrets.yml.bak',
          'x.pem.1',
        ],
        ...[
          '.docker/config.json',
          'home/.kube/config',
          '.aws\\config',
          'kubeconfig',
          '.yarnrc.yml',
          'auth.json',
        ],
        ...[
          'local.settings.json',
          'appsettings.Production.json',
          'secrets.dev.yaml',
          '.secrets.yaml',
          'prod.tfvars',
        ],
        ...[
          'x.auto.tfvars.json',
          'AuthKey.p8',
          '.vault_pass',
          'firebase-adminsdk-a1.json',
          'shop-firebase-adminsdk-x.json',
        ],
        ...['id_ed25519', 'id_ecdsa_sk', 'id_rsa.old'],
        ...[
          '.ssh/config',
          '.ssh/work',
          'home/.SSH/keys/deploy',
          '.gnupg/secring',
          '.gnupg/private-keys-v1.d/A.key',
        ],
        ...[
          '.config/gh/hosts.yml',
          'secrets/db',
          'app/secrets/prod/db.yaml',
          '.secrets/token',
          'secrets\\db.txt',
        ],
        ...['.env copy', '.env (1)', '.env copy 2', '.env - Copy', 'Copy of .env', 'id_rsa (2)', 'x (1).pem'],
        ...[
          'secrets copy.yaml',
          'credentials (3).json',
          '.env (1).bak',
          'kubeconfig.yaml',
          'kubeconfig-prod',
          '.sentryclirc',
          '.databrickscfg',
          '.clasprc.json',
          '.gemini/oauth_creds.json',
          '.azure/msal_token_cache.json',
          'prod.kubeconfig',
        ],
        ...[
          'Service_Account.json',
          'service-account-prod.json',
          'gcp-key.json',
          'gcp-prod-key.json',
          'sa-key.json',
        ],
        ...['.terraformrc', 'terraform.rc', 'NuGet.Config', '.m2/settings.xml', '.m2/settings-security.xml'],
        ...[
          'passwords.txt',
          'Passwords.csv',
          '.htdigest',
          'master.key.enc',
          'terraform.tfstate.1700000000.backup',
        ],
        ...[
          'wallet.dat',
          '.env.sh',
          '.env.lock',
          '.secrets/env.py',
          'secrets/env.sh',
          'dump.sql.gpg',
          'terraform.tfstate.backup',
        ],
        ...['api_key.txt', '.openai_api_key', 'private-key.json', 'apikey.txt', 'access_token', 'deploy_key'],
        ...['github_rsa', 'ssh_host_ed25519_key', 'prod.env.enc', 'credentials.yml.enc', 'old.kdb'],
        ...['vault-password.txt', 'vault_pass', '.token', '.github_token', 'gmail_token.json', '.Renviron'],
        ...['config/prod.secret.exs', 'values.secrets.yaml', '.envs/.production/.django', 'ngrok.yml'],
        ...['token.pickle', '.dbt/profiles.yml', '.snowsql/config'],
        ...['.bash_history', '.mylogin.cnf', '.ftpconfig', 'kaggle.json', 'sftp.json', 'token.json'],
        ...[
          'krb5.keytab',
          '.curlrc',
          '.Renviron',
          'vault_password',
          'ansible-vault-pass.txt',
          'filezilla/sitemanager.xml',
          'rclone.conf',
          'wp-config.php',
          'cookies.txt',
          'key4.db',
          'keystore/UTC--2026-01-01T00-00-00Z--a1',
        ],
      ],
      String,
      (path) => assert.equal(sign(path), 'name'),
    ));

  it('aren’t templates, public keys, and others with similar names', () =>
    everyCase(
      [
        ...['.env.example', '.envrc.sample', 'example.env', '.environment', 'src/key.ts', 'environment.ts'],
        ...[
          'secret-santa.md',
          'keyboard.keys',
          'env',
          'id_ed25519.pub',
          'id_rsa.pub',
          'config.json',
          '.kube/config.md',
        ],
        ...[
          '.github/config',
          'appsettings.Development.json',
          'secrets.example.yaml',
          'auth.ts',
          'docker/config.json',
        ],
        ...['.ssh/id_work.pub', '.ssh/known_hosts', '.ssh/authorized_keys', '.gnupg/README.md', 'ssh/config'],
        ...[
          'docs/secrets.md',
          'docs/de/credentials.mdx',
          'docs/secrets/rotation.md',
          'locales/de/password.ts',
          'locales/de/login.json',
          'prod.secret.ts',
          'values.secret.example.yaml',
          'dbt/profiles.yml',
          'envs/prod.yaml',
          'git_key.ts',
          'src/secrets/index.ts',
          'secrets/README',
          'secrets/.gitkeep',
          'secrets/app.example.yaml',
        ],
        ...[
          'my-secrets/db',
          '.config/gh/config.yml',
          'gh/hosts.yml',
          'settings.xml',
          'm2/settings.xml',
          'a copy',
        ],
        ...[
          '.env.example copy',
          'readme (1).md',
          'kubeconfig.md',
          'monkey.json',
          'key.json',
          'translations-key.json',
        ],
        ...['account.json', 'nuget.config.md', 'passwords.ts', 'x.enc', 'data.dat', 'wallet.ts', 'a.gpg.md'],
        ...['.yarnrc', 'vars.tf', 'prod.tfvars.example', 'a~', '#', '.env.example~'],
        ...[
          'ssh_host_rsa_key.pub',
          'tokens.json',
          'apiKeys.ts',
          'access-token.ts',
          'history',
          'x_history.md',
        ],
      ],
      String,
      (path) => assert.equal(sign(path), undefined),
    ));

  it('are known by keys in them, and not by what only resembles one', () =>
    everyCase(
      texts,
      ([key]) => key,
      ([key, nearly]) => {
        assert.equal(sign('src/config.ts', `before\n${key}\nafter`), 'content');
        assert.equal(sign('src/config.ts', `before\n${nearly}\nafter`), undefined, nearly);
      },
    ));

  it('are known by keys with zeros between their characters, whatever the encoding', () => {
    const key = ` ghp_${'a1'.repeat(18)} `;
    const begins = '設定檔案內容'.repeat(80);
    const wide = Array.from(key, (character) => Buffer.from([0, 0, 0, character.charCodeAt(0)]));
    for (const content of [
      Buffer.from(begins + key, 'utf16le'),
      Buffer.from(begins + key, 'utf16le').swap16(),
      Buffer.concat(wide),
      Buffer.concat(wide).swap32(),
      Buffer.from(Array.from(key).join('\0')),
    ])
      assert.equal(secretSign('notes.txt', content), 'content');
  });

  it('are known by keys in UTF-16, with or without a mark', () => {
    const little = Buffer.from(`token ghp_${'a1'.repeat(18)}\r\n`, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const content of [
      little,
      big,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big, Buffer.from([0])]),
    ])
      assert.equal(secretSign('notes.txt', content), 'content');
    assert.equal(secretSign('notes.txt', Buffer.from('no key here', 'utf16le')), undefined);
    assert.equal(secretSign('x.bin', Buffer.alloc(1_000)), undefined);
  });

  it('are known by keys that were appended in another encoding', () => {
    const key = `ghp_${'a1'.repeat(18)}`;
    const wide = (text: string) => Buffer.from(text, 'utf16le');
    for (const content of [
      Buffer.concat([wide('\ufeffnotes\r\n'.repeat(100)), Buffer.from(`${key}\r\n`)]),
      Buffer.concat([wide('\ufeffnotes'), Buffer.from(` ${key}`)]),
      Buffer.concat([Buffer.from('notes\r\n'.repeat(100)), wide(`${key}\r\n`)]),
    ])
      assert.equal(secretSign('notes.txt', content), 'content');
  });

  it('don’t matter when they are deleted', () => {
    assert.equal(secretSign('.env', null), undefined);
  });
});
