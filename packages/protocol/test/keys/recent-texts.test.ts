import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { RecentTexts, type SealedText } from '../../src/keys/recent-texts.ts';

function sealedText(sealed = `key.${randomBytes(300).toString('base64url')}`): SealedText {
  return { keyId: 'key', purpose: 'login', text: 'x', sealed };
}

describe('recently sealed texts', () => {
  it('are found once', () => {
    const recent = new RecentTexts();
    const text = sealedText();
    recent.add(text);
    assert.equal(recent.take(text.sealed), text);
    assert.equal(recent.take(text.sealed), undefined);
  });

  it('are found by exactly the same characters only', () => {
    const recent = new RecentTexts();
    const text = sealedText(`key.${'A'.repeat(400)}`);
    recent.add(text);
    const { sealed } = text;
    // U+0141 ends with the byte of "A".
    const others = ['B', '\u0141', '\0'].flatMap((other) => [
      `${other}${sealed.slice(1)}`,
      `${sealed.slice(0, 50)}${other}${sealed.slice(51)}`,
      `${sealed.slice(0, -1)}${other}`,
      `${sealed}${other}`,
    ]);
    for (const other of [...others, sealed.slice(0, -1), sealed.slice(1), '', 'A']) {
      assert.equal(recent.take(other), undefined, JSON.stringify(other));
    }
    assert.equal(recent.take(sealed), text);
  });

  it('displace one another, so that their number is bounded', () => {
    const recent = new RecentTexts();
    const texts = Array.from({ length: 6000 }, () => sealedText());
    for (const text of texts) recent.add(text);
    const found = texts.filter((text) => recent.take(text.sealed) === text);
    assert.ok(found.length <= 1021, String(found.length));
    assert.ok(found.length > 900, String(found.length));
  });

  it('are at most 2048 characters long', () => {
    const recent = new RecentTexts();
    const [longest, longer] = [sealedText('A'.repeat(2048)), sealedText('A'.repeat(2049))];
    recent.add(longest);
    recent.add(longer);
    assert.equal(recent.take(longer.sealed), undefined);
    assert.equal(recent.take(longest.sealed), longest);
  });
});
