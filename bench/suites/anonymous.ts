import { once } from 'node:events';
import { createConnection } from 'node:net';
import { type ServerProcess, startWatchword } from '../contestants/server-process.ts';
import { running, temporaryDirectory } from '../contestants/temporary.ts';
import { median } from '../measure/statistics.ts';
import { machine } from '../rounds/rounds.ts';
import { type AnonymousRequest, anonymousRequests } from './anonymous/requests.ts';

/** Milliseconds of processor time, of all threads of the server. */
const bound = 10;
const rounds = 7;
const requestsOfRound = 10;
const warmUp = 10;
// Each request comes from another address. Otherwise the limit of failed attempts would answer most of them.
const flags = ['--demo', '--trusted-proxies', '127.0.0.1'];

/** Processor time of each kind of expensive request that anybody can send. Fails if one takes more than the bound. */
export async function benchAnonymous(): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const directory = await temporaryDirectory(resources);
  const server = await running(resources, startWatchword(directory, undefined, flags));
  console.log(await machine());
  console.log(`Milliseconds of processor time for each request, at most ${bound}:`);
  const over: string[] = [];
  for (const request of await anonymousRequests(server.port)) {
    const milliseconds = await measure(server, request);
    console.log(`  ${milliseconds.toFixed(2).padStart(7)}  ${request.name}`);
    if (milliseconds > bound) over.push(request.name);
  }
  if (over.length > 0) throw new Error(`more than ${bound} ms: ${over.join('; ')}`);
}

/** The median of the rounds. @throws Error for an answer with another status: it would measure something else */
async function measure(server: ServerProcess, request: AnonymousRequest): Promise<number> {
  await send(server.port, request, warmUp);
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = server.cpuSeconds();
    await send(server.port, request, requestsOfRound);
    measured.push(((server.cpuSeconds() - before) * 1000) / requestsOfRound);
  }
  return median(measured);
}

/** One after the other, each over its own connection: the server closes that of a refused request. */
async function send(port: number, { name, bytes, status }: AnonymousRequest, times: number): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) {
    const answer = await answerTo(port, bytes(nextAddress()));
    if (answer.startsWith(`HTTP/1.1 ${status} `)) continue;
    throw new Error(`${name}: expected ${status}, got:\n${answer}`);
  }
}

let addresses = 0;

function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

async function answerTo(port: number, bytes: Buffer): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  let answer = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    answer += chunk;
  });
  // After its answer the server can reset a connection with unread bytes.
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}
