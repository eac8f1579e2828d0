import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@watchword/testkit';
import { openWith, sealWith } from '../../src/keys/aead.ts';

const key = Buffer.alloc(32, 1);
const random = seededRandom('nonces');
const seal = (text: string) => sealWith(key, text, 'purpose', random);
const open = (sealed: string) => openWith(key, sealed, 'purpose');

describe('a sealed text', () => {
  it('is another one each time, because no nonce is used twice', () => {
    const sealed = Array.from({ length: 20 }, () => seal('the same'));
    assert.equal(new Set(sealed.map((text) => text.slice(0, 16))).size, 20);
    for (const text of sealed) assert.equal(open(text), 'the same');
  });

  it('is opened also if it is empty, and with the same key and purpose only', () => {
    assert.equal(open(seal('')), '');
    assert.equal(openWith(Buffer.alloc(32, 2), seal('x'), 'purpose'), undefined);
    assert.equal(openWith(key, seal('x'), 'another purpose'), undefined);
  });

  it('has one spelling', () => {
    // Nonce, one byte and tag: two characters at the end have bits that mean nothing.
    const sealed = seal('x');
    const last = sealed.at(-1) ?? '';
    const other = String.fromCharCode(last.charCodeAt(0) + 1);
    const twin = sealed.slice(0, -1) + other;
    assert.deepEqual(Buffer.from(twin, 'base64url'), Buffer.from(sealed, 'base64url'));
    for (const changed of [twin, `${sealed}==`, ` ${sealed}`, `${sealed.slice(0, 4)}\n${sealed.slice(4)}`]) {
      assert.deepEqual(Buffer.from(changed, 'base64url'), Buffer.from(sealed, 'base64url'));
      assert.equal(open(changed), undefined);
    }
  });

  it('of any length is refused without an error', () => {
    for (let bytes = 0; bytes < 40; bytes += 1) {
      assert.equal(open(Buffer.alloc(bytes, 9).toString('base64url')), undefined, String(bytes));
    }
  });
});
