import type { Question } from '../client.ts';
import { type Family, identityOf } from './family.ts';
import { type Part, pause } from './part.ts';

/** The default of `refresh.graceStreak`: the grant is revoked in this repeated rotation in a row. */
const graceStreak = 3;
/** Answers that one rotation can have: the first, and two repetitions. */
const answersOfRotation = 3;
const maxAttempts = 200;

/**
 * Refreshes as an application does: after a request without an answer, it sends the same one again. The family ends if the server
 * must take that for theft. Resolves with whether it goes on.
 *
 * @param unanswered requests with the same refresh token that had no answer so far
 */
export async function refresh(part: Part, family: Family, unanswered = 0): Promise<boolean> {
  const { client, ledger, stop } = part;
  const text = family.last;
  // So long before the end of the grace, a request can still arrive after it.
  const grace = performance.now() + (family.of.grace - 10) * 1000;
  for (let lost = unanswered; lost < maxAttempts; lost += 1) {
    const isLate = performance.now() > grace;
    const canEnd = lost > 0 && (isLate || lost >= answersOfRotation || family.repeated >= graceStreak - 1);
    if (canEnd) family.ending.ask();
    const kind = lost > 0 ? 'refresh again' : 'refresh';
    const answer = await client.ask({ ...refreshRequest(family, text, canEnd ? [200, 400] : [200]), kind });
    if (answer?.status === 200) {
      family.repeated = lost > 0 ? family.repeated + 1 : 0;
      family.ending.withdraw();
      await family.take(part, answer.json, answer.sentAt);
      return true;
    }
    if (answer !== undefined) {
      if (!canEnd)
        ledger.violate(
          `refresh at node ${answer.node}: a refresh token was lost that had been answered`,
          text,
        );
      family.ending.answer();
      return false;
    }
    if (stop.aborted) break;
    await pause();
  }
  family.ending.ask();
  return false;
}

/** Sends the refresh token to every node at once. Resolves with whether the family goes on. */
export async function refreshAtOnce(part: Part, family: Family): Promise<boolean> {
  const { client, ledger, nodes } = part;
  const text = family.last;
  const isStrict = family.of.grace === 0;
  if (isStrict) family.ending.ask();
  const asked = refreshRequest(family, text, isStrict ? [200, 400] : [200]);
  const answers = await Promise.all(
    Array.from({ length: nodes }, () => client.ask({ ...asked, kind: 'refresh' })),
  );
  const pairs = answers.flatMap((answer) => (answer?.status === 200 ? [answer] : []));
  const different = new Set(pairs.map(({ json }) => json.refresh_token)).size;
  if (different > 1 || (isStrict && pairs.length > 1))
    ledger.violate('refresh: a refresh token was used twice', text);
  const [pair] = pairs;
  if (pair !== undefined) await family.take(part, pair.json, pair.sentAt);
  if (answers.some((answer) => answer?.status === 400)) {
    family.ending.answer();
    return false;
  }
  if (pair === undefined) return refresh(part, family, nodes);
  family.repeated += 1;
  // Without grace a request without an answer can have revoked the grant.
  return !isStrict;
}

/** Sends a refresh token whose successor was used already, as a thief would. The family has ended after that. */
export async function refreshStolen(part: Part, family: Family): Promise<void> {
  const text = family.refreshTokens.at(-3);
  if (text === undefined) return;
  family.ending.ask();
  const asked = refreshRequest(family, text, [400]);
  const answer = await part.client.ask({ ...asked, kind: 'refresh again' });
  if (answer?.status === 400) family.ending.answer();
}

function refreshRequest(family: Family, text: string, expects: readonly number[]): Omit<Question, 'kind'> {
  const { credentials, form } = identityOf(family.of);
  return {
    path: '/oauth2/token',
    form: { grant_type: 'refresh_token', refresh_token: text, ...form },
    credentials,
    expects,
    about: text,
  };
}
