import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountIdentityProvider } from '@watchword/protocol';
import { FakeClock } from '../fakes/fake-clock.ts';
import { rounds } from '../rounds.ts';
import { type End, ends, subjectOf } from './ends/ends.ts';
import { newPlay } from './ends/new-play.ts';
import {
  ask,
  type Got,
  gotOf,
  isValid,
  openStage,
  parametersOf,
  redeem,
  refresh,
  type Stage,
} from './ends/play.ts';
import { hasCode, type Way, waysOf } from './ends/ways.ts';
import type { OpenStore } from './store-under-test.ts';

// No server makes so many calls for one request.
const maxCalls = 60;

/** The numbers of calls that are tried: all of them, or another one each time, which can be too great. */
function* callsFrom(first: number): Generator<number> {
  if (rounds(0, 1) === 0) {
    turn += 1;
    yield first + (turn % 5);
  } else {
    for (let call = first; call < maxCalls; call += 1) yield call;
    assert.fail('a request goes on for ever');
  }
}

let turn = 0;

/** Parts of the pairs of ends and ways, by their places from 0. */
export type Eighths = readonly number[];

/**
 * Each end against each way of issue: first the whole end before each call that the issuing node makes of its store, then the whole issue
 * before the end and while it makes each of its calls. Afterwards nothing is left that the end is about.
 *
 * @param eighths of the pairs that the quick form takes
 */
export function endRules(openStore: OpenStore, eighths: Eighths = [0, 1, 2, 3, 4, 5, 6, 7]): void {
  it('knows every way of issue: each response type, each grant type, the administration and the login', async () => {
    await onStage(openStore, async ({ issuing }) => {
      const types = new Set(waysOf(issuing).map(({ type }) => type));
      const { responseTypes, grantTypes } = issuing;
      const all = [...responseTypes.map(({ name }) => name), ...grantTypes.map(({ type }) => type)];
      assert.deepEqual([...types].toSorted(), [...all, 'administration', 'login'].toSorted());
    });
  });

  for (const [index, end] of ends.entries()) {
    it(`leaves nothing that is issued while ${end.name}`, () =>
      onStage(openStore, async (stage) => {
        const all = waysOf(stage.issuing).filter((way) => isAbout(end, way));
        // The quick form takes the two orders in turn.
        if (rounds(0, 1) === 0) {
          for (const [turn, way] of oneOfTokens(all, index).entries()) {
            const place = index + turn;
            if (!eighths.includes(place % 8)) continue;
            const isFirst = (place >> 3) % 2 === 0;
            await (isFirst || !endsEarlier(end, way) ? inGaps : atCalls)(stage, end, way);
          }
        } else {
          for (const way of [...all, ...all]) {
            await inGaps(stage, end, way);
            if (endsEarlier(end, way)) await atCalls(stage, end, way);
          }
        }
        assert.deepEqual(
          stage.left.slice(0, 5),
          [],
          `${stage.left.length} of ${stage.persons} rounds left access`,
        );
      }));
  }
}

/** Only one of the response types that issue tokens, another one for each end: two rules store what they issue. */
function oneOfTokens(ways: readonly Way[], index: number): Way[] {
  const issuing = ways
    .filter(({ client }) => client.allowedImplicitGrant || client.allowedHybrid)
    .map(({ type }) => type)
    .filter((type, at, types) => types.indexOf(type) === at);
  const chosen = issuing[index % issuing.length];
  return ways.filter(({ type, by }) => !issuing.includes(type) || type === chosen || by === 'pages');
}

async function onStage(openStore: OpenStore, body: (stage: Stage) => Promise<void>): Promise<void> {
  const clock = new FakeClock();
  const store = await openStore(clock);
  try {
    await body(await openStage(store, clock));
  } finally {
    await store.close();
  }
}

/** Whether what the way issues is over, also where the same request begins again by itself. */
function isAbout({ of, endsLogins = false }: End, { type, by }: Way): boolean {
  if (by === 'client') return of === 'tokens' || of === 'registration';
  if (type === 'login') return endsLogins;
  // They ask again, and get a token after the end, while the session goes on.
  if (by === 'pages') return of === 'person' || of === 'session';
  // A grant without a code is stored before what is remembered of it.
  if (of === 'session') return by === 'remembered' || by === 'trusted' || (by === 'asked' && hasCode(type));
  return by !== 'trusted' || of === 'person' || of === 'registration';
}

/** Whether the end is also about what the way has issued before. */
function endsEarlier(end: End, way: Way): boolean {
  // A session that ends leaves what was given in it to other clients before. A client whose tokens are revoked can get new ones.
  return end.of === 'session' ? way.by === 'pages' : end.of !== 'tokens';
}

/** The end comes between two calls of the issue, and is complete before the second one. */
async function inGaps(stage: Stage, end: End, way: Way): Promise<void> {
  // Before its first call the issue has not begun.
  for (const call of callsFrom(2)) {
    const made = await prepared(stage, end, way);
    const { gate } = stage.issuing;
    gate.aim(call, async (before) => {
      // What was sent together with it has been read.
      await before;
      await made.finish();
    });
    const got = await gotFrom(made.issue);
    if (!gate.close()) return;
    stage.left.push(...(await leftOf(made, got, `the end before call ${call} of the issue`)));
  }
}

/** The issue comes before the end, or begins before a call of it, and both go on at the same time. */
async function atCalls(stage: Stage, end: End, way: Way): Promise<void> {
  const made = await prepared(stage, end, way);
  const got = await gotFrom(made.issue);
  await made.finish();
  stage.left.push(...(await leftOf(made, got, 'the issue before the end')));
  for (const call of callsFrom(1)) {
    const made = await prepared(stage, end, way);
    const { gate } = stage.ending;
    let got: Promise<Got> | undefined;
    gate.aim(call, async () => {
      got = gotFrom(made.issue);
    });
    await made.finish();
    if (!gate.close()) return;
    stage.left.push(...(await leftOf(made, (await got) ?? {}, `the issue at call ${call} of the end`)));
  }
}

type Prepared = Awaited<ReturnType<typeof prepared>>;

async function prepared(stage: Stage, end: End, way: Way) {
  const play = await newPlay(stage, way.client, way.by === 'pages');
  const issue = await way.prepare(play);
  const subject = await subjectOf(play);
  const finish = await end.prepare(play);
  return { play, subject, end, way, issue, finish };
}

/** A refused request has got nothing. */
async function gotFrom(issue: () => Promise<Got>): Promise<Got> {
  return issue().catch((error: unknown) => {
    if (error instanceof Error && error.name === 'OAuthError') return {};
    throw error;
  });
}

/** What is left of the access that has ended, in words. */
async function leftOf({ play, subject, end, way }: Prepared, got: Got, when: string): Promise<string[]> {
  const { store, client, account } = play;
  await store.refreshRegistry();
  const left: string[] = [];
  const note = (isLeft: boolean, what: string) => {
    if (isLeft && left.length === 0) left.push(`${what}: ${way.name}, ${end.name}, ${when}`);
  };
  const gets = async (request: Promise<Got>) => Object.values(await gotFrom(() => request)).some(Boolean);
  if (got.accessToken !== undefined) note(await isValid(play, got.accessToken), 'a valid access token');
  if (got.code !== undefined) note(await gets(redeem(play, got.code)), 'a code');
  if (got.refreshToken !== undefined) note(await gets(refresh(play, got.refreshToken)), 'a refresh token');
  if (end.of === 'tokens') return left;
  const type = client.allowedImplicitGrant ? 'token' : 'code';
  const silent = ask(play, parametersOf(play, type, { prompt: 'none' })).then(gotOf);
  note(await gets(silent), 'an answer without a question');
  const owner = { identityProvider: accountIdentityProvider, name: account.username };
  const sessions = await store.loginSessions.list({ owner, limit: 1 });
  if (end.of === 'person') note(sessions.length > 0, 'a session');
  if (end.of === 'session' || end.of === 'registration') return left;
  const grants = await store.grants.listBySubject(subject, play.issuing.clock.now());
  note(grants.length > 0, 'a grant');
  return left;
}
