import assert from 'node:assert/strict';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type ConsolePage, type OpenConsole, openConsole } from './console-page.ts';
import { addIdentityProvider, furnish } from './furnish.ts';

/** A page of the GUI. */
export interface Place {
  readonly name: string;
  readonly route: string;
  /** The content that must be visible before the check. */
  readonly until: string;
}

/** Every page, on a server with these records. */
function everyPlace({ orders, job }: Awaited<ReturnType<typeof furnish>>): readonly Place[] {
  const client = `/resource-servers/${orders.id}/clients/${job.id}`;
  const resourceServer = `/resource-servers/${orders.id}`;
  return [
    { name: 'overview', route: '/', until: 'unknown grant type' },
    { name: 'resource-servers', route: '/resource-servers', until: 'Orders API' },
    { name: 'resource-server-new', route: '/resource-servers/new', until: 'Contact e-mail' },
    { name: 'resource-server', route: resourceServer, until: 'Night job' },
    { name: 'resource-server-settings', route: `${resourceServer}?tab=settings`, until: 'Contact e-mail' },
    { name: 'resource-server-use', route: `${resourceServer}?tab=use`, until: '/v1/tokeninfo' },
    {
      name: 'resource-server-danger',
      route: `${resourceServer}?tab=danger`,
      until: 'Delete this resource server',
    },
    { name: 'clients', route: '/clients', until: 'Web shop' },
    { name: 'client-new', route: `${resourceServer}/clients/new`, until: 'A service that acts for itself' },
    { name: 'client-settings', route: `${client}?tab=settings`, until: 'Redirect URIs' },
    { name: 'client-use', route: client, until: '/oauth2/token' },
    { name: 'client-login', route: `${client}?tab=login`, until: 'Only redirect URIs' },
    { name: 'client-tokens', route: `${client}?tab=tokens`, until: '30 tokens' },
    { name: 'client-access', route: `${client}?tab=access`, until: 'No person has granted it anything yet' },
    { name: 'client-errors', route: `${client}?tab=errors`, until: 'unsupported_grant_type' },
    { name: 'client-secrets', route: `${client}?tab=secrets`, until: 'without an outage' },
    { name: 'client-danger', route: `${client}?tab=danger`, until: 'Revoke all its tokens' },
    { name: 'described-clients', route: '/described-clients', until: 'No host has been allowed' },
    { name: 'access', route: '/access', until: 'Web shop' },
    { name: 'person', route: '/people/noop-admin/noop', until: 'logged in' },
    { name: 'tokens', route: '/tokens', until: 'web-shop' },
    { name: 'identity-providers', route: '/identity-providers', until: 'noop-admin' },
    { name: 'identity-provider-new', route: '/identity-providers/new', until: 'Address of the metadata' },
    { name: 'identity-provider', route: '/identity-providers/of/university', until: 'ACS' },
    { name: 'signing-keys', route: '/signing-keys', until: 'New tokens are signed with it' },
    { name: 'branding', route: '/branding', until: 'Main button and links' },
    { name: 'settings', route: '/settings', until: 'TCP port to listen on' },
    { name: 'audit', route: '/audit', until: 'token of' },
    { name: 'audit-logins', route: '/audit?type=logins', until: 'grant to' },
    { name: 'nowhere', route: '/nowhere', until: 'There is no such page' },
  ];
}

export async function visitPlace(visitor: ConsolePage, { route, until }: Place): Promise<void> {
  await visitor.goTo(route);
  await visitor.page.locator('main').getByText(until).first().waitFor();
  await visitor.page.locator('main:not(:has(.loading))').waitFor();
}

/** The GUI of an administrator, with records on every page. */
export interface OpenPlaces extends OpenConsole<TestServer> {
  readonly places: readonly Place[];
  visit(name: string): Promise<void>;
}

export async function openPlaces(): Promise<OpenPlaces> {
  const gui = await openConsole(startServer({ authenticator: 'noop-admin' }));
  const { server, visitor } = gui;
  await visitor.signIn(undefined, '/nowhere');
  const places = everyPlace(await furnish(server, visitor.token()));
  await addIdentityProvider(server, visitor.token());
  return {
    ...gui,
    places,
    visit: (name) => visitPlace(visitor, places.find((place) => place.name === name) ?? assert.fail(name)),
  };
}
