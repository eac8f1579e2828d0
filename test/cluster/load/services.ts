import { demoClient } from '@watchword/server-testkit/server';
import { issue, lookUp, lookUpEverywhere, revoke } from './access-tokens.ts';
import { type Part, pause } from './part.ts';

/** A service that gets tokens by its own credentials, and an API that asks about them. Some tokens are revoked. */
export async function runService(part: Part): Promise<void> {
  const { choices, tokens, stop } = part;
  while (!stop.aborted) {
    const token = await issue(part, demoClient);
    if (token === undefined) {
      await pause();
      continue;
    }
    await lookUp(part, token);
    await lookUp(part, choices.oneOf(tokens));
    if (!choices.once(6)) continue;
    await revoke(part, token.text, token.ending, demoClient);
    await lookUpEverywhere(part, token);
  }
}
