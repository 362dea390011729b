/** The part of undici that Node bundles for its own `fetch`; it comes without types. */
declare module 'undici/index-fetch.js' {
  export { EnvHttpProxyAgent, fetch, FormData, WebSocket } from 'undici';
}
