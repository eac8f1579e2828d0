import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeVerifier } from '../../src/verifier/create-token-verifier.ts';
import { reject } from '../support/authorization-server.ts';
import { eventually, jwtServer, waysToVerify } from '../support/jwt-server.ts';

const issuers: Readonly<Record<string, (origin: string) => string>> = {
  'with a slash at its end': (origin) => `${origin}/`,
  'with capitals': (origin) => origin.replace('http', 'HTTP'),
  'with another port': (origin) => origin.replace(/:\d+$/, ':443'),
  'of another server': () => 'https://other.example',
};

describe('the option issuer', () => {
  for (const [way, take] of Object.entries(waysToVerify)) {
    for (const [how, change] of Object.entries(issuers)) {
      it(`${how} accepts no JWT that is verified ${way}, and a warning has both issuers`, async () => {
        await using test = await jwtServer();
        const issuer = change(test.issuer);
        const options = { ...test.server.options, ...take(test), issuer };
        const verifier = composeVerifier(options, test.system);
        const warnings = () =>
          test.system.warnings.filter((warning) => warning.includes('expected the issuer'));
        for (const _ of [1, 2]) {
          await assert.rejects(verifier.verify(await test.issue()), {
            name: 'AuthorizationServerUnavailable',
            status: 503,
            reason: 'other_issuer',
          });
          await eventually(() => warnings().length > 0);
        }
        for (const warning of warnings()) {
          assert.ok(warning.includes(`expected the issuer ${issuer} of the option issuer`), warning);
          assert.ok(warning.includes(`states "${test.issuer}"`), warning);
        }
        // It says nothing of opaque tokens, nor of tokens that are not good.
        await verifier.verify('wwa_opaque');
        test.tokenInfo = reject;
        await assert.rejects(verifier.verify(await test.issue()), { status: 401 });
        verifier.close();
      });
    }

    it(`that is right accepts a JWT that is verified ${way}`, async () => {
      await using test = await jwtServer();
      const verifier = composeVerifier(
        { ...test.server.options, ...take(test), issuer: test.issuer },
        test.system,
      );
      for (const _ of [1, 2]) assert.ok((await verifier.verify(await test.issue())).scopes.includes('read'));
      verifier.close();
    });
  }

  it('takes no JWT without an issuer, nor one of another server, from the list of the right one', async () => {
    await using test = await jwtServer();
    const verifier = composeVerifier({ ...test.server.options, issuer: test.issuer }, test.system);
    await eventually(async () => (await verifier.verify(await test.issue())).claims !== undefined);
    for (const iss of [`${test.issuer}/`, undefined, 7]) {
      await assert.rejects(verifier.verify(await test.issue({ iss })), { status: 401, reason: 'unknown' });
    }
    verifier.close();
  });
});
