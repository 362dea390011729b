import path from 'node:path';

/** The project's folder. */
export const projectFolder = path.resolve(__dirname, '..', '..');

/** Where editors for the tests are kept between runs; ignored by git and left out of the package. */
export const editorCacheFolder = path.join(projectFolder, '.vscode-test');

/** Where UI tests put their screenshots. */
export const screenshotFolder = path.join(projectFolder, '.screenshots');

/** Compiled tests; each run has its own folder inside. */
export const outFolder = path.join(projectFolder, 'out');

export const packageFile = path.join(projectFolder, 'agent-workspace.vsix');
