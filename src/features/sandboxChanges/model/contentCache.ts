/** Maximum size of all contents together, in bytes. */
const mostBytes = 32 * 1024 * 1024;

/** Contents of files by their hash. The least recently used go first. */
export class ContentCache {
  private readonly contents = new Map<string, Uint8Array>();
  private bytes = 0;

  constructor(private readonly most: number = mostBytes) {}

  get(oid: string): Uint8Array | undefined {
    const content = this.contents.get(oid);
    if (!content) return undefined;
    this.contents.delete(oid);
    this.contents.set(oid, content);
    return content;
  }

  set(oid: string, content: Uint8Array): void {
    this.delete(oid);
    if (content.byteLength > this.most) return;
    this.contents.set(oid, content);
    this.bytes += content.byteLength;
    for (const oldest of this.contents.keys()) {
      if (this.bytes <= this.most) return;
      this.delete(oldest);
    }
  }

  private delete(oid: string): void {
    this.bytes -= this.contents.get(oid)?.byteLength ?? 0;
    this.contents.delete(oid);
  }
}
