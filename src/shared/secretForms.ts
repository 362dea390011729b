import { wellFormed } from './wellFormed';
import { withoutEscapes } from './textViews';

/** Characters of a secret that is also looked for in other encodings, where shorter ones would occur by chance. */
const shortestEncoded = 8;

/** Of a longer one, such as a file of certificates, other encodings than Base64 would take long to look for. */
const longestEncoded = 2_000;

/** Characters of a line that is a secret by itself, such as a line of a private key. */
const shortestLine = 16;

/**
 * The ways in which programs write a secret: as it is, in JSON, in addresses, in Base64 and Base32 (by itself or within
 * more, as after `Authorization: Basic`; also of UTF-16, as PowerShell encodes commands, and twice), in hexadecimal (also of
 * Base64, and the other way around), and as a list of bytes; and the lines of a secret that has several.
 */
export function secretForms(secret: string): string[] {
  // A lone surrogate can't be encoded.
  const whole = wellFormed(secret);
  const inAddress = encodeURIComponent(whole);
  // What looks like an escape in a secret is decoded with the escapes around it. Too little may be left of the secret to
  // be found then, so those are also looked for as they are.
  const forms = [
    whole,
    withoutEscapes(whole),
    inAddress.replaceAll('%20', '+'),
    ...nested(encodeURIComponent, whole),
    ...nested(inJson, whole),
  ];
  if (whole.length < shortestEncoded) return [...new Set(forms)];
  const bytes = new TextEncoder().encode(whole);
  const lines = /[\r\n]/.test(whole) ? whole.split(/[\r\n]+/).filter(isSecretLine) : [];
  if (whole.length > longestEncoded) return [...new Set([...forms, ...base64(bytes), ...lines])];
  // Of text that was read in the wrong encoding, or decoded from an address byte by byte.
  return [
    ...new Set([
      ...forms,
      binary(bytes),
      withoutEscapes(binary(bytes)),
      hexadecimal(bytes),
      bytes.join(),
      Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(),
      ...[2, 8].map((base) => digits(bytes, base)),
      // After the place of each, as members of an object.
      Array.from(bytes, (byte, at) => `${at}${byte}`).join(),
      Array.from(whole, (one, at) => `${at}${one}`).join(),
      ...base64(bytes),
      ...base64(encoded(base64(bytes)[0])),
      ...base64(encoded(hexadecimal(bytes))),
      hexadecimal(encoded(hexadecimal(bytes))),
      hexadecimal(encoded(base64(bytes)[0] ?? '')),
      // In either order: without the last zero, one is the other after a zero.
      ...base64(utf16(whole).slice(0, -1)),
      ...base32(bytes),
      ...words(bytes),
      ...lines,
    ]),
  ];
}

const isSecretLine = (line: string) => line.length >= shortestLine && !line.startsWith('-----');

/** A text in which `write` writes another, up to three levels deep. */
const nested = (write: (text: string) => string, text: string) => {
  const once = write(text);
  const twice = write(once);
  return [once, twice, write(twice)];
};

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const binary = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Little-endian. */
const utf16 = (text: string) =>
  Uint8Array.from({ length: text.length * 2 }, (_, at) => text.charCodeAt(at >> 1) >> (8 * (at & 1)));

/** Each byte in as many digits as the highest one has. */
const digits = (bytes: Uint8Array, base: number) => {
  const { length } = (255).toString(base);
  return Array.from(bytes, (byte) => byte.toString(base).padStart(length, '0')).join('');
};

const hexadecimal = (bytes: Uint8Array) => digits(bytes, 16);

const encoded = (text: string | undefined) => new TextEncoder().encode(text);

/** The bytes of each pair in the other order. */
const swapped = (bytes: Uint8Array) => Uint8Array.from(bytes, (_, at) => bytes[at ^ 1] ?? 0);

/** In pairs of bytes, the second one first, as `hexdump` and `od -x` print them. */
const words = (bytes: Uint8Array) =>
  [0, 1].map((before) => {
    const whole = bytes.slice(before, bytes.length - ((bytes.length - before) % 2));
    return hexadecimal(swapped(whole));
  });

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Like `base64`, for each of five places. */
const base32 = (bytes: Uint8Array) =>
  [0, 1, 2, 3, 4].map((before) => {
    const bits = '0'.repeat(before * 8) + digits(bytes, 2);
    const own = Array.from({ length: Math.floor(bits.length / 5) }, (_, at) =>
      bits.slice(at * 5, at * 5 + 5),
    );
    return own
      .slice(Math.ceil((before * 8) / 5))
      .map((five) => alphabet[Number.parseInt(five, 2)])
      .join('');
  });

/** The part that is the same whatever comes before and after: for each of the three places where the bytes may begin. */
function base64(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = btoa('\0'.repeat(before) + binary(bytes));
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)];
    const own = encoded.slice(from, to);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
