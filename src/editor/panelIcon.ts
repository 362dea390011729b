import * as vscode from 'vscode';

interface Drawing {
  lines: string;
  dots?: string;
}

const bubble = 'M4 5h16v11H10l-4 4v-4H4z';

/** Paths in a square of 24 by 24. */
const drawings = {
  settings: { lines: 'M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9zM8.4 9.9l2.3 2.1-2.3 2.1M12.6 14.3h3' },
  usage: { lines: 'M4 4v16h16M8.5 16v-5M13 16V7M17.5 16v-3' },
  compare: { lines: 'M4 5h16v14H4zM12 5v14M6.8 9h2.4M14.8 9h2.4' },
  conversation: { lines: bubble },
  failed: { lines: `${bubble}M10 8.5l4 4M14 8.5l-4 4` },
  waiting: { lines: bubble, dots: 'M12 7.5v3.5M12 13.3v.1' },
  working: { lines: bubble, dots: 'M8 10.5h.01M12 10.5h.01M16 10.5h.01' },
} as const satisfies Record<string, Drawing>;

export type PanelIcon = keyof typeof drawings;

/** Shows an icon in the tab of a panel, in a color for each kind of theme. */
export function setPanelIcon(panel: vscode.WebviewPanel, icon: PanelIcon): void {
  panel.iconPath = { light: drawn(drawings[icon], '#424242'), dark: drawn(drawings[icon], '#C5C5C5') };
}

function drawn({ lines, dots = '' }: Drawing, color: string): vscode.Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${color}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="${lines}"/><path d="${dots}" stroke-width="2"/></svg>`;
  return vscode.Uri.from({
    scheme: 'data',
    path: `image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  });
}
