// A thread that serves one database after the other (lasting-worker.ts). Each gets the module anew, with a port and data of its own
// in place of those of the thread. Plain JavaScript: a thread that is started from TypeScript loads the TypeScript stripper.
import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';

const ownPort = new URL('./lasting-port.js', import.meta.url);
let count = 0;

registerHooks({
  resolve(specifier, context, next) {
    const database = context.parentURL && new URL(context.parentURL).searchParams.get('database');
    if (specifier !== 'node:worker_threads' || !database) return next(specifier, context);
    return { url: `${ownPort}?served=${database}`, shortCircuit: true };
  },
});

parentPort.on('message', async ({ port, workerData }) => {
  globalThis.__database = { port, workerData };
  port.once('close', () => parentPort.postMessage('served'));
  count += 1;
  await import(`${workerData.module}?database=${count}`);
});
