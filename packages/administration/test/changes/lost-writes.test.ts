import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeyRing, parseBearerValue, type Transact, type TransactionStores } from '@watchword/protocol';
import {
  buildAccount,
  buildAdministrator,
  clientRegistration,
  grantFactory,
  protocolDependencies,
  protocolError,
  seededRandom,
  tokenFactory,
} from '@watchword/testkit';
import { accountRecordAdministration } from '../../src/accounts/account-records.ts';
import { accountAdministration } from '../../src/accounts/accounts.ts';
import { clientAdministration } from '../../src/clients/clients.ts';
import { grantAdministration } from '../../src/grants/grants.ts';
import { resourceServerAdministration } from '../../src/resource-servers/resource-servers.ts';
import { accessTokenAdministration } from '../../src/tokens/access-tokens.ts';

type Stores = { readonly [Name in keyof TransactionStores]?: Partial<TransactionStores[Name]> };

/** The administration over stores of which some methods find nothing to write. */
async function administration(lost: Stores) {
  const { store, clock, accessTokenFormats, instruments, issue, client, resourceServer } =
    protocolDependencies();
  const random = seededRandom('lost');
  const transact: Transact = (work) =>
    store.transact((stores) => {
      const all: Readonly<Record<string, object>> = { ...stores };
      const changed = Object.entries<object>(lost).map(([name, methods]) => [
        name,
        { ...all[name], ...methods },
      ]);
      return work({ ...stores, ...Object.fromEntries(changed) });
    });
  store.putResourceServer({ ...resourceServer, owner: 'finn' });
  const caller = buildAdministrator();
  await store.accounts.create(buildAccount());
  const deps = { ...store, transact, clock, random, caller, hashPassword: async (text: string) => text };
  const openSealer = () => KeyRing.open({ ...store, clock, random });
  return {
    store,
    caller,
    address: { resourceServerId: resourceServer.id, id: client.id },
    serverId: resourceServer.id,
    tokenId: parseBearerValue('access', await issue())?.id ?? '',
    tokens: accessTokenAdministration({
      ...deps,
      accessTokenFormats,
      instruments,
      openSealer,
      registered: store,
      sessionIdleLifetime: 1000,
    }),
    accounts: accountAdministration(deps),
    accountRecords: accountRecordAdministration({
      ...deps,
      subjectSecret: Buffer.alloc(32),
      hasLocalLogin: true,
    }),
    grants: grantAdministration({ ...deps, registered: store }),
    clients: clientAdministration(deps),
    servers: resourceServerAdministration(deps),
  };
}

type Administration = Awaited<ReturnType<typeof administration>>;

const gone = async () => undefined;
const not = async () => false;
const { id } = buildAccount();
const rename = { apply: () => ({ displayName: 'New' }) };

const lostWrites: readonly [
  what: string,
  lost: Stores,
  change: (of: Administration) => Promise<unknown>,
  error: RegExp | ReturnType<typeof protocolError>,
][] = [
  [
    'a token is revoked',
    { issuedTokens: { revoke: not } },
    ({ tokens, caller, tokenId }) => tokens.revoke(caller, tokenId),
    protocolError('token_not_found'),
  ],
  [
    'a token is changed',
    { issuedTokens: { update: not } },
    ({ tokens, caller, tokenId }) => tokens.update(caller, tokenId, { apply: () => ({ scopes: [] }) }),
    protocolError('token_not_found'),
  ],
  [
    'an account is changed',
    { accounts: { update: gone } },
    ({ accountRecords, caller }) => accountRecords.update(caller, id, rename),
    protocolError('not_found'),
  ],
  [
    'an account gets a reset link',
    { accounts: { update: gone } },
    ({ accountRecords, caller }) => accountRecords.resetPassword(caller, id),
    protocolError('not_found'),
  ],
  [
    'an account is deleted',
    { accounts: { delete: gone } },
    ({ accountRecords, caller }) => accountRecords.delete(caller, id),
    protocolError('not_found'),
  ],
  [
    'an account is changed by a tool',
    { accounts: { update: gone } },
    ({ accounts }) => accounts.update('emma', { disabled: true }),
    protocolError('not_found'),
  ],
  [
    'an account is deleted by a tool',
    { accounts: { delete: gone } },
    ({ accounts }) => accounts.delete('emma'),
    protocolError('not_found'),
  ],
  [
    'a client is registered',
    { clients: { create: gone } },
    ({ clients, caller, serverId }) => clients.create(caller, serverId, { fields: clientRegistration() }),
    /a resource server that was just read does not exist/,
  ],
  [
    'a client is changed',
    { clients: { update: gone } },
    ({ clients, caller, address }) =>
      clients.update(caller, address, { apply: () => ({ description: 'x' }) }),
    /a client that was just read does not exist/,
  ],
  [
    'a client is confirmed',
    { clients: { update: gone } },
    ({ clients, caller, address }) => clients.confirm(caller, address),
    /a client that was just read does not exist/,
  ],
];

describe('a change whose record is gone when it is written', () => {
  for (const [what, lost, change, error] of lostWrites) {
    it(`fails where ${what}, and leaves no trace in the audit log`, async () => {
      const of = await administration(lost);
      await assert.rejects(change(of), error);
      assert.deepEqual(await of.store.auditEvents.list({ limit: 1 }), []);
    });
  }

  it('leaves no trace where nothing is left to revoke', async () => {
    const { caller, grants, store, tokens } = await administration({
      grants: { revoke: async () => 0, endAccess: async () => ({ grants: 0, consents: 0 }) },
      issuedTokens: { revoke: not },
    });
    const grant = grantFactory().grant();
    await store.grants.insert(grant, tokenFactory()({ grantId: grant.id }));
    const all = { resourceServerId: 1, since: 0 };
    const nothing = { grants: 0, accessTokens: 0, clients: [], remaining: [] };
    assert.deepEqual(await tokens.revokeIssued(caller, all), nothing);
    assert.deepEqual(await grants.endAll(caller, { resourceServerId: 1 }), { grants: 0, consents: 0 });
    assert.deepEqual(await store.auditEvents.list({ limit: 1 }), []);
  });

  it('fails where an account is deleted between its change and its answer', async () => {
    const { accountRecords, caller } = await administration({
      accounts: { findById: async (asked) => (reads.push(asked) === 1 ? buildAccount() : undefined) },
    });
    const reads: string[] = [];
    await assert.rejects(accountRecords.update(caller, id, rename), protocolError('not_found'));
    assert.equal(reads.length, 2);
  });
});
