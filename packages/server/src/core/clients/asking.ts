import type { ClientKeySets, Clock, IssuerKeySets, OutboundFetch } from '@watchword/protocol';
import type { Configuration } from '../../config/settings.ts';
import { keySetsAtUrls } from '../../runtime/key-sets.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { outboundFetchOf } from '../outbound.ts';
import { openFetchOf } from './client-documents.ts';
import { keySetFetchOf } from './client-urls.ts';
import { checkIssuerFiles, issuerKeySetsOf } from './issuer-keys.ts';
import { type RegistrationRules, registrationRulesOf } from './registration-rules.ts';

/** What asks servers that record owners, clients or the operator name. */
export interface Asking extends RegistrationRules {
  /** Sends requests to URLs that record owners registered. */
  readonly outboundFetch: OutboundFetch;
  readonly openFetch: ReturnType<typeof openFetchOf>;
  readonly clientKeySets: ClientKeySets;
  readonly issuerKeySets: IssuerKeySets;
}

interface Parts {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly tracing: Tracing | undefined;
}

/** @throws ConfigurationError */
export async function askingOf({ configuration, logger, tracing }: Parts, clock: Clock): Promise<Asking> {
  await checkIssuerFiles(configuration);
  const outboundFetch = outboundFetchOf(configuration, tracing);
  const openFetch = openFetchOf(configuration, tracing);
  return {
    ...{ outboundFetch, openFetch },
    clientKeySets: keySetsAtUrls(keySetFetchOf({ clock, outboundFetch, openFetch })),
    issuerKeySets: issuerKeySetsOf({ configuration, clock, logger, tracing }),
    ...registrationRulesOf(configuration, outboundFetch),
  };
}
