import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loginLevels } from '../../src/model/login-level.ts';
import {
  answeredClass,
  isOfClass,
  levelClasses,
  levelOfProvider,
  supportedClasses,
} from '../../src/rules/login-strength.ts';

const strength = { classes: { 'urn:example:two': 'mfa', constructor: 'sfa' } } as const;
const providers = {
  university: { mfa: ['https://refeds.org/profile/mfa', 'otp'], phr: ['hwk'] },
} as const;

describe('a login', () => {
  it('is of the class of its level and of every lower one', () => {
    for (const [at, level] of loginLevels.entries()) {
      const met = loginLevels.filter((each) => isOfClass({ level }, levelClasses[each], strength));
      assert.deepEqual(met, loginLevels.slice(0, at + 1), level);
    }
  });

  it('of which nothing is known is a single factor, and of no class that is unknown here', () => {
    assert.ok(isOfClass({}, levelClasses.sfa, strength));
    for (const name of [levelClasses.mfa, 'phr', 'urn:example:two', 'gold', 'toString', '__proto__'])
      assert.ok(!isOfClass({}, name, strength), name);
  });

  it('is of the classes of the operator by their level', () => {
    assert.ok(isOfClass({ level: 'phr' }, 'urn:example:two', strength));
    assert.ok(!isOfClass({ acr: 'gold' }, 'urn:example:two', strength));
  });

  it('is of the class that an identity provider has named, also after further factors', () => {
    assert.ok(isOfClass({ acr: 'gold' }, 'gold', strength));
    assert.ok(isOfClass({ acr: levelClasses.mfa, toldAcr: 'gold', level: 'mfa' }, 'gold', strength));
  });

  it('is of no class that has a level here because an identity provider has named it', () => {
    for (const name of [levelClasses.mfa, 'phr', 'urn:example:two']) {
      assert.ok(!isOfClass({ acr: name }, name, strength), name);
      assert.ok(!isOfClass({ acr: levelClasses.sfa, toldAcr: name, level: 'sfa' }, name, strength), name);
      assert.equal(answeredClass({ acr: name }, [name], strength), levelClasses.sfa);
      assert.equal(answeredClass({ acr: name }, [], strength), levelClasses.sfa);
    }
    assert.equal(answeredClass({ acr: 'gold' }, [], strength), 'gold');
  });
});

describe('a login at an identity provider', () => {
  it('is worth a level by the values of acr and amr that the operator counts', () => {
    for (const [login, level] of [
      [{}, 'sfa'],
      [{ acr: 'https://refeds.org/profile/mfa' }, 'mfa'],
      [{ amr: ['pwd', 'otp'] }, 'mfa'],
      [{ acr: 'otp', amr: ['hwk'] }, 'phr'],
      [{ acr: 'phr', amr: ['mfa'] }, 'sfa'],
    ] as const) {
      assert.equal(levelOfProvider('university', login, { providers }), level, JSON.stringify(login));
    }
  });

  it('is a single factor at every other authenticator, whatever it says', () => {
    for (const name of ['other', 'constructor', '__proto__'])
      assert.equal(levelOfProvider(name, { acr: 'phr', amr: ['hwk'] }, { providers }), 'sfa', name);
  });
});

describe('the class that a client learns', () => {
  it('is always one, also of a login of which nothing is known', () => {
    assert.equal(answeredClass({}, [], strength), levelClasses.sfa);
    assert.equal(answeredClass({}, ['1', '2'], strength), levelClasses.sfa);
    assert.equal(answeredClass({ level: 'phr' }, ['1'], strength), 'phr');
  });
});

it('the classes of this server are the standard ones and those of the operator', () => {
  const names = ['https://refeds.org/profile/sfa', 'https://refeds.org/profile/mfa', 'phr'];
  assert.deepEqual(supportedClasses({ classes: {} }), names);
  assert.deepEqual(supportedClasses(strength), [...names, 'urn:example:two', 'constructor']);
});
