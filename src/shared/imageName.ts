/** The name of a container image, in parts for people: `agent:1.2` of `ghcr.io/acme/agent:1.2@sha256:…`, and where it comes from. */
export interface ImageName {
  /** Name and tag, without a digest. */
  readonly name: string;
  /** Registry and path; empty when there is none. */
  readonly from: string;
}

/** Takes any text: what is no image name is its own name. */
export function imageName(id: string): ImageName {
  const whole = id.replace(/@[^/]*$/, '');
  const slash = whole.lastIndexOf('/');
  const name = whole.slice(slash + 1);
  return name === '' ? { name: id, from: '' } : { name, from: whole.slice(0, Math.max(slash, 0)) };
}
