/**
 * A container image's name, split for display: `agent:1.2` of `ghcr.io/acme/agent:1.2@sha256:…`, and where it comes
 * from.
 */
export interface ImageName {
  /** Name and tag, without a digest. */
  readonly name: string;
  /** Registry and path; empty when there is none. */
  readonly from: string;
}

/** Accepts any text: what isn't an image name becomes the `name` unchanged. */
export function imageName(id: string): ImageName {
  const whole = id.replace(/@[^/@]*$/, '');
  const slash = whole.lastIndexOf('/');
  const name = whole.slice(slash + 1);
  return name === '' ? { name: id, from: '' } : { name, from: whole.slice(0, Math.max(slash, 0)) };
}
