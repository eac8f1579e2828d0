import type { Command } from 'commander';
import { wholeNumber } from './options.ts';

const defaultLimit = 100;

/** Adds `--limit` to a list command. */
export function withLimit(command: Command): Command {
  return command.option('--limit <n>', 'maximum number of records', wholeNumber('--limit', 1), defaultLimit);
}
