import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deviceOf } from '../../src/authorize/sessions/device.ts';

const mozilla = 'Mozilla/5.0';

describe('the device of a session', () => {
  for (const [userAgent, device] of [
    [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox, Linux'],
    [
      `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge, Windows',
    ],
    [
      `${mozilla} (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome, Android',
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
      'Safari, iPhone',
    ],
    [
      `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
      'Safari, Mac',
    ],
    ['curl/8.5.0', 'curl'],
    [`${mozilla} (X11; Linux x86_64)`, 'Linux'],
  ] as const) {
    it(`is ${device} for what that browser sends`, () => assert.equal(deviceOf(userAgent), device));
  }

  it('is that of its own browser after those of many others', () => {
    for (let index = 0; index < 250; index += 1) {
      assert.equal(deviceOf(`Firefox/${index}`), 'Firefox');
      assert.equal(deviceOf(`curl/${index}`), 'curl');
      assert.equal(deviceOf('Chrome/1 Android'), 'Chrome, Android');
    }
  });

  it('has no word that the browser itself has chosen', () => {
    assert.equal(deviceOf(undefined), '');
    assert.equal(deviceOf('<script>alert(1)</script>'), '');
    assert.equal(deviceOf(`"><img src=x> Firefox/<b>${'x'.repeat(10_000)}`), 'Firefox');
    assert.equal(deviceOf(`${' '.repeat(512)}Firefox/1`), '');
  });
});
