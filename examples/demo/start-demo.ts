import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createTokenVerifier } from '@watchword/resource-server';
import { createSite } from '../client-app/src/site.ts';
import { createApi } from '../resource-server/src/api.ts';
import { openNotes } from '../resource-server/src/notes.ts';
import { register } from './register.ts';
import { serveWatchword, watchwordOn } from './watchword.ts';

export interface DemoOptions {
  /** Of Watchword; the app gets the next one, the API the one after. 0 = any free ones. */
  readonly port: number;
  /** File of Watchword's database; the notes, the log and the job's settings lie beside it. */
  readonly database: string;
  /** The file that runs `watchword`. */
  readonly bin: string;
}

export interface Demo {
  readonly appUrl: string;
  readonly watchwordUrl: string;
  readonly apiUrl: string;
  /** File with what the job needs, secret included, for `node --env-file`. */
  readonly jobEnvironment: string;
  /** Resolves with its exit code when Watchword ends, asked or not. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

// Milliseconds for which the API keeps an answer about a token. They are few, so that a withdrawal can be seen soon.
const cacheTtl = 2000;

/** Starts everything on loopback, and stops what it has started when something fails. */
export async function startDemo({ port, database, bin }: DemoOptions): Promise<Demo> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const directory = dirname(database);
    await mkdir(directory, { recursive: true });

    // Listens first, because the app is registered with its address. Users learn the address when everything runs.
    const site = createServer();
    closers.push(() => closeServer(site));
    const appOrigin = await listen(site, port === 0 ? 0 : port + 1);
    const { api, app, job } = await register(watchwordOn(bin, database), `${appOrigin}/callback`);

    const watchword = await serveWatchword(bin, database, port, join(directory, 'demo.log'));
    closers.push(watchword.stop);
    const issuer = watchword.baseUrl;

    const notes = openNotes(join(directory, 'demo-notes.db'));
    closers.push(async () => notes.close());
    const { key, secret } = api;
    const verifier = createTokenVerifier({ url: issuer, key, secret, cache: { ttl: cacheTtl } });
    const notesApi = await createApi({ verifier, notes, appOrigin });
    closers.push(() => notesApi.close());
    const apiUrl = await notesApi.listen({ host: '127.0.0.1', port: port === 0 ? 0 : port + 2 });

    site.on('request', createSite({ issuer, clientId: app.clientId, apiUrl }));

    const jobEnvironment = join(directory, 'demo.env');
    const variables = {
      WATCHWORD_URL: issuer,
      API_URL: apiUrl,
      JOB_CLIENT_ID: job.clientId,
      JOB_SECRET: job.secret,
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(jobEnvironment, lines.join(''), { mode: 0o600 });

    return {
      appUrl: `${appOrigin}/`,
      watchwordUrl: issuer,
      apiUrl,
      jobEnvironment,
      ended: watchword.ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
