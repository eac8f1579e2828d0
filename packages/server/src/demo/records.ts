import {
  type AdministrationDependencies,
  type Caller,
  clientAdministration,
  resourceServerAdministration,
} from '@watchword/administration';
import {
  type Client,
  type ClientRegistration,
  type ClientStore,
  type Clock,
  identityOf,
  type Principal,
} from '@watchword/protocol';
import { demoAdministrator, formIdentityProvider } from '../modules/authentication/form.ts';
import { principalNamed } from '../modules/authentication/principal-named.ts';
import { type CompanyApi, company } from './company.ts';
import { evenNumbers, onDay } from './shape.ts';

const minute = 60_000;

/** Someone of the company, at a time, who works with the administration pages of this machine. */
function callerOf(identityProvider: string, principal: Principal): Caller {
  return {
    identity: identityOf({ identityProvider, subject: '', principal }),
    principal,
    isAdministrator: principal.adminPrincipal,
    rights: [],
    right: undefined,
    login: undefined,
    client: undefined,
    access: undefined,
    source: '127.0.0.1',
  };
}

const administrator = callerOf(demoAdministrator.identityProvider, demoAdministrator.principal);
const employee = (name: string) => callerOf(formIdentityProvider, principalNamed(name, false));

/** Makes clocks that show a time in the working hours of a day of the past: that of the entries in the audit log. */
type DaysBefore = (days: number) => Clock;

function daysBefore({ clock }: Pick<AdministrationDependencies, 'clock'>): DaysBefore {
  const next = evenNumbers(1);
  return (days) => {
    const time = onDay(days, clock.now(), next);
    return { now: () => time };
  };
}

function later({ now }: Clock, minutes: number): Clock {
  const time = now() + minutes * minute;
  return { now: () => time };
}

/** Registers the APIs and clients of the company, and makes a few changes to them, by the usual operations. */
export async function registerCompany(deps: AdministrationDependencies): Promise<void> {
  const clockOn = daysBefore(deps);
  for (const [index, api] of company.entries()) {
    await registerApi(api, { ...deps, clock: clockOn(30 - index) });
  }
  await changeRecords(deps, clockOn);
}

async function registerApi(
  { key, owner, registration, clients }: CompanyApi,
  deps: AdministrationDependencies,
) {
  const by = employee(owner);
  const { resourceServer } = await resourceServerAdministration(deps).create(
    administrator,
    { fields: registration },
    { owner: by.identity, key },
  );
  for (const [index, { clientId, isUnconfirmed = false, registration: fields }] of clients.entries()) {
    const clock = later(deps.clock, 7 * (index + 1));
    const caller = isUnconfirmed ? by : administrator;
    await clientAdministration({ ...deps, clock }).create(
      caller,
      resourceServer.id,
      { fields },
      { clientId },
    );
  }
}

interface Change {
  readonly daysAgo: number;
  readonly clientId: string;
  /** An employee; absent: the administrator. */
  readonly by?: string;
  /** Absent: a new secret. */
  readonly fields?: Partial<ClientRegistration>;
}

/** What happened to the records in a month. */
const changes: readonly Change[] = [
  { daysAgo: 26, clientId: 'tandem-phone', fields: { expireDuration: 86_400 } },
  {
    ...{ daysAgo: 23, clientId: 'tandem-newsletter', by: 'noor' },
    fields: { contactEmail: 'hello@pigeonpost.example' },
  },
  { daysAgo: 19, clientId: 'tandem-trackers', by: 'emma' },
  { daysAgo: 17, clientId: 'tandem-phone', fields: { description: 'The app for iOS and Android.' } },
  { daysAgo: 15, clientId: 'tandem-wiki', fields: { claimsInIdToken: true } },
  { daysAgo: 12, clientId: 'tandem-stock' },
  {
    daysAgo: 9,
    clientId: 'tandem-planner',
    by: 'emma',
    fields: { attributes: { demo: 'true', team: 'rides' } },
  },
  { daysAgo: 8, clientId: 'tandem-invoices' },
  { daysAgo: 5, clientId: 'tandem-till', fields: { expireDuration: 28_800 } },
  { daysAgo: 2, clientId: 'tandem-booking', by: 'joris' },
  { daysAgo: 1, clientId: 'tandem-tablet', by: 'joris', fields: { contactName: 'Joris (demo)' } },
];

async function changeRecords(deps: AdministrationDependencies, clockOn: DaysBefore): Promise<void> {
  for (const { daysAgo, clientId, by, fields } of changes) {
    const clients = clientAdministration({ ...deps, clock: clockOn(daysAgo) });
    const caller = by === undefined ? administrator : employee(by);
    const client = await clientOf(clientId, deps.clients);
    if (fields === undefined) await clients.rotateSecret(caller, client, 86_400);
    else await clients.update(caller, client, { apply: () => fields });
  }
}

/** @throws Error if the client was not registered */
export async function clientOf(clientId: string, clients: Pick<ClientStore, 'find'>): Promise<Client> {
  const client = await clients.find(clientId);
  if (client === undefined) throw new Error(`the client ${clientId} of the demo is not registered`);
  return client;
}
