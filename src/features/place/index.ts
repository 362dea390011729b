/** What other features, and compose, may import of this one. */
export { SandboxFiles } from './model/files';
export { authorityOf, folderAddress } from './model/folderAddress';
export { InsideFiles } from './model/insideFiles';
export { mayChangeFiles } from './model/knownFiles';
export { ListeningWatch } from './model/listening';
