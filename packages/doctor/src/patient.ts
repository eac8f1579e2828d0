import type { Clock, Sealer } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import type { EchoedRequest } from '@watchword/server/features/echo';
import type { Finding } from './finding.ts';
import type { Send } from './send.ts';

/** The server to examine, and what this machine knows about it. */
export interface Patient {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Where the server listens on this machine, with the path of the base URL; `undefined` if the settings do not tell. */
  readonly localUrl: string | undefined;
  /** `undefined` with `--url`: the settings of this machine are not those of the server. */
  readonly configuration:
    | Pick<
        Configuration,
        | 'authenticator'
        | 'clients.assertionIssuers'
        | 'passkeys.relyingPartyId'
        | 'profile'
        | 'trustedProxies'
      >
    | undefined;
  /** Seals as the server does; `undefined` without its database. */
  readonly sealer: Pick<Sealer, 'seal'> | undefined;
  readonly clock: Clock;
  readonly send: Send;
}

/** A server that answers at its base URL. */
export interface Reached extends Patient {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What the server sees of a request; `undefined` if it cannot be asked. */
  readonly echo: Echo | undefined;
}

export interface EchoRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Characters of the query. */
  readonly query?: number;
  /** Characters that the answer adds to its headers. */
  readonly padding?: number;
}

/** @throws EchoError, OutboundError */
export type Echo = (request?: EchoRequest) => Promise<EchoedRequest>;

export interface Check {
  readonly name: string;
  /** An OutboundError becomes a finding. */
  run(server: Reached): Promise<readonly Finding[]>;
}
