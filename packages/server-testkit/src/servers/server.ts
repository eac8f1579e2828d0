import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeService, type Service } from '../../../server/src/compose.ts';
import { loadConfiguration } from '../../../server/src/config/load.ts';
import type { SettingPath } from '../../../server/src/config/settings.ts';
import { seedDemo } from '../../../server/src/demo.ts';
import { onlyProcess } from '../../../server/src/place.ts';
import type { LogSink } from '../../../server/src/runtime/log/logger.ts';
import { systemClock } from '../../../server/src/system.ts';
import { type Answer, ask, jsonOf } from '../clients/ask.ts';
import { type CopyDatabase, databaseTemplate, hasDatabase } from './database-template.ts';
import { databaseFor, dropDatabases, type Engine, engine, sealingFlags } from './engine.ts';
import { borrowKeyPairs, giveBackKeyPairs } from './key-pairs.ts';

export type { Answer } from '../clients/ask.ts';

export const demoClient = 'demo-service:demo-service-secret';
export const demoResourceServer = 'demo-resource-server:demo-resource-server-secret';

/** The cost of password hashes in tests: a server hashes at this cost, and so finds no hash of a test outdated. */
export const cheapCost = { memory: 8, passes: 1, parallelism: 1 };

/** Requests to a server. */
export interface ServedRequests {
  readonly baseUrl: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Posts a form, with HTTP Basic when `credentials` are given. */
  post(path: string, form: Record<string, string> | string, credentials?: string): Promise<Answer>;
  /** A new access token of the demo client. */
  issueToken(): Promise<string>;
}

/** A server, or several behind one base URL. Records are registered through the store. */
export interface Served extends ServedRequests {
  readonly service: Pick<Service, 'store' | 'baseUrl'>;
}

export interface TestServer extends Served, AsyncDisposable {
  readonly service: Service;
  readonly port: number;
  /** What `--database` names: the path of a file or a URL. */
  readonly database: string;
  /** Every log line so far. */
  log(): string;
}

/** Writes a database with the demo records to a new file. */
export const copyDemo: CopyDatabase = databaseTemplate('demo', seedDemo);

/**
 * The real server with the demo records, with its own port and its own database of the engine.
 *
 * @param storesMail whether mails are stored, which nobody sends
 * @param asDemo whether its login page lets visitors of this machine in as people of the demo
 */
export async function startServer(
  flags: Partial<Record<SettingPath, string>> = {},
  on: Engine = engine,
  asDemo = false,
  storesMail = false,
): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-test-'));
  const { database: file = join(directory, 'test.db') } = flags;
  if (!hasDatabase(file, on)) await copyDemo(file, on);
  const database = await databaseFor(file, on);
  const { configuration, sources: settingSources } = await loadConfiguration({
    flags: {
      port: '0',
      host: '127.0.0.1',
      // A new database demands a second factor of its administrators, which few tests are about.
      'factors.required': 'none',
      ...(flags['signing.keyFile'] === undefined && sealingFlags(database)),
      ...flags,
      database,
    },
    environment: {},
    file: undefined,
  });
  let log = '';
  // Tests stop the clock of this process, but not that of a database.
  const keyPairs = borrowKeyPairs();
  const place = {
    ...onlyProcess(),
    settingSources,
    clock: systemClock,
    passwordCost: cheapCost,
    makeKeyPair: keyPairs.make,
    ...(storesMail && { storesMail }),
  };
  const service = await composeService(
    configuration,
    sinkOf((line) => (log += line)),
    place,
    undefined,
    asDemo,
  );
  await service.start();
  const { port } = service;
  const root = `http://127.0.0.1:${port}${new URL(service.baseUrl).pathname.replace(/\/$/, '')}`;

  return {
    ...servedRequests(root),
    service,
    port,
    database,
    log: () => log,
    async [Symbol.asyncDispose]() {
      await service.close();
      keyPairs.keepFor(file);
      giveBackKeyPairs(directory);
      await dropDatabases(directory);
      await rm(directory, { recursive: true });
    },
  };
}

export function servedRequests(baseUrl: string): ServedRequests {
  const requests: ServedRequests = {
    baseUrl,
    get: (path, headers = {}) => ask(`${baseUrl}${path}`, { headers }),
    post: (path, form, credentials) =>
      ask(`${baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(credentials && { authorization: basic(credentials) }),
        },
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      }),
    async issueToken() {
      const answer = await requests.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
      return answer.json.access_token;
    },
  };
  return requests;
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, json: jsonOf(headers, text) };
}

/** Posts a form with HTTP Basic credentials to any server. */
export function postForm(
  baseUrl: string,
  path: string,
  form: Record<string, string>,
  credentials: string,
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: basic(credentials) },
    body: new URLSearchParams(form),
  });
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function sinkOf(write: (line: string) => unknown): LogSink {
  return {
    stream: { write: (line: string) => void write(line) },
    dropped: () => 0,
    flush: async () => {},
  };
}
