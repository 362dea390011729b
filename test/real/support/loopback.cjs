'use strict';
// Preloaded into a program whose servers would listen on all interfaces: they listen on this computer only.
const net = require('node:net');

const { listen } = net.Server.prototype;

/**
 * @this {net.Server}
 * @param {unknown[]} args
 */
function listenHere(...args) {
  const [port, ...others] = args;
  if (typeof port !== 'number') return Reflect.apply(listen, this, args);
  return Reflect.apply(listen, this, [
    { port, host: '127.0.0.1' },
    ...others.filter((one) => typeof one === 'function'),
  ]);
}

net.Server.prototype.listen = listenHere;
