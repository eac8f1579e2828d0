import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Account,
  type AccountClaims,
  accountPrincipal,
  noAccountClaims,
  OAuthError,
} from '@watchword/protocol';
import {
  accountRegistration,
  buildAccount,
  buildAdministrator,
  protocolDependencies,
  seededRandom,
} from '@watchword/testkit';
import { accountRecordAdministration } from '../../src/accounts/account-records.ts';
import type { AccountFields } from '../../src/accounts/account-rules.ts';

const tool = buildAdministrator();

const everyClaim: AccountClaims = {
  email: 'emma@example.org',
  emailVerified: true,
  givenName: 'Emma Maria',
  familyName: 'de Vries',
  nickname: 'Em',
  picture: 'https://pictures.example/emma.png?size=2',
  locale: 'nl-NL',
  zoneinfo: 'Europe/Amsterdam',
  phoneNumber: '+31 (6) 1234-5678;ext=12',
  phoneNumberVerified: true,
  address: {
    formatted: 'Dam 1\n1012 JS Amsterdam',
    streetAddress: 'Dam 1',
    locality: 'Amsterdam',
    region: 'Noord-Holland',
    postalCode: '1012 JS',
    country: 'NL',
  },
};

async function administration(...accounts: readonly Partial<Account>[]) {
  const { clock, store } = protocolDependencies();
  for (const account of accounts) await store.accounts.create(buildAccount(account));
  const random = seededRandom('claims');
  const deps = { ...store, clock, random, subjectSecret: Buffer.alloc(32), hasLocalLogin: true };
  const admin = accountRecordAdministration(deps);
  return {
    ...store,
    admin,
    create: async (claims: Partial<AccountClaims>) =>
      (await admin.create(tool, { fields: { ...accountRegistration(), ...claims } })).account,
    change: async (fields: Partial<AccountFields>) =>
      (await admin.update(tool, 'id of emma', { apply: () => fields })).account,
  };
}

async function violationsOf(claims: Partial<AccountClaims>): Promise<readonly string[]> {
  const { create } = await administration();
  const error = await create(claims).then(
    () => undefined,
    (caught) => caught,
  );
  return error instanceof OAuthError ? (error.violations ?? []) : [];
}

describe('the claims of a local account', () => {
  it('are kept as administrators set them, and are not known before', async () => {
    const { accounts, create } = await administration();
    await create(everyClaim);
    const stored = (await accounts.find('emma')) ?? assert.fail('no account');
    for (const [name, value] of Object.entries(everyClaim)) {
      assert.deepEqual(stored[name as keyof AccountClaims], value, name);
    }
    const plain = await (await administration()).create({});
    for (const [name, value] of Object.entries(noAccountClaims)) {
      assert.deepEqual(plain[name as keyof AccountClaims], value, name);
    }
  });

  it('are refused with what was expected and what came', async () => {
    for (const [claims, expected] of [
      [{ email: 'emma' }, 'email: expected an e-mail address such as emma@example.org, got "emma"'],
      [
        { email: 'emma@example.org, x@y' },
        'email: expected an e-mail address such as emma@example.org, got "emma@example.org, x@y"',
      ],
      [{ email: `${'a'.repeat(250)}@b.nl` }, 'email: is longer than 254 characters'],
      [{ emailVerified: true }, 'emailVerified: expected false without email, got true'],
      [{ givenName: 'x'.repeat(256) }, 'givenName: is longer than 255 characters'],
      [
        { familyName: 'x\u202Ey' },
        'familyName: holds a control character, one that turns the direction of text, or a lone surrogate (U+202E at position 2)',
      ],
      [{ nickname: 'x'.repeat(256) }, 'nickname: is longer than 255 characters'],
      [
        { picture: 'http://pictures.example/e.png' },
        'picture: expected an https URL of a picture, got "http://pictures.example/e.png"',
      ],
      [
        { picture: 'javascript:alert(1)' },
        'picture: expected an https URL of a picture, got "javascript:alert(1)"',
      ],
      [
        { picture: 'https://pictures.example/é' },
        'picture: expected an https URL of a picture, got "https://pictures.example/é"',
      ],
      [{ locale: 'nl_NL' }, 'locale: expected a language tag of BCP 47 such as nl or de-AT, got "nl_NL"'],
      [{ zoneinfo: 'CEST' }, 'zoneinfo: expected a time zone of IANA such as Europe/Amsterdam, got "CEST"'],
      [
        { zoneinfo: '+01:00' },
        'zoneinfo: expected a time zone of IANA such as Europe/Amsterdam, got "+01:00"',
      ],
      [
        { phoneNumber: '06 12345678' },
        'phoneNumber: expected a phone number with + and the country code, such as +31 6 12345678, got "06 12345678"',
      ],
      [
        { phoneNumber: '+1234567890123456' },
        'phoneNumber: expected a phone number with + and the country code, such as +31 6 12345678, got "+1234567890123456"',
      ],
      [{ phoneNumberVerified: true }, 'phoneNumberVerified: expected false without phoneNumber, got true'],
      [
        { address: { street: 'Dam 1' } },
        'address: is "street", and must be one of: formatted, streetAddress, locality, region, postalCode, country',
      ],
      [{ address: { country: 'x'.repeat(256) } }, 'address: is longer than 255 characters'],
    ] as const) {
      assert.deepEqual(await violationsOf(claims), [expected]);
    }
  });

  it('take tags, zones and numbers as people write them', async () => {
    for (const claims of [
      { locale: 'de-CH-1996' },
      { locale: 'zh-Hant-TW' },
      { zoneinfo: 'UTC' },
      { zoneinfo: 'America/Argentina/Buenos_Aires' },
      { phoneNumber: '+6834002' },
      { phoneNumber: '+1 (425) 555-1212' },
      { phoneNumber: '+31.20.1234567' },
      { email: "o'neill+news@sub.example.org" },
      { email: 'root@localhost' },
    ]) {
      assert.deepEqual(await violationsOf(claims), [], JSON.stringify(claims));
    }
  });

  it('are not verified with another address or number, unless the same change says so', async () => {
    const { change } = await administration(everyClaim);
    const verified = async (fields: Partial<AccountFields>) => {
      const { emailVerified, phoneNumberVerified } = await change(fields);
      return [emailVerified, phoneNumberVerified];
    };
    assert.deepEqual(await verified({ givenName: 'E.' }), [true, true]);
    assert.deepEqual(await verified({ email: everyClaim.email, phoneNumber: everyClaim.phoneNumber }), [
      true,
      true,
    ]);
    assert.deepEqual(await verified({ email: 'new@example.org' }), [false, true]);
    assert.deepEqual(await verified({ phoneNumber: '+31 6 87654321' }), [false, false]);
    const both = { emailVerified: true, phoneNumberVerified: true };
    assert.deepEqual(await verified({ email: 'e@example.org', phoneNumber: '+316 1111111', ...both }), [
      true,
      true,
    ]);
    assert.deepEqual(await verified({ email: '', phoneNumber: '' }), [false, false]);
  });

  it('have limits of length and form, to the character', async () => {
    const tag = (length: number) => `nl-x${'-abcdefgh'.repeat(8)}`.slice(0, length);
    for (const [field, longest, ...refused] of [
      ['email', `${'a'.repeat(251)}@nl`, `${'a'.repeat(252)}@nl`],
      ['picture', `https://${'a'.repeat(1992)}`, `https://${'a'.repeat(1993)}`, 'https://[', 'xhttps://a.nl'],
      ['locale', tag(64), tag(65)],
      ['zoneinfo', 'Etc/GMT+1', '1Etc/GMT'],
      ['phoneNumber', `+${'1'.repeat(15)}${' '.repeat(24)}`, `+${'1'.repeat(15)}${' '.repeat(25)}`],
      ['phoneNumber', '+1234567', '+123456', 'x+1234567', '+1234567x', `+${'1'.repeat(16)}`, '1234567'],
    ] as const) {
      assert.deepEqual(await violationsOf({ [field]: longest }), [], longest);
      for (const value of refused) assert.equal((await violationsOf({ [field]: value })).length, 1, value);
    }
  });

  it('have no empty part of the address', async () => {
    const { change, create } = await administration({ username: 'noah', id: 'id of emma' });
    const created = await create({ address: { country: 'NL', region: '' } });
    assert.deepEqual(created.address, { country: 'NL' });
    assert.deepEqual((await change({ address: { country: '', locality: 'Ghent' } })).address, {
      locality: 'Ghent',
    });
  });

  it('find an account by a part of its e-mail address', async () => {
    const { admin } = await administration({ email: 'Emma.deVries@Example.org' }, { username: 'noah' });
    const found = async (q: string) =>
      (await admin.list(tool, { q }, { limit: 9 })).items.map(({ account }) => account.username);
    assert.deepEqual(await found('devries@example'), ['emma']);
    assert.deepEqual(await found('pictures.example'), []);
  });

  it('are attributes of the principal under their standard names, and absent if they are not known', () => {
    assert.deepEqual(accountPrincipal(buildAccount(everyClaim)).attributes, {
      DISPLAY_NAME: 'Emma Example',
      email: 'emma@example.org',
      email_verified: 'true',
      given_name: 'Emma Maria',
      family_name: 'de Vries',
      nickname: 'Em',
      picture: 'https://pictures.example/emma.png?size=2',
      locale: 'nl-NL',
      zoneinfo: 'Europe/Amsterdam',
      phone_number: '+31 (6) 1234-5678;ext=12',
      phone_number_verified: 'true',
      address: 'Dam 1\n1012 JS Amsterdam',
      street_address: 'Dam 1',
      locality: 'Amsterdam',
      region: 'Noord-Holland',
      postal_code: '1012 JS',
      country: 'NL',
    });
    assert.deepEqual(accountPrincipal(buildAccount()).attributes, { DISPLAY_NAME: 'Emma Example' });
    const unverified = { email: 'emma@example.org', phoneNumber: '+31 6 12345678' };
    assert.deepEqual(accountPrincipal(buildAccount(unverified)).attributes, {
      DISPLAY_NAME: 'Emma Example',
      email: 'emma@example.org',
      email_verified: 'false',
      phone_number: '+31 6 12345678',
      phone_number_verified: 'false',
    });
  });
});
