import type { KeyObject } from 'node:crypto';
import type { Configuration } from '@watchword/server/config/settings';
import type { Finding, NamedFinding } from '../finding.ts';
import type { Reached } from '../patient.ts';
import type { Secrets } from '../secrets.ts';
import type { Registration } from './registration.ts';

/** What the steps of a flow need. */
export interface Flow extends Registration {
  readonly server: Reached;
  readonly configuration: Pick<Configuration, 'outbound.privateHosts'>;
  readonly secrets: Secrets;
  /** Of a client with private_key_jwt. */
  readonly clientKey: KeyObject | undefined;
  /** Of a client for which an issuer signs. */
  readonly clientAssertion: string | undefined;
  /** The user who logs in; `undefined` if the flow ends at the login page. */
  readonly login: string | undefined;
  readonly authenticator: string | undefined;
}

/** Steps in order. The reader stops after a broken one, and what was begun is then ended. */
export type Steps = NamedFindings<void>;

/** Findings, and what is found out. */
export type NamedFindings<Value> = AsyncGenerator<NamedFinding, Value, undefined>;

export function* named(check: string, findings: readonly Finding[]): Generator<NamedFinding> {
  for (const finding of findings) yield { check, ...finding };
}
