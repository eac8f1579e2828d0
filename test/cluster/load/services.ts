import { demoClient } from '@watchword/server-testkit/servers/server';
import { issue, lookUp, lookUpEverywhere, revoke } from './access-tokens.ts';
import { type Part, pause } from './part.ts';

/** A client that acts for itself. */
export interface Service {
  readonly credentials: string;
  /** The credentials of its resource server, if its tokens are JWTs. */
  readonly resourceServer?: string;
}

/** A service that gets tokens by its own credentials, and an API that asks about them. Some tokens are revoked. */
export async function runService(
  part: Part,
  { credentials, resourceServer }: Service = { credentials: demoClient },
): Promise<void> {
  const { choices, tokens, stop } = part;
  while (!stop.aborted) {
    const token = await issue(part, credentials, { resourceServer });
    if (token === undefined) {
      await pause();
      continue;
    }
    await lookUp(part, token);
    await lookUp(part, choices.oneOf(tokens));
    if (!choices.once(6)) continue;
    await revoke(part, token.text, token.ending, credentials);
    await lookUpEverywhere(part, token);
  }
}
