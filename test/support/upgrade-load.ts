import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '@watchword/server-testkit/clients/application';
import { until } from '@watchword/server-testkit/processes/process';
import {
  type Answer,
  demoResourceServer,
  type ServedRequests,
} from '@watchword/server-testkit/servers/server';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

/** Users that log in, and an application that redeems, refreshes and revokes. */
export interface UpgradeLoad {
  /** What a client did not expect. Empty at the end of an upgrade. */
  readonly failures: readonly string[];
  /** Access tokens that were issued and not revoked. */
  readonly valid: readonly string[];
  readonly done: { logins: number; refreshes: number; revocations: number };
  /** Resolves when each client has completed two more rounds, or one has failed. */
  progress(): Promise<void>;
  /** Resolves when all clients have ended. */
  stop(): Promise<void>;
}

/** Milliseconds for which a client rests after a round, so that the processes that start get the processor. */
const restAfter = (duration: number) => Math.min(4 * duration, 500);

/** @param clients number of users that use the application at the same time */
export function startLoad(server: ServedRequests, application: Application, clients: number): UpgradeLoad {
  const failures: string[] = [];
  const valid: string[] = [];
  const done = { logins: 0, refreshes: 0, revocations: 0 };
  const rounds = Array.from({ length: clients }, () => 0);
  let isEnding = false;

  const tokensOf = async (answering: Promise<Answer>) => {
    const answer = await expect(200, answering);
    valid.push(answer.json.access_token);
    return answer.json as { access_token: string; refresh_token: string };
  };
  const info = (access_token: string) => server.post('/v1/tokeninfo', { access_token }, demoResourceServer);
  const refresh = async (token: string) => {
    const tokens = await tokensOf(application.refresh(token));
    done.refreshes += 1;
    return tokens;
  };
  const logIn = async (username: string) => {
    const { parameters } = await application.authorize({}, { username });
    const tokens = await tokensOf(application.redeem(parameters.get('code') ?? ''));
    done.logins += 1;
    return tokens;
  };

  const stayLoggedIn = async (agent: UserAgent) => {
    const { status, location, text } = await application.open({}, agent);
    if (location !== undefined && answeredBy(location).has('code')) return;
    throw new Error(`expected a code without a login, got ${status}: ${location ?? text}`);
  };

  /** A browser session and a family of refresh tokens that live as long as the load. */
  const client = async (number: number) => {
    const agent = new UserAgent();
    await application.authorize({}, { username: `emma-${number}` }, agent);
    let family = (await logIn(`emma-${number}`)).refresh_token;
    for (; !isEnding; rounds[number] = (rounds[number] ?? 0) + 1) {
      const begin = performance.now();
      await stayLoggedIn(agent);
      family = (await refresh(family)).refresh_token;
      const first = await logIn(`jan-${number}`);
      await expect(200, info(first.access_token));
      const second = await refresh(first.refresh_token);
      await expect(200, info(second.access_token));
      if ((rounds[number] ?? 0) % 2 === 0) {
        await expect(
          200,
          server.post('/oauth2/revoke', { token: second.refresh_token }, application.credentials),
        );
        await expect(404, info(second.access_token));
        valid.splice(valid.indexOf(first.access_token), 1);
        valid.splice(valid.indexOf(second.access_token), 1);
        done.revocations += 1;
      }
      await pause(restAfter(performance.now() - begin));
    }
  };
  const running = rounds.map((_, number) =>
    client(number).catch((error: unknown) => void failures.push(String(error))),
  );
  return {
    failures,
    valid,
    done,
    progress() {
      const before = [...rounds];
      return until(
        () => failures.length > 0 || rounds.every((count, number) => count >= (before[number] ?? 0) + 2),
      );
    },
    async stop() {
      isEnding = true;
      await Promise.all(running);
    },
  };
}

/** @throws Error if the answer has another status */
export async function expect(status: number, answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}
