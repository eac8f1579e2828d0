import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { createTokenVerifier } from '@watchword/resource-server';
import { createSite } from '../client-app/src/site.ts';
import { createApi } from '../resource-server/src/api.ts';
import { openNotes } from '../resource-server/src/notes.ts';
import { closeServer, listen, together } from './listening.ts';
import { register } from './register.ts';
import type { DemoOptions, Running } from './run.ts';
import { serveWatchword, watchwordOn } from './watchword.ts';

export interface Demo extends Running {
  readonly appUrl: string;
  readonly watchwordUrl: string;
  readonly apiUrl: string;
  /** File with what the job needs, secret included, for `node --env-file`. */
  readonly jobEnvironment: string;
}

// Milliseconds for which the API keeps an answer about a token. They are few, so that a withdrawal can be seen soon.
const cacheTtl = 2000;

/** Starts everything on loopback. The app gets the port after that of Watchword, the API the one after. */
export function startDemo({ port, database, bin }: DemoOptions): Promise<Demo> {
  return together(async (stopping) => {
    const directory = dirname(database);
    await mkdir(directory, { recursive: true });

    // Listens first, because the app is registered with its address. Users learn the address when everything runs.
    const site = createServer();
    stopping(() => closeServer(site));
    const appOrigin = await listen(site, port === 0 ? 0 : port + 1);
    const { api, app, job } = await register(watchwordOn(bin, database), `${appOrigin}/callback`);

    const watchword = await serveWatchword(bin, database, port, join(directory, 'demo.log'));
    stopping(watchword.stop);
    const issuer = watchword.baseUrl;

    const notes = openNotes(join(directory, 'demo-notes.db'));
    stopping(async () => notes.close());
    const { key, secret } = api;
    const verifier = createTokenVerifier({ url: issuer, key, secret, cache: { ttl: cacheTtl } });
    const notesApi = await createApi({ verifier, notes, appOrigin });
    stopping(() => notesApi.close());
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

    return { appUrl: `${appOrigin}/`, watchwordUrl: issuer, apiUrl, jobEnvironment, ended: watchword.ended };
  });
}
