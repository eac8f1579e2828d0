import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Authenticator } from '@watchword/testkit/authenticator';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('has an example that runs', async () => {
    const authenticator = new Authenticator();
    const [, code = ''] = /^```js\n(.*?)^```/ms.exec(readme) ?? [];
    const [imported = '', body = ''] = code.split('\n\n');
    const run = new Function(
      'modules',
      'answerOf',
      `return (async () => { ${named(imported)} ${body}\nreturn passkey; })();`,
    );
    const answerOf = (options: Parameters<Authenticator['create']>[0]) =>
      authenticator.create(options, 'https://login.example.org');
    const passkey = await run(await import('@watchword/passkeys'), answerOf);
    assert.equal(passkey.id, authenticator.id.toString('base64url'));
  });
});

/** The import, as a declaration of names. */
function named(line: string): string {
  return line.replace(/^import (.*) from .*$/m, 'const $1 = modules;');
}
