import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Violations } from '@watchword/protocol';
import { checkUsername, isUsername } from '../src/index.ts';

describe('a new username', () => {
  it('has no character that is not drawn, which the names of earlier releases can have', () => {
    const problems = (name: string) => {
      const violations = new Violations();
      checkUsername(name, violations);
      return violations.isEmpty;
    };
    assert.deepEqual(['emma', 'em\u3164ma', 'em\u2800ma', ' emma'].map(problems), [
      true,
      false,
      false,
      false,
    ]);
    assert.equal(isUsername('em\u3164ma'), true);
  });
});

describe('a username', () => {
  it('has 1 to 255 visible characters, without space at its ends', () => {
    for (const name of ['a', 'x'.repeat(255), 'Emma de Vries', 'ａｌｉｃｅ'])
      assert.equal(isUsername(name), true, name);
    for (const name of ['', 'x'.repeat(256), ' a', 'a ', 'a\tb', 'a\u00a0b', 'a\u200bb', 'a\ud800']) {
      assert.equal(isUsername(name), false, JSON.stringify(name));
    }
  });
});
