import { setTimeout as delay } from 'node:timers/promises';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { until } from '@watchword/server-testkit/processes/process';
import { administrationCallers } from '@watchword/server-testkit/servers/administration';
import { demoClient } from '@watchword/server-testkit/servers/server';
import { check, type DatabaseFigures } from './checker.ts';
import { choices } from './choices.ts';
import { Client } from './client.ts';
import { type Cluster, publicGrace } from './cluster.ts';
import type { Fault } from './faults.ts';
import { Ledger } from './ledger.ts';
import { issue } from './load/access-tokens.ts';
import { runAdministrator } from './load/administrators.ts';
import type { FamilyClient } from './load/family.ts';
import { runLogins } from './load/logins.ts';
import type { Part } from './load/part.ts';
import { runService, type Service } from './load/services.ts';
import { runUsers } from './load/users.ts';
import { PublishedKeys } from './published-keys.ts';
import type { AnsweredToken } from './tokens.ts';

export interface CheckOptions {
  readonly seed: string;
  /** Faults by their names, one after the other. */
  readonly faults: Iterable<readonly [name: string, fault: Fault]>;
  /** Answers of which the load gets so many, at least and at most, with a fault and after it. */
  readonly answers: readonly [least: number, most: number];
  /** Clients of each kind. */
  readonly size: LoadSize;
  /** Milliseconds in which every node must issue tokens again after the end of a fault. */
  readonly recoveryLimit?: number;
  /** The file for a line of each answer. */
  readonly file?: string;
  readonly report?: (line: string) => void;
}

export interface LoadSize {
  readonly services: number;
  readonly users: number;
  readonly administrators: number;
  /** Users who only log in. Default: 0. */
  readonly logins?: number;
}

export interface CheckResult {
  readonly ledger: Ledger;
  readonly tokens: readonly AnsweredToken[];
  /** How often each fault came. */
  readonly faults: ReadonlyMap<string, number>;
  /** Milliseconds from the end of a fault until every node issued a token, at most. */
  readonly slowestRecovery: number;
  /** Of the load, without the comparison with the database. */
  readonly seconds: number;
  /** Codes that were redeemed meanwhile, each for an ID token too. */
  readonly logins: number;
  readonly database: DatabaseFigures;
}

/** Loads the cluster while faults come, and compares every answer with the database at the end. */
export async function runCheck(cluster: Cluster, options: CheckOptions): Promise<CheckResult> {
  const started = performance.now();
  const ledger = new Ledger(options.file);
  const stop = new AbortController();
  const chosen = choices(options.seed);
  const load = await loadOf(cluster, ledger, stop.signal, options);
  const { keys } = load.part;
  const counts = new Map<string, number>();
  let slowestRecovery = 0;
  const work = () => inTime(ledger.answered(chosen.between(...options.answers)), 'clients got no answers');
  try {
    await Promise.race([load.running, work()]);
    for (const [name, fault] of options.faults) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const ended = fault({ cluster, choices: chosen, keys, work });
      await Promise.race([load.running, inTime(ended, `the fault ${name} did not end`)]);
      const recovery = await recoveryOf(load.part);
      options.report?.(`${name}: every node issues tokens again after ${Math.round(recovery)} ms`);
      if (recovery > (options.recoveryLimit ?? Number.POSITIVE_INFINITY)) {
        ledger.violate(`${name}: a node recovered after ${Math.round(recovery)} ms`);
      }
      slowestRecovery = Math.max(slowestRecovery, recovery);
      await Promise.race([load.running, work()]);
    }
  } finally {
    stop.abort();
    await load.running;
  }
  const seconds = (performance.now() - started) / 1000;
  const logins = ledger.counts.get('redeem')?.get(200) ?? 0;
  const database = await check(load.part, cluster);
  await ledger.close();
  return { ledger, tokens: load.part.tokens, faults: counts, slowestRecovery, seconds, logins, database };
}

interface Load {
  readonly part: Part;
  /** Resolves when all clients have stopped. */
  readonly running: Promise<unknown>;
}

async function loadOf(
  { nodes, targets }: Cluster,
  ledger: Ledger,
  stop: AbortSignal,
  { seed, size }: CheckOptions,
): Promise<Load> {
  const tokens: AnsweredToken[] = [];
  const families: Part['families'] = new Set();
  const keys = new PublishedKeys(new Client(targets, ledger, 0), ledger, nodes.service.baseUrl);
  const partOf = (name: string, place: number): Part => ({
    client: new Client(targets, ledger, place),
    choices: choices(`${seed}/${name}`),
    ledger,
    tokens,
    families,
    keys,
    nodes: targets.length,
    stop,
  });
  const root = await administrationCallers(nodes).administrator();
  const applications: FamilyClient[] = [
    { app: await registerApplication(nodes), grace: 30 },
    { app: await registerApplication(nodes, { confidential: false }), grace: publicGrace },
  ];
  const jwtService = await registerJwtService(nodes);
  const resourceServerId = applications[0]?.app.client.resourceServerId ?? 0;
  const parts = <Value>(count: number, run: (place: number) => Promise<Value>) =>
    Array.from({ length: count }, (_, place) => run(place));
  const running = Promise.all([
    ...parts(size.services, (place) => runService(partOf(`service-${place}`, place))),
    ...parts(size.services, (place) => runService(partOf(`jwt-service-${place}`, place), jwtService)),
    ...parts(size.users, (place) => runUsers(partOf(`user-${place}`, place), applications, `user-${place}`)),
    ...parts(size.logins ?? 0, (place) =>
      runLogins(partOf(`login-${place}`, place), applications, `login-${place}`),
    ),
    ...parts(size.administrators, (place) =>
      runAdministrator(partOf(`administrator-${place}`, place), root, resourceServerId),
    ),
  ]);
  return { part: partOf('probe', 0), running };
}

/** A service whose access tokens are JWTs. */
async function registerJwtService(nodes: Cluster['nodes']): Promise<Service> {
  const api = await registerResourceServer(nodes, 'JWTs', { accessTokenFormat: 'jwt', scopes: ['read'] });
  const service = await registerClient(
    nodes,
    { allowedClientCredentials: true, expireDuration: 3600 },
    api.resourceServer.key,
  );
  return { credentials: service.credentials, resourceServer: api.credentials };
}

/** @throws Error when it takes four minutes, which is less than the limit of a test */
async function inTime<Value>(work: Promise<Value>, otherwise: string): Promise<Value> {
  const late = delay(240_000, undefined, { ref: false }).then(() => {
    throw new Error(`${otherwise} within four minutes`);
  });
  return Promise.race([work, late]);
}

/** Milliseconds until every node has issued a token. */
async function recoveryOf(part: Part): Promise<number> {
  const started = performance.now();
  const places = Array.from({ length: part.nodes }, (_, node) => node);
  await Promise.all(
    places.map((node) => until(async () => (await issue(part, demoClient, { node })) !== undefined, 20)),
  );
  return performance.now() - started;
}
