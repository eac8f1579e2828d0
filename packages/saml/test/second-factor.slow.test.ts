import { it } from 'node:test';
import { secondFactorSettings, walkSecondFactor } from '@watchword/server-testkit/people/second-factor-walk';
import { startIdentityProvider } from './support/identity-provider.ts';
import { atProvider, comeBack, inline, introduce, startService } from './support/service.ts';

// packages/upstream/test/second-factor.test.ts walks the same way at the other module, and set-up.test.ts has the class that counts here.
it('a login at the identity provider is followed by a second factor here, unless its class counts as one', async () => {
  await using idp = await startIdentityProvider();
  const options = { identityProviders: [inline(idp)] };
  await using service = await startService(options, secondFactorSettings('saml'));
  await introduce(service, idp);
  await walkSecondFactor(service.server, async (agent, request, authnContext) => {
    idp.person = { ...idp.person, authnContext };
    return comeBack(service, agent, await atProvider(request));
  });
});
