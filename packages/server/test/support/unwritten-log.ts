import assert from 'node:assert/strict';
import type { RunningServer, Wrap } from '@watchword/server-testkit/processes/process';
import { demoClient, postForm } from '@watchword/server-testkit/servers/server';

/** Requests whose log lines, of 168 bytes or more, are more than the megabyte that may wait. */
export const overflow = 7000;

/** Runs the command with a shell redirection of its output. */
export const redirected =
  (redirection: string): Wrap =>
  (command) => ['sh', '-c', `exec "$@" ${redirection}`, 'sh', ...command];

/** Runs the command with a bug in it: an uncaught error on SIGUSR2. */
export const faulty =
  (wrap: Wrap): Wrap =>
  ([node = '', ...command]) =>
    wrap([
      node,
      '--import',
      "data:text/javascript,process.on('SIGUSR2',()=>{throw new Error('injected')})",
      ...command,
    ]);

export async function issueToken({ baseUrl }: RunningServer): Promise<void> {
  const answer = await postForm(baseUrl, '/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
  assert.equal(answer.status, 200);
  await answer.arrayBuffer();
}

export async function droppedLines({ baseUrl }: RunningServer): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  return Number(/^watchword_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
}
