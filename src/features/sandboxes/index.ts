/** What other features, and compose, may import of this one. */
export { mayTry, sandboxActions, type ActionOfTool, type SandboxAction } from './model/actions';
export { changeSandboxes } from './model/changeSandboxes';
export { checkExposedUrl } from './model/exposedUrl';
export { pauseOnExit } from './model/pauseOnExit';
export { likelyPaused, pauseHint, pauseWarnings, runningNow, type Running } from './model/serviceLimit';
export { UsedSandboxes } from './model/usedSandboxes';
