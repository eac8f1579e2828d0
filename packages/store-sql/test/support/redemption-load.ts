// Alone: the whole testkit takes half as long to load as the store.
import { grantFactory } from '@watchword/testkit/grant';
import { openServerStore } from '../../src/index.ts';

/**
 * Runs as a process until it is killed. It redeems each code twice at once, rotates the refresh tokens and revokes some
 * grants. It prints a line after each resolved write.
 */
const [database = '', seed = ''] = process.argv.slice(2);
const { authorizationCodes, grants, refreshTokens } = await openServerStore({ database, clock: Date });
const workers = 16;

async function load(worker: number): Promise<never> {
  const make = grantFactory(`${seed}/${worker}`);
  for (let round = 0; ; round += 1) {
    const now = Date.now();
    const grant = make.grant({ creationDate: now });
    const code = make.code(grant);
    await authorizationCodes.insert(code, grant);
    const attempts = [make.tokens(grant), make.tokens(grant)];
    const outcomes = await Promise.all(attempts.map((each) => authorizationCodes.redeem(code.id, each, now)));
    const winner = attempts[outcomes.indexOf(true)];
    if (winner === undefined) throw new Error('no redemption of a code succeeded');
    console.log('redeemed', code.id, winner.accessToken.id, winner.refreshToken.id);
    const next = make.tokens(grant);
    await refreshTokens.rotate(winner.refreshToken.id, next, 'sealed', now);
    console.log('rotated', winner.refreshToken.id, next.accessToken.id, next.refreshToken.id);
    if (round % 4 > 0) continue;
    await grants.revoke(grant.id, now);
    console.log('revoked', grant.id);
  }
}

await Promise.all(Array.from({ length: workers }, (_, worker) => load(worker)));
