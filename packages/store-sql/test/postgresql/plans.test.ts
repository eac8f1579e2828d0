import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withConnection } from '@watchword/testkit/postgresql';
import { hotAccessTokens } from '../../src/access-tokens.ts';
import { hotAuthorizationCodes } from '../../src/authorization-codes.ts';
import { hotConsentAnswers } from '../../src/consent-answers.ts';
import { CommandForms } from '../../src/dialects/postgresql/hot/command-form.ts';
import { formText } from '../../src/dialects/postgresql/hot/form-text.ts';
import { withFreshPlans } from '../../src/dialects/postgresql/hot/fresh-plans.ts';
import { lookupTexts } from '../../src/dialects/postgresql/hot/read.ts';
import { plansByKey } from '../../src/dialects/postgresql/pools.ts';
import type { HotAccess } from '../../src/hot/hot-access.ts';
import type { LookupCall } from '../../src/hot/lookup.ts';
import type { Statement } from '../../src/hot/statement.ts';
import { statements } from '../../src/hot/statements.ts';
import { hotLoginSessions } from '../../src/login-sessions.ts';
import { hotRefreshTokens } from '../../src/refresh-tokens.ts';
import { hotRevocations } from '../../src/revocations.ts';
import { noSegments } from '../../src/token-segments.ts';
import { newFlow, tokenId } from '../support/hot-commands.ts';
import { postgresqlNodes } from '../support/postgresql-node.ts';

/** The SQL of each statement by itself, and of a redemption and a rotation. */
function texts(): string[] {
  const { insertSuccessor, ...others } = statements;
  const { redeemCode, rotateRefreshToken, insertAccessToken, insertRefreshToken, useGrant } = others;
  const forms = [
    ...Object.values(others).map((statement) => [statement]),
    [redeemCode, insertAccessToken, insertRefreshToken, useGrant],
    [rotateRefreshToken, insertAccessToken, insertSuccessor, useGrant],
  ] as unknown as Statement[][];
  return forms.flatMap((form) => {
    const command = form.flatMap(({ number, names }) => [number, ...names.map(() => null)]);
    const { sql, before } = formText(new CommandForms().of(command) ?? assert.fail());
    return [sql, ...before.map((each) => each.sql)];
  });
}

/** The SQL of the lookups of requests, for one key and for many. */
async function lookups(): Promise<string[]> {
  const seen: LookupCall['lookup'][] = [];
  const hot: HotAccess = {
    hasShards: false,
    write: () => assert.fail(),
    async read(lookup) {
      seen.push(lookup as unknown as LookupCall['lookup']);
      return undefined;
    },
  };
  const id = tokenId();
  await hotAccessTokens(hot, noSegments).find(id);
  await hotAuthorizationCodes(hot, noSegments).find(id);
  await hotRefreshTokens(hot, noSegments).find(id);
  await hotLoginSessions(hot, async () => {}).find(id);
  await hotConsentAnswers(hot).isGiven(id);
  await hotRevocations(hot).isTokenRevoked(id);
  return seen.flatMap((lookup) => {
    const { one, many } = lookupTexts(lookup, 'name');
    return [one, many];
  });
}

describe('the hot statements of PostgreSQL', () => {
  it('find rows by keys, before PostgreSQL has collected statistics', async () => {
    await using database = await postgresqlNodes();
    const flows = Array.from({ length: 1000 }, newFlow);
    const node = database.node();
    await node.commit(flows.map(({ issue }) => issue));
    await node.commit(flows.map(({ redemption }) => redemption()));
    const sqls = [...texts(), ...(await lookups())];
    await withConnection(database.url, async (client) => {
      for (const [name, value] of Object.entries(plansByKey)) await client.query(`set ${name} = ${value}`);
      for (const sql of sqls) {
        const values = Array.from(new Set(sql.match(/\$\d+/g)), () => 'null');
        await client.query(`prepare planned as ${sql}`);
        const { rows } = await client.query(`explain execute planned (${values.join(', ')})`);
        await client.query('deallocate planned');
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        const scans = plan.match(/Seq Scan|Bitmap|Index (?:Only )?Scan/g)?.length ?? 0;
        assert.equal(plan.match(/Index Cond/g)?.length ?? 0, scans, `${sql}\n${plan}`);
      }
    });
  });

  it('are planned again every ten seconds of use', async () => {
    let now = 0;
    const sent: string[] = [];
    const session = {
      begin: () => [{ text: 'begin', values: [] }],
      async pipeline(queries: readonly { readonly text: string }[]) {
        sent.push(...queries.map(({ text }) => text));
        return [];
      },
    };
    const pool = withFreshPlans({ use: (work) => work(session) }, () => now);
    for (now of [0, 10_000, 10_001, 20_001, 20_002]) {
      await pool.use(({ pipeline }) => pipeline([{ text: 'read', values: [] }]));
    }
    assert.deepEqual(sent, ['read', 'read', 'discard plans', 'read', 'read', 'discard plans', 'read']);
  });
});
