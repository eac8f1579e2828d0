import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildPrincipal, buildResourceOwner } from '@watchword/testkit';
import { subjectOf } from '../../src/keys/subject.ts';
import { sessionIdFor } from '../../src/openid/session-id.ts';
import { type SubjectClient, Subjects } from '../../src/openid/subjects.ts';

const subjectSecret = Buffer.alloc(32, 7);
const subjects = new Subjects({ subjectSecret });
const emma = buildResourceOwner();

function client(overrides: Partial<SubjectClient> = {}): SubjectClient {
  return {
    clientId: 'web-app',
    redirectUris: ['https://app.example/cb'],
    subjectType: 'pairwise',
    sectorIdentifierUri: '',
    ...overrides,
  };
}

function known(attributes: Record<string, string>) {
  return { ...emma, principal: buildPrincipal({ attributes }) };
}

describe('the subject of a user at a client', () => {
  it('is that of the user for a client with public subjects', () => {
    assert.equal(subjects.subjectFor(client({ subjectType: 'public' }), emma), emma.subject);
  });

  it('is no attribute unless the operator names one', () => {
    const named = known({ undefined: 'noah', constructor: 'noah' });
    assert.equal(subjects.publicSubject(named), emma.subject);
  });

  it('is another for each sector, and is not the public one', () => {
    const clients = [
      client(),
      client({ redirectUris: ['https://other.example/cb'] }),
      client({ redirectUris: ['com.example.app:/cb'], clientId: 'native' }),
      client({ redirectUris: ['com.example.app:/cb'], clientId: 'native-2' }),
      client({ sectorIdentifierUri: 'https://sector.example/uris.json' }),
    ];
    const all = [emma.subject, ...clients.map((each) => subjects.subjectFor(each, emma))];
    assert.equal(new Set(all).size, all.length);
  });

  it('is the same for the clients of a sector', () => {
    const expected = subjects.subjectFor(client(), emma);
    for (const each of [
      client({ clientId: 'other', redirectUris: ['https://app.example:8443/other'] }),
      client({ redirectUris: ['https://x.example/'], sectorIdentifierUri: 'https://app.example/uris.json' }),
    ]) {
      assert.equal(subjects.subjectFor(each, emma), expected);
    }
  });

  it('is another for each application that others could pose as: on a loopback host, or with the host of others in its scheme', () => {
    const clients = [
      client(),
      client({ clientId: 'posing', redirectUris: ['com.example.app://app.example/cb'] }),
      client({ clientId: 'one', redirectUris: ['http://127.0.0.1/cb'] }),
      client({ clientId: 'two', redirectUris: ['http://127.0.0.1/cb'] }),
    ];
    const all = clients.map((each) => subjects.subjectFor(each, emma));
    assert.equal(new Set(all).size, all.length);
  });

  it('is another for each user and under another key', () => {
    const other = new Subjects({ subjectSecret: Buffer.alloc(32, 8) });
    const all = [
      subjects.subjectFor(client(), emma),
      subjects.subjectFor(client(), buildResourceOwner('bob')),
      other.subjectFor(client(), emma),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('is never the subject of another user, for any name of an identity provider', () => {
    const pairwise = subjects.subjectFor(client(), emma);
    const crafted = { identityProvider: 'OpenID Connect', stableId: emma.subject, name: 'pairwise' };
    assert.notEqual(subjectOf(subjectSecret, crafted), pairwise);
  });

  it('is made of the subject of an earlier server, where the user has one in the attribute', () => {
    const moved = new Subjects({ subjectSecret, subjectAttribute: 'OLD_SUB' });
    const owner = known({ OLD_SUB: 'auth0|5f7c' });
    assert.equal(moved.publicSubject(owner), 'auth0|5f7c');
    assert.notEqual(moved.subjectFor(client(), owner), subjects.subjectFor(client(), owner));
    for (const each of [
      known({}),
      known({ OLD_SUB: '' }),
      known({ OLD_SUB: 'x'.repeat(256) }),
      known({ OLD_SUB: 'é' }),
      known({ OLD_SUB: 'Emma de Vries' }),
    ]) {
      assert.equal(moved.publicSubject(each), emma.subject);
    }
  });

  it('is not taken from a member that every object has', () => {
    const moved = new Subjects({ subjectSecret, subjectAttribute: 'constructor' });
    assert.equal(moved.publicSubject(emma), emma.subject);
  });
});

describe('the sid of a session', () => {
  it('is another for each client, each session and each key', () => {
    const all = [
      sessionIdFor(subjectSecret, { id: 1 }, 'session-1'),
      sessionIdFor(subjectSecret, { id: 2 }, 'session-1'),
      sessionIdFor(subjectSecret, { id: 1 }, 'session-2'),
      sessionIdFor(Buffer.alloc(32, 8), { id: 1 }, 'session-1'),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.every((sid) => /^[A-Za-z0-9_-]{43}$/.test(sid)));
  });

  it('stays the same', () => {
    const of = () => sessionIdFor(subjectSecret, { id: 1 }, 'session-1');
    assert.equal(of(), of());
  });
});
