import { randomBytes, randomFillSync } from 'node:crypto';
import { isLoopbackHost, type Random } from '@watchword/protocol';
import { composeService, loadConfiguration, onlyProcess } from '@watchword/server';
import { memoryDatabase } from '@watchword/store-sql';
import { type TestClock, testClock } from './clock.ts';
import { TestFaults } from './faults.ts';
import { testKeyPairs } from './key-pairs.ts';
import { TestRecords } from './records.ts';
import { digestOf, seededRandom } from './seeded-random.ts';
import { TestServer, type TestServerOptions } from './test-server.ts';
import { TestServerError } from './test-server-error.ts';
import { TestUsers } from './users.ts';

/**
 * Starts the production server on a free port of this machine, with its database in memory, and with a resource server `api` and a client
 * `app` unless others are given. Only for tests: everybody can log in as everybody.
 *
 * @throws TestServerError where other machines could reach it, or `NODE_ENV` is `production`
 */
export function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return start(options, testClock(options.time), new TestUsers());
}

async function start(options: TestServerOptions, clock: TestClock, users: TestUsers): Promise<TestServer> {
  const { seed, port = 0, settings = {}, log = () => {} } = options;
  refuseProduction();
  refuseOwn(settings);
  const random = seed === undefined ? { fill: randomFillSync as Random['fill'] } : seededRandom(seed);
  const keyPairs = testKeyPairs(random);
  const faults = new TestFaults(() =>
    Math.max(0, ...[...records.clients.values()].map(({ lifetime }) => lifetime)),
  );
  const { configuration } = await loadConfiguration({
    flags: {
      'factors.required': 'none',
      'log.level': options.log === undefined ? 'silent' : 'info',
      ...settings,
      authenticator: 'test',
      port: `${port}`,
      'signing.key': digestOf(`${seed ?? randomBytes(16).toString('hex')}`).toString('base64url'),
    },
    environment: {},
    file: undefined,
  });
  refuseOtherMachines(configuration.host, configuration.baseUrl);
  const place = {
    ...onlyProcess(),
    clock: faults.clock(clock),
    random,
    makeKeyPair: keyPairs.make,
    passwordCost: { memory: 8, passes: 1, parallelism: 1 },
    authenticators: { test: users.module },
    answering: faults.answering,
  };
  const sink = { stream: { write: log }, dropped: () => 0, flush: async () => {} };
  const service = await composeService({ ...configuration, database: memoryDatabase }, sink, place);
  const records: TestRecords = new TestRecords(service, random);
  try {
    await service.start();
    await addRecords(records, users, options);
  } catch (error) {
    await service.close();
    throw error;
  }
  // The same but for its address.
  const { baseUrl: _, ...others } = settings;
  const sibling = () =>
    start(
      {
        ...options,
        port: 0,
        settings: others,
        resourceServers: records.givenServers,
        clients: [...records.clients.values()].map(({ given }) => given),
      },
      clock,
      users,
    );
  return new TestServer({ service, clock, records, users, faults, keyPairs: keyPairs.made, sibling });
}

async function addRecords(records: TestRecords, users: TestUsers, options: TestServerOptions): Promise<void> {
  const {
    resourceServers = [{}],
    clients = resourceServers.length > 0 ? [{}] : [],
    users: known = [],
  } = options;
  for (const server of resourceServers) await records.addResourceServer(server);
  for (const client of clients) await records.addClient(client);
  for (const user of known) users.add(user);
}

function refuseProduction(): void {
  if (process.env.NODE_ENV !== 'production') return;
  throw new TestServerError(
    'NODE_ENV is "production", and a test server lets everybody log in as everybody: run it in tests alone. "watchword serve" is the real server.',
  );
}

/** Settings that a test server has itself. */
const own = [
  'authenticator',
  'authenticators',
  'database',
  'databaseUrlFile',
  'port',
  'signing.key',
  'signing.keyFile',
  'signing.kms',
];

function refuseOwn(settings: Readonly<Record<string, string>>): void {
  const given = Object.keys(settings).filter((name) => own.includes(name));
  if (given.length === 0) return;
  throw new TestServerError(
    `settings: a test server has its own ${given.join(', ')}: its database is in memory, and its login accepts everybody; its port is the option port.`,
  );
}

function refuseOtherMachines(host: string, baseUrl: string): void {
  for (const name of [host.includes(':') ? `[${host}]` : host, new URL(baseUrl).hostname]) {
    if (isLoopbackHost(name)) continue;
    throw new TestServerError(
      `${name} can be reached by other machines, and a test server lets everybody log in as everybody: expected localhost or another address of this machine alone. "watchword serve" is the real server.`,
    );
  }
}
