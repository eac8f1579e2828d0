import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** Sends small requests, one after the other, until it gets a message, which it answers with the milliseconds that each took. */
const agent = new Agent({ keepAlive: true });
const latencies: number[] = [];
let isOver = false;

parentPort?.once('message', () => {
  isOver = true;
});
await probe();
parentPort?.postMessage('ready');
while (!isOver) {
  latencies.push(await probe());
  await new Promise((resolve) => setTimeout(resolve, 2));
}
parentPort?.postMessage(latencies);
agent.destroy();

async function probe(): Promise<number> {
  const begin = performance.now();
  const [response] = await once(get({ port: workerData, path: '/healthz', agent }), 'response');
  response.resume();
  await once(response, 'end');
  return performance.now() - begin;
}
