import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { variants } from '@watchword/testkit';
import { type AnswerRequest, answerWith } from '../support/authorization-server.ts';
import { eventually, type JwtServer, jwtServer, later } from '../support/jwt-server.ts';

/** The outage that has all limits in `npm test`. To a verifier the others are like it, but for what is silent. */
const usual = 'the line is cut';

/** What comes in place of an answer, and whether known tokens can be used for `staleIfError` meanwhile. */
const outages: Readonly<
  Record<string, { readonly answer: (test: JwtServer) => AnswerRequest; readonly isSilent: boolean }>
> = {
  [usual]: {
    answer: () => (_request, response) => void response.destroy(),
    isSilent: true,
  },
  'the server answers 5xx': { answer: () => answerWith(502, '<html>'), isSilent: true },
  'the server hangs': {
    answer: (test) => (request) => {
      if (request.url === '/v1/tokeninfo') test.system.advance(2500);
    },
    isSilent: true,
  },
  'somebody answers 304': { answer: () => answerWith(304, ''), isSilent: false },
  'somebody answers HTML': { answer: () => answerWith(200, '<html>'), isSilent: false },
};

interface Limits {
  readonly ttl?: number;
  readonly staleIfError?: number;
  readonly maxListAge?: number;
}

const table: readonly Limits[] = [
  { ttl: 8000, staleIfError: 60_000, maxListAge: 30_000 },
  {},
  { ttl: 0 },
  { ttl: 8000 },
  { staleIfError: 60_000 },
  { ttl: 0, staleIfError: 60_000 },
];

/** Milliseconds for which a token that was accepted is accepted without the server, before `staleIfError`. */
const kinds: Readonly<
  Record<string, { readonly known: (limits: Required<Limits>) => number; readonly isVerifiedHere?: boolean }>
> = {
  'an opaque token': { known: ({ ttl }) => ttl },
  'a JWT that was verified here': { known: ({ maxListAge }) => maxListAge, isVerifiedHere: true },
  'a JWT that was a lookup': { known: ({ ttl, maxListAge }) => Math.min(ttl, maxListAge) },
};

/** Whether the token is accepted, or 503. */
async function isAccepted({ verifier, system }: JwtServer, token: string): Promise<boolean> {
  let outcome: unknown;
  const verified = verifier.verify(token).then(
    () => true,
    ({ status }) => status,
  );
  void verified.then((value) => {
    outcome = value;
  });
  // The pause before a second attempt.
  await eventually(() => {
    if (outcome === undefined && system.isWaitingFor(100)) system.advance(100);
    return outcome !== undefined;
  });
  assert.ok(outcome === true || outcome === 503, String(outcome));
  return outcome === true;
}

/** A server that has just answered for the last time, and a token of the kind that it has answered for. */
async function start(kind: string, limits: Limits, isVerifiedHere: boolean) {
  const { maxListAge, ...cache } = limits;
  const test = await jwtServer({ cache, jwt: { maxListAge } });
  let issued = 0;
  const issue = async () => {
    issued += 1;
    return kind === 'an opaque token' ? `wwa_${issued}` : test.issue({ exp: later });
  };
  const known = await issue();
  if (isVerifiedHere) {
    await test.ready();
    await test.waiting();
    await test.endWaiting();
    await eventually(() => test.system.isWaitingFor(500));
  } else {
    test.feed = answerWith(503, {});
  }
  assert.ok(await isAccepted(test, known));
  const begin = test.system.now();
  return {
    test,
    known,
    issue,
    at: (time: number) => test.system.advance(Math.max(0, begin + time - test.system.now())),
  };
}

for (const [kind, { known: limitOf, isVerifiedHere = false }] of Object.entries(kinds)) {
  describe(`${kind}, while`, () => {
    for (const [outage, { answer, isSilent }] of Object.entries(outages)) {
      it(`${outage}, is accepted up to its limit, and then is 503`, async () => {
        for (const limits of outage === usual ? table : variants(1, table)) {
          const all = { ttl: 300_000, staleIfError: 0, maxListAge: 10_000, ...limits };
          const { test, known, issue, at } = await start(kind, limits, isVerifiedHere);
          await using _ = test;
          test.feed = answer(test);
          test.jwks = answer(test);
          test.tokenInfo = answer(test);
          const limit = limitOf(all);
          const name = JSON.stringify(limits);
          if (limit > 0) {
            at(limit - 1);
            assert.ok(await isAccepted(test, known), name);
            assert.equal(await isAccepted(test, await issue()), isVerifiedHere, name);
          }
          // An answer that is not remembered cannot be used later.
          const end = limit + (isSilent && limit > 0 ? all.staleIfError : 0);
          if (end > limit) {
            // Lookups that hang take ten seconds.
            at(end - 20_000);
            assert.ok(await isAccepted(test, known), name);
            assert.ok(!(await isAccepted(test, await issue())), name);
          }
          at(end);
          assert.ok(!(await isAccepted(test, known)), name);
          assert.ok(!(await isAccepted(test, await issue())), name);
        }
      });
    }
  });
}
