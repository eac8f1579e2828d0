import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Credential } from '@watchword/protocol';
import { seededRandom } from '@watchword/testkit';
import { newRecoveryCodes, recoveryCodeOf, recoveryData } from '../../src/factors/recovery-codes.ts';

const codes = newRecoveryCodes(seededRandom('codes'));
const stored = codes.map(
  (code, index): Credential => ({
    ...{ id: String(index), subject: 'emma', owner: { identityProvider: 'password', name: 'emma' } },
    ...{ kind: 'recovery_code', name: '', creationDate: 1, lastUsed: 0, counter: 0 },
    data: recoveryData(code),
  }),
);

describe('recovery codes', () => {
  it('are ten of 80 bits each, in letters and digits that nobody confuses', () => {
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  });

  it('are stored as digests only', () => {
    for (const [index, { data }] of stored.entries()) {
      assert.deepEqual(Object.keys(JSON.parse(data)), ['digest']);
      assert.doesNotMatch(data, new RegExp(codes[index]?.slice(0, 9) ?? 'none'));
    }
  });

  it('are found as people type them', () => {
    const code = codes[3] ?? '';
    for (const typed of [
      code,
      code.toUpperCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')} `,
    ])
      assert.equal(recoveryCodeOf(typed, stored)?.id, '3', typed);
    const confused = code.replaceAll('0', 'O').replaceAll('1', 'l');
    assert.equal(recoveryCodeOf(confused, stored)?.id, '3');
  });

  it('are no other text, and no other credential', () => {
    for (const typed of ['', '-', codes[0]?.slice(1) ?? '', `${codes[0]}0`])
      assert.equal(recoveryCodeOf(typed, stored), undefined, typed);
    const others = stored.map((each): Credential => ({ ...each, kind: 'totp' }));
    assert.equal(recoveryCodeOf(codes[0] ?? '', others), undefined);
  });
});
