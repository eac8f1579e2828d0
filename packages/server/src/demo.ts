import {
  clientAdministration,
  resourceServerAdministration,
  resourceServerDefaults,
  systemCaller,
} from '@watchword/administration';
import {
  type ClientRegistration,
  chosenSecret,
  clientDefaults,
  isBuiltIn,
  type MachineSecret,
  type ProfileChecks,
  type ScopeDescription,
  secretMatches,
  shellWord,
  type Transact,
  type TransactionStores,
} from '@watchword/protocol';
import type { ServerStore, Store } from '@watchword/store-sql';
import { systemRandom } from './system.ts';

const contactName = 'Demo';
/** By which requests name the demo API (RFC 8707). Nothing is there. */
const demoUri = 'https://api.demo.example/';
/** Of the example of RFC 7636 Appendix B: nobody redeems the code of the demo. */
const exampleChallenge =
  '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';
/** Seconds. */
const tokenLifetime = 3600;

const demoScopes: readonly ScopeDescription[] = [
  {
    name: 'read',
    description: 'See your entries in the demo API',
    descriptions: {
      de: 'Ihre Einträge in der Demo-API ansehen',
      nl: 'Je gegevens in de demo-API bekijken',
    },
  },
  {
    name: 'write',
    description: 'Add, change and delete entries for you',
    descriptions: {
      de: 'Einträge für Sie hinzufügen, ändern und löschen',
      nl: 'Gegevens voor je toevoegen, wijzigen en verwijderen',
    },
  },
];

interface DemoClient {
  readonly clientId: string;
  readonly secret: string;
  /** Of earlier releases. */
  readonly formerSecret?: string;
  readonly registration: ClientRegistration;
}

const service: DemoClient = {
  clientId: 'demo-service',
  secret: 'demo-service-secret',
  registration: {
    ...clientDefaults,
    contactName,
    clientName: 'Demo Service',
    description: 'A service to try client credentials with.',
    scopes: ['read'],
    allowedClientCredentials: true,
    expireDuration: tokenLifetime,
  },
};

const app: DemoClient = {
  clientId: 'demo-app',
  secret: 'demo-app-client-secret',
  formerSecret: 'demo-app-secret',
  registration: {
    ...clientDefaults,
    contactName,
    clientName: 'Demo App',
    description: 'An application to try authorization codes with.',
    scopes: ['read', 'write'],
    redirectUris: ['http://127.0.0.1:8081/callback'],
    useRefreshTokens: true,
    expireDuration: tokenLifetime,
  },
};

/** Demo records with public secrets, for loopback only. */
const demo = {
  /** The user `demo` of the module `form`, which accepts every password. */
  owner: { identityProvider: 'form', name: 'demo' },
  resourceServer: { key: 'demo-resource-server', secret: 'demo-resource-server-secret' },
  clients: [service, app],
} as const;

/**
 * Adds the demo records to an empty database, in one transaction: another node can do so at the same time.
 *
 * @param profile of the server; absent: `compatible`
 * @returns `false` if the database has other records than those of the server
 */
export function seedDemo(store: ServerStore, profile?: ProfileChecks): Promise<boolean> {
  return store.transact((stores) => addDemoRecords(store, stores, profile));
}

/**
 * Adds a company with forty people and a month of their life, if the database has the demo records and no others. Meanwhile the server
 * answers. See `demo/seed-company.ts`.
 */
export async function seedDemoCompany(store: ServerStore): Promise<boolean> {
  if (!holdsDemo(store)) return false;
  // Loaded here, because only a demo needs it.
  const { seedCompany } = await import('./demo/seed-company.ts');
  return seedCompany(store, hasOnlyDemo);
}

async function hasOnlyDemo(stores: TransactionStores): Promise<boolean> {
  // Two are built in.
  const servers = await stores.resourceServers.list({ limit: 4 });
  const others = servers.filter((server) => !isBuiltIn(server));
  const [server] = others;
  if (others.length !== 1 || server?.key !== demo.resourceServer.key) return false;
  return (await stores.clients.count({ resourceServerId: server.id })) === demo.clients.length;
}

/** Of stored secrets without a predecessor, whether they are the public one. Each login page asks, and hashing takes 10 us. */
const arePublic = new WeakMap<MachineSecret, boolean>();

/** Whether the database has the resource server of the demo with its public secret. It reads only memory. */
export function holdsDemo({ clock, registry }: Pick<ServerStore, 'clock' | 'registry'>): boolean {
  const { key, secret } = demo.resourceServer;
  const stored = registry.resourceServerByKey(key)?.secret;
  if (stored === undefined) return false;
  const known = arePublic.get(stored);
  if (known !== undefined) return known;
  const isPublic = secretMatches(stored, secret, clock.now());
  if (stored.previousHash === undefined) arePublic.set(stored, isPublic);
  return isPublic;
}

/** The URI by which requests name the demo API; `undefined` if it has none. */
export function demoResource({ registry }: Pick<ServerStore, 'registry'>): string | undefined {
  return registry.resourceServerByKey(demo.resourceServer.key)?.resources[0];
}

/** The keys of all resource servers of the demo. With them go their clients, grants and tokens. */
export async function demoKeys(): Promise<readonly string[]> {
  const { company } = await import('./demo/company.ts');
  return [demo.resourceServer.key, ...company.map(({ key }) => key)];
}

async function addDemoRecords(
  store: ServerStore,
  stores: TransactionStores,
  profile: ProfileChecks | undefined,
): Promise<boolean> {
  const found = await stores.resourceServers.list({ limit: 3 });
  if (found.some((server) => !isBuiltIn(server))) return false;
  const transact: Transact = (work) => work(stores);
  const deps = { ...store, ...stores, transact, random: systemRandom };
  const { resourceServer } = await resourceServerAdministration(deps).create(
    systemCaller,
    {
      fields: {
        ...resourceServerDefaults,
        contactName,
        name: 'Demo Resource Server',
        description: 'An API to try token info with.',
        scopes: ['read', 'write'],
        scopeDescriptions: demoScopes,
        // Only where it must have one, so that token info shows no more than it needs to.
        resources:
          profile === undefined || profile.ofResourceServer({ resources: [] }).length === 0 ? [] : [demoUri],
      },
    },
    { owner: demo.owner, secret: chosenSecret(demo.resourceServer.secret) },
  );
  for (const { registration: fields, secret } of demo.clients) {
    const options = { secret: chosenSecret(secret) };
    await clientAdministration(deps).create(systemCaller, resourceServer.id, { fields }, options);
  }
  return true;
}

/** The number of demo records in the database that still have their public secrets. */
export async function countDemoRecords(store: Store): Promise<number> {
  const records = [
    {
      ...demo.resourceServer,
      formerSecret: undefined,
      record: await store.resourceServers.find(demo.resourceServer.key),
    },
    ...(await Promise.all(
      demo.clients.map(async (client) => ({ ...client, record: await store.clients.find(client.clientId) })),
    )),
  ];
  const now = store.clock.now();
  return records.filter(({ record, secret, formerSecret = secret }) =>
    [secret, formerSecret].some((text) => secretMatches(record?.secret, text, now)),
  ).length;
}

/**
 * What to try, for a terminal: the pages and who can sign in there, commands that get a token and ask about it, and the command that
 * removes the demo.
 *
 * @param authenticators the modules of the server
 * @param command by which the command line is called here
 * @param resource URI of the demo API, if requests must name it
 * @param hasPkce whether every request for a code needs a challenge
 */
export function demoCommands(
  baseUrl: string,
  authenticators: readonly string[],
  command = 'watchword',
  { resource, hasPkce = false }: { readonly resource?: string | undefined; readonly hasPkce?: boolean } = {},
): string {
  const client = `${service.clientId}:${service.secret}`;
  const resourceServer = `${demo.resourceServer.key}:${demo.resourceServer.secret}`;
  const named = (before: string) => (resource === undefined ? '' : `${before}${resource}`);
  // Only there does the login page offer them.
  const hasPeople = authenticators.length === 1 && authenticators[0] === demo.owner.identityProvider;
  return [
    ...(hasPeople
      ? [
          `Look around at ${baseUrl}/console\nSign in with one click as Ada, an administrator, or as Emma, a user.`,
          `What Emma allowed is at ${baseUrl}/account`,
        ]
      : [`The administration pages are at ${baseUrl}/console`]),
    'Get a token, then request its token info:',
    `curl -u ${shellWord(client)} -d grant_type=client_credentials${named(' -d resource=')} ${shellWord(`${baseUrl}/oauth2/token`)}`,
    `curl -u ${shellWord(resourceServer)} -d access_token=PASTE_THE_TOKEN ${shellWord(`${baseUrl}/v1/tokeninfo`)}`,
    'Grant an application access, as a user, in a browser:',
    `${baseUrl}/authorize?response_type=code&client_id=${app.clientId}${hasPkce ? exampleChallenge : ''}${named('&resource=')}`,
    `"${command} demo remove" removes the records of the demo.`,
  ].join('\n\n');
}
