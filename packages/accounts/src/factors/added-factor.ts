import type { Browser, BrowserCookies, CredentialKind, Factor } from '@watchword/protocol';
import type { CodesView } from './factor-pages.ts';
import type { FactorDependencies, FactorParts, Person } from './factor-parts.ts';

/** The first further factor was proved just now, as the login was: the session is one of both. */
export async function raised(
  { session }: Person,
  factor: Factor,
  browser: Browser,
  { sessions }: FactorDependencies,
): Promise<BrowserCookies> {
  if (browser.binding === undefined) return {};
  const origin = { clientId: undefined, source: browser.source };
  const started = await sessions.raise(
    { session, factors: [factor] },
    { ...browser, binding: browser.binding },
    origin,
  );
  return started === undefined ? {} : { session: started.value };
}

/** The page of new codes, or of how many are left. */
export function shownCodes(
  person: Person,
  codes: readonly string[],
  sealed: FactorParts['sealed'],
  browser: Browser,
  added?: CredentialKind,
): CodesView {
  const left = person.own.filter(({ kind }) => kind === 'recovery_code').length;
  return { type: 'codes', codes, left, added, ...sealed('recoveryCodes', person, codes, browser) };
}
