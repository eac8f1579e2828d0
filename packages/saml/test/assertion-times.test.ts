import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAssertion } from '../src/response/assertion.ts';
import { strictXml } from '../src/response/strict-xml.ts';
import { SamlError } from '../src/saml-error.ts';
import { assertionXml, facts, type ResponseFacts, type Sloppy } from './support/response.ts';

const now = Date.parse('2026-06-01T12:00:00.000Z');
const clockSkew = 90_000;
const service = { entityId: 'https://id.example/saml/metadata', acs: 'https://id.example/saml/acs' };
const base = {
  issuer: 'https://idp.example',
  acs: service.acs,
  audience: service.entityId,
  inResponseTo: '_1',
};

/** Whether an assertion with these times is accepted: milliseconds from now, or a text in their place. */
function isAccepted(more: Readonly<Record<string, number | string | undefined>>): boolean {
  const all = { notBefore: -1000, notOnOrAfter: 1000, confirmationEnd: 1000, authnInstant: -1000, ...more };
  const times = Object.entries(all).map(([name, offset]) => [
    name,
    typeof offset === 'number' ? new Date(now + offset).toISOString() : offset,
  ]);
  const of = facts(base, Object.fromEntries(times) as Sloppy<ResponseFacts>);
  try {
    const { issuer, inResponseTo } = base;
    return (
      readAssertion(strictXml(assertionXml(of)), { issuer, service, inResponseTo, now, clockSkew }).id !== ''
    );
  } catch (error) {
    assert.ok(error instanceof SamlError && error.check === 'time', String(error));
    return false;
  }
}

describe('SA-13: the times of an assertion', () => {
  for (const [name, last, first] of [
    ['notBefore', clockSkew, clockSkew + 1],
    ['notOnOrAfter', -clockSkew + 1, -clockSkew],
    ['confirmationEnd', -clockSkew + 1, -clockSkew],
    ['authnInstant', clockSkew, clockSkew + 1],
  ] as const) {
    it(`accepts ${name} at ${last} ms and rejects it at ${first} ms`, () => {
      assert.ok(isAccepted({ [name]: last }));
      assert.ok(!isAccepted({ [name]: first }));
    });
  }

  it('accepts an assertion between its times', () => {
    assert.ok(isAccepted({}));
  });

  for (const value of [
    undefined,
    '',
    'now',
    '2026-01-01',
    '2099-13-01T00:00:00Z',
    '2099-01-01T00:00:00',
    '2099-01-01T00:00:00+02:00',
    '9999999999',
  ]) {
    it(`rejects ${JSON.stringify(value)} in place of a time`, () => {
      for (const name of ['notOnOrAfter', 'confirmationEnd', 'notBefore']) {
        assert.equal(isAccepted({ [name]: value }), false, name);
      }
      if (value !== undefined) assert.ok(!isAccepted({ authnInstant: value }));
    });
  }
});
