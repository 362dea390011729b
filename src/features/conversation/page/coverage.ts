/** Which parts of something were on screen, as pixels from its top. */
export class Coverage {
  private parts: { from: number; to: number }[] = [];

  add(from: number, to: number): void {
    if (to <= from) return;
    const apart = this.parts.filter((part) => part.to < from || part.from > to);
    const joined = this.parts.filter((part) => !apart.includes(part));
    this.parts = [
      ...apart,
      {
        from: Math.min(from, ...joined.map((part) => part.from)),
        to: Math.max(to, ...joined.map((part) => part.to)),
      },
    ];
  }

  /** Up to where it was on screen from its top without a gap; fractions of a pixel don't count. */
  get end(): number {
    return this.first?.to ?? 0;
  }

  /** True if all of it was on screen. */
  covers(height: number): boolean {
    return this.first !== undefined && this.end >= height - 1;
  }

  private get first() {
    return this.parts.find(({ from }) => from <= 1);
  }
}
