import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type ServerProcess, startWatchword } from '../contestants/server-process.ts';
import {
  fillDatabase,
  largeClient,
  largeServer,
  ownerOfFew,
  ownerOfMany,
  sizes,
} from '../data/administration-database.ts';
import { median } from '../measure/statistics.ts';
import { benchBesideChanges } from './administration/changes.ts';
import { benchAccounts, benchGui } from './administration/gui.ts';

const rounds = 15;
const goalMs = 50;
/** Pages gone to by cursor before one is measured. */
const depth = 25;

const anyPerson = fileURLToPath(import.meta.resolve('@watchword/server-testkit/people/any-person'));

interface Person {
  readonly name: string;
  readonly token: string;
}

/**
 * The lists of the administration interface over a large database, as an administrator and as owners of much and of
 * little: how long each takes until its answer is read whole. Then how long the GUI takes until each page is there.
 *
 * @param args `gui`: only the GUI
 */
export async function benchAdministration(args: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  let server: ServerProcess | undefined;
  try {
    const start = (port?: number) =>
      startWatchword(
        directory,
        'bench.db',
        ['--authenticator', anyPerson, '--factors-required', 'none'],
        port,
      );
    // Migrates, and registers the pages of the administration under the address that they will have.
    const empty = await start();
    await empty.stop();
    const filling = performance.now();
    fillDatabase(join(directory, 'bench.db'));
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
    console.log(
      `${sizes.clients} clients, ${sizes.tokens} tokens, ${sizes.grants} grants, ${sizes.auditEvents} audit events; filled in ${seconds(filling)} s`,
    );
    const starting = performance.now();
    server = await start(empty.port);
    console.log(`the server is ready after ${seconds(starting)} s, ${rounds} requests each\n`);
    const baseUrl = `http://localhost:${server.port}`;
    if (!args.includes('gui')) await benchLists(baseUrl);
    await benchGui(baseUrl, await largest(baseUrl));
    console.log(`\nmemory of the server ${server.memory().toFixed(0)} MB`);
    await server.stop();
    server = await benchAccounts(directory, empty.port);
  } finally {
    await server?.stop();
    await rm(directory, { recursive: true });
  }
}

/** Record ids of the largest resource server and its largest client. */
async function largest(baseUrl: string): Promise<{ resourceServerId: number; clientId: number }> {
  const administrator = await signIn(baseUrl, 'administrator', { adminPrincipal: true });
  const { body } = await read(baseUrl, administrator, `/admin/client?q=${largeClient}`);
  const [client] = body as { id: number; resourceserver_id: number }[];
  if (client === undefined) throw new Error(`there is no client ${largeClient}`);
  return { resourceServerId: client.resourceserver_id, clientId: client.id };
}

async function benchLists(baseUrl: string): Promise<void> {
  const administrator = await signIn(baseUrl, 'administrator', { adminPrincipal: true });
  const many = await signIn(baseUrl, ownerOfMany);
  const few = await signIn(baseUrl, ownerOfFew);
  const large = await idOf(baseUrl, administrator, largeServer);
  const everybody = [administrator, many, few];
  const [grant] = (await read(baseUrl, administrator, `/admin/grant?limit=1&resourceOwnerId=${ownerOfMany}`))
    .body as { subject: string }[];
  const servers = '/admin/resourceServer';
  const tokens = '/admin/accessToken';
  for (const person of everybody) {
    for (const query of ['', 'limit=1000', 'q=service%209', 'q=nothing']) {
      await time(baseUrl, person, servers, query);
    }
    for (const query of ['', 'limit=1000', 'q=client%209', 'q=client%2099999', 'q=nothing']) {
      await time(baseUrl, person, '/admin/client', query);
    }
    for (const query of ['', 'limit=1000', 'q=owner', 'q=nothing', 'recordType=client']) {
      await time(baseUrl, person, '/admin/auditEvent', query);
    }
    for (const query of ['', 'hours=744', 'limit=100'])
      await time(baseUrl, person, `${servers}/stats`, query);
    for (const query of [
      '',
      'limit=1000',
      'q=client-7',
      'q=nothing',
      `clientId=${largeClient}`,
      `clientId=${largeClient}&expired=true`,
      `clientId=${largeClient}&q=nothing`,
      `resourceOwnerId=${ownerOfMany}`,
      `resourceOwnerId=${ownerOfMany}&q=nothing`,
      `resourceOwnerId=${ownerOfFew}`,
      'resourceOwnerId=nobody',
      'expired=true',
      'expired=false',
    ]) {
      await time(baseUrl, person, tokens, query);
    }
  }
  for (const person of everybody) {
    for (const query of [
      '',
      'limit=1000',
      'q=person-77',
      'q=nothing',
      `clientId=${largeClient}`,
      `clientId=${largeClient}&q=nothing`,
      `resourceServerId=${large}`,
      `resourceOwnerId=${ownerOfMany}`,
      `subject=${encodeURIComponent(grant?.subject ?? '')}`,
      'subject=nobody',
    ]) {
      await time(baseUrl, person, '/admin/grant', query);
    }
  }
  for (const query of ['', 'limit=1000', 'q=client%209', 'q=nothing']) {
    await time(baseUrl, administrator, `${servers}/${large}/client`, query);
  }
  const { body } = await read(baseUrl, administrator, servers);
  const ids = (body as { id: number }[]).map(({ id }) => id);
  await benchBesideChanges(baseUrl, administrator.token, ids);
}

/** First page and a page far behind it. */
async function time(baseUrl: string, person: Person, path: string, query: string): Promise<void> {
  const first = `${path}${query === '' ? '' : `?${query}`}`;
  report(person, first, await measure(baseUrl, person, first));
  let next: string | undefined = first;
  let pages = 0;
  for (; pages < depth; pages += 1) {
    const following: string | undefined = (await read(baseUrl, person, next)).next;
    if (following === undefined) break;
    next = following;
  }
  if (pages > 0) report(person, `${first}, page ${pages + 1}`, await measure(baseUrl, person, next));
}

interface Measured {
  readonly times: readonly number[];
  readonly records: number;
}

async function measure(baseUrl: string, person: Person, path: string): Promise<Measured> {
  const times: number[] = [];
  let records = 0;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    records = (await read(baseUrl, person, path)).records;
    times.push(performance.now() - started);
  }
  return { times, records };
}

function report({ name }: Person, path: string, { times, records }: Measured): void {
  const worst = Math.max(...times);
  console.log(
    [
      `${median(times).toFixed(1).padStart(6)} ms`,
      `worst ${worst.toFixed(1).padStart(6)} ms`,
      worst > goalMs ? 'OVER' : '    ',
      `${records} records`.padStart(13),
      name.padEnd(14),
      path.replace('/admin/', ''),
    ].join('  '),
  );
}

async function read(baseUrl: string, { token }: Person, path: string) {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(body)}`);
  const records = Array.isArray(body) ? body.length : (body as { clients: unknown[] }).clients.length;
  const next = /^<([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
  return { records, next, body };
}

async function idOf(baseUrl: string, person: Person, name: string): Promise<number> {
  const { body } = await read(
    baseUrl,
    person,
    `/admin/resourceServer?limit=1000&q=${encodeURIComponent(name)}`,
  );
  const found = (body as { name: string; id: number }[]).find((server) => server.name === name);
  if (found === undefined) throw new Error(`there is no resource server ${name}`);
  return found.id;
}

/** As the pages of the administration do. */
async function signIn(baseUrl: string, name: string, persona: object = {}): Promise<Person> {
  const query = new URLSearchParams({
    response_type: 'token',
    client_id: 'authorization-server-admin-js-client',
    redirect_uri: `${baseUrl}/client/client.html`,
  });
  // Under another name than that of the redirect URI, so that the way there ends with the token.
  const server = baseUrl.replace('localhost', '127.0.0.1');
  const { parameters } = await followFlow(new UserAgent(), `${server}/authorize?${query}`, {
    username: name,
    password: JSON.stringify(persona),
  });
  const token = parameters.get('access_token');
  if (token === null) throw new Error(`${name} could not sign in`);
  return { name, token };
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
