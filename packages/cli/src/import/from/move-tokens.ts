import { commandLineCaller, importTokens, type TokenReport } from '@watchword/administration';
import { systemRandom } from '@watchword/server/system';
import { operator } from '../../command/operator.ts';
import { UsageError } from '../../command/usage-error.ts';
import type { ToolContext } from '../../command/with-store.ts';
import { accountsOfPart } from '../command-parts.ts';
import type { MovedTokens, Outcomes } from './move-in-report.ts';
import type { Translation } from './translation.ts';

/** Imports the tokens of an export, a thousand together; `undefined` if they shall not come. */
export async function moveTokens(
  { tokens }: Translation,
  options: { readonly tokens: boolean; readonly dryRun: boolean },
  { store, configuration }: ToolContext,
  outcomes: Pick<Outcomes, 'of'>,
): Promise<MovedTokens | undefined> {
  if (!options.tokens) return undefined;
  if (store.isDistributed)
    throw new UsageError(
      '--tokens: the database is distributed, and ids of tokens of another server name no shard; leave it out, and let clients get new tokens',
    );
  const deps = {
    ...{ ...store, random: systemRandom, subjectSecret: await store.subjectKey.read() },
    refreshIdleLifetime: configuration['refresh.idleLifetime'],
    refreshLifetime: configuration['refresh.lifetime'],
  };
  const isComing = (clientId: string) => outcomes.of('client', clientId)?.outcome === 'created';
  const coming = options.dryRun ? tokens.map(({ clientId }) => clientId).filter(isComing) : [];
  const how = { isDryRun: options.dryRun, coming: new Set(coming) };
  const reports: TokenReport[] = [];
  for (let from = 0; from < tokens.length; from += accountsOfPart) {
    const part = tokens.slice(from, from + accountsOfPart);
    reports.push(...(await importTokens(commandLineCaller(operator), deps, part, how)));
  }
  const count = (wanted: TokenReport['outcome']) =>
    reports.filter(({ outcome }) => outcome === wanted).length;
  return {
    created: count('created'),
    unchanged: count('unchanged'),
    leftOut: reports.filter(({ outcome }) => outcome === 'leftOut'),
  };
}
