/** Maximum number of places to mark; only a query of a letter or two has more. */
const most = 2_000;

/** Marks what a search found in the entries that are drawn, without changing them. */
export function markFound(pattern: RegExp | undefined, feed: Element | null): void {
  CSS.highlights.delete('found');
  if (!pattern || !feed) return;
  const highlight = new Highlight();
  const texts = document.createTreeWalker(feed, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && highlight.size < most; node = texts.nextNode()) {
    for (const { index, 0: found } of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      highlight.add(range);
    }
  }
  CSS.highlights.set('found', highlight);
}
