import type { AuthenticatorModules } from '@watchword/administration';
import type { Configuration } from '@watchword/server/config/settings';
import { testLoginUrl } from '@watchword/server/modules/named-instance';
import type { Signing } from '@watchword/server/signing/signing';
import { systemRandom } from '@watchword/server/system';
import { version } from '@watchword/server/version';
import type { Store } from '@watchword/store-sql';

/**
 * A command has no module of its own. It makes one for a trial, and so reads metadata as the server does. Test logins wait in the
 * database for a server at the base URL of the configuration.
 */
export function localAuthenticatorModules(
  store: Store,
  configuration: Configuration,
  signing: () => Promise<Pick<Signing, 'custody'>>,
): AuthenticatorModules {
  const { baseUrl } = configuration;
  return {
    configured: () => [],
    state: () => undefined,
    loaded: async () => {},
    check: async (candidate) => {
      // Loaded here, so that the other commands start without them.
      const { composeServices } = await import('@watchword/server/core/modules/module-services');
      const { StoredAuthenticators } = await import('@watchword/server/core/modules/stored-authenticators');
      const { ModuleCalls } = await import('@watchword/server/modules/module-calls');
      const { createLogger } = await import('@watchword/server/runtime/log/logger');
      const nowhere = { stream: { write() {} }, dropped: () => 0, flush: async () => {} };
      const calls = new ModuleCalls(() => {});
      const digestKey = await store.digestKey.read();
      const services = composeServices({
        ...{ clock: store.clock, random: systemRandom, baseUrl, store: () => store, tracing: undefined },
        digestKey: () => digestKey,
      });
      const trial = new StoredAuthenticators({
        ...{ configuration, services, calls, storedAuthenticators: store.storedAuthenticators },
        logger: createLogger('silent', nowhere, { version }),
        custody: async () => (await signing()).custody,
        authenticators: new Map(),
        addTexts() {},
      });
      try {
        return await trial.check(candidate);
      } finally {
        calls.close();
      }
    },
    testUrl: (name, testId) => testLoginUrl(baseUrl, name, testId),
  };
}
