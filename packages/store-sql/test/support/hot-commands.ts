import { grantFactory, tokenFactory } from '@watchword/testkit';
import { newGrantRow } from '../../src/grants/grant-rows.ts';
import { addIssued } from '../../src/grants/issue-under-grant.ts';
import { accessTokenRow, authorizationCodeRow } from '../../src/grants/token-rows.ts';
import { noSegments } from '../../src/grants/token-segments.ts';
import { add, type Command, commandOf } from '../../src/hot/command.ts';
import { statements } from '../../src/hot/statements.ts';

const make = grantFactory();
const token = tokenFactory();

export function tokenId(): string {
  return token().id;
}

export function newToken(id = tokenId(), confirmation: string | null = null): Command {
  return commandOf(statements.insertAccessToken, {
    ...accessTokenRow(token(), noSegments),
    id,
    confirmation,
  });
}

/** A new grant with its code, and redemptions of the code, each with other tokens. */
export function newFlow() {
  const grant = make.grant();
  const code = make.code(grant);
  const grantRow = newGrantRow(grant, code.expires);
  const issue = commandOf(statements.insertCode, authorizationCodeRow(code));
  add(issue, statements.insertGrant, grantRow);
  return {
    grant,
    code,
    issue,
    redemption(): Command {
      const command = commandOf(statements.redeemCode, {
        id: code.id,
        grant_id: grant.id,
        now: 1,
        max_failures: 5,
      });
      addIssued(command, make.tokens(grant), 1, noSegments);
      return command;
    },
    /** The grant with two access tokens instead of a code, all of them without expiry. */
    endless() {
      const tokens = [make.tokens(grant), make.tokens(grant)].map(({ accessToken }) => ({
        ...accessToken,
        id: inShardOf(grant.id, accessToken.id),
      }));
      const command = commandOf(statements.insertGrant, { ...grantRow, expires: 0 });
      for (const each of tokens) {
        add(command, statements.insertAccessToken, { ...accessTokenRow(each, noSegments), expires: 0 });
      }
      return { issue: command, tokens: tokens.map(({ id }) => id) };
    },
  };
}

/** The id with the shard number of its grant, as the rules make it. */
function inShardOf(grantId: string, id: string): string {
  return `${id.slice(0, 15)}${grantId.slice(15, 18)}${id.slice(18)}`;
}
