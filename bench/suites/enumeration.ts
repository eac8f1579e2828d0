import { accountUsers } from '@watchword/server-testkit/servers/account-server';
import type { Engine } from '@watchword/server-testkit/servers/engine';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { buildAccount } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { median } from '../measure/statistics.ts';
import { machine } from '../rounds/rounds.ts';

const runs = 400;
const warmUp = 20;
/** Milliseconds between the medians. */
const bound = 5;
/** Of every account. */
const password = 'correct horse battery';
const settings = { authenticator: 'password', registration: 'open', trustedProxies: '127.0.0.1' };

/** Somebody who asks in a browser of their own, from an address of their own: otherwise the limits would answer. */
interface Asker {
  readonly agent: UserAgent;
  readonly number: number;
}

interface Surface {
  readonly name: string;
  /** The page on which a name or an address is typed. Not measured. */
  page(asker: Asker): Promise<Page>;
  /** What is typed, for a name or an address that an account has, or none. */
  typed(isKnown: boolean, number: number): Readonly<Record<string, string>>;
}

/**
 * How long the server takes for names and addresses that an account has, and for those that none has: wherever people type one. Over SQLite and
 * PostgreSQL, or the one that is named. Server and caller are one process, and hashes are cheap, so that they hide nothing. Fails if two
 * medians are further apart than the bound.
 */
export async function benchEnumeration([only]: readonly string[]): Promise<void> {
  console.log(await machine());
  console.log(
    `Medians of ${runs} answers in ms: an account has it, none has it, at most ${bound} apart (processor time)`,
  );
  const over: string[] = [];
  for (const engine of (['sqlite', 'postgresql'] as const).filter((each) => (only ?? each) === each)) {
    over.push(...(await measureAll(engine)));
  }
  if (over.length > 0) throw new Error(`more than ${bound} ms apart: ${over.join('; ')}`);
}

async function measureAll(engine: Engine): Promise<string[]> {
  await using server = await startServer(settings, engine, false, true);
  await fill(server);
  const over: string[] = [];
  for (const surface of surfacesOf(server)) {
    const [known, unknown] = await measure(surface);
    const apart = Math.abs(known.time - unknown.time);
    const figures = [known.time, unknown.time, apart].map((value) => value.toFixed(2).padStart(8)).join('');
    const work = (known.work - unknown.work).toFixed(2);
    console.log(`${figures} (${work})  ${surface.name}, ${engine}`);
    if (apart > bound) over.push(`${surface.name}, ${engine}`);
  }
  return over;
}

/** Accounts `known-N`, and `asker-N` for people who are logged in, all with the same password. */
async function fill(server: TestServer): Promise<void> {
  const { accounts } = server.service.store;
  await (await accountUsers(server)).addAccount('first');
  const first = await accounts.find('first');
  for (const kind of ['known', 'asker']) {
    for (let number = 0; number < 2 * (runs + warmUp); number += 1) {
      const [username, email] = [`${kind}-${number}`, addressOf(kind, number)];
      const { passwordHash } = first ?? {};
      await accounts.create(buildAccount({ username, email, emailVerified: true, passwordHash }));
    }
  }
}

const addressOf = (kind: string, number: number) => `${kind}-${number}@example.org`;
const kindOf = (isKnown: boolean) => (isKnown ? 'known' : 'nobody');

function surfacesOf({ service: { baseUrl } }: TestServer): readonly Surface[] {
  const open = (path: string) => ({ page: ({ agent }: Asker) => agent.get(`${baseUrl}/account${path}`) });
  return [
    {
      name: 'login',
      ...open(''),
      typed: (isKnown, number) => ({ username: `${kindOf(isKnown)}-${number}`, password: 'a wrong one' }),
    },
    {
      name: 'forgotten password, by name',
      ...open('/forgotten-password'),
      typed: (isKnown, number) => ({ identifier: `${kindOf(isKnown)}-${number}`, choice: 'ask' }),
    },
    {
      name: 'forgotten password, by address',
      ...open('/forgotten-password'),
      typed: (isKnown, number) => ({ identifier: addressOf(kindOf(isKnown), number), choice: 'ask' }),
    },
    {
      name: 'sign-up',
      ...open('/sign-up'),
      typed: (isKnown, number) => ({ email: addressOf(kindOf(isKnown), number), choice: 'ask' }),
    },
    {
      name: 'change of the address',
      async page({ agent, number }) {
        const login = await agent.get(`${baseUrl}/account/address`);
        return agent.submit(login, { username: `asker-${number}`, password });
      },
      typed: (isKnown, number) => ({
        address: addressOf(kindOf(isKnown), number),
        password,
        choice: 'ask',
      }),
    },
  ];
}

/** Medians in milliseconds: until the answer, and of the processor. */
interface Measured {
  readonly time: number;
  readonly work: number;
}

/** For what an account has and for what none has. Both are asked in turn, so that other work falls on both. */
async function measure(surface: Surface): Promise<readonly [known: Measured, unknown: Measured]> {
  const none = () => ({ times: [] as number[], works: [] as number[] });
  const measured = { known: none(), unknown: none() };
  for (let number = 0; number < 2 * (runs + warmUp); number += 1) {
    const isKnown = (number + (number >> 1)) % 2 === 0;
    const asker = { number, agent: new UserAgent({ 'x-forwarded-for': nextAddress() }) };
    const page = await surface.page(asker);
    const typed = surface.typed(isKnown, number);
    // Its forms are read before.
    if (page.forms.length === 0) throw new Error(`${surface.name}: ${page.status} ${page.text}`);
    const [started, before] = [performance.now(), process.cpuUsage()];
    const answer = await asker.agent.submit(page, typed);
    const time = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    if (answer.status === 429 || answer.status >= 500) throw new Error(`${surface.name}: ${answer.text}`);
    if (number < 2 * warmUp) continue;
    const { times, works } = measured[isKnown ? 'known' : 'unknown'];
    times.push(time);
    works.push((user + system) / 1000);
  }
  const medians = ({ times, works }: typeof measured.known) => ({ time: median(times), work: median(works) });
  return [medians(measured.known), medians(measured.unknown)];
}

let addresses = 0;

function nextAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
