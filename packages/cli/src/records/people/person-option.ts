import { accountIdentityProvider, type Identity } from '@watchword/protocol';
import type { Command } from 'commander';
import type { Options } from '../../command/options.ts';
import { UsageError } from '../../command/usage-error.ts';

/** Adds the options that name one person. */
export function withPerson(command: Command): Command {
  return command
    .option('--person <name>', 'only this person, by principal name')
    .option('--identity-provider <name>', 'identity provider of --person; the local accounts when absent');
}

/** @throws UsageError */
export function personOf({ person: name, identityProvider }: Options): Identity | undefined {
  if (typeof name === 'string') return namedPerson(name, { identityProvider });
  if (identityProvider === undefined) return undefined;
  throw new UsageError('--identity-provider: expected --person <name> too; add the name of the person');
}

/** A command on one person, the argument `<name>`. */
export function withProviderOfPerson(command: Command): Command {
  return command
    .argument('<name>', 'principal name of the person; of a local account, its username')
    .option('--identity-provider <name>', 'identity provider of the person; the local accounts when absent');
}

export function namedPerson(name: string, { identityProvider }: Pick<Options, 'identityProvider'>): Identity {
  return { name, identityProvider: String(identityProvider ?? accountIdentityProvider) };
}
