/* What the extension host runs for the Sandboxes and Conversations views, built for the bench by `loadHostParts`. */
export { createClient } from '../../../src/api/service/client';
export { ReadMarks } from '../../../src/features/attention/model/readMarks';
export { Arrangement } from '../../../src/features/conversations/model/arrangement';
export { Attempts } from '../../../src/features/start/model/attempts';
export { Shelf } from '../../../src/features/conversations/model/shelf';
export { ServiceModel } from '../../../src/core/lists/serviceModel';
export { SessionStore } from '../../../src/core/session/session';
export { StartTasks } from '../../../src/features/start/model/startTasks';
export { conversationsView } from '../../../src/features/conversations/rows/view';
export { sandboxesView } from '../../../src/features/sandboxes/rows/view';
export { drawn } from './editorStub';
export { ListView } from '../../../src/editor/rows/listView';
