import type { Command } from 'commander';
import { wholeNumber } from './options.ts';

const defaultLimit = 100;

/** Gives a list command `--limit`. */
export function withLimit(command: Command): Command {
  return command.option('--limit <n>', 'at most so many records', wholeNumber('--limit', 1), defaultLimit);
}
