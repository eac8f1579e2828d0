import {
  type Client,
  type ClientSecret,
  generateSecret,
  isValidSecret,
  type MachineSecret,
  type MalformedField,
  maxClientSecrets,
  noDetails,
  OAuthError,
  type SecretDetails,
  secretsOf,
  textProblems,
  usesSecret,
  Violations,
  withChangedSecret,
  withNewSecret,
  withoutSecret,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { type ClientAddress, ownClient } from '../callers/ownership.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { checkManaged } from '../changes/managed.ts';
import { ofClient } from './client-record.ts';

/** The secrets of clients, one by one: a secret can be changed while the one before it is in use. */
export interface ClientSecretAdministration {
  /** @throws OAuthError `not_found`; `invalid_request` with every violation; `conflict` when there are too many */
  addSecret(
    caller: Caller,
    address: ClientAddress,
    submitted: SubmittedDetails,
  ): Promise<{ readonly secret: ClientSecret; readonly text: string }>;
  /** @throws OAuthError as `addSecret` */
  changeSecret(
    caller: Caller,
    address: ClientAddress,
    id: number,
    submitted: SubmittedDetails,
  ): Promise<ClientSecret>;
  /**
   * @param isLastToo whether it may be the last valid secret, without which the client cannot authenticate
   * @throws OAuthError `not_found`, `conflict`
   */
  removeSecret(caller: Caller, address: ClientAddress, id: number, isLastToo: boolean): Promise<void>;
}

/** A field that is left out stays as it is, or has its default. */
interface SubmittedDetails {
  readonly fields: Partial<SecretDetails>;
  readonly malformed: readonly MalformedField[];
}

const maxDescriptionLength = 255;

export function clientSecrets(deps: AdministrationDependencies): ClientSecretAdministration {
  const { clock, random } = deps;

  /** Changes the secrets of a client that has some use for them. */
  const change = <Value>(
    caller: Caller,
    address: ClientAddress,
    changed: (client: Client, now: number) => ChangedSecrets<Value>,
  ): Promise<Value> =>
    changeRecords(caller, deps, async (stores) => {
      const { client, resourceServer } = await ownClient(caller, address, stores);
      checkUsesSecret(client);
      checkManaged(client, deps);
      const { value, stored, audited } = changed(client, clock.now());
      await stores.clients.replaceSecret(client.id, stored);
      return { value, changes: [{ ...ofClient(client, resourceServer), ...audited }] };
    });

  return {
    addSecret: (caller, address, submitted) =>
      change(caller, address, ({ secret: before }, now) => {
        const details = { ...noDetails, ...submitted.fields };
        checkDetails(details, submitted, now);
        checkRoom(before, now);
        const text = generateSecret(random);
        const stored = withNewSecret(text, details, before, now);
        const secret = newestOf(stored);
        return { value: { secret, text }, stored, audited: { action: 'addSecret', after: stateOf(secret) } };
      }),

    changeSecret: (caller, address, id, submitted) =>
      change(caller, address, ({ secret }, now) => {
        const { before, secrets } = found(secret, id);
        const details = { description: before.description, expires: before.expires, ...submitted.fields };
        checkDetails(submitted.fields, submitted, now);
        if (!isValidSecret(before, now) && isValidSecret(details, now)) checkRoom(secrets, now);
        const value = { ...before, ...details };
        const audited = { action: 'changeSecret', before: stateOf(before), after: stateOf(value) } as const;
        return { value, stored: withChangedSecret(secrets, id, details), audited };
      }),

    removeSecret: (caller, address, id, isLastToo) =>
      change(caller, address, ({ secret }, now) => {
        const { before, secrets } = found(secret, id);
        const stored = withoutSecret(secrets, id);
        const isLast = isValidSecret(before, now) && validSecrets(stored, now).length === 0;
        if (isLast && !isLastToo) throw isNeeded();
        return { value: undefined, stored, audited: { action: 'removeSecret', before: stateOf(before) } };
      }),
  };
}

interface ChangedSecrets<Value> {
  readonly value: Value;
  readonly stored: MachineSecret | undefined;
  readonly audited: Pick<AuditedChange, 'action' | 'before' | 'after'>;
}

function validSecrets(secret: MachineSecret | undefined, now: number): ClientSecret[] {
  return secretsOf(secret).filter((each) => isValidSecret(each, now));
}

function newestOf(secret: MachineSecret): ClientSecret {
  const [newest] = secretsOf(secret);
  if (newest === undefined) throw new Error('a secret that was just made is not there');
  return newest;
}

function found(secrets: MachineSecret | undefined, id: number) {
  const before = secretsOf(secrets).find((each) => each.id === id);
  if (before !== undefined && secrets !== undefined) return { before, secrets };
  throw new OAuthError('not_found', { description: 'The client has no such secret.' });
}

/** Nothing of the secret itself. */
function stateOf({ id, description, expires }: ClientSecret) {
  return { secretId: id, description, expires };
}

function checkDetails(
  { description = '', expires = 0 }: Partial<SecretDetails>,
  { malformed }: SubmittedDetails,
  now: number,
): void {
  const violations = new Violations(malformed);
  violations.addAll('description', textProblems(description, maxDescriptionLength), description);
  if (expires !== 0 && expires <= now)
    violations.add('expires', 'is past; expected a later time, or 0 for a secret that never expires');
  violations.throwIfAny();
}

/** @throws OAuthError `conflict` */
export function checkRoom(secrets: MachineSecret | undefined, now: number): void {
  if (validSecrets(secrets, now).length < maxClientSecrets) return;
  throw new OAuthError('conflict', {
    description: `The client has ${maxClientSecrets} secrets that are valid, as many as a client can have; remove one that is not used any more.`,
  });
}

function isNeeded(): OAuthError {
  return new OAuthError('conflict', {
    description:
      'This is the last valid secret of the client, which cannot authenticate without one. Add another one first, or say that it is the last: last=true, --last at the command line.',
  });
}

/** @throws OAuthError `invalid_request` */
export function checkUsesSecret(client: Client): void {
  if (usesSecret(client)) return;
  throw new OAuthError('invalid_request', {
    description: client.confidential
      ? 'A client with assertions has no secret; to give it one, set tokenEndpointAuthMethod to another method first.'
      : 'A public client has no secret; to give it one, set confidential to true first.',
    rule: 'confidential_record',
  });
}
