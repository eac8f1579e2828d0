import { obtainCode, redeem } from './codes.ts';
import type { FamilyClient } from './family.ts';
import { type Part, pause } from './part.ts';

/** Users who log in one after the other, each in a browser of its own: as many logins as the machine can do. */
export async function runLogins(
  part: Part,
  applications: readonly FamilyClient[],
  name: string,
): Promise<void> {
  const { choices, client, families, stop } = part;
  for (let person = 0; !stop.aborted; person += 1) {
    const of = choices.oneOf(applications);
    const user = { agent: client.browser(), username: `${name}-${person}`, isLoggedIn: false };
    const code = await obtainCode(part, of, user);
    const family = code === undefined ? undefined : await redeem(part, of, code);
    if (family === undefined) await pause();
    else families.add(family);
  }
}
