import {
  type AuditEvent,
  type Browser,
  type Credential,
  identityOf,
  KeyManagementError,
  type Message,
  nameProblems,
  type ResourceOwner,
  type Transact,
  type TransactionStores,
  timeOrderedId,
} from '@watchword/protocol';
import { type FactorEventDependencies, factorEvent, factorState, tellOfFactor } from './factor-events.ts';
import { type FactorSecrets, totpData } from './factor-secrets.ts';
import { type QrCode, qrCode } from './qr-code.ts';
import { newRecoveryCodes, recoveryCodeCount, recoveryData } from './recovery-codes.ts';
import { isOfWrongClock, newTotpSecret, stepOfCode, totpUri } from './totp.ts';

export interface EnrolmentDependencies extends FactorEventDependencies {
  readonly transact: Transact;
  readonly secrets: FactorSecrets;
  readonly productName?: (() => string) | undefined;
  readonly audited?: ((event: AuditEvent) => void) | undefined;
}

/** Who adds or removes a factor, and where. */
export interface FactorOwner {
  readonly owner: ResourceOwner;
  readonly browser: Browser;
}

/** An app that is not added yet. The page seals it in its state: with the id it is added once. */
export interface NewTotp {
  readonly id: string;
  readonly secret: string;
}

export interface ShownTotp {
  /** Opens an app on the same device. */
  readonly uri: string;
  /** To be typed, where nothing can be scanned. */
  readonly secret: string;
  readonly picture: QrCode;
}

const mostApps = 10;
const maxNameLength = 50;

export function newTotp({ clock, random }: Pick<EnrolmentDependencies, 'clock' | 'random'>): NewTotp {
  return { id: timeOrderedId(clock.now(), random), secret: newTotpSecret(random) };
}

export async function shownTotp(
  { secret }: NewTotp,
  { principal }: ResourceOwner,
  { productName }: Pick<EnrolmentDependencies, 'productName'>,
): Promise<ShownTotp> {
  const uri = totpUri(secret, productName?.() ?? 'Watchword', principal.name);
  return { uri, secret, picture: await qrCode(uri) };
}

/** The name by which a person knows a factor; `undefined` if it cannot have this name. It can be empty. */
export function factorName(typed: string): string | undefined {
  const name = typed.trim();
  const isName = name.length <= maxNameLength && Array.from(nameProblems(name)).length === 0;
  return name === '' || isName ? name : undefined;
}

/** The recovery codes that were made with a factor, which are shown once; or why it is not added. */
export type AddedFactor = { readonly codes: readonly string[] } | { readonly problem: Message };

/** Adds the app, if it shows the code that was typed. */
export async function addTotp(
  made: NewTotp,
  typed: { readonly code: string; readonly name: string },
  who: FactorOwner,
  deps: EnrolmentDependencies,
): Promise<AddedFactor> {
  const { clock, secrets } = deps;
  const now = clock.now();
  const name = factorName(typed.name);
  if (name === undefined) return { problem: { key: 'totp.wrongName' } };
  const counter = stepOfCode(made.secret, typed.code, now);
  if (counter === undefined) {
    const isClock = isOfWrongClock(made.secret, typed.code, now);
    return { problem: { key: isClock ? 'totp.wrongClock' : 'totp.wrong' } };
  }
  const { subject } = who.owner;
  const data = await totpData({ id: made.id, subject }, made.secret, secrets).catch(unsealed);
  if (data === undefined) return { problem: { key: 'totp.unavailable' } };
  const credential: Credential = {
    ...{ id: made.id, subject, owner: identityOf(who.owner), kind: 'totp', name },
    ...{ creationDate: now, lastUsed: now, counter, data },
  };
  return addFactor(credential, mostApps, who, deps);
}

/** Where a key management system signs, there can be no key that seals. The operator is told where it is sealed. */
function unsealed(error: unknown): undefined {
  if (!(error instanceof KeyManagementError)) throw error;
}

/**
 * Stores a factor, tells its owner, and makes recovery codes for a person who has none. In one transaction.
 *
 * @param limit how many of the kind a person has at most
 */
export async function addFactor(
  credential: Credential,
  limit: number,
  who: FactorOwner,
  deps: Omit<EnrolmentDependencies, 'secrets'>,
): Promise<AddedFactor> {
  const { owner, browser } = who;
  const event = factorEvent('addFactor', { owner, source: browser.source }, factorState(credential), deps);
  const added = await deps.transact(async (stores) => {
    const { id, subject } = credential;
    if (!(await stores.credentials.create(credential, limit))) {
      const own = await stores.credentials.listBySubject(subject);
      // The form was sent twice.
      return own.some((each) => each.id === id) ? { codes: [], events: [] } : undefined;
    }
    await tellOfFactor('new_factor', credential, identityOf(owner), browser, deps, stores);
    const own = await stores.credentials.listBySubject(owner.subject);
    const codes = own.some(isRecoveryCode) ? [] : await storeCodes(who, stores, deps);
    const events = codes.length === 0 ? [event] : [event, eventOfCodes(who, deps)];
    await stores.auditEvents.append(events);
    return { codes, events };
  });
  if (added === undefined) return { problem: { key: 'account.factorLimit' } };
  for (const each of added.events) deps.audited?.(each);
  return { codes: added.codes };
}

/** Makes new recovery codes, which end those of before. They are shown once. */
export async function replaceRecoveryCodes(
  who: FactorOwner,
  deps: Omit<EnrolmentDependencies, 'secrets'>,
): Promise<readonly string[]> {
  const { owner, browser } = who;
  const event = eventOfCodes(who, deps);
  const codes = await deps.transact(async (stores) => {
    await stores.credentials.deleteBySubject(owner.subject, ['recovery_code']);
    await tellOfFactor('new_factor', newCodes, identityOf(owner), browser, deps, stores);
    await stores.auditEvents.append([event]);
    return storeCodes(who, stores, deps);
  });
  deps.audited?.(event);
  return codes;
}

const newCodes = { kind: 'recovery_code', name: '' } as const;

function isRecoveryCode({ kind }: Credential): boolean {
  return kind === newCodes.kind;
}

function eventOfCodes({ owner, browser }: FactorOwner, deps: FactorEventDependencies): AuditEvent {
  const state = { ...factorState(newCodes), left: recoveryCodeCount };
  return factorEvent('addFactor', { owner, source: browser.source }, state, deps);
}

async function storeCodes(
  { owner }: FactorOwner,
  { credentials }: Pick<TransactionStores, 'credentials'>,
  { clock, random }: FactorEventDependencies,
): Promise<readonly string[]> {
  const now = clock.now();
  const codes = newRecoveryCodes(random);
  for (const code of codes) {
    const credential: Credential = {
      ...{ id: timeOrderedId(now, random), subject: owner.subject, owner: identityOf(owner) },
      ...{ kind: 'recovery_code', name: '', creationDate: now, lastUsed: 0, counter: 0 },
      data: recoveryData(code),
    };
    await credentials.create(credential, recoveryCodeCount);
  }
  return codes;
}
