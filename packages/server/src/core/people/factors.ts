import type { FactorPolicy, FactorSecrets } from '@watchword/accounts';
import type { ServerStore } from '@watchword/store-sql';
import type { Configuration } from '../../config/settings.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Modules } from '../modules/modules.ts';
import type { OpenCustody } from '../sealed-settings.ts';

/** The secrets of second factors. Nothing is opened before there is one. */
export function factorSecrets(custody: OpenCustody, logger: Logger): FactorSecrets {
  let opened: ReturnType<OpenCustody> | undefined;
  const current = () => {
    opened ??= custody().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async seal(purpose, secret) {
      const { sealSecret } = await current();
      return sealSecret(purpose, secret).catch((error: unknown) => {
        logger.error({ err: error }, 'a person could not add an app for one-time codes');
        throw error;
      });
    },
    async open(purpose, sealed) {
      const secret = await (await current()).openSecret(purpose, sealed);
      if (secret === undefined) {
        logger.warn(
          'a person cannot prove a login with a one-time code: its secret was sealed with another key than that of signing.keyFile; bring that key back, or remove the factor',
        );
      }
      return secret;
    },
  };
}

/**
 * Who must have a second factor. Where the operator does not say it, a new installation demands it of administrators, unless it is a demo, or
 * a module for development lets people in, with which a password proves nothing either.
 */
export async function factorPolicyOf(
  configuration: Configuration,
  { authenticators }: Pick<Modules, 'authenticators'>,
  store: Pick<ServerStore, 'installationDefault'>,
  asDemo: boolean,
): Promise<FactorPolicy> {
  const isInsecure = [...authenticators.values()].some((each) => each.insecureBecause !== undefined);
  const byDefault = async () => {
    const stored = isInsecure || asDemo ? undefined : await store.installationDefault('factors.required');
    return stored === 'administrators' ? stored : 'none';
  };
  return {
    required: configuration['factors.required'] ?? (await byDefault()),
    groups: configuration['factors.groups'],
    graceDays: configuration['factors.graceDays'],
  };
}
