import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  IdentityProvider,
  LogoutDelivery,
  RequestErrorSummary,
  StatisticsPage,
} from '@watchword/admin-client';
import { findingsOf } from '../src/pages/overview/findings.ts';
import './support/english.ts';

type Health = NonNullable<StatisticsPage['health']>;

const now = Date.parse('2030-01-15T12:00:00Z');
const minute = 60_000;

const health: Health = {
  startDate: now - 60 * minute,
  database: { size: 10_000_000, free: 50_000_000_000, problem: null },
  work: [{ name: 'purge', lastSuccess: now - minute, running: false, interval: 60, overdue: false }],
  failedLogins: { lastHour: 3, hourBefore: 0 },
  authenticators: [{ name: 'password', problems: [] }],
  signingProblems: [],
  drifted: [],
  unconfirmedClients: { count: 0, first: null },
  expiringSecrets: { count: 0, first: null },
};
const client = { id: 7, clientId: 'shop', clientName: 'Web shop', resourceserver_id: 3 };
const statistics: StatisticsPage = {
  clients: [{ ...client, tokens: 0, resourceOwners: 0, issued: 0, lastIssued: null }],
  busiest: [],
  countLimit: 10_000,
  issued: [],
  errors: [],
  health,
  next: undefined,
};
const calm = {
  statistics,
  summary: { requestErrors: [], dropped: 0 },
  removed: [] as readonly IdentityProvider[],
  undelivered: [] as readonly LogoutDelivery[],
  now,
};

const group = (requests: number, reason = 'the secret is wrong') => ({
  client,
  error: 'invalid_client',
  reason,
  requests,
  lastTime: now,
  lastRequestId: null,
});
const texts = (changed: Partial<typeof calm>) => findingsOf({ ...calm, ...changed }).map(({ text }) => text);
const withHealth = (changed: Partial<Health>) =>
  texts({ statistics: { ...statistics, health: { ...health, ...changed } } });
const refused = (summary: RequestErrorSummary['requestErrors'], issued = 0) =>
  findingsOf({
    ...calm,
    statistics: { ...statistics, busiest: [{ ...client, issued, lastIssued: now }], clients: [] },
    summary: { requestErrors: summary, dropped: 0 },
  });

describe('what needs attention', () => {
  it('is nothing on a server that works', () => {
    assert.deepEqual(texts({}), []);
  });

  it('is nothing that a user who is not an administrator cannot see', () => {
    const { health: _, ...own } = statistics;
    assert.deepEqual(texts({ statistics: own }), []);
  });

  it('is a signing key that cannot be used, with a link to the signing keys', () => {
    const problem = 'The key k (ES256) cannot sign: its private half is erased.';
    assert.deepEqual(withHealth({ signingProblems: [problem] }), [`Signing keys: ${problem}`]);
  });

  it('is a client whose last secret expires soon or has expired, with a link to its secrets', () => {
    const expiring = {
      id: 7,
      clientName: 'Web shop',
      resourceserver_id: 3,
      secretExpires: now + 172_800_000,
    };
    const [soon] = withHealth({ expiringSecrets: { count: 1, first: expiring } });
    assert.equal(
      soon,
      'The last secret of 1 client expires soon or has expired. The first is Web shop: in 2 days.',
    );
    const late = { ...expiring, secretExpires: now - 172_800_000 };
    const [first] = withHealth({ expiringSecrets: { count: 2, first: late } });
    assert.equal(
      first,
      'The last secret of 2 clients expires soon or has expired. The first is Web shop: 2 days ago.',
    );
  });

  it('is a configuration that has drifted, with a client that differs, and one before a restored backup', () => {
    const drift = {
      configuration: 'shop',
      records: 2,
      example: { recordType: 'client', name: 'shop-web' },
      restored: true,
    } as const;
    const mend = '“watchword plan” with its file shows what differs, and “watchword apply” mends it.';
    assert.deepEqual(withHealth({ drifted: [drift] }), [
      `Configuration shop: 2 records are not as it was applied. ${mend}`,
      `Configuration shop: the database was restored since it was applied. ${mend}`,
    ]);
    const changed = { ...health, drifted: [{ ...drift, restored: false }] };
    const [finding] = findingsOf({ ...calm, statistics: { ...statistics, health: changed } });
    assert.equal(finding?.link?.label, 'shop-web');
  });

  it('is a client that no administrator has confirmed', () => {
    const first = { id: 7, clientName: 'Web shop', resourceserver_id: 3 };
    assert.deepEqual(withHealth({ unconfirmedClients: { count: 1, first } }), [
      '1 client waits for an administrator to confirm, and until then for the addresses of users. The first is Web shop.',
    ]);
    assert.deepEqual(withHealth({ unconfirmedClients: { count: 1200, first } }), [
      '1,200 clients wait for an administrator to confirm, and until then for the addresses of users. The first is Web shop.',
    ]);
  });

  it('is a client that does not accept logout tokens, with their number', () => {
    const delivery: LogoutDelivery = {
      id: 'x',
      clientId: 'shop',
      uri: 'https://shop.example/logout',
      sid: 's',
      endedAt: now,
      attempts: 5,
      nextAttempt: null,
      failure: 'it answered 500',
    };
    const undelivered = [delivery, { ...delivery, id: 'y' }, { ...delivery, clientId: 'wiki' }];
    assert.deepEqual(texts({ undelivered }), [
      'shop has not accepted 2 logout tokens: users who logged out can still be logged in there.',
      'wiki has not accepted 1 logout token: users who logged out can still be logged in there.',
    ]);
  });

  it('is a problem of the database, and too little space for it', () => {
    assert.deepEqual(
      withHealth({ database: { size: 1, free: 100 * 1024 * 1024, problem: 'it is read-only' } }),
      ['The database has a problem: it is read-only', 'Only 100 MB are free where the database is.'],
    );
    assert.deepEqual(withHealth({ database: { size: 1, free: null, problem: null } }), []);
  });

  it('is background work that is overdue, with the time of its last success', () => {
    const work = {
      name: 'purge',
      lastSuccess: now - 180 * minute,
      running: false,
      interval: 60,
      overdue: true,
    };
    assert.deepEqual(withHealth({ work: [work, { ...work, name: 'other', lastSuccess: null }] }), [
      'The purge is overdue: it last succeeded 3 hours ago. The log has the cause.',
      'other is overdue: it has never succeeded. The log has the cause.',
    ]);
  });

  it('is each problem of an authenticator, with a link to the identity providers', () => {
    const [finding] = findingsOf({
      ...calm,
      statistics: {
        ...statistics,
        health: { ...health, authenticators: [{ name: 'saml', problems: ['The metadata is 3 days old.'] }] },
      },
    });
    assert.equal(finding?.text, 'saml: The metadata is 3 days old.');
    assert.equal(finding.link?.to, '/identity-providers');
  });

  it('is a rise of failed logins, and not their usual number', () => {
    assert.equal(withHealth({ failedLogins: { lastHour: 200, hourBefore: 150 } }).length, 0);
    assert.deepEqual(withHealth({ failedLogins: { lastHour: 200, hourBefore: 5 } }), [
      '200 logins failed in the last hour, 5 in the hour before.',
    ]);
  });

  it('is an unexpected error of the server', () => {
    const errors = [{ error: 'server_error', requests: 1 }];
    assert.match(texts({ statistics: { ...statistics, errors } })[0] ?? '', /^1 request has met/);
  });

  it('is a client that is refused often, with its most frequent reason and a link to all of them', () => {
    const [finding] = refused([group(9), group(3, 'the scope "x" is not one of the client')]);
    assert.equal(
      finding?.text,
      'Web shop: 12 requests refused in the last day, most often because: the secret is wrong',
    );
    assert.equal(finding.link?.to, '/resource-servers/3/clients/7?tab=errors');
  });

  it('is no client that is refused seldom, or in the usual share of many requests', () => {
    assert.deepEqual(refused([group(9)]), []);
    assert.deepEqual(refused([group(12)], 10_000), []);
  });

  it('is an identity provider that no configuration names', () => {
    const removed = [
      { identityProvider: 'https://old', configured: false, loginSessions: 0, grants: 1, consents: 0 },
    ];
    assert.deepEqual(texts({ removed }), [
      'Users of https://old cannot log in: no configuration names it, and 1 grant of them is left.',
    ]);
  });
});
