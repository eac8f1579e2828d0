import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AuthenticationModule,
  type Credential,
  type CredentialKind,
  type LoginLevel,
  reaches,
  strongest,
} from '@watchword/protocol';
import { emma, FakeClock, flowDependencies, memoryStore, sent, TestBrowser } from '@watchword/testkit';
import { type EnrolmentWay, enrolmentStep } from '../../src/factors/enrolment-step.ts';
import {
  type FactorPolicy,
  lacksFactor,
  levelOfPolicy,
  neededBy,
  reachOf,
} from '../../src/factors/factor-policy.ts';
import { secondFactor } from '../../src/factors/second-factor.ts';
import type { SecondFactorWay } from '../../src/factors/second-factor-way.ts';
import { logIn, unwatched } from '../support/logins.ts';

const firstFactors = {
  password: 'sfa',
  'SAML, OpenID Connect': 'sfa',
  'a provider whose mfa counts': 'mfa',
  passkey: 'phr',
} as const satisfies Record<string, LoginLevel>;

const people = {
  nothing: [],
  'an app': ['totp', 'recovery_code'],
  'a passkey': ['passkey', 'recovery_code'],
  both: ['totp', 'passkey', 'recovery_code'],
} as const satisfies Record<string, readonly CredentialKind[]>;

/** `offer`: to add one, now or later. */
type Asked = 'nothing' | 'factor' | 'enrolment' | 'offer';

const never = { nothing: 'nothing', 'an app': 'nothing', 'a passkey': 'nothing', both: 'nothing' } as const;
/** Whoever has a factor is asked for it. @param nothing what others are asked */
const askedFor = (nothing: Asked) =>
  ({ nothing, 'an app': 'factor', 'a passkey': 'factor', both: 'factor' }) as const;

/**
 * What each policy does: a row for each demand, a column for what the person has; for each first factor what is asked after it. This is the
 * table of docs/guides/second-factors.md in full.
 */
const table: Readonly<
  Record<
    string,
    {
      readonly demand: { readonly policy: LoginLevel; readonly client: LoginLevel };
      readonly grace?: true;
      readonly asked: Readonly<
        Record<keyof typeof firstFactors, Readonly<Record<keyof typeof people, Asked>>>
      >;
    }
  >
> = {
  'nobody demands one': {
    demand: { policy: 'sfa', client: 'sfa' },
    asked: {
      password: askedFor('nothing'),
      'SAML, OpenID Connect': askedFor('nothing'),
      'a provider whose mfa counts': never,
      passkey: never,
    },
  },
  'the operator demands one': {
    demand: { policy: 'mfa', client: 'sfa' },
    asked: {
      password: askedFor('enrolment'),
      'SAML, OpenID Connect': askedFor('enrolment'),
      'a provider whose mfa counts': never,
      passkey: never,
    },
  },
  'the operator demands one, and the days of grace are not over': {
    demand: { policy: 'mfa', client: 'sfa' },
    grace: true,
    asked: {
      password: askedFor('offer'),
      'SAML, OpenID Connect': askedFor('offer'),
      'a provider whose mfa counts': never,
      passkey: never,
    },
  },
  'a client demands several factors, also in the days of grace': {
    demand: { policy: 'mfa', client: 'mfa' },
    grace: true,
    asked: {
      password: askedFor('offer'),
      'SAML, OpenID Connect': askedFor('offer'),
      'a provider whose mfa counts': never,
      passkey: never,
    },
  },
  'a client demands a passkey': {
    demand: { policy: 'sfa', client: 'phr' },
    asked: {
      // Whoever puts it off gets no answer for this client. After the app, a passkey is added: see below.
      password: askedFor('offer'),
      'SAML, OpenID Connect': askedFor('offer'),
      'a provider whose mfa counts': {
        nothing: 'offer',
        'an app': 'offer',
        'a passkey': 'factor',
        both: 'factor',
      },
      passkey: never,
    },
  },
};

/** A way of which nothing but its level counts here. */
const way = (kind: CredentialKind, level: LoginLevel): SecondFactorWay & EnrolmentWay => ({
  ...{ kind, level, label: kind },
  ask: async () => ({ submit: 'Go' }),
  prove: () => assert.fail('is not asked'),
  add: () => assert.fail('is not asked'),
});
const ways = [way('totp', 'mfa'), way('recovery_code', 'mfa'), way('passkey', 'phr')];

/** What is asked where a row of the table holds. @returns asks after a login of the level */
async function server(row: keyof typeof table) {
  const { demand, grace = false } = table[row] ?? assert.fail();
  let own: readonly CredentialKind[] = [];
  let level: LoginLevel = 'sfa';
  const authenticator: AuthenticationModule = {
    name: 'test-login',
    begin: async () => ({ type: 'form' }),
    resume: async () => ({ type: 'authenticated', principal: emma(), level }),
  };
  const strength = { classes: {}, providers: {} };
  const basis = { clock: new FakeClock(), store: memoryStore(), seed: 'table' };
  const credentials = {
    listBySubject: async (subject: string) =>
      own.map(
        (kind): Credential => ({
          ...{ kind, id: kind, subject, owner: { identityProvider: 'test-login', name: 'emma' }, name: '' },
          ...{ creationDate: 0, lastUsed: 0, counter: 0, data: '{}' },
        }),
      ),
  };
  const required = demand.policy === 'sfa' ? 'none' : 'everyone';
  const policy = { required, groups: [], graceDays: grace ? 1 : 0 } as const;
  const deps = { ...basis.store, ...basis, credentials, policy, strength };
  const loginSteps = [
    secondFactor({ credentials, ...unwatched, ways, needed: neededBy(deps) }),
    enrolmentStep({ ...deps, ways: ways.filter(({ kind }) => kind !== 'recovery_code') }),
  ];
  const flow = await flowDependencies({ basis, authenticator, loginSteps, strength });
  const loginLevel = demand.client === 'sfa' ? '' : demand.client;
  flow.store.putClient({ ...flow.webApp, skipConsent: true, loginLevel });
  return async (has: readonly CredentialKind[], reached: LoginLevel): Promise<Asked> => {
    own = has;
    level = reached;
    const answer = await logIn(flow, new TestBrowser());
    if (answer.type !== 'loginStep') {
      assert.equal(sent(answer), 'code');
      return 'nothing';
    }
    const { title, choices } = answer.form;
    if (typeof title === 'object' && title.key === 'factor.title') return 'factor';
    return choices.some(({ value }) => value === 'later') ? 'offer' : 'enrolment';
  };
}

describe('what is asked after a first factor', () => {
  for (const [row, { asked: expected }] of Object.entries(table)) {
    it(`where ${row}, depends on the first factor and on what the person has`, async () => {
      const asked = await server(row);
      for (const [first, level] of Object.entries(firstFactors)) {
        const cells = [];
        for (const [has, own] of Object.entries(people)) cells.push([has, await asked(own, level)]);
        assert.deepEqual(
          Object.fromEntries(cells),
          { ...expected[first as keyof typeof firstFactors] },
          first,
        );
      }
    });
  }

  it('is no second factor where somebody has recovery codes or trusted browsers alone', async () => {
    const own = ['recovery_code', 'trusted_browser'] as const;
    assert.equal(await (await server('nobody demands one'))(own, 'sfa'), 'nothing');
    assert.equal(await (await server('the operator demands one'))(own, 'sfa'), 'enrolment');
  });
});

describe('whether a factor can be added in a login', () => {
  const all = ['sfa', 'mfa', 'phr'] as const;

  it('is never so for whoever has one that is strong enough, or has not proved the one they have', () => {
    for (const own of Object.values(people))
      for (const level of all)
        for (const policy of all)
          for (const client of all) {
            const has = own.map((kind) => ({ kind }));
            if (!lacksFactor(level, has, { policy, client })) continue;
            assert.ok(reaches(level, reachOf(has)), `${own}, ${level}`);
            assert.ok(!reaches(reachOf(has), strongest([policy, client])), `${own}, ${level}`);
          }
  });

  it('is so for a passkey after the code of an app, where a client demands one', () => {
    const demand = { policy: 'sfa', client: 'phr' } as const;
    assert.ok(lacksFactor('mfa', [{ kind: 'totp' }], demand));
    assert.ok(!lacksFactor('sfa', [{ kind: 'totp' }], demand));
    assert.ok(!lacksFactor('mfa', [{ kind: 'totp' }, { kind: 'passkey' }], demand));
  });
});

describe('the policy of the operator', () => {
  const of = (policy: Partial<FactorPolicy>, principal: object) =>
    levelOfPolicy({ principal: emma(principal) }, { required: 'none', groups: [], ...policy });

  it('is for nobody, for administrators, or for everyone', () => {
    for (const [required, person, administrator] of [
      ['none', 'sfa', 'sfa'],
      ['administrators', 'sfa', 'mfa'],
      ['everyone', 'mfa', 'mfa'],
    ] as const) {
      assert.equal(of({ required }, { adminPrincipal: false }), person, required);
      assert.equal(of({ required }, { adminPrincipal: true }), administrator, required);
    }
  });

  it('is for the members of groups too, by their exact names', () => {
    const groups = ['finance', 'board'];
    for (const [own, level] of [
      [['staff', 'board'], 'mfa'],
      [['Board', 'finance '], 'sfa'],
      [[], 'sfa'],
    ] as const)
      assert.equal(of({ groups }, { groups: own, adminPrincipal: false }), level, own.join());
  });
});
