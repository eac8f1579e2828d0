// What a module in a lasting thread gets as `node:worker_threads`.
export { receiveMessageOnPort } from 'node:worker_threads';

export const { port: parentPort, workerData } = globalThis.__database;
