import { it } from 'node:test';
import { secondFactorSettings, walkSecondFactor } from '@watchword/server-testkit/people/second-factor-walk';
import { atProvider, optionsFor, startService } from './support/service.ts';
import { startTestProvider } from './support/test-provider.ts';

it('a login at the provider is followed by a second factor here, unless its acr counts as one', async () => {
  await using provider = await startTestProvider();
  await using service = await startService(optionsFor(provider), secondFactorSettings('corp'));
  await walkSecondFactor(service.server, async (agent, request, acr) => {
    provider.twist = { claims: () => ({ acr, amr: ['pwd'] }) };
    return agent.get(await atProvider(request));
  });
});
