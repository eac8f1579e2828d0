import type { Browser, BrowserCookies, CredentialKind, Factor } from '@watchword/protocol';
import type { CodesView } from './factor-pages.ts';
import type { FactorDependencies, FactorParts, Person } from './factor-parts.ts';

interface Added {
  readonly kind: CredentialKind;
  readonly factor: Factor;
  /** Recovery codes that were made with it. */
  readonly codes: readonly string[];
}

/** What comes after a factor was added: the page of the recovery codes that were made with the first one. */
export async function afterAdding(
  person: Person,
  { kind, factor, codes }: Added,
  sealed: FactorParts['sealed'],
  browser: Browser,
  deps: FactorDependencies,
): Promise<CodesView | 'added'> {
  if (codes.length === 0) return 'added';
  const view = shownCodes(person, codes, sealed, browser, kind);
  return { ...view, cookies: { ...view.cookies, ...(await raised(person, factor, browser, deps)) } };
}

/** The first further factor was proved just now, as the login was: the session is one of both. */
async function raised(
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
