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

  /** True if all of it was on screen; fractions of a pixel don't count. */
  covers(height: number): boolean {
    return this.parts.some(({ from, to }) => from <= 1 && to >= height - 1);
  }
}
