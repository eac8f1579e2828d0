import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { isStorableKey } from '@watchword/protocol';
import { add, commandOf } from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';
import { newFlow } from '../support/hot-commands.ts';
import { postgresqlNodes } from '../support/postgresql-node.ts';

/** Text that PostgreSQL cannot compress. */
const text = (length: number) => randomBytes(length).toString('base64url').slice(0, length);

describe('the longest keys that the rules permit', () => {
  it('fit into the indexes of PostgreSQL', async () => {
    await using database = await postgresqlNodes();
    const node = database.node();
    const { grant, issue } = newFlow();
    await node.commit([issue]);
    const key = { identity_provider: text(600), principal_name: text(600), redirect_uri: text(1300) };
    assert.ok(isStorableKey(...Object.values(key)));
    assert.ok(!isStorableKey(...Object.values(key), 'x'));
    const consent = commandOf(statements.holdGrant, { grant_id: grant.id });
    const row = {
      ...key,
      client_record_id: 2 ** 40,
      subject: 's',
      scopes: '',
      saved_at: 1,
      grant_id: grant.id,
    };
    add(consent, statements.insertConsent, row);
    assert.deepEqual(await node.commit([consent]), [1]);
    const [provider, name] = [text(1250), text(1250)];
    for (const column of [
      `authorization_grant set identity_provider = '${provider}', principal_name = '${name}'`,
      `authorization_grant set revoked_at = 1`,
    ]) {
      await database.sql(`update ${column}`);
    }
  });
});
