import { deviceOf, submitted } from '@watchword/protocol';
import { afterAdding } from '../factors/added-factor.ts';
import type { FactorsEndpoint, PasskeyView } from '../factors/factor-pages.ts';
import type { FactorDependencies, FactorParts, Person } from '../factors/factor-parts.ts';
import { problem } from '../passwords/password-pages.ts';
import { addPasskey, askForPasskey } from './registration.ts';

/** The page on which a passkey is added. */
export function passkeyPage(
  { answering, current, isNew, sealed }: FactorParts,
  deps: FactorDependencies,
): Pick<FactorsEndpoint, 'showPasskey' | 'addPasskey'> {
  const view = async (
    person: Person,
    browser: Parameters<typeof current>[0],
    more: Pick<PasskeyView, 'name' | 'problem'>,
  ): Promise<PasskeyView | 'gone'> => {
    const asked = await askForPasskey(person.session.owner, person.own, deps);
    if (asked === undefined) return 'gone';
    const { options, state } = asked;
    return { type: 'passkey', options, ...more, ...sealed('newPasskey', person, state, browser) };
  };

  return {
    async showPasskey(browser) {
      const person = await current(browser);
      if (person === undefined) return undefined;
      return isNew(person) ? view(person, browser, { name: deviceOf(browser.userAgent) }) : 'login';
    },

    async addPasskey(submission, browser) {
      const found = await answering('newPasskey', submission, browser);
      if (found === undefined || found === 'late') return found;
      const { person, kept } = found;
      if (!isNew(person)) return 'login';
      const typed = { passkey: submitted(submission, 'passkey'), name: submitted(submission, 'name') };
      const added = await addPasskey(typed, kept, { owner: person.session.owner, browser }, deps);
      if (added === undefined) return 'gone';
      if ('problem' in added) {
        return view(person, browser, { name: typed.name, problem: problem(added.problem) });
      }
      return afterAdding(person, { kind: 'passkey', ...added }, sealed, browser, deps);
    },
  };
}
