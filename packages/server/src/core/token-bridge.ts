import { createOutboundFetch } from '@watchword/outbound';
import type { Clock, TokenBridge } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import { secretOf } from '../config/secret-file.ts';
import { type Configuration, flagName, type SettingPath } from '../config/settings.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { bridgedClients } from '../runtime/bridge/bridged-clients.ts';
import { CachedTokenBridge } from '../runtime/bridge/cached-token-bridge.ts';
import { foreignServer } from '../runtime/bridge/foreign-token.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { withTraces } from './outbound.ts';

interface Parts {
  readonly configuration: Configuration;
  readonly logger: Logger;
  readonly tracing: Tracing | undefined;
  readonly store: Pick<ServerStore, 'registry' | 'clients'>;
  readonly clock: Clock;
  readonly baseUrl: string;
}

/** Asks the server that this one takes over from; `undefined` if the configuration names none. @throws ConfigurationError */
export async function tokenBridgeOf({
  configuration,
  logger,
  tracing,
  store,
  clock,
  baseUrl,
}: Parts): Promise<TokenBridge | undefined> {
  const url = configuration['bridge.url'];
  if (url === undefined) return undefined;
  const until = Date.parse(needed(configuration, 'bridge.until', 'the time at which the bridge ends'));
  if (until <= clock.now())
    logger.warn({ until: new Date(until) }, 'the bridge to the other server has ended; remove bridge.url');
  const clientId = needed(configuration, 'bridge.clientId', 'a client id or key at the other server');
  needed(configuration, 'bridge.secretFile', 'the file with its secret');
  const secret = await secretOf({
    path: 'bridge.secretFile',
    filePath: 'bridge.secretFile',
    text: undefined,
    file: configuration['bridge.secretFile'],
    form: '1 to 512 visible ASCII characters',
    isValid: (text) => /^[\x21-\x7e]{1,512}$/.test(text),
  });
  const fetch = withTraces(fetchOf(url, configuration), tracing);
  const ask = foreignServer({
    url,
    protocol: configuration['bridge.protocol'],
    clientId,
    secret: secret ?? '',
    fetch,
  });
  return new CachedTokenBridge({
    ...{ ask, until, clock, logger, issuer: baseUrl },
    cacheSeconds: configuration['bridge.cacheSeconds'],
    findClient: bridgedClients(store),
  });
}

/** Token and secret go there without encryption only within the network of the operator. */
function fetchOf(url: string, configuration: Configuration) {
  const hosts = configuration['outbound.privateHosts'];
  const { protocol, host, hostname } = new URL(url);
  const isPrivate = hosts.some((each) => each === host || each === hostname);
  if (protocol === 'http:' && !isPrivate)
    throw problemOf(
      'bridge.url',
      `expected an https URL, or a host of outbound.privateHosts, got http for ${host}`,
    );
  return createOutboundFetch({ allowHttp: isPrivate, allowPrivateAddresses: hosts });
}

function needed(
  configuration: Configuration,
  path: 'bridge.until' | 'bridge.clientId' | 'bridge.secretFile',
  what: string,
): string {
  const value = configuration[path];
  if (value === undefined) throw problemOf(path, `bridge.url needs it: expected ${what}, got none`);
  return value;
}

function problemOf(path: SettingPath, problem: string): ConfigurationError {
  return new ConfigurationError([{ path, place: flagName(path), problem }]);
}
