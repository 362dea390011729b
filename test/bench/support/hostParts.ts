/* What the extension host runs for the Sandboxes and Conversations views, built for the bench by `loadHostParts`. */
export { createClient } from '../../../src/api/service/client';
export { ReadMarks } from '../../../src/state/attention/readMarks';
export { Arrangement } from '../../../src/state/conversations/arrangement';
export { Attempts } from '../../../src/state/conversations/attempts';
export { Shelf } from '../../../src/state/conversations/shelf';
export { ServiceModel } from '../../../src/state/lists/serviceModel';
export { SessionStore } from '../../../src/state/session/session';
export { StartTasks } from '../../../src/state/conversations/startTasks';
export { conversationsView } from '../../../src/views/conversations/view';
export { sandboxesView } from '../../../src/views/sandboxes/view';
export { drawn } from './editorStub';
export { ListView } from '../../../src/views/listView';
