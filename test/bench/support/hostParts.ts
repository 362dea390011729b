/* What the extension host runs for the view Sandboxes, built for the bench by `loadHostParts`. */
export { createClient } from '../../../src/api/client';
export { ServiceModel } from '../../../src/state/serviceModel';
export { SessionStore } from '../../../src/state/session';
export { sandboxesView } from '../../../src/views/sandboxes/provider';
export { drawn } from './editorStub';
export { ListView } from '../../../src/views/listView';
