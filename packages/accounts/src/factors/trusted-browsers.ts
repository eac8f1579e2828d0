import {
  type AuditEvent,
  type Browser,
  type Credential,
  type CredentialStore,
  deviceOf,
  identityOf,
  type LoginSession,
  type Random,
  sha256,
  type Transact,
  timeOrderedId,
} from '@watchword/protocol';
import { type FactorEventDependencies, factorEvent, factorState } from './factor-events.ts';

export interface TrustedBrowserDependencies extends FactorEventDependencies {
  readonly credentials: Pick<CredentialStore, 'use'>;
  readonly transact: Transact;
  readonly audited?: ((event: AuditEvent) => void) | undefined;
  /** Days for which a browser is trusted; 0 = browsers are never trusted. */
  readonly trustDays: number;
}

/** Browsers in which people need no second factor for a while, because they have proved one there. */
export interface TrustedBrowsers {
  readonly days: number;
  /** Whether the person trusts this browser. The use is noted. @param own the credentials of the person */
  isTrusted(own: readonly Credential[], browser: Browser): Promise<boolean>;
  /** The person trusts this browser from now on. Resolves with the value of its cookie. @param own the credentials of the person */
  trust(login: LoginSession, own: readonly Credential[], browser: Browser): Promise<string>;
}

const day = 86_400_000;
const most = 20;
const valueBytes = 32;
const value = /^[\w-]{43}$/;

export function trustedBrowsers(deps: TrustedBrowserDependencies): TrustedBrowsers {
  const { credentials, clock, random, transact, trustDays: days } = deps;
  const browsersOf = (own: readonly Credential[]) => own.filter(({ kind }) => kind === 'trusted_browser');
  const isOver = ({ creationDate }: Credential) => creationDate + days * day <= clock.now();
  const known = (own: readonly Credential[], { trusted = '' }: Browser) =>
    value.test(trusted)
      ? browsersOf(own).find(({ subject, data }) => data === dataOf(subject, trusted))
      : undefined;
  return {
    days,

    async isTrusted(own, browser) {
      const found = known(own, browser);
      if (found === undefined || isOver(found)) return false;
      // It can have ended since it was read.
      return credentials.use(found.id, { counter: 0, lastUsed: clock.now() });
    },

    async trust({ owner }, own, browser) {
      const { trusted = '', userAgent } = browser;
      const before = known(own, browser);
      // One browser has one value for everybody who uses it: each of them is known by a digest of their own.
      const cookie = value.test(trusted) ? trusted : newValue(random);
      const others = browsersOf(own).filter((each) => each !== before);
      const oldest = others.length >= most ? others.slice(0, others.length - most + 1) : [];
      const left = [...others.filter(isOver), ...oldest, ...(before ? [before] : [])];
      const now = clock.now();
      const made: Credential = {
        id: timeOrderedId(now, random),
        ...{ subject: owner.subject, owner: identityOf(owner), kind: 'trusted_browser' },
        ...{ name: deviceOf(userAgent), creationDate: now, lastUsed: now, counter: 0 },
        data: dataOf(owner.subject, cookie),
      };
      const event = factorEvent('addFactor', { owner, source: browser.source }, factorState(made), deps);
      await transact(async (stores) => {
        for (const { id, subject } of new Set(left)) await stores.credentials.delete(subject, id);
        await stores.credentials.create(made, most);
        await stores.auditEvents.append([event]);
      });
      deps.audited?.(event);
      return cookie;
    },
  };
}

function newValue(random: Random): string {
  const bytes = Buffer.alloc(valueBytes);
  random.fill(bytes);
  return bytes.toString('base64url');
}

function dataOf(subject: string, cookie: string): string {
  return JSON.stringify({ digest: sha256(`${cookie} ${subject}`).toString('base64url') });
}
