import { lookUp, lookUpEverywhere, revoke } from './access-tokens.ts';
import { obtainCode, redeem, redeemAgain, redeemAtOnce, type User } from './codes.ts';
import { type Family, type FamilyClient, identityOf } from './family.ts';
import { type Part, pause } from './part.ts';
import { refresh, refreshAtOnce, refreshStolen } from './refreshes.ts';

/** Flows in one browser before another user comes. */
const flowsOfUser = 3;
const maxRefreshes = 6;

/** Users who log in and consent one after the other, and what applications, and thieves, do with their codes and tokens. */
export async function runUsers(
  part: Part,
  applications: readonly FamilyClient[],
  name: string,
): Promise<void> {
  const { choices, client, stop } = part;
  for (let person = 0; !stop.aborted; person += 1) {
    const user: User = { agent: client.browser(), username: `${name}-${person}`, isLoggedIn: false };
    for (let flow = 0; flow < flowsOfUser && !stop.aborted; flow += 1) {
      const family = await begin(part, choices.oneOf(applications), user);
      if (family === undefined) await pause();
      else await use(part, family);
    }
  }
}

/** A flow to its first tokens. Some codes are sent to several nodes at once, some again later. */
async function begin(part: Part, of: FamilyClient, user: User): Promise<Family | undefined> {
  const code = await obtainCode(part, of, user);
  if (code === undefined) return undefined;
  if (part.choices.once(6)) {
    const family = await redeemAtOnce(part, of, code);
    if (family !== undefined) await lookUpAll(part, family);
    return undefined;
  }
  const family = await redeem(part, of, code);
  if (family === undefined) return undefined;
  if (part.choices.once(8)) {
    await redeemAgain(part, family, code);
    await lookUpAll(part, family);
    return undefined;
  }
  return family;
}

/** Refreshes some times, then leaves the family as it is, or ends it. */
async function use(part: Part, family: Family): Promise<void> {
  const { choices, families, stop } = part;
  for (let left = choices.below(maxRefreshes); left > 0 && !stop.aborted; left -= 1) {
    const isAtOnce = choices.once(5) && family.repeated === 0;
    const goesOn = await (isAtOnce ? refreshAtOnce : refresh)(part, family);
    await lookUpAll(part, family);
    if (!goesOn) return;
  }
  const end = choices.below(4);
  if (end === 0) {
    const { credentials, form } = identityOf(family.of);
    await revoke(part, family.last, family.ending, credentials, form);
  } else if (end === 1) await refreshStolen(part, family);
  if (family.ending.isImpossible) families.add(family);
  await lookUpAll(part, family);
}

/** Looks at the newest token of the family everywhere, and at its oldest. */
async function lookUpAll(part: Part, { accessTokens }: Family): Promise<void> {
  const [oldest, newest] = [accessTokens[0], accessTokens.at(-1)];
  if (newest !== undefined) await lookUpEverywhere(part, newest);
  if (oldest !== undefined) await lookUp(part, oldest);
}
