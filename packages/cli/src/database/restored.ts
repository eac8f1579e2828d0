import { systemClock } from '@watchword/server/system';
import { recordCounts } from '@watchword/store-sql';
import type { Command } from 'commander';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import { databaseCommand } from '../command/options.ts';
import { timeOption } from '../command/times.ts';
import { UsageError } from '../command/usage-error.ts';
import { withStore } from '../command/with-store.ts';
import {
  endedInWords,
  printRecords,
  recordRestore,
  recordsInWords,
  sayBefore,
  secretsInWords,
  tokensKeptWarning,
  withRestoreOptions,
} from './restored-records.ts';

const pastTime = timeOption('--issued-after', () => systemClock.now());

const help = `
A backup has tokens, grants, codes and sessions that ended after it was made. After you have restored a database with other
tools than "watchword restore", such as those of PostgreSQL, this command ends all of them, and continues ids and revisions
above all numbers that were used. Run it after the restore and before a server starts. It can be repeated.

--issued-after ends only what was issued at that time or later, and all JWTs, which the database does not have; --keep-tokens
ends no token. Then a token that was revoked after the backup is valid again. Codes, login sessions and reset links end in any case. Secrets and passwords are those of
the backup; --rotate-secrets replaces all of them.
${confirmationHelp}`;

export function restoredCommand(): Command {
  return withRestoreOptions(
    databaseCommand('restored', 'end the tokens of a database that other tools have restored'),
  )
    .addHelpText('before', examples('', '--issued-after 2026-11-22T20:00Z --yes'))
    .option('--issued-after <time>', 'end only what was issued at this time or later', pastTime)
    .addHelpText('after', help)
    .action(async ({ keepTokens, issuedAfter, ...options }) => {
      if (keepTokens === true && issuedAfter !== undefined) {
        throw new UsageError(
          '--keep-tokens and --issued-after: expected at most one of them, because they name different tokens',
        );
      }
      const isJson = options.json === true;
      const endIssuedFrom: number | undefined = keepTokens === true ? undefined : (issuedAfter ?? 0);
      await withStore(options, async ({ store, output, database, named }) => {
        const records = await recordCounts(named);
        sayBefore(options, [`${database} has ${recordsInWords(records)}.`]);
        const question = () => `End ${endingInWords(endIssuedFrom)} in ${database}?`;
        if (!(await isConfirmed(options, question, 'Nothing was ended.'))) return;
        const ended = await store.withoutServers(() =>
          store.beginEpoch({ now: store.clock.now(), endIssuedFrom }),
        );
        const facts = {
          tokensKept: endIssuedFrom === undefined,
          ...(issuedAfter !== undefined && { issuedAfter }),
          secretsRotated: options.rotateSecrets === true,
        };
        const restored = await recordRestore(store, 'restored', { ...facts, ...ended });
        const { tokensKept, secretsRotated } = facts;
        output.done(
          [
            `${database} is ready for its servers.`,
            ...(tokensKept ? [] : [endedInWords(ended)]),
            ...(endIssuedFrom === 0 ? [] : [tokensKeptWarning]),
            secretsInWords(secretsRotated, 'repeat the command'),
          ],
          { database, records, ...facts, ...restored, ended },
        );
        if (!isJson) printRecords(output, restored, secretsRotated);
      });
    });
}

function endingInWords(from: number | undefined): string {
  if (from === undefined) return 'all codes and login sessions';
  if (from === 0) return 'all tokens, grants, consents, codes and login sessions';
  const time = new Date(from).toISOString();
  return `all codes and login sessions, and the tokens, grants and consents issued since ${time},`;
}
