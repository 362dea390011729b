/** The most places that are marked; there are more only for a letter or two. */
const most = 2_000;

/** Marks what a search found in the entries that are drawn, without changing them. */
export function markFound(query: string | undefined, feed: Element | null): void {
  CSS.highlights.delete('found');
  const wanted = query?.trim().toLowerCase() ?? '';
  if (wanted === '' || !feed) return;
  const highlight = new Highlight();
  const texts = document.createTreeWalker(feed, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && highlight.size < most; node = texts.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.nodeValue?.length ?? 0));
      highlight.add(range);
    }
  }
  CSS.highlights.set('found', highlight);
}
