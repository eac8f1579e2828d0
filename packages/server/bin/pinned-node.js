// For a Node.js that is too old to run the command: the pinned one, which `npm ci` brought, runs it instead. This file has to
// do with what old ones understand.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Passwords are hashed by crypto.argon2, which came with 24.7. */
export function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 24 || (major === 24 && minor < 7);
}

/** Runs this very command by the pinned Node.js, and ends as that ends. */
export function runByPinnedNode() {
  const node = pinnedNode();
  if (node === undefined) return refuse('npm has installed none that it could use instead');
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    // By the channel the server notices when this process is killed (src/runtime/end-requests.ts).
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const passOn = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, passOn);
  // A pinned one that was built for another C library, as on Alpine Linux.
  child.on('error', ({ code }) => refuse(`${node} cannot be started (${code})`));
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, passOn);
    process.exitCode = code ?? 1;
    if (signal !== null) process.kill(process.pid, signal);
  });
}

function refuse(reason) {
  console.error(
    `Watchword needs Node.js 24.7 or later. This is ${process.version}, and ${reason}. Install a newer Node.js, or run "npm ci" in the checkout.`,
  );
  process.exitCode = 1;
}

/** Where npm has put the Node.js for this system that the root package.json lists. */
function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const require = createRequire(import.meta.url);
  for (const name of [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`]) {
    try {
      const { version, bin } = require(`${name}/package.json`);
      if (!isTooOld(version)) return join(require.resolve(`${name}/package.json`), '..', bin.node);
    } catch {
      // It is not installed: the next, if any.
    }
  }
  return undefined;
}
