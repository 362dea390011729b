import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate and its private key, both PEM. */
export interface Identity {
  cert: string;
  key: string;
}

/** A certificate authority for a single test. */
export interface Authority {
  /** Its own certificate, PEM. */
  ca: string;
  issue: (options?: CertificateOptions) => Identity;
}

interface CertificateOptions {
  name?: string;
  /** Host names of the certificate. Default: 127.0.0.1 and localhost. */
  hosts?: readonly string[];
  /** Days until it expires; negative if it has already expired. */
  days?: number;
  /** Issues a client certificate instead of a server certificate. */
  client?: boolean;
}

const day = 86_400_000;

/** Creates an authority with a new key. Uses elliptic curves because their keys are fast to generate. */
export function createAuthority(name = 'Test Authority'): Authority {
  const own = newKey();
  const ca = certificate({
    subject: name,
    issuer: name,
    signer: own,
    subjectKey: own,
    days: 30,
    authority: true,
  });
  return {
    ca,
    issue: ({ name: subject = 'localhost', hosts, days = 10, client = false } = {}) => {
      const key = newKey();
      const cert = certificate({ subject, issuer: name, signer: own, subjectKey: key, days, hosts, client });
      return { cert, key: pemKey(key) };
    },
  };
}

/** A certificate that isn’t signed by any authority. */
export function selfSigned(): Identity {
  const key = newKey();
  const cert = certificate({ subject: 'self', issuer: 'self', signer: key, subjectKey: key, days: 10 });
  return { cert, key: pemKey(key) };
}

interface Parts {
  hosts?: readonly string[] | undefined;
  client?: boolean;
  subject: string;
  issuer: string;
  signer: KeyPair;
  subjectKey: KeyPair;
  days: number;
  authority?: boolean;
}
interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const newKey = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemKey = ({ privateKey }: KeyPair) => privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The parts of X.509 version 3 (RFC 5280) that TLS requires. */
function certificate({ subject, issuer, signer, subjectKey, days, hosts, client, authority }: Parts): string {
  const end = Date.now() + days * day;
  const names = hosts?.map((host) => der(0x82, Buffer.from(host))) ?? [
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  ];
  const extensions = authority
    ? [extension('551d13', der(0x30, der(0x01, Buffer.from([0xff]))), true)]
    : [
        extension('551d11', der(0x30, ...names)),
        extension('551d25', der(0x30, oid(client ? '2b06010505070302' : '2b06010505070301'))),
      ];
  const toBeSigned = der(
    0x30,
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(issuer),
    der(0x30, time(Math.min(Date.now(), end) - day), time(end)),
    distinguishedName(subject),
    subjectKey.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  );
  const signature = sign('sha256', toBeSigned, signer.privateKey);
  const whole = der(0x30, toBeSigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A DER element: tag, length, and content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const integer = (bytes: Buffer) => der(0x02, bytes);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));
const extension = (id: string, value: Buffer, critical = false) =>
  der(0x30, oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));
const distinguishedName = (name: string) =>
  der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))));
/** UTCTime; valid until 2049. */
const time = (ms: number) => {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
};
