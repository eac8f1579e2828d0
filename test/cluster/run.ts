import { setTimeout as delay } from 'node:timers/promises';
import { administrationCallers } from '@watchword/server-testkit/administration';
import { registerApplication } from '@watchword/server-testkit/application';
import { until } from '@watchword/server-testkit/process';
import { demoClient } from '@watchword/server-testkit/server';
import { check, type DatabaseFigures } from './checker.ts';
import { choices } from './choices.ts';
import { Client } from './client.ts';
import { type Cluster, publicGrace } from './cluster.ts';
import type { Fault } from './faults.ts';
import { Ledger } from './ledger.ts';
import { issue } from './load/access-tokens.ts';
import { runAdministrator } from './load/administrators.ts';
import type { FamilyClient } from './load/family.ts';
import type { Part } from './load/part.ts';
import { runService } from './load/services.ts';
import { runUsers } from './load/users.ts';
import type { AnsweredToken } from './tokens.ts';

export interface CheckOptions {
  readonly seed: string;
  /** Faults by their names, one after the other. */
  readonly faults: Iterable<readonly [name: string, fault: Fault]>;
  /** Answers of which the load gets so many, at least and at most, with a fault and after it. */
  readonly answers: readonly [least: number, most: number];
  /** Clients of each kind. */
  readonly size: { readonly services: number; readonly users: number; readonly administrators: number };
  /** The file for a line of each answer. */
  readonly file?: string;
  readonly report?: (line: string) => void;
}

export interface CheckResult {
  readonly ledger: Ledger;
  readonly tokens: readonly AnsweredToken[];
  /** How often each fault came. */
  readonly faults: ReadonlyMap<string, number>;
  /** Milliseconds from the end of a fault until every node issued a token, at most. */
  readonly slowestRecovery: number;
  readonly seconds: number;
  readonly database: DatabaseFigures;
}

/** Milliseconds in which every node issues tokens again after the end of a fault. */
const recoveryLimit = 10_000;

/** Loads the cluster while faults come, and compares every answer with the database at the end. */
export async function runCheck(cluster: Cluster, options: CheckOptions): Promise<CheckResult> {
  const started = performance.now();
  const ledger = new Ledger(options.file);
  const stop = new AbortController();
  const chosen = choices(options.seed);
  const load = await loadOf(cluster, ledger, stop.signal, options);
  const counts = new Map<string, number>();
  let slowestRecovery = 0;
  const work = () => answered(ledger, chosen.between(...options.answers));
  try {
    await Promise.race([load.running, work()]);
    for (const [name, fault] of options.faults) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      await Promise.race([load.running, fault({ cluster, choices: chosen, work })]);
      const recovery = await recoveryOf(load.part);
      options.report?.(`${name}: every node issues tokens again after ${Math.round(recovery)} ms`);
      if (recovery > recoveryLimit) ledger.violate(`${name}: a node did not recover within 10 s`);
      slowestRecovery = Math.max(slowestRecovery, recovery);
      await Promise.race([load.running, work()]);
    }
  } finally {
    stop.abort();
    await load.running;
  }
  const database = await check(load.part, cluster);
  await ledger.close();
  const seconds = (performance.now() - started) / 1000;
  return { ledger, tokens: load.part.tokens, faults: counts, slowestRecovery, seconds, database };
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
  const partOf = (name: string, place: number): Part => ({
    client: new Client(targets, ledger, place),
    choices: choices(`${seed}/${name}`),
    ledger,
    tokens,
    families,
    nodes: targets.length,
    stop,
  });
  const root = await administrationCallers(nodes).administrator();
  const applications: FamilyClient[] = [
    { app: await registerApplication(nodes), grace: 30 },
    { app: await registerApplication(nodes, { confidential: false }), grace: publicGrace },
  ];
  const resourceServerId = applications[0]?.app.client.resourceServerId ?? 0;
  const parts = <Value>(count: number, run: (place: number) => Promise<Value>) =>
    Array.from({ length: count }, (_, place) => run(place));
  const running = Promise.all([
    ...parts(size.services, (place) => runService(partOf(`service-${place}`, place))),
    ...parts(size.users, (place) => runUsers(partOf(`user-${place}`, place), applications, `user-${place}`)),
    ...parts(size.administrators, (place) =>
      runAdministrator(partOf(`administrator-${place}`, place), root, resourceServerId),
    ),
  ]);
  return { part: partOf('probe', 0), running };
}

/** Resolves when clients got so many answers. @throws Error when none of them comes for a minute */
async function answered(ledger: Ledger, count: number): Promise<void> {
  const late = delay(60_000, undefined, { ref: false }).then(() => {
    throw new Error(`clients did not get ${count} answers within a minute`);
  });
  await Promise.race([ledger.answered(count), late]);
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
