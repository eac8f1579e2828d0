import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@watchword/testkit';
import {
  isOfWrongClock,
  newTotpSecret,
  stepOfCode,
  totpCode,
  totpStep,
  totpUri,
} from '../../src/factors/totp.ts';

// "12345678901234567890" of RFC 4226 Appendix D and RFC 6238 Appendix B, in Base32.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a one-time code', () => {
  it('is that of RFC 4226 Appendix D for each of its counters', () => {
    const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');
    assert.deepEqual(
      codes.map((_, counter) => totpCode(secret, counter)),
      codes,
    );
  });

  it('is that of RFC 6238 Appendix B for each of its times, with six digits', () => {
    for (const [seconds, code] of [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ] as const) {
      assert.equal(totpCode(secret, totpStep(seconds * 1000)), code.slice(2), String(seconds));
    }
  });

  it('is valid in its step, and one before and after it', () => {
    const now = 1_900_000_000_000;
    const step = totpStep(now);
    const valid = [-3, -2, -1, 0, 1, 2, 3].filter(
      (drift) => stepOfCode(secret, totpCode(secret, step + drift), now) === step + drift,
    );
    assert.deepEqual(valid, [-1, 0, 1]);
    for (const minutes of [-60, -5, 5, 60]) {
      const code = totpCode(secret, step + 2 * minutes);
      assert.equal(stepOfCode(secret, code, now), undefined);
      assert.ok(isOfWrongClock(secret, code, now), `${minutes} minutes`);
    }
    assert.ok(!isOfWrongClock(secret, totpCode(secret, step + 300), now));
  });

  it('may have spaces, and nothing else', () => {
    const code = totpCode(secret, totpStep(90_000));
    assert.equal(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)}\n`, 90_000), 3);
    for (const typed of ['', '0', `${code}0`, `0${code}`, code.slice(1), `${code}a`, 'abcdef'])
      assert.equal(stepOfCode(secret, typed, 90_000), undefined, typed);
  });
});

describe('the secret of an app for one-time codes', () => {
  it('has 160 random bits, in Base32', () => {
    const random = seededRandom('totp');
    const [one, other] = [newTotpSecret(random), newTotpSecret(random)];
    assert.match(one, /^[A-Z2-7]{32}$/);
    assert.notEqual(one, other);
  });

  it('comes in an address that apps read, whatever the names are', () => {
    assert.equal(
      totpUri(secret, 'Example & Co: Staff', 'émma:x@example.org'),
      `otpauth://totp/Example%20%26%20Co%20%20Staff:%C3%A9mma%20x%40example.org?secret=${secret}&issuer=Example%20%26%20Co%20%20Staff&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
